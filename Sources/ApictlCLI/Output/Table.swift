import JSONText

/// Rows of text in aligned columns, of which the last one is wrapped.
struct Table {
    private static let indent = "  "
    /// The spaces between two columns.
    private static let gap = 2

    /// The width of the terminal, which lines should not exceed.
    var width: Int
    /// Replaces the marks that the terminal can't show, such as `✓`.
    var marked: @Sendable (String) -> String = { $0 }

    /// Where the cells of a row start on their line.
    private struct Layout {
        let starts: [Int]
        /// The start of the last cell if it has to be wrapped; nil if every row fits on a line.
        let wrappedStart: Int?
    }

    /// Returns the rows as text. A row has one or more lines, and every line ends with a line break.
    func text(_ rows: [[String]]) -> String { lines(rows).reduce(into: "") { $0 += $1 + "\n" } }

    /// Returns the text of each row, without trailing spaces and without its last line break.
    ///
    /// If a line would be too long, the last column moves to the left and is wrapped. In a row whose other cells are
    /// longer than that, it starts on the next line:
    ///
    ///     --select PATH    a part of the result,
    ///                      one per line
    ///     --exit-status, -e
    ///                      exit 1 if nothing is found
    func lines(_ rows: [[String]]) -> [String] {
        let rows = rows.map { $0.map(marked) }
        let layout = layout(of: rows)
        return rows.map { line($0, layout) }
    }

    /// Returns where the columns start.
    ///
    /// If a line would be too long, the last column moves to the left until its longest text fits, but not beyond the
    /// middle.
    private func layout(of rows: [[String]]) -> Layout {
        let widths = TextWidth.columns(of: rows)
        var starts: [Int] = []
        var end = Self.indent.utf8.count
        for width in widths {
            starts.append(end)
            end += width + Self.gap
        }
        guard widths.count > 1, let lastStart = starts.last, let lastWidth = widths.last,
            lastStart + lastWidth > width
        else { return Layout(starts: starts, wrappedStart: nil) }
        return Layout(starts: starts, wrappedStart: min(lastStart, max(width - lastWidth, width / 2)))
    }

    /// Returns the text of one row.
    private func line(_ row: [String], _ layout: Layout) -> String {
        // Bytes, because appending to strings is slow.
        var line = Array(Self.indent.utf8)
        var end = line.count
        func pad(to start: Int) {
            line += repeatElement(UInt8(ascii: " "), count: start - end)
        }
        for (index, text) in row.enumerated() where !text.isEmpty {
            if let start = layout.wrappedStart, index == layout.starts.count - 1 {
                // The other cells reach into the last column, which therefore starts on the next line.
                if start < end + Self.gap {
                    line.append(UInt8(ascii: "\n"))
                    end = 0
                }
                pad(to: start)
                line += TextWrap.text(text, width: width, hang: start).utf8
            } else {
                let start = layout.starts[index]
                pad(to: start)
                line += text.utf8
                end = start + TextWidth.columns(of: text)
            }
        }
        return String(decoding: line, as: UTF8.self)
    }
}
