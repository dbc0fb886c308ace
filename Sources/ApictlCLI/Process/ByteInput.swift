/// Where bytes come from: stdin, a file, or a buffer in a test.
public protocol ByteInput: Sendable {
    /// Whether a person types it on a terminal.
    var isTerminal: Bool { get }
    /// Whether a read may have to wait for whoever writes; that of a regular file or a buffer never has.
    var mayWait: Bool { get }
    /// The next bytes, as many as there are at hand; none at the end. Throws ``FileError``.
    func read() throws -> [UInt8]
}

extension ByteInput {
    /// False, as for a buffer.
    public var mayWait: Bool { false }

    /// Everything up to the end, at most `limit` bytes.
    ///
    /// Throws ``FileError``, which calls the input `name`, and for one that is longer says what to do with `advice` behind it.
    func readAll(name: String, limit: Int = 100_000_000, advice: String = "") throws -> [UInt8] {
        var result: [UInt8] = []
        while true {
            let piece = try read()
            if piece.isEmpty { return result }
            result += piece
            if result.count > limit {
                throw FileError(.read, name, reason: "longer than \(ByteCountText.shown(limit))\(advice)")
            }
        }
    }
}
