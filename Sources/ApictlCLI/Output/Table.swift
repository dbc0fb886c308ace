/// Rows of text in aligned columns.
enum Table {
    /// The rows as lines, with two spaces between columns and no trailing spaces.
    static func text(_ rows: [[String]], indent: String = "") -> String {
        lines(rows, indent: indent).reduce(into: "") { $0 += $1 + "\n" }
    }

    /// The lines of ``text(_:indent:)``, without line breaks.
    static func lines(_ rows: [[String]], indent: String = "") -> [String] {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
        return rows.map { row in
            var line = Array(indent.utf8)
            // Spaces to add before the next cell, if there is one.
            var gap = 0
            for (column, cell) in row.enumerated() {
                if !cell.isEmpty {
                    line.append(contentsOf: repeatElement(UInt8(ascii: " "), count: gap))
                    line.append(contentsOf: cell.utf8)
                    gap = 0
                }
                gap += widths[column] - cell.count + 2
            }
            return String(decoding: line, as: UTF8.self)
        }
    }
}
