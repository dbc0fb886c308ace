import JSONText

/// Rows of text in aligned columns, such as names and descriptions. The last column is wrapped if it has to be.
struct Table {
    private static let indent = "  "
    /// The spaces between two columns.
    private static let gap = 2

    /// The width of the terminal. Longer lines are wrapped.
    var width: Int
    /// Replaces the marks that the terminal can't show: `✓` by `+` in a locale without UTF-8.
    var marked: @Sendable (String) -> String = { $0 }

    /// The places of the columns on a line.
    private struct Layout {
        /// Where each column starts.
        let starts: [Int]
        /// Where the last column starts if it has to be wrapped; nil if every row fits on a line.
        let wrappedStart: Int?
    }

    /// Returns the rows as text. A row has one or more lines, and every line ends with a line break.
    func text(_ rows: [[String]]) -> String { lines(rows).reduce(into: "") { $0 += $1 + "\n" } }

    /// Returns the text of each row, without trailing spaces and without its last line break.
    ///
    /// If a line would be too long, the last column moves to the left and is wrapped. In a row whose other cells reach
    /// into the moved column, the last cell starts on the next line:
    ///
    ///     --select PATH    a part of the result,
    ///                      one per line
    ///     --exit-status, -e
    ///                      exit 1 if nothing is found
    func lines(_ rows: [[String]]) -> [String] {
        let rows = rows.map { $0.map(marked) }
        let layout = layout(of: rows)
        return rows.map { text(of: $0, in: layout) }
    }

    /// Returns where the columns start.
    ///
    /// If a line would be too long, the last column moves to the left until its longest text fits, but not beyond the
    /// middle of the line.
    private func layout(of rows: [[String]]) -> Layout {
        let widths = TextWidth.columnWidths(of: rows)
        var starts: [Int] = []
        var nextStart = Self.indent.utf8.count
        for columnWidth in widths {
            starts.append(nextStart)
            nextStart += columnWidth + Self.gap
        }
        guard let lastStart = starts.last, let lastWidth = widths.last, widths.count > 1 else {
            return Layout(starts: starts, wrappedStart: nil)
        }
        let fitsOnLine = lastStart + lastWidth <= width
        if fitsOnLine { return Layout(starts: starts, wrappedStart: nil) }
        let startForLongestText = width - lastWidth
        let middle = width / 2
        return Layout(starts: starts, wrappedStart: min(lastStart, max(startForLongestText, middle)))
    }

    /// Returns the text of a row, which has several lines if its last cell is wrapped.
    private func text(of row: [String], in layout: Layout) -> String {
        // The text is made of bytes, because appending to strings is slow.
        var text = Array(Self.indent.utf8)
        // The column at which the last line of the text ends.
        var lineEnd = text.count
        for (index, cell) in row.enumerated() where !cell.isEmpty {
            let isLastColumn = index == layout.starts.count - 1
            if isLastColumn, let start = layout.wrappedStart {
                let reachesLastColumn = lineEnd + Self.gap > start
                if reachesLastColumn {
                    text.append(UInt8(ascii: "\n"))
                    lineEnd = 0
                }
                text += repeatElement(UInt8(ascii: " "), count: start - lineEnd)
                text += TextWrap.text(cell, width: width, hang: start).utf8
            } else {
                let start = layout.starts[index]
                text += repeatElement(UInt8(ascii: " "), count: start - lineEnd)
                text += cell.utf8
                lineEnd = start + TextWidth.columns(of: cell)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
