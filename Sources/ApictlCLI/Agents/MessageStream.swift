import Dispatch
import Synchronization
import SystemCalls

/// The messages between this process and a client, over stdin and stdout. Each is a line.
///
/// Only a few lines are read ahead. If a client does not read the results, ``send(_:)`` waits, no line ends, and the
/// next ones stay in the pipe, so that they do not fill the memory.
final class MessageStream: Sendable {
    /// A line of the input.
    enum Line: Sendable {
        case text([UInt8])
        /// A line of more than ``maxLength`` bytes, which is not kept.
        case tooLong
    }

    /// The longest line that is read, in bytes. It has room for arguments with files of some megabytes.
    static let maxLength = 10_000_000
    /// The number of lines that are read ahead: a few, so that the next one is there when a line has been handled.
    private static let readAhead = 4
    /// The time that the run may take after the end of the input. It would not end by itself if it waits for a client
    /// that does not read any more.
    private static let timeToEnd = DispatchTimeInterval.seconds(10)

    /// The lines that the client sends. They end with the input, or once nothing can be written.
    let lines: AsyncStream<Line>
    /// The end of ``lines`` to which the reading thread adds lines.
    private let lineSink: AsyncStream<Line>.Continuation
    private let output: any ByteOutput
    /// The first error of ``output``; nil if there was none.
    private let writeError = Mutex<(any Error)?>(nil)
    /// Counts the lines that may still be read ahead.
    private let readPermits = DispatchSemaphore(value: 0)
    /// Is signalled once the run has ended.
    private let runHasEnded = DispatchSemaphore(value: 0)

    /// Starts to read the input on a thread of its own, because reading blocks.
    ///
    /// - Parameters:
    ///   - input: The input, such as stdin.
    ///   - output: The output for the results.
    ///   - interrupt: Ends a run that goes on for too long after the end of the input.
    /// - Throws: `SystemError` if there can be no thread.
    init(_ input: any ByteInput, _ output: any ByteOutput, interrupt: @escaping @Sendable () -> Void) throws {
        self.output = output
        (lines, lineSink) = AsyncStream.makeStream()
        // The count of the semaphore starts at the number of lines that may be read ahead.
        for _ in 0..<Self.readAhead { readPermits.signal() }
        try SystemThread.start { [self] in
            readLines(of: input)
            lineSink.finish()
            // The run could wait for ever for a client that does not read.
            if runHasEnded.wait(timeout: .now() + Self.timeToEnd) == .timedOut { interrupt() }
        }
    }

    /// Allows the next line to be read, because one has been handled.
    func endLine() { readPermits.signal() }

    /// Writes a line to the client. After an error, nothing more is written, and ``lines`` ends.
    func send(_ line: ArraySlice<UInt8>) {
        writeError.withLock { firstError in
            guard firstError == nil else { return }
            do {
                try output.write(line + [UInt8(ascii: "\n")])
            } catch {
                firstError = error
                lineSink.finish()
            }
        }
    }

    /// Ends the stream: tells the reading thread that the run has ended in time, so that it does not interrupt the run.
    ///
    /// - Throws: The first error of the output, if there was one.
    func finish() throws {
        runHasEnded.signal()
        if let error = writeError.withLock({ $0 }) { throw error }
    }

    // MARK: Reading

    /// Reads lines until the input ends. An input that can't be read counts as ended: the client has gone.
    ///
    /// The text after the last line feed is a line too.
    private func readLines(of input: any ByteInput) {
        var line = Line.text([])
        while let chunk = try? input.read(until: nil), !chunk.isEmpty {
            let parts = chunk.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            for (index, part) in parts.enumerated() {
                // There is a line feed before each part but the first.
                if index > 0 {
                    handOut(line)
                    line = .text([])
                }
                line.append(part)
            }
        }
        handOut(line)
    }

    /// Waits until the run has handled enough of the earlier lines, and hands out a line. Blank lines are skipped.
    private func handOut(_ line: Line) {
        if line.isBlank { return }
        readPermits.wait()
        lineSink.yield(line)
    }
}

extension MessageStream.Line {
    /// Adds bytes to the line. A line of more than ``MessageStream/maxLength`` bytes becomes ``tooLong``, which drops
    /// its text.
    fileprivate mutating func append(_ bytes: ArraySlice<UInt8>) {
        guard case .text(var text) = self else { return }
        // While `self` has no reference to the text, appending changes its storage in place instead of copying it.
        self = .tooLong
        text.append(contentsOf: bytes)
        if text.count <= MessageStream.maxLength { self = .text(text) }
    }

    /// Whether the line has only white space. The carriage return belongs to a line that ends with CRLF.
    fileprivate var isBlank: Bool {
        guard case .text(let text) = self else { return false }
        return text.allSatisfy { " \t\r".utf8.contains($0) }
    }
}
