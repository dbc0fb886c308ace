import Dispatch
import Synchronization
import SystemCalls

/// Messages over stdin and stdout, one in each line.
///
/// Writing waits for a client that does not read, and then no more is read from it: what it sends does not fill the memory.
final class MessageStream: Sendable {
    /// The longest line that is read, in bytes.
    static let maxLength = 10_000_000
    /// How many lines are read ahead.
    private static let readAhead = 4
    /// How long the run may go on after the end of the input: a client may have stopped to read.
    private static let timeToEnd = DispatchTimeInterval.seconds(10)

    /// What the client sends; nil is a line that is too long. It ends with the input, or once nothing can be written.
    let lines: AsyncStream<[UInt8]?>
    private let sink: AsyncStream<[UInt8]?>.Continuation
    private let output: any ByteOutput
    private let failure = Mutex<(any Error)?>(nil)
    /// How many more lines may be read.
    private let room = DispatchSemaphore(value: 0)
    private let isOver = DispatchSemaphore(value: 0)

    /// Starts to read `input` on a thread of its own. `interrupt` ends a run that goes on after that. Throws `SystemError`.
    init(_ input: any ByteInput, _ output: any ByteOutput, interrupt: @escaping @Sendable () -> Void) throws {
        self.output = output
        (lines, sink) = AsyncStream.makeStream()
        for _ in 0..<Self.readAhead { room.signal() }
        try SystemThread.start { [self] in
            read(input)
            sink.finish()
            if isOver.wait(timeout: .now() + Self.timeToEnd) == .timedOut { interrupt() }
        }
    }

    /// Says that a line has been dealt with, so that another one may be read.
    func endLine() { room.signal() }

    func send(_ line: ArraySlice<UInt8>) {
        failure.withLock { failure in
            guard failure == nil else { return }
            do {
                try output.write(line + [UInt8(ascii: "\n")])
            } catch {
                failure = error
                sink.finish()
            }
        }
    }

    /// Says that the run is over. Throws what writing has thrown.
    func finish() throws {
        isOver.signal()
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    private func read(_ input: any ByteInput) {
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
}
