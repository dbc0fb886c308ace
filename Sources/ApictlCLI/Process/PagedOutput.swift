import Synchronization

/// The output for a text that a pager shows once it is complete.
///
/// A text that comes bit by bit, or that is too long to be kept, goes to the terminal directly instead: a pager shows
/// nothing before the end of its input.
final class PagedOutput: ByteOutput {
    /// The greatest number of bytes that are kept. Nobody reads more in a pager.
    private static let maxBytes = 64_000_000

    let isTerminal = true
    let columns: Int?
    private let terminal: any ByteOutput
    private let state = Mutex(State())

    private struct State {
        /// The text so far; empty once it goes to the terminal.
        var bytes: [UInt8] = []
        /// Whether the text goes to the terminal.
        var isDirect = false
    }

    /// Makes an output.
    ///
    /// - Parameter terminal: The terminal, for a text that is not paged.
    init(terminal: any ByteOutput) {
        self.terminal = terminal
        columns = terminal.columns
    }

    /// The text so far, for the pager. It is empty if the text goes to the terminal.
    var bytes: [UInt8] { state.withLock(\.bytes) }

    /// Writes what has been kept to the terminal. From now on, everything goes there directly.
    ///
    /// - Throws: The error of the terminal.
    func writeDirectly() throws { try state.withLock { try switchToTerminal(&$0) } }

    /// Keeps bytes, or writes them if the text goes to the terminal. A text that gets too long goes there from now on.
    ///
    /// - Throws: The error of the terminal.
    func write(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            if state.isDirect { return try terminal.write(bytes) }
            state.bytes += bytes
            if state.bytes.count > Self.maxBytes { try switchToTerminal(&state) }
        }
    }

    /// Writes the kept bytes to the terminal, and makes the following ones go there too.
    private func switchToTerminal(_ state: inout State) throws {
        let keptBytes = state.bytes
        state = State(isDirect: true)
        if !keptBytes.isEmpty { try terminal.write(keptBytes) }
    }
}
