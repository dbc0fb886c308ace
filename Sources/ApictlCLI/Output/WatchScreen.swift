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
        /// Clears the line from the cursor on. It comes before the text of the line, because after a text that fills the
        /// line, the cursor stands on the last character.
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
    private let title: String
    private let isColored: Bool

    private var output: any ByteOutput { environment.stdout }

    init(_ environment: ProcessEnvironment, title: String, isColored: Bool) {
        self.environment = environment
        self.title = title
        self.isColored = isColored
    }

    /// Takes the terminal, and shows the title.
    func open() throws {
        try output.write(Control.open + Control.start + Control.clearLine + fitting(title.safeToShow) + Control.end)
    }

    /// Shows again what was on the terminal before. An error is ignored, because the terminal may have gone.
    func close() { try? output.write(Control.close) }

    /// Draws the newest response.
    ///
    /// - Parameters:
    ///   - history: The responses so far.
    ///   - status: The status of the newest response; nil if there was no response.
    ///   - notes: Lines below the response.
    func draw(_ history: WatchHistory, status: String?, notes: [UInt8]) throws {
        var text = BufferedOutput(output)
        try text.write(Control.start)
        try text.write(Control.clearLine + fitting(title.safeToShow) + "\n")
        try text.write(Control.clearLine + fitting(state(history, status).safeToShow) + "\n")
        try text.write(Control.clearLine)
        let room = max((output.rows ?? Self.defaultRows) - Self.headerRows, 1)
        for line in lines(history, notes: notes, room: room) {
            // The line break comes first, because one after the last line would scroll the screen.
            try text.write("\n" + Control.clearLine + fitting(String(exactBytes: line)))
        }
        try text.write(Control.end)
        try text.flush()
    }

    /// Returns the start of a line that fits the width of the terminal.
    private func fitting(_ line: String) -> String {
        guard let columns = output.columns else { return line }
        let text = String(TextWidth.prefix(of: line, columns: columns))
        // The rest of a line may have had the sequence that ends a colour.
        return text.utf8.count < line.utf8.count && isColored ? text + Control.endOfColor : text
    }

    /// Returns the line about the calls so far.
    private func state(_ history: WatchHistory, _ status: String?) -> String {
        let change = history.lastChange.map { "last change in call \($0)" } ?? "no change"
        return "\(status ?? "no response"), call \(history.calls), \(change)"
    }

    /// Returns the lines of the newest response, each with a mark or spaces before it.
    ///
    /// - Parameter room: The number of lines that fit on the screen. If there are more, the last one tells how many.
    private func lines(_ history: WatchHistory, notes: [UInt8], room: Int) -> [[UInt8]] {
        let all = history.current?.lines ?? []
        let noteLines = notes.split(separator: UInt8(ascii: "\n"))
        let room = max(room - noteLines.count, 1)
        let isCut = all.count > room
        let visible = isCut ? all.prefix(room - 1) : all[...]
        let new = Self.newLines(in: visible, since: history.previous?.lines.prefix(room))
        var lines = visible.enumerated().map { index, line in
            Array((new.contains(index) ? mark : "  ").utf8) + line
        }
        if isCut {
            let rest = "  … \((all.count - visible.count).counted("more line"))"
            lines.append(Array(environment.marked(rest).utf8))
        }
        return lines + noteLines.map(Array.init)
    }

    /// The mark before a new line, which is yellow if the output has colours.
    private var mark: String { isColored ? "\u{1B}[33m>\(Control.endOfColor) " : "> " }

    /// Returns the indexes of the lines that earlier lines do not have, in their order. None without earlier lines.
    private static func newLines(
        in lines: ArraySlice<ArraySlice<UInt8>>, since earlier: ArraySlice<ArraySlice<UInt8>>?
    ) -> Set<Int> {
        guard let earlier else { return [] }
        // Both have no more lines than the screen, so that comparing them is fast.
        let changes = Array(lines).difference(from: Array(earlier))
        return Set(
            changes.insertions.map { change in
                switch change {
                case .insert(let offset, _, _), .remove(let offset, _, _): offset
                }
            })
    }
}
