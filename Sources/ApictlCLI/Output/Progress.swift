/// A line on a terminal that shows how much of a body was received, such as `42%  63.1 MB of 149.0 MB`.
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
        self.total = total
    }

    /// Counts received bytes, and redraws the line if it is time.
    mutating func advance(by count: Int) {
        done += count
        guard .now >= nextDrawing else { return }
        nextDrawing = .now + .milliseconds(100)
        isDrawn = true
        // A line that can't be drawn must not stop the transfer.
        try? output.write("\r  \(Self.text(done, of: total))\u{1B}[K")
    }

    /// Erases the line if it was drawn.
    func erase() { if isDrawn { try? output.write("\r\u{1B}[K") } }

    /// Returns the text of the line: `42%  63.1 MB of 149.0 MB`, or only the received size if the total is not known.
    static func text(_ done: Int, of total: Int?) -> String {
        let size = ByteCountText.shown(done)
        guard let total, total > 0 else { return size }
        // Rounded down, so that 100% is the end.
        let percent = done >= total ? 100 : Int(Double(done) / Double(total) * 100)
        return "\(percent)%  \(size) of \(ByteCountText.shown(total))"
    }
}
