/// Rows of text in aligned columns, of which the last is wrapped.
struct Table {
    /// The columns that a line may take.
    let width: Int
    var indent = "  "

    /// The rows, one or more lines each, every line with its line break.
    func text(_ rows: [[String]]) -> String { lines(rows).reduce(into: "") { $0 += $1 + "\n" } }

    /// The text of each row without its last line break, with two spaces between columns and no trailing spaces.
    ///
    /// If a line would be too long, the last column moves to the left and is wrapped; where the columns before it are longer, it starts
    /// on the next line.
    func lines(_ rows: [[String]]) -> [String] {
        var widths: [Int] = []
        let cells = rows.map { row in
            row.enumerated().map { column, text in
                let columns = TextWidth.columns(of: text)
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], columns)
                return (text: text, columns: columns)
            }
        }
        let start = indent.utf8.count + widths.dropLast().reduce(0) { $0 + $1 + 2 }
        let fits = start + (widths.last ?? 0) <= width
        let wrapped = fits ? nil : min(start, max(width - (widths.last ?? 0), width / 2))
        return cells.map { row in
            let isFull = row.count == widths.count
            var line = Array(indent.utf8)
            var columns = indent.utf8.count
            // The column at which the next cell starts.
            var next = columns
            for (index, cell) in row.enumerated() where !cell.text.isEmpty || index < row.count - 1 {
                defer { next += widths[index] + 2 }
                if cell.text.isEmpty { continue }
                if let wrapped, isFull, index == widths.count - 1, index > 0 {
                    Self.append(cell.text, to: &line, columns: columns, start: wrapped, width: width)
                    continue
                }
                line.append(contentsOf: repeatElement(UInt8(ascii: " "), count: next - columns))
                line.append(contentsOf: cell.text.utf8)
                columns = next + cell.columns
            }
            return String(decoding: line, as: UTF8.self)
        }
    }

    /// Appends the last cell, wrapped from the column `start` on.
    private static func append(_ text: String, to line: inout [UInt8], columns: Int, start: Int, width: Int) {
        var indent = start - columns
        for (index, part) in TextWrap.lines(text, width: width - start).enumerated() {
            if index > 0 || indent < 2 {
                line.append(UInt8(ascii: "\n"))
                indent = start
            }
            line.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent))
            line += part.utf8
        }
    }
}
