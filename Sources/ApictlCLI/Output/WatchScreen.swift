import EndpointKit

/// A terminal on which `--watch` shows the newest response.
///
/// A mark stands before each line that the response before the last change did not have, so that it stays visible until
/// the next change:
///
///     Every 2 s: http://127.0.0.1:3000/jobs/17
///     200 OK, call 5, last change in call 3
///
///       {
///     >   "state": "done",
///         "id": 17
///       }
struct WatchScreen {
    /// Sequences that terminals obey (ECMA-48, and those with a question mark of xterm).
    private enum Control {
        /// Shows the alternate screen, without the cursor. What was on the terminal stays on the other screen.
        static let open = "\u{1B}[?1049h\u{1B}[?25l"
        /// Shows the cursor and the screen from before.
        static let close = "\u{1B}[?25h\u{1B}[?1049l"
        /// Moves to the first column of the first line.
        static let start = "\u{1B}[H"
        /// Clears the line from the cursor on. It comes before the text of the line, because after a text that fills
        /// the line, the cursor stands on the last character.
        static let clearLine = "\u{1B}[K"
        static let endOfColor = "\u{1B}[0m"
        /// Clears the rest of the screen.
        static let end = "\u{1B}[J"
    }

    /// The height of a terminal that does not tell it.
    private static let defaultRows = 24
    /// The lines above the response: title, state and an empty line.
    private static let headerRows = 3

    private let environment: ProcessEnvironment
    /// The first line, which says what is called how often.
    private let title: String
    private let isColored: Bool

    private var output: any ByteOutput { environment.stdout }

    /// Makes a screen on stdout. Nothing is written before ``open()``.
    ///
    /// - Parameters:
    ///   - environment: The process, whose stdout is a terminal.
    ///   - title: The first line.
    ///   - isColored: Whether marks have a colour.
    init(_ environment: ProcessEnvironment, title: String, isColored: Bool) {
        self.environment = environment
        self.title = title
        self.isColored = isColored
    }

    /// Switches the terminal to its alternate screen, and shows the title there.
    ///
    /// - Throws: The error of stdout.
    func open() throws {
        try output.write(Control.open + Control.start + Control.clearLine + fitting(title.safeToShow) + Control.end)
    }

    /// Leaves the alternate screen, so that the terminal shows what it showed before. An error is ignored, because the
    /// terminal may have gone.
    func close() { try? output.write(Control.close) }

    /// Draws the newest response.
    ///
    /// - Parameters:
    ///   - history: The responses so far.
    ///   - status: The status of the newest response; nil if there was no response.
    ///   - notes: Text below the response, with a line feed after each line.
    /// - Throws: The error of stdout.
    func draw(_ history: WatchHistory, status: String?, notes: [UInt8]) throws {
        var text = BufferedOutput(output)
        try text.write(Control.start)
        try text.write(Control.clearLine + fitting(title.safeToShow) + "\n")
        try text.write(Control.clearLine + fitting(stateLine(history, status: status).safeToShow) + "\n")
        try text.write(Control.clearLine)
        let bodyRows = max((output.rows ?? Self.defaultRows) - Self.headerRows, 1)
        for line in bodyLines(history, notes: notes, maxCount: bodyRows) {
            // A line break comes before each line, because one after the last line would scroll the screen.
            try text.write("\n" + Control.clearLine + fitting(String(exactBytes: line)))
        }
        try text.write(Control.end)
        try text.flush()
    }

    /// Returns a line, or as much of its start as fits the width of the terminal.
    private func fitting(_ line: String) -> String {
        guard let columns = output.columns else { return line }
        let start = String(TextWidth.prefix(of: line, columns: columns))
        let isCut = start.utf8.count < line.utf8.count
        // The sequence that ends a colour may have been cut off.
        return isCut && isColored ? start + Control.endOfColor : start
    }

    /// Returns the line about the calls so far: `200 OK, call 5, last change in call 3`.
    ///
    /// - Parameters:
    ///   - history: The responses so far.
    ///   - status: The status of the newest response; nil if there was no response.
    private func stateLine(_ history: WatchHistory, status: String?) -> String {
        let change = history.lastChange.map { "last change in call \($0)" } ?? "no change"
        return "\(status ?? "no response"), call \(history.calls), \(change)"
    }

    /// Returns the lines below the header: those of the newest response, and then the notes.
    ///
    /// - Parameters:
    ///   - history: The responses so far.
    ///   - notes: Text below the response, with a line feed after each line.
    ///   - maxCount: The number of lines that fit on the screen.
    private func bodyLines(_ history: WatchHistory, notes: [UInt8], maxCount: Int) -> [[UInt8]] {
        let noteLines = notes.split(separator: UInt8(ascii: "\n")).map(Array.init)
        // All notes are shown. The response gets the rows that are left, but at least one.
        let responseRows = max(maxCount - noteLines.count, 1)
        return responseLines(history, maxCount: responseRows) + noteLines
    }

    /// Returns the lines of the newest response, each after a mark or two spaces.
    ///
    /// A mark stands before the lines that the response before the last change did not have. If the response has more
    /// lines than fit, a last line such as `… 17 more lines` takes the place of those that are left out.
    ///
    /// - Parameters:
    ///   - history: The responses so far.
    ///   - maxCount: The greatest number of lines to return.
    private func responseLines(_ history: WatchHistory, maxCount: Int) -> [[UInt8]] {
        let allLines = history.current?.lines ?? []
        let isCut = allLines.count > maxCount
        // If the response is cut, its last row says how many lines are hidden.
        let visibleCount = isCut ? maxCount - 1 : allLines.count
        let visibleLines = allLines.prefix(visibleCount)
        let earlierLines = history.previous?.lines.prefix(maxCount)
        let newIndexes = Self.indexesOfNewLines(in: visibleLines, since: earlierLines)
        var screenLines: [[UInt8]] = []
        for (index, line) in visibleLines.enumerated() {
            let margin = newIndexes.contains(index) ? mark : "  "
            screenLines.append(Array(margin.utf8) + line)
        }
        if isCut {
            let hiddenCount = allLines.count - visibleCount
            let hiddenLinesText = environment.marked("  … \(hiddenCount.counted("more line"))")
            screenLines.append(Array(hiddenLinesText.utf8))
        }
        return screenLines
    }

    /// The mark before a new line, which is yellow if the output has colours.
    private var mark: String { isColored ? "\u{1B}[33m>\(Control.endOfColor) " : "> " }

    /// Returns the indexes of the lines that have been added to earlier lines, by the shortest list of changes.
    ///
    /// - Parameters:
    ///   - lines: The lines.
    ///   - earlierLines: The earlier lines; nil if there are none to compare with, so that no line counts as new.
    private static func indexesOfNewLines(
        in lines: ArraySlice<ArraySlice<UInt8>>, since earlierLines: ArraySlice<ArraySlice<UInt8>>?
    ) -> Set<Int> {
        guard let earlierLines else { return [] }
        // Both have no more lines than the screen, so that comparing them is fast.
        let changes = Array(lines).difference(from: Array(earlierLines))
        var indexes: Set<Int> = []
        for case .insert(let index, _, _) in changes.insertions { indexes.insert(index) }
        return indexes
    }
}
