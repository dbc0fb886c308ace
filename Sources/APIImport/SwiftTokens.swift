/// The tokens of Swift text without its comments; a string literal is one, with all that is interpolated.
struct SwiftTokens {
    struct Token {
        let range: Range<Int>
        /// Empty for a string literal.
        let text: String
    }

    /// More levels of literals in each other are not looked into.
    private static let deepestLevel = 16

    let bytes: [UInt8]
    private(set) var all: [Token] = []
    /// By the position of each opening token, that of the closing one.
    private(set) var closing: [Int: Int] = [:]
    private var offset = 0
    /// The text of the token before, of those in a literal too.
    private var previous = ""

    /// Nil if a literal, a comment or a bracket is not closed, or where a regular expression may start.
    init?(_ text: String) {
        bytes = Array(text.utf8)
        guard readTokens(level: 0) else { return nil }
    }

    /// Reads tokens to the end, or in a literal up to the bracket that closes what is interpolated.
    private mutating func readTokens(level: Int) -> Bool {
        var open: [(index: Int, bracket: UInt8)] = []
        while offset < bytes.count {
            let start = offset
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                offset += 1
                continue
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
                while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
                continue
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
                guard skipComment() else { return false }
                continue
            case UInt8(ascii: "/") where !isDivision: return false
            case UInt8(ascii: "#"), UInt8(ascii: "\""):
                while peek(0) == UInt8(ascii: "#") { offset += 1 }
                if peek(0) == UInt8(ascii: "\"") {
                    guard level < Self.deepestLevel, skipString(pounds: offset - start, level) else { return false }
                } else {
                    guard peek(0).map(Self.isWord) == true else { return false }
                    while let byte = peek(0), Self.isWord(byte) { offset += 1 }
                }
            case _ where Self.isWord(byte): while let byte = peek(0), Self.isWord(byte) { offset += 1 }
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                open.append((all.count, byte))
                offset += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                offset += 1
                guard let last = open.popLast() else { return level > 0 && byte == UInt8(ascii: ")") }
                // The two brackets of a pair differ by 1 or 2.
                guard 1...2 ~= Int(byte) - Int(last.bracket) else { return false }
                if level == 0 { closing[last.index] = all.count }
            default: offset += 1
            }
            let isString = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#") && !Self.isWord(bytes[offset - 1])
            previous = isString ? "" : String(decoding: bytes[start..<offset], as: UTF8.self)
            if level == 0 { all.append(Token(range: start..<offset, text: previous)) }
        }
        return open.isEmpty && level == 0
    }

    private func peek(_ distance: Int) -> UInt8? {
        offset + distance < bytes.count ? bytes[offset + distance] : nil
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x80..., UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: false
        }
    }

    /// Whether a slash here is no regular expression: a value is before it, or a blank after it.
    private var isDivision: Bool {
        if peek(1) == UInt8(ascii: " ") { return true }
        return previous.isEmpty && !all.isEmpty || [")", "]"].contains(previous)
            || previous.utf8.first.map(Self.isWord) == true && !SwiftNames.keywords.contains(previous)
    }

    private mutating func skipComment() -> Bool {
        var level = 0
        repeat {
            switch (peek(0), peek(1)) {
            case (UInt8(ascii: "/"), UInt8(ascii: "*")): level += 1
            case (UInt8(ascii: "*"), UInt8(ascii: "/")): level -= 1
            case (nil, _): return false
            default:
                offset += 1
                continue
            }
            offset += 2
        } while level > 0
        return true
    }

    /// Skips a literal from its first quotation mark on.
    private mutating func skipString(pounds: Int, _ level: Int) -> Bool {
        let quote = UInt8(ascii: "\"")
        let isMultiline = peek(1) == quote && peek(2) == quote
        let end =
            Array(repeating: quote, count: isMultiline ? 3 : 1) + Array(repeating: UInt8(ascii: "#"), count: pounds)
        let escape = [UInt8(ascii: "\\")] + Array(repeating: UInt8(ascii: "#"), count: pounds)
        offset += isMultiline ? 3 : 1
        while offset < bytes.count {
            if bytes[offset...].starts(with: end) {
                offset += end.count
                return true
            }
            if bytes[offset...].starts(with: escape) {
                offset += escape.count
                let isInterpolation = peek(0) == UInt8(ascii: "(")
                offset += 1
                if isInterpolation, !readTokens(level: level + 1) { return false }
            } else {
                if bytes[offset] == UInt8(ascii: "\n"), !isMultiline { return false }
                offset += 1
            }
        }
        return false
    }
}

extension SwiftTokens {
    /// The text of a token; empty beyond the last one.
    subscript(index: Int) -> String { all.indices.contains(index) ? all[index].text : "" }

    /// The positions of tokens inside a bracket, without what is in others.
    func members(of open: Int) -> [Int] {
        var result: [Int] = []
        var index = open + 1
        while let end = closing[open], index < end {
            result.append(index)
            index = (closing[index] ?? index) + 1
        }
        return result
    }

    /// The bytes of the line of a token, without the line break.
    func line(of index: Int) -> Range<Int> {
        let newline = UInt8(ascii: "\n")
        let start = bytes[..<all[index].range.lowerBound].lastIndex(of: newline).map { $0 + 1 } ?? 0
        return start..<(bytes[all[index].range.upperBound...].firstIndex(of: newline) ?? bytes.count)
    }

    /// The blanks at the start of the line of a token.
    func indent(of index: Int) -> String {
        String(
            decoding: bytes[line(of: index)].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") },
            as: UTF8.self)
    }
}
