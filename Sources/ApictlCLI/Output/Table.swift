/// Rows of text in aligned columns.
enum Table {
    /// The rows as lines, with two spaces between columns and no trailing spaces.
    static func text(_ rows: [[String]], indent: String = "") -> String {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
        var text = ""
        for row in rows {
            var line = indent
            // Spaces to add before the next cell, if there is one.
            var gap = 0
            for (column, cell) in row.enumerated() {
                if !cell.isEmpty {
                    line.append(String(repeating: " ", count: gap))
                    line.append(cell)
                    gap = 0
                }
                gap += widths[column] - cell.count + 2
            }
            text.append(line)
            text.append("\n")
        }
        return text
    }
}
