import JSONText

/// Rows of text in aligned columns, of which the last is wrapped.
struct Table {
    private static let indent = "  "
    /// The columns that a line may take.
    var width: Int
    /// Replaces the marks that the terminal can't show, before they are aligned.
    var marked: @Sendable (String) -> String = { $0 }

    /// The rows, one or more lines each, every line with its line break.
    func text(_ rows: [[String]]) -> String { lines(rows).reduce(into: "") { $0 += $1 + "\n" } }

    /// The text of each row without its last line break, with two spaces between columns and no trailing spaces.
    ///
    /// If a line would be too long, the last column moves to the left and is wrapped; where the columns before it are longer, it starts
    /// on the next line.
    func lines(_ rows: [[String]]) -> [String] {
        let rows = rows.map { $0.map(marked) }
        let widths = TextWidth.columns(of: rows)
        let starts = widths.reduce(into: [Self.indent.utf8.count]) { $0.append($0[$0.count - 1] + $1 + 2) }
        let last = widths.count - 1
        let isTooLong = last > 0 && starts[last] + widths[last] > width
        let wrapped = isTooLong ? min(starts[last], max(width - widths[last], width / 2)) : 0
        // In bytes, because appending to texts is slow.
        return rows.map { row in
            var (line, columns) = (Array(Self.indent.utf8), Self.indent.utf8.count)
            for (index, text) in row.enumerated() where !text.isEmpty {
                let isWrapped = isTooLong && index == last
                if isWrapped, wrapped < columns + 2 {
                    line.append(UInt8(ascii: "\n"))
                    columns = 0
                }
                let start = isWrapped ? wrapped : starts[index]
                line += repeatElement(UInt8(ascii: " "), count: start - columns)
                line += isWrapped ? TextWrap.text(text, width: width, hang: wrapped).utf8 : text.utf8
                if !isWrapped { columns = start + TextWidth.columns(of: text) }
            }
            return String(decoding: line, as: UTF8.self)
        }
    }
}

/// The width of text on a terminal, in columns.
enum TextWidth {
    /// The columns that `text` takes; East Asian wide characters and emoji take two, combining characters none.
    static func columns(of text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + columns(of: $1) }
    }

    /// The width of each column of `rows`.
    static func columns(of rows: [[String]]) -> [Int] {
        rows.reduce(into: []) { widths, row in
            for (column, text) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], columns(of: text))
            }
        }
    }

    private static func columns(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        let first = scalars[scalars.startIndex]
        if [.nonspacingMark, .enclosingMark, .format, .control].contains(first.properties.generalCategory) { return 0 }
        // A variation selector 16 asks for the emoji form.
        let isEmoji = first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}")
        return isEmoji || wide.contains { $0.contains(first.value) } ? 2 : 1
    }

    /// The blocks with East Asian Width W or F (Unicode Standard Annex #11), without emoji.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}

/// Breaks text into lines at spaces.
enum TextWrap {
    /// `text` in lines of at most `width` columns unless a single word is longer, each line after the first indented by `hang`.
    static func text(_ text: String, width: Int, hang: Int = 0) -> String {
        if hang + TextWidth.columns(of: text) <= width { return text }
        var wrapped = ""
        var columns = hang
        // In bytes, of which the space is one, because characters are slow to find.
        for word in text.utf8.split(separator: UInt8(ascii: " ")).map({ Substring($0) }) {
            let length = TextWidth.columns(of: word)
            if !wrapped.isEmpty {
                let fits = columns + 1 + length <= width
                wrapped += fits ? " " : "\n" + String(repeating: " ", count: hang)
                columns = fits ? columns + 1 : hang
            }
            wrapped += word
            columns += length
        }
        return wrapped
    }
}

/// Rows in aligned columns with headings: numbers to the right, long texts cut to fit a terminal.
struct RowTable {
    /// The width from which on a text is cut, if all columns do not fit otherwise.
    private static let comfortable = 32
    /// The spaces between columns.
    private static let gap = 2

    private let headings: [String]
    /// The cells of each row that are not empty, with their columns.
    private var rows: [[(column: Int, text: String)]] = []
    /// Whether all cells of a column are numbers; nil if all are empty.
    private var isNumeric: [Bool?]
    private var widths: [Int]

    init(columns: [String]) {
        headings = columns.map(TerminalText.escaped)
        isNumeric = columns.map { _ in nil }
        widths = headings.map(TextWidth.columns)
    }

    mutating func add(_ cells: [RowCell]) {
        var row: [(column: Int, text: String)] = []
        for (column, cell) in cells.enumerated() where !cell.text.isEmpty {
            let text = TerminalText.escaped(cell.text)
            isNumeric[column] = cell.isNumber && isNumeric[column] != false
            widths[column] = max(widths[column], TextWidth.columns(of: text))
            row.append((column, text))
        }
        rows.append(row)
    }

    /// Writes headings and rows in lines of at most `width` columns, unless it is nil; returns the names of columns left out. `check` is
    /// called with each row.
    func write(
        to text: inout BufferedOutput, width: Int?, mayOmit: Bool, headColor: String?, check: (() throws -> Void)?
    ) throws -> [String] {
        let widths = fit(width, mayOmit: mayOmit)
        let starts = widths.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1 + Self.gap) }
        try text.write(line(headings.enumerated().map { ($0, $1) }, widths, starts, color: headColor).exactBytes)
        for row in rows {
            try check?()
            try text.write(line(row, widths, starts, color: nil).exactBytes)
        }
        return Array(headings.dropFirst(widths.count))
    }

    /// The widths of the columns that are shown.
    ///
    /// Long texts are cut first. If that is not enough, the last columns are left out or, if none may be, the widest cut further.
    private func fit(_ width: Int?, mayOmit: Bool) -> [Int] {
        func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + Self.gap * (widths.count - 1) }
        guard let width, total(widths) > width else { return widths }
        var cut = zip(widths, headings).map { min($0, max(Self.comfortable, TextWidth.columns(of: $1))) }
        while mayOmit, cut.count > 1, total(cut) > width { cut.removeLast() }
        while total(cut) > width, let widest = cut.indices.max(by: { cut[$0] < cut[$1] }), cut[widest] > 3 {
            cut[widest] -= 1
        }
        // The columns that were cut get the room that is left, from the left.
        for index in cut.indices { cut[index] = min(widths[index], cut[index] + max(width - total(cut), 0)) }
        return cut
    }

    /// A line of the cells of the columns shown, without spaces after the last text.
    private func line(_ row: [(Int, String)], _ widths: [Int], _ starts: [Int], color: String?) -> String {
        var (line, end) = ("", 0)
        for (column, text) in row where column < widths.count && !text.isEmpty {
            let text = Self.cut(text, to: widths[column])
            let width = TextWidth.columns(of: text)
            let start = starts[column] + (isNumeric[column] == true ? widths[column] - width : 0)
            line += String(repeating: " ", count: start - end)
            line += color.map { "\u{1B}[\($0)m\(text)\u{1B}[0m" } ?? text
            end = start + width
        }
        return line + "\n"
    }

    /// `text`, or its start with an ellipsis.
    private static func cut(_ text: String, to width: Int) -> String {
        guard TextWidth.columns(of: text) > width else { return text }
        var rest = width - 1
        let start = text.prefix { character in
            rest -= TextWidth.columns(of: String(character))
            return rest >= 0
        }
        return start + "…"
    }
}
