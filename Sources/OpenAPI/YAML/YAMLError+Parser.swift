import CSystem

extension YAMLError {
    /// Creates the error at which the parser of libyaml has stopped.
    ///
    /// Most errors have libyaml's message. For unreadable bytes and for tabs, libyaml's message is hard to understand,
    /// so these errors get messages of their own.
    ///
    /// - Parameters:
    ///   - parser: The state of the parser after the error.
    ///   - text: The whole text.
    init(_ parser: CYAMLParser, in text: UnsafeBufferPointer<UInt8>) {
        switch parser.error {
        case CYAML_READER_ERROR:
            self = Self.unreadableText(text, errorOffset: parser.problem_offset)
        case CYAML_SCANNER_ERROR where Self.isTab(at: parser.problem_mark, in: text):
            self.init(place: TextPlace(parser.problem_mark), problem: .tab)
        default:
            let problem = parser.problem.map { String(cString: $0) } ?? "libyaml can't read this"
            // The context is the construct that contains the error, such as `while parsing a block mapping`.
            let context = parser.context.map { String(cString: $0) }
            let contextStart = context == nil ? nil : TextPlace(parser.context_mark)
            self.init(
                place: TextPlace(parser.problem_mark),
                problem: .syntax(problem: problem, context: context, contextStart: contextStart))
        }
    }

    /// Returns the error of a text with a forbidden character, or with bytes that are neither UTF-8 nor UTF-16.
    ///
    /// - Parameters:
    ///   - text: The whole text.
    ///   - errorOffset: The offset of the first byte that libyaml could not read.
    private static func unreadableText(_ text: UnsafeBufferPointer<UInt8>, errorOffset: Int) -> YAMLError {
        let precedingScalars = scalars(of: text.prefix(errorOffset))
        // A scalar has at most four bytes. Invalid bytes become U+FFFD, which is not a forbidden character.
        let wrongScalar = scalars(of: text.prefix(errorOffset + 4)).dropFirst(precedingScalars.count).first
        let place = place(after: precedingScalars)
        if let wrongScalar, isForbidden(wrongScalar) { return YAMLError(place: place, problem: .controlCharacter) }
        return YAMLError(place: place, problem: .encoding)
    }

    /// Whether YAML forbids a character in a text (YAML 1.2.2, section 5.1).
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\t", "\n", "\r", "\u{85}": false
        case "\u{FFFE}", "\u{FFFF}": true
        default: scalar.properties.generalCategory == .control
        }
    }

    /// Whether there is a tab at a mark. The message of libyaml does not mention the tab.
    private static func isTab(at mark: CYAMLMark, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        scalars(of: text[...]).dropFirst(mark.index).first == "\t"
    }

    /// Returns the place right after a text that starts at line 1, column 1.
    private static func place(after start: [Unicode.Scalar]) -> TextPlace {
        let lines = start.split(separator: "\n", omittingEmptySubsequences: false)
        return TextPlace(line: lines.count, column: (lines.last?.count ?? 0) + 1)
    }

    /// Returns the characters of a text in UTF-16 with a byte order mark, or in UTF-8.
    ///
    /// The byte order mark (U+FEFF) is left out, because libyaml and editors do not count it as a character. The last
    /// byte of a UTF-16 text is dropped if it is only half of a unit.
    private static func scalars(of text: Slice<UnsafeBufferPointer<UInt8>>) -> [Unicode.Scalar] {
        let string: String
        // In the byte order mark U+FEFF, the low byte comes first if the whole text is little-endian.
        if text.starts(with: [0xFF, 0xFE]) {
            string = String(decoding: littleEndianUnits(of: Array(text)), as: UTF16.self)
        } else if text.starts(with: [0xFE, 0xFF]) {
            string = String(decoding: littleEndianUnits(of: Array(text)).map(\.byteSwapped), as: UTF16.self)
        } else {
            string = String(decoding: text, as: UTF8.self)
        }
        let scalars = Array(string.unicodeScalars)
        return scalars.first == "\u{FEFF}" ? Array(scalars.dropFirst()) : scalars
    }

    /// Returns pairs of bytes as numbers of 16 bits. The first byte of a pair has the lower bits.
    private static func littleEndianUnits(of bytes: [UInt8]) -> [UInt16] {
        stride(from: 0, to: bytes.count - 1, by: 2).map { index in
            UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
        }
    }
}
