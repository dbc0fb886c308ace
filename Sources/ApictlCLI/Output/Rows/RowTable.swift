import JSONText

/// Rows in aligned columns with headings: numbers to the right, long texts cut to fit a terminal.
struct RowTable {
    /// The width from which on a text is cut, if all columns do not fit otherwise.
    private static let comfortable = 32
    private static let gap = 2

    private struct Column {
        let name: String
        /// The width of its longest text.
        var natural: Int
        /// The width that it is given.
        var width: Int
        /// Whether all its cells are numbers; nil if all are empty.
        var isNumeric: Bool?
    }

    private var columns: [Column]
    private var rows: [[(text: String, width: Int)]] = []
    /// The columns that are shown.
    private var shown: [Int]

    init(columns names: [String]) {
        columns = names.map { name in
            let name = TerminalText.escaped(name)
            let width = TextWidth.columns(of: name)
            return Column(name: name, natural: width, width: width)
        }
        shown = Array(names.indices)
    }

    mutating func add(_ cells: [RowCell]) {
        rows.append(
            cells.enumerated().map { index, cell in
                let text = TerminalText.escaped(cell.text)
                let width = TextWidth.columns(of: text)
                columns[index].natural = max(columns[index].natural, width)
                columns[index].width = columns[index].natural
                if !text.isEmpty { columns[index].isNumeric = cell.isNumber && columns[index].isNumeric != false }
                return (text, width)
            })
    }

    /// Makes lines at most `width` columns long, unless it is nil; returns the names of columns left out.
    ///
    /// Long texts are cut first. If that is not enough, the last columns are left out or, if none may be, the widest cut further.
    mutating func fit(_ width: Int?, mayOmit: Bool) -> [String] {
        guard let width, total > width else { return [] }
        for index in columns.indices {
            shrink(index, to: max(Self.comfortable, TextWidth.columns(of: columns[index].name)))
        }
        while mayOmit, shown.count > 1, total > width { shown.removeLast() }
        while total > width, let widest = shown.max(by: { columns[$0].width < columns[$1].width }),
            columns[widest].width > 3
        {
            shrink(widest, to: columns[widest].width - 1)
        }
        widen(to: width)
        return columns.indices.filter { !shown.contains($0) }.map { columns[$0].name }
    }

    private var total: Int { shown.reduce(0) { $0 + columns[$1].width } + Self.gap * (shown.count - 1) }

    private mutating func shrink(_ index: Int, to width: Int) {
        columns[index].width = min(columns[index].width, width)
    }

    /// Gives the room that is left to the columns that were cut, from the left.
    private mutating func widen(to width: Int) {
        for index in shown where total < width {
            columns[index].width = min(columns[index].natural, columns[index].width + width - total)
        }
    }

    /// Writes headings and rows.
    func write(to output: any ByteOutput, _ palette: JSONPalette?) throws {
        var text = ""
        let names = shown.map { (columns[$0].name, TextWidth.columns(of: columns[$0].name)) }
        text += line(names.map { (text: $0.0, width: $0.1) }, color: palette.map { "\u{1B}[\($0.key)m" })
        for row in rows {
            text += line(shown.map { row[$0] }, color: nil)
            if text.utf8.count > 65_536 {
                try output.write(text)
                text = ""
            }
        }
        try output.write(text)
    }

    /// A line of the cells of the columns shown, without spaces at its end.
    private func line(_ cells: [(text: String, width: Int)], color: String?) -> String {
        var line = ""
        var spaces = 0
        for (cell, index) in zip(cells, shown) {
            let column = columns[index]
            let (text, width) = cell.width > column.width ? Self.cut(cell.text, to: column.width) : cell
            let padding = column.width - width
            let isRight = column.isNumeric == true
            spaces += isRight ? padding : 0
            if !text.isEmpty {
                line += String(repeating: " ", count: spaces) + (color.map { $0 + text + "\u{1B}[0m" } ?? text)
                spaces = 0
            } else {
                spaces += width
            }
            spaces += (isRight ? 0 : padding) + Self.gap
        }
        return line + "\n"
    }

    /// The start of `text` with an ellipsis, and its width.
    private static func cut(_ text: String, to width: Int) -> (text: String, width: Int) {
        var kept = ""
        var columns = 0
        for character in text {
            let next = TextWidth.columns(of: String(character))
            if columns + next > width - 1 { break }
            kept.append(character)
            columns += next
        }
        return (kept + "…", columns + 1)
    }
}
