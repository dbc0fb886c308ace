import EndpointKit
import Synchronization

/// An output that is written directly, although a file in its place would be replaced: a device, a pipe, an open
/// descriptor or stdout.
///
/// It gets the bytes unchanged, except that a terminal only gets safe text.
final class DirectFile: FileReplacement {
    private let output: any ByteOutput
    private let name: String
    /// Makes text safe for a terminal.
    private let filter = Mutex(TerminalFilter())

    /// Makes a file that writes to an output.
    ///
    /// - Parameters:
    ///   - output: The output.
    ///   - name: The name of the file in messages.
    init(_ output: any ByteOutput, name: String) {
        self.output = output
        self.name = name
    }

    var isTerminal: Bool { output.isTerminal }

    /// Writes the bytes. A terminal gets safe text, in which control characters are escaped.
    ///
    /// - Throws: ``FileError`` for binary data on a terminal, and the error of the output.
    func write(_ bytes: [UInt8]) throws {
        guard isTerminal else { return try output.write(bytes) }
        // Nil means binary data.
        guard let text = filter.withLock({ $0.feed(bytes) }) else {
            let advice = "-o FILE writes it to a file, | cat shows it"
            throw FileError(.write, name, reason: "binary data would garble the terminal (\(advice))")
        }
        try output.write(text)
    }

    /// Returns false, because what was written can't be taken back.
    func restart() -> Bool { false }

    /// Writes what the filter of a terminal still holds: the start of a character that never ended.
    ///
    /// - Throws: The error of the output.
    func commit() throws {
        if isTerminal { try output.write(filter.withLock { $0.finish() }) }
    }

    /// Does nothing, because what was written can't be taken back.
    func discard() {}
}
