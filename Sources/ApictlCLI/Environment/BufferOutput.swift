import Synchronization

/// An output that keeps what is written to it.
public final class BufferOutput: ByteOutput {
    public let isTerminal: Bool
    private let content = Mutex<[UInt8]>([])

    public init(isTerminal: Bool = false) { self.isTerminal = isTerminal }

    public var bytes: [UInt8] { content.withLock { $0 } }
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    public func write(_ bytes: [UInt8]) throws { content.withLock { $0 += bytes } }
}
