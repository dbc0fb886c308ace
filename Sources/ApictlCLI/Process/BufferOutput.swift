import Synchronization

/// An output that keeps what is written to it.
public final class BufferOutput: ByteOutput {
    /// What the output gives itself out as.
    public let isTerminal: Bool
    private let content = Mutex<[UInt8]>([])

    /// An empty output.
    public init(isTerminal: Bool = false) { self.isTerminal = isTerminal }

    /// All that was written.
    public var bytes: [UInt8] { content.withLock { $0 } }
    /// All that was written, with the replacement character for what is not UTF-8.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Adds `bytes`. Never throws.
    public func write(_ bytes: [UInt8]) throws { content.withLock { $0 += bytes } }
}
