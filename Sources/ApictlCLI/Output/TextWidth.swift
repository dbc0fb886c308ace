/// The width of text on a terminal, in columns.
enum TextWidth {
    /// Returns the number of columns that a text takes.
    ///
    /// East Asian wide characters and emoji take two columns, combining characters none.
    static func columns(of text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + columns(of: $1) }
    }

    /// Returns the longest start of a line that takes no more than a number of columns.
    ///
    /// Sequences for colours, such as `ESC [ 3 3 m`, take no columns. They begin with ESC and end with the letter m.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - limit: The greatest number of columns.
    static func prefix(of line: String, columns limit: Int) -> Substring {
        var width = 0
        var isInColorSequence = false
        return line.prefix { character in
            if character == "\u{1B}" { isInColorSequence = true }
            if isInColorSequence {
                if character == "m" { isInColorSequence = false }
                return true
            }
            width += columns(of: character)
            return width <= limit
        }
    }

    /// Returns the width of each column of a table, which is the width of its widest text.
    ///
    /// - Parameter rows: The texts of each row. Rows may have different numbers of them.
    static func columnWidths(of rows: [[String]]) -> [Int] {
        var widths: [Int] = []
        for row in rows {
            for (column, text) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], columns(of: text))
            }
        }
        return widths
    }

    /// Returns the number of columns that one character takes: 0, 1 or 2. Its first scalar decides.
    private static func columns(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        let first = scalars[scalars.startIndex]
        let invisible: [Unicode.GeneralCategory] = [.nonspacingMark, .enclosingMark, .format, .control]
        if invisible.contains(first.properties.generalCategory) { return 0 }
        // The variation selector 16 asks for the emoji form of the scalar before it.
        let isEmoji = first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}")
        let isWide = wideRanges.contains { $0.contains(first.value) }
        return isEmoji || isWide ? 2 : 1
    }

    /// The scalars with East Asian Width W or F (Unicode Standard Annex #11), without emoji.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
