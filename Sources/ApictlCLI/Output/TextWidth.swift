/// The width of text on a terminal, in columns.
enum TextWidth {
    /// Returns the columns that `text` takes.
    ///
    /// East Asian wide characters and emoji take two columns, combining characters none.
    static func columns(of text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + columns(of: $1) }
    }

    /// Returns the longest start of a line that takes no more than a number of columns. Sequences for colours, such as
    /// `ESC [ 3 3 m`, take none.
    static func prefix(of line: String, columns limit: Int) -> Substring {
        var width = 0
        var isInColor = false
        var index = line.startIndex
        while index < line.endIndex {
            let character = line[index]
            if character == "\u{1B}" { isInColor = true }
            if !isInColor { width += columns(of: character) }
            if width > limit { break }
            if character == "m" { isInColor = false }
            index = line.index(after: index)
        }
        return line[..<index]
    }

    /// Returns the width of each column of `rows`, which is the width of its widest text. Rows may have different
    /// numbers of cells.
    static func columns(of rows: [[String]]) -> [Int] {
        var widths: [Int] = []
        for row in rows {
            for (column, text) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], columns(of: text))
            }
        }
        return widths
    }

    /// Returns the columns that one character takes: 0, 1 or 2. Its first scalar decides.
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
    /// Returns `text` in lines of at most `width` columns. Only a line with a single longer word is wider.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - width: The width of the terminal.
    ///   - hang: The indentation of each line after the first. The first line is assumed to start there too, after text
    ///     that the caller writes.
    static func text(_ text: String, width: Int, hang: Int = 0) -> String {
        if hang + TextWidth.columns(of: text) <= width { return text }
        let lineBreak = "\n" + String(repeating: " ", count: hang)
        var wrapped = ""
        var end = hang
        // Splits bytes, because finding characters is slow. The space is a single byte.
        let words = text.utf8.split(separator: UInt8(ascii: " ")).map { Substring($0) }
        for word in words {
            let length = TextWidth.columns(of: word)
            if wrapped.isEmpty {
                end = hang + length
            } else if end + 1 + length <= width {
                wrapped += " "
                end += 1 + length
            } else {
                wrapped += lineBreak
                end = hang + length
            }
            wrapped += word
        }
        return wrapped
    }
}
