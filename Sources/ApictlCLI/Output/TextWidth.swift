/// The width of text on a terminal, in columns.
enum TextWidth {
    /// The columns that `text` takes; East Asian wide characters and emoji take two, combining characters none.
    static func columns(of text: some StringProtocol) -> Int {
        let isASCII = text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy { $0 < 0x80 } }
        if isASCII ?? text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + columns(of: $1) }
    }

    /// The same for text in UTF-8.
    static func columns(of bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        bytes.allSatisfy { $0 < 0x80 } ? bytes.count : columns(of: String(decoding: bytes, as: UTF8.self))
    }

    private static func columns(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
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
    /// The lines of `text`, each at most `width` columns unless a single word is longer.
    static func lines(_ text: String, width: Int) -> [String] {
        var text = text
        // In bytes, of which the space is one, because characters are slow to find.
        return text.withUTF8 { bytes in
            var lines: [String] = []
            var line: [UInt8] = []
            var columns = 0
            for word in bytes.split(separator: space) {
                let length = TextWidth.columns(of: word)
                if !line.isEmpty, columns + 1 + length > width {
                    lines.append(String(decoding: line, as: UTF8.self))
                    line.removeAll(keepingCapacity: true)
                    columns = 0
                }
                if !line.isEmpty {
                    line.append(space)
                    columns += 1
                }
                line += word
                columns += length
            }
            return line.isEmpty ? lines : lines + [String(decoding: line, as: UTF8.self)]
        }
    }

    private static let space = UInt8(ascii: " ")

    /// `text` in lines of at most `width` columns, each line after the first indented by `hang`.
    static func text(_ text: String, width: Int, hang: Int = 0) -> String {
        lines(text, width: width - hang).joined(separator: "\n" + String(repeating: " ", count: hang))
    }
}
