import JSONText

/// Rows in aligned columns with headings. Numbers are aligned to the right, long texts are cut to fit a terminal.
struct RowTable {
    /// The width to which columns are cut first if not all of them fit.
    private static let comfortableWidth = 32
    /// The least width of a column: two characters and an ellipsis.
    private static let leastWidth = 3
    /// The spaces between columns.
    private static let gap = 2

    /// A cell that is not empty.
    private struct Cell {
        let column: Int
        let text: String
    }

    /// The widths and positions of the columns that are shown.
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
    /// Whether all cells of a column are numbers; nil if all are empty.
    private var isNumeric: [Bool?]
    /// The width of the widest text of each column.
    private var widths: [Int]

    /// Makes a table without rows.
    ///
    /// - Parameter columns: The headings.
    init(columns: [String]) {
        headings = columns.map(TerminalText.escaped)
        isNumeric = columns.map { _ in nil }
        widths = headings.map(TextWidth.columns)
    }

    /// Adds a row.
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

    /// Writes headings and rows.
    ///
    /// - Parameters:
    ///   - text: Where they are written.
    ///   - width: The width of the terminal; nil if lines may have any length.
    ///   - mayOmit: Whether columns may be left out.
    ///   - headColor: The colour of the headings; nil for none.
    ///   - check: Called with each row.
    /// - Returns: The names of columns that are left out.
    /// - Throws: The errors of the output and of `check`.
    func write(
        to text: inout BufferedOutput, width: Int?, mayOmit: Bool, headColor: String?, check: (() throws -> Void)?
    ) throws -> [String] {
        let layout = Layout(widths: fittingWidths(width, mayOmit: mayOmit))
        let headings = headings.enumerated().map { Cell(column: $0, text: $1) }
        try text.write(line(headings, layout, color: headColor).exactBytes)
        for row in rows {
            try check?()
            try text.write(line(row, layout, color: nil).exactBytes)
        }
        return Array(self.headings.dropFirst(layout.widths.count))
    }

    /// Returns the widths of the columns that are shown. Columns beyond the result are left out.
    ///
    /// 1. Columns are cut to ``comfortableWidth``, but not below the width of their heading.
    /// 2. If that is not enough, the last columns are left out, if they may be.
    /// 3. If that is not enough either, the widest column is narrowed again and again.
    /// 4. Space that is left then goes to the first columns that were cut.
    ///
    /// - Parameters:
    ///   - width: The width of the terminal; nil if lines may have any length.
    ///   - mayOmit: Whether columns may be left out.
    private func fittingWidths(_ width: Int?, mayOmit: Bool) -> [Int] {
        guard let width, Self.lineWidth(widths) > width else { return widths }
        var fitting = zip(widths, headings).map { columnWidth, heading in
            min(columnWidth, max(Self.comfortableWidth, TextWidth.columns(of: heading)))
        }
        while mayOmit, fitting.count > 1, Self.lineWidth(fitting) > width { fitting.removeLast() }
        while Self.lineWidth(fitting) > width, let widest = fitting.indices.max(by: { fitting[$0] < fitting[$1] }),
            fitting[widest] > Self.leastWidth
        {
            fitting[widest] -= 1
        }
        // Leaving out a whole column may leave more space than is needed.
        for index in fitting.indices {
            let space = max(width - Self.lineWidth(fitting), 0)
            fitting[index] = min(widths[index], fitting[index] + space)
        }
        return fitting
    }

    /// Returns the width of a line with columns of these widths and the gaps between them.
    private static func lineWidth(_ widths: [Int]) -> Int { widths.reduce(0, +) + gap * (widths.count - 1) }

    /// Returns the line of a row: the cells of the columns that are shown, without spaces at its end.
    ///
    /// - Parameters:
    ///   - cells: The cells that are not empty, in the order of their columns.
    ///   - layout: The columns.
    ///   - color: The colour of the cells; nil for none.
    private func line(_ cells: [Cell], _ layout: Layout, color: String?) -> String {
        var line = ""
        var end = 0
        for cell in cells where cell.column < layout.widths.count && !cell.text.isEmpty {
            let width = layout.widths[cell.column]
            let text = Self.cut(cell.text, to: width)
            let textWidth = TextWidth.columns(of: text)
            let isRightAligned = isNumeric[cell.column] == true
            let start = layout.starts[cell.column] + (isRightAligned ? width - textWidth : 0)
            line += String(repeating: " ", count: start - end)
            line += color.map { "\u{1B}[\($0)m\(text)\u{1B}[0m" } ?? text
            end = start + textWidth
        }
        return line + "\n"
    }

    /// Returns `text`, or its beginning with an ellipsis if it is wider than `width` columns of the terminal.
    private static func cut(_ text: String, to width: Int) -> String {
        guard TextWidth.columns(of: text) > width else { return text }
        var space = width - 1
        let start = text.prefix { character in
            space -= TextWidth.columns(of: String(character))
            return space >= 0
        }
        return start + "…"
    }
}
