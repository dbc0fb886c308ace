/// A line on a terminal that shows how much of a body was received, how fast, and how long the rest will take:
///
///     42%  63.1 MB of 149.0 MB  5.2 MB/s  17 s left
///
/// It is redrawn in place at most ten times a second, and erased at the end.
struct Progress {
    let output: any ByteOutput
    /// The bytes that have been received, including those of an earlier transfer.
    private(set) var receivedBytes: Int
    /// The size of the body in bytes; nil if it is not known.
    let totalBytes: Int?
    /// The time of the next drawing. A transfer that ends before the first one shows no progress.
    private var nextDrawing = ContinuousClock.now + .milliseconds(500)
    /// The bytes that an earlier transfer has received.
    private let earlierBytes: Int
    private let start = ContinuousClock.now
    /// Whether there is a line to erase.
    private var isDrawn = false

    /// Prepares the line. Nothing is drawn yet.
    ///
    /// - Parameters:
    ///   - output: The terminal.
    ///   - earlierBytes: The number of bytes that an earlier transfer has received, if this one continues it; else 0.
    ///   - totalBytes: The size of the body in bytes; nil if it is not known.
    init(output: any ByteOutput, earlierBytes: Int, totalBytes: Int?) {
        self.output = output
        self.earlierBytes = earlierBytes
        receivedBytes = earlierBytes
        self.totalBytes = totalBytes
    }

    /// Counts received bytes, and redraws the line unless it was drawn less than 100 ms ago.
    ///
    /// An error of the terminal is ignored, because a line that can't be drawn must not stop the transfer.
    mutating func advance(by count: Int) {
        receivedBytes += count
        guard .now >= nextDrawing else { return }
        nextDrawing = .now + .milliseconds(100)
        isDrawn = true
        let amount = Self.text(transferredBytes: receivedBytes, totalBytes: totalBytes)
        let missingBytes = totalBytes.map { $0 - receivedBytes }
        let speed = Self.speedText(
            received: receivedBytes - earlierBytes, elapsed: .now - start, missing: missingBytes)
        try? output.write(TerminalLine.redrawn(amount + speed))
    }

    /// Erases the line if it was drawn.
    func erase() { if isDrawn { try? output.write(TerminalLine.erasing) } }

    /// Returns the beginning of the line: `42%  63.1 MB of 149.0 MB`, or only `63.1 MB` if the total is not known.
    ///
    /// - Parameters:
    ///   - transferredBytes: The bytes that have been received or sent.
    ///   - totalBytes: The size of the body in bytes; nil if it is not known.
    static func text(transferredBytes: Int, totalBytes: Int?) -> String {
        let size = ByteCountText.shown(transferredBytes)
        guard let totalBytes, totalBytes > 0 else { return size }
        // The percentage is rounded down, so that 100% only appears at the end.
        let isComplete = transferredBytes >= totalBytes
        let percent = isComplete ? 100 : Int(Double(transferredBytes) / Double(totalBytes) * 100)
        return "\(percent)%  \(size) of \(ByteCountText.shown(totalBytes))"
    }

    /// Returns the end of the line: `  5.2 MB/s  17 s left`, or only the speed if the number of missing bytes is not
    /// known.
    ///
    /// - Parameters:
    ///   - received: The bytes that this transfer has received.
    ///   - elapsed: The time that it has taken.
    ///   - missing: The bytes that have not arrived; nil if the size of the body is not known.
    /// - Returns: The text; empty if there is no speed yet.
    static func speedText(received: Int, elapsed: Duration, missing: Int?) -> String {
        guard received > 0, elapsed > .zero else { return "" }
        let bytesPerSecond = Double(received) / elapsed.inSeconds
        // The limit keeps the conversion to Int from failing. No real speed comes near.
        let speed = ByteCountText.shown(Int(min(bytesPerSecond, 1e15)))
        guard let missing, missing > 0 else { return "  \(speed)/s" }
        let secondsLeft = (Double(missing) / bytesPerSecond).rounded(.up)
        return "  \(speed)/s  \(Duration.seconds(secondsLeft).shown) left"
    }
}
