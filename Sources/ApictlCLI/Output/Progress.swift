/// A line on a terminal that shows how much of a body was received, how fast, and how long the rest will take: `42%
/// 63.1 MB of 149.0 MB  5.2 MB/s  17 s left`.
///
/// It is redrawn in place at most ten times a second, and erased at the end.
struct Progress {
    let output: any ByteOutput
    /// The bytes that have been received.
    private(set) var done: Int
    /// The size of the body in bytes; nil if it is not known.
    let total: Int?
    /// The time of the next drawing. A transfer that ends before the first one shows no progress.
    private var nextDrawing = ContinuousClock.now + .milliseconds(500)
    /// The bytes that an earlier transfer has received.
    private let startCount: Int
    private let start = ContinuousClock.now
    /// Whether there is a line to erase.
    private var isDrawn = false

    /// Prepares the line. Nothing is drawn yet.
    ///
    /// - Parameters:
    ///   - output: The terminal.
    ///   - done: The bytes that an earlier transfer has received, if this one continues it.
    ///   - total: The size of the body in bytes; nil if it is not known.
    init(output: any ByteOutput, done: Int, total: Int?) {
        self.output = output
        self.done = done
        startCount = done
        self.total = total
    }

    /// Counts received bytes, and redraws the line if it is time.
    mutating func advance(by count: Int) {
        done += count
        guard .now >= nextDrawing else { return }
        nextDrawing = .now + .milliseconds(100)
        isDrawn = true
        // A line that can't be drawn must not stop the transfer.
        let text =
            Self.text(done, of: total)
            + Self.text(speed: done - startCount, .now - start, left: total.map { $0 - done })
        try? output.write("\r  \(text)\u{1B}[K")
    }

    /// Erases the line if it was drawn.
    func erase() { if isDrawn { try? output.write("\r\u{1B}[K") } }

    /// Returns the end of the line: `  5.2 MB/s  17 s left`, or only the speed if the rest is not known.
    ///
    /// - Parameters:
    ///   - count: The bytes that this transfer has received.
    ///   - time: The time that it has taken.
    ///   - left: The bytes that are missing; nil if that is not known.
    static func text(speed count: Int, _ time: Duration, left: Int?) -> String {
        guard count > 0, time > .zero else { return "" }
        let bytesPerSecond = Double(count) / time.inSeconds
        // Int could not hold a larger number. No real speed comes near.
        let text = "  \(ByteCountText.shown(Int(min(bytesPerSecond, 1e15))))/s"
        guard let left, left > 0 else { return text }
        return text + "  \(Duration.seconds((Double(left) / bytesPerSecond).rounded(.up)).shown) left"
    }

    /// Returns the text of the line: `42%  63.1 MB of 149.0 MB`, or only the received size if the total is not known.
    static func text(_ done: Int, of total: Int?) -> String {
        let size = ByteCountText.shown(done)
        guard let total, total > 0 else { return size }
        // Rounded down, so that 100% is the end.
        let percent = done >= total ? 100 : Int(Double(done) / Double(total) * 100)
        return "\(percent)%  \(size) of \(ByteCountText.shown(total))"
    }
}
