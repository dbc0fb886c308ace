import JSONText

/// Rows in aligned columns with headings. Numbers are aligned to the right, and long texts are cut to fit a terminal.
struct RowTable {
    /// The width to which columns are cut first if not all of them fit.
    private static let comfortableWidth = 32
    /// The least width of a column: two characters and an ellipsis.
    private static let leastWidth = 3
    /// The spaces between columns.
    private static let gap = 2

    /// A cell that is not empty.
    private struct Cell {
        /// The index of the column.
        let column: Int
        let text: String
    }

    /// The widths and positions of the columns that are shown. Columns beyond these are left out.
    private struct Layout {
        let widths: [Int]
        /// Where each column starts on its line.
        let starts: [Int]

        /// Places columns of these widths beside each other, with gaps between them.
        init(widths: [Int]) {
            var starts: [Int] = []
            var start = 0
            for width in widths {
                starts.append(start)
                start += width + RowTable.gap
            }
            self.widths = widths
            self.starts = starts
        }
    }

    private let headings: [String]
    private var rows: [[Cell]] = []
    /// For each column, whether all its cells are numbers; nil if all are empty.
    private var isNumeric: [Bool?]
    /// The width of the widest text of each column.
    private var widths: [Int]

    /// Makes a table without rows.
    ///
    /// - Parameter columns: The headings of the columns.
    init(columns: [String]) {
        headings = columns.map(TerminalText.escaped)
        isNumeric = columns.map { _ in nil }
        widths = headings.map(TextWidth.columns)
    }

    /// Adds a row with a cell for each column. Control characters in the cells are escaped.
    mutating func add(_ cells: [RowCell]) {
        var row: [Cell] = []
        for (column, cell) in cells.enumerated() where !cell.text.isEmpty {
            let text = TerminalText.escaped(cell.text)
            isNumeric[column] = cell.isNumber && isNumeric[column] != false
            widths[column] = max(widths[column], TextWidth.columns(of: text))
            row.append(Cell(column: column, text: text))
        }
        rows.append(row)
    }

    /// Writes the headings and the rows.
    ///
    /// - Parameters:
    ///   - text: The output.
    ///   - width: The width of the terminal; nil if lines may have any length.
    ///   - mayOmit: Whether columns for which there is no space may be left out.
    ///   - headColor: The colour of the headings, as parameters of an SGR sequence such as `1;34`; nil for none.
    ///   - check: Called before each row. It throws if the time for the call is over.
    /// - Returns: The headings of the columns that were left out.
    /// - Throws: The errors of the output and of `check`.
    func write(
        to text: inout BufferedOutput, width: Int?, mayOmit: Bool, headColor: String?, check: (() throws -> Void)?
    ) throws -> [String] {
        let layout = Layout(widths: fittingWidths(terminalWidth: width, mayOmit: mayOmit))
        let headingCells = headings.enumerated().map { Cell(column: $0, text: $1) }
        try text.write(line(of: headingCells, in: layout, color: headColor).exactBytes)
        for row in rows {
            try check?()
            try text.write(line(of: row, in: layout, color: nil).exactBytes)
        }
        return Array(headings.dropFirst(layout.widths.count))
    }

    // MARK: Widths

    /// Returns the widths of the columns that are shown. They are the first ones: a column at the end may be left out.
    ///
    /// If the widest cells of all columns do not fit beside each other:
    ///
    /// 1. Columns are cut to ``comfortableWidth``, but not below the width of their heading.
    /// 2. If that is not enough, the last columns are left out, if they may be.
    /// 3. If that is not enough either, the widest column is narrowed again and again.
    /// 4. Space that is left then goes to the first columns that were cut.
    ///
    /// - Parameters:
    ///   - terminalWidth: The width of the terminal; nil if lines may have any length.
    ///   - mayOmit: Whether columns may be left out.
    private func fittingWidths(terminalWidth: Int?, mayOmit: Bool) -> [Int] {
        guard let terminalWidth, Self.lineWidth(widths) > terminalWidth else { return widths }
        var shownWidths = zip(widths, headings).map { columnWidth, heading in
            min(columnWidth, max(Self.comfortableWidth, TextWidth.columns(of: heading)))
        }
        if mayOmit {
            while shownWidths.count > 1, Self.lineWidth(shownWidths) > terminalWidth { shownWidths.removeLast() }
        }
        Self.narrowWidest(&shownWidths, toLineWidth: terminalWidth)
        // Leaving out a whole column may leave more space than is needed.
        for index in shownWidths.indices {
            let freeSpace = max(terminalWidth - Self.lineWidth(shownWidths), 0)
            shownWidths[index] = min(widths[index], shownWidths[index] + freeSpace)
        }
        return shownWidths
    }

    /// Narrows the widest column by one again and again, until the columns fit or none is wider than ``leastWidth``.
    private static func narrowWidest(_ widths: inout [Int], toLineWidth limit: Int) {
        while lineWidth(widths) > limit {
            guard let widest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > leastWidth else {
                return
            }
            widths[widest] -= 1
        }
    }

    /// Returns the width of a line with columns of these widths and the gaps between them.
    private static func lineWidth(_ widths: [Int]) -> Int { widths.reduce(0, +) + gap * (widths.count - 1) }

    // MARK: Lines

    /// Returns the line of a row: the cells of the columns that are shown, without spaces at its end.
    ///
    /// - Parameters:
    ///   - cells: The cells that are not empty, in the order of their columns.
    ///   - layout: The widths and positions of the columns that are shown.
    ///   - color: The colour of the cells, as parameters of an SGR sequence; nil for none.
    private func line(of cells: [Cell], in layout: Layout, color: String?) -> String {
        var line = ""
        // The number of terminal columns that the line takes so far.
        var lineEnd = 0
        for cell in cells where cell.column < layout.widths.count && !cell.text.isEmpty {
            let width = layout.widths[cell.column]
            let text = Self.cut(cell.text, to: width)
            let textWidth = TextWidth.columns(of: text)
            var textStart = layout.starts[cell.column]
            let isRightAligned = isNumeric[cell.column] == true
            if isRightAligned { textStart += width - textWidth }
            line += String(repeating: " ", count: textStart - lineEnd)
            // The colour is set by a sequence before the text, and reset by one after it (SGR, ECMA-48).
            line += color.map { "\u{1B}[\($0)m\(text)\u{1B}[0m" } ?? text
            lineEnd = textStart + textWidth
        }
        return line + "\n"
    }

    /// Returns `text`, or its beginning with an ellipsis if it is wider than `width` columns of the terminal.
    private static func cut(_ text: String, to width: Int) -> String {
        guard TextWidth.columns(of: text) > width else { return text }
        // The ellipsis takes one column.
        return TextWidth.prefix(of: text, columns: width - 1) + "…"
    }
}
