import Synchronization

/// The output for a text that a pager shows once it is complete.
///
/// A text that comes bit by bit, or that is too long to be kept, goes to the terminal directly instead: a pager shows
/// nothing before the end of its input.
final class PagedOutput: ByteOutput {
    /// The most bytes that are kept. Nobody reads more in a pager.
    private static let maxBytes = 64_000_000

    let isTerminal = true
    let columns: Int?
    private let terminal: any ByteOutput
    private let state = Mutex(State())

    private struct State {
        /// The text so far; empty if it goes to the terminal.
        var bytes: [UInt8] = []
        var isDirect = false
    }

    /// Makes an output.
    ///
    /// - Parameter terminal: The terminal, for a text that is not paged.
    init(terminal: any ByteOutput) {
        self.terminal = terminal
        columns = terminal.columns
    }

    /// The text for the pager.
    var bytes: [UInt8] { state.withLock(\.bytes) }

    /// Writes what has been kept to the terminal, and everything that follows.
    ///
    /// - Throws: The error of the terminal.
    func writeDirectly() throws { try state.withLock { try Self.end(&$0, terminal) } }

    func write(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            if state.isDirect { return try terminal.write(bytes) }
            state.bytes += bytes
            if state.bytes.count > Self.maxBytes { try Self.end(&state, terminal) }
        }
    }

    /// Writes the kept bytes to the terminal, where the following ones go too.
    private static func end(_ state: inout State, _ terminal: any ByteOutput) throws {
        let kept = state.bytes
        state = State(isDirect: true)
        if !kept.isEmpty { try terminal.write(kept) }
    }
}
