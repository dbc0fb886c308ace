import Dispatch
import Synchronization
import SystemCalls

/// Messages over stdin and stdout, one in each line. Both are used on threads of their own: neither a client that sends nothing nor one that
/// reads nothing stops what is under way.
final class MessageStream: Sendable {
    /// The longest line that is read, in bytes.
    static let maxLength = 10_000_000
    /// How many lines are read ahead of the answers that the client has read: what it does not read must not fill the memory.
    private static let readAhead = 100
    /// How long the client has to read the rest at the end.
    private static let timeToRead = DispatchTimeInterval.seconds(1)

    private struct Output {
        var text: [UInt8] = []
        /// How many of the lines that were read have been dealt with.
        var ended = 0
        var isEnding = false
        var isClosed = false
    }

    private let output = Mutex(Output())
    /// Signalled when there is something to write.
    private let filled = DispatchSemaphore(value: 0)
    private let written = DispatchSemaphore(value: 0)
    /// How many more lines may be read.
    private let room = DispatchSemaphore(value: 0)

    /// Starts to read `input` and to write to `stdout`. The lines end with the input, or once nothing can be written; nil is one that is too
    /// long. Throws `SystemError`.
    func start(_ input: any ByteInput, _ stdout: any ByteOutput) throws -> AsyncStream<[UInt8]?> {
        let (lines, sink) = AsyncStream.makeStream(of: [UInt8]?.self)
        for _ in 0..<Self.readAhead { room.signal() }
        try SystemThread.start { [self] in
            read(input, sink)
            sink.finish()
        }
        try SystemThread.start { [self] in
            while let (text, ended) = next() {
                do {
                    try stdout.write(text)
                } catch {
                    output.withLock { $0.isClosed = true }
                    sink.finish()
                }
                for _ in 0..<ended { room.signal() }
            }
            written.signal()
        }
        return lines
    }

    /// Sends a line after those before it.
    func send(_ line: ArraySlice<UInt8>) {
        output.withLock { $0.text += line + [UInt8(ascii: "\n")] }
        filled.signal()
    }

    /// Says that a line has been dealt with: once what was sent by then is written, another one may be read.
    func endLine() {
        output.withLock { $0.ended += 1 }
        filled.signal()
    }

    /// Ends the output: waits a moment until the client has read what was sent. Throws ``OutputClosed`` if it has gone.
    func finish() throws {
        output.withLock { $0.isEnding = true }
        filled.signal()
        _ = written.wait(timeout: .now() + Self.timeToRead)
        if output.withLock(\.isClosed) { throw OutputClosed() }
    }

    private func read(_ input: any ByteInput, _ sink: AsyncStream<[UInt8]?>.Continuation) {
        var line: [UInt8]? = []
        func end() {
            if line?.allSatisfy({ " \t\r".utf8.contains($0) }) != true {
                room.wait()
                sink.yield(line)
            }
            line = []
        }
        while let chunk = try? input.read(until: nil), !chunk.isEmpty {
            let parts = chunk.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            for (index, part) in parts.enumerated() {
                if index > 0 { end() }
                line?.append(contentsOf: part)
                if let count = line?.count, count > Self.maxLength { line = nil }
            }
        }
        end()
    }

    /// What is to be written next; nil at the end.
    private func next() -> (text: [UInt8], ended: Int)? {
        while true {
            let (next, isOver) = output.withLock { output in
                defer { (output.text, output.ended) = ([], 0) }
                return ((output.text, output.ended), output.isClosed || output.isEnding && output.text.isEmpty)
            }
            if isOver { return nil }
            if !next.0.isEmpty || next.1 > 0 { return next }
            filled.wait()
        }
    }
}
