import CSystem

extension YAMLError {
    /// Describes the error that made libyaml's parser stop.
    ///
    /// Most messages are those of libyaml. Unreadable bytes and tabs get messages of their own, because those of
    /// libyaml are hard to understand.
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
            let context = parser.context.map { String(cString: $0) }
            let contextStart = context == nil ? nil : TextPlace(parser.context_mark)
            self.init(
                place: TextPlace(parser.problem_mark),
                problem: .syntax(problem: problem, context: context, start: contextStart))
        }
    }

    /// Returns the error of a text that has a forbidden character, or that is neither UTF-8 nor UTF-16.
    ///
    /// - Parameters:
    ///   - text: The whole text.
    ///   - errorOffset: The offset of the first byte that libyaml could not read.
    private static func unreadableText(_ text: UnsafeBufferPointer<UInt8>, errorOffset: Int) -> YAMLError {
        let precedingScalars = scalars(of: text.prefix(errorOffset))
        // A scalar has at most four bytes. Bytes that are no text become U+FFFD, which is not forbidden.
        let wrongScalar = scalars(of: text.prefix(errorOffset + 4)).dropFirst(precedingScalars.count).first
        let isForbidden = wrongScalar.map(isForbidden) ?? false
        return YAMLError(place: place(after: precedingScalars), problem: isForbidden ? .controlCharacter : .encoding)
    }

    /// Whether a YAML text must not have a character (YAML 1.2.2, section 5.1).
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\t", "\n", "\r", "\u{85}": false
        case "\u{FFFE}", "\u{FFFF}": true
        default: scalar.properties.generalCategory == .control
        }
    }

    /// Whether a tab stands at a mark. libyaml says of a tab that no token can start with it, and does not name it.
    private static func isTab(at mark: CYAMLMark, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        scalars(of: text[...]).dropFirst(mark.index).first == "\t"
    }

    /// Returns the line and column that follow the start of a text.
    private static func place(after start: [Unicode.Scalar]) -> TextPlace {
        let lines = start.split(separator: "\n", omittingEmptySubsequences: false)
        return TextPlace(line: lines.count, column: (lines.last?.count ?? 0) + 1)
    }

    /// Returns the characters of a text that begins with a byte order mark, or else is in UTF-8.
    ///
    /// The mark (U+FEFF) is left out, because neither libyaml nor editors count it. A byte at the end that is half of a
    /// unit of UTF-16 is dropped.
    private static func scalars(of text: Slice<UnsafeBufferPointer<UInt8>>) -> [Unicode.Scalar] {
        let string: String
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

    /// Returns pairs of bytes as numbers, of which the first byte is the lower one.
    private static func littleEndianUnits(of bytes: [UInt8]) -> [UInt16] {
        stride(from: 0, to: bytes.count - 1, by: 2).map { index in
            UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
        }
    }
}
