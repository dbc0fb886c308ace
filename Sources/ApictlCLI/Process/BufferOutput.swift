import Synchronization

/// An output that keeps what is written in memory.
public final class BufferOutput: ByteOutput {
    /// Whether the output pretends to be a terminal.
    public let isTerminal: Bool
    /// The width of that terminal in columns; nil if it is unknown.
    public let columns: Int?
    private let content = Mutex<[UInt8]>([])

    /// An empty output.
    public init(isTerminal: Bool = false, columns: Int? = nil) {
        self.isTerminal = isTerminal
        self.columns = columns
    }

    /// Everything written so far.
    public var bytes: [UInt8] { content.withLock { $0 } }
    /// Everything written so far as text, with the replacement character for bytes that are not UTF-8.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Appends `bytes`. Never throws.
    public func write(_ bytes: [UInt8]) throws { content.withLock { $0 += bytes } }
}
