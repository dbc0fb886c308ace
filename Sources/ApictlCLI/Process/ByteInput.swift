/// A source of bytes: stdin, a file, or a buffer in a test.
public protocol ByteInput: Sendable {
    /// Whether it is a terminal.
    var isTerminal: Bool { get }
    /// Whether a read may have to wait for a writer; false for a regular file or a buffer.
    var mayWait: Bool { get }
    /// The next available bytes; empty at the end. Throws ``FileError``.
    func read() throws -> [UInt8]
    /// The same input, except that reading throws ``FileError`` if `deadline` passes while it waits for a writer.
    func limited(until deadline: ContinuousClock.Instant) -> any ByteInput
}

extension ByteInput {
    /// False, as for a buffer.
    public var mayWait: Bool { false }
    /// The input itself, as for one that never waits.
    public func limited(until deadline: ContinuousClock.Instant) -> any ByteInput { self }

    /// Everything up to the end.
    ///
    /// Throws ``FileError`` if it can't be read or is longer than `limit` bytes. The error calls the input `name`, and appends `advice`
    /// if it is too long.
    func readAll(name: String, limit: Int = 100_000_000, advice: String = "") throws -> [UInt8] {
        var result: [UInt8] = []
        while true {
            let chunk = try read()
            if chunk.isEmpty { return result }
            result += chunk
            if result.count > limit {
                throw FileError(.read, name, reason: "longer than \(ByteCountText.shown(limit))\(advice)")
            }
        }
    }
}
