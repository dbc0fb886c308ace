import TestSupport

/// A source of JSON texts, and of texts that are nearly JSON. They are the same in every run.
struct RandomText {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// Returns a number from 0 to `count` - 1.
    mutating func number(below count: Int) -> Int { random.number(below: count) }

    private mutating func pick<Element>(_ choices: [Element]) -> Element { random.pick(choices) }

    // MARK: Valid texts

    /// Returns a text that is one JSON document.
    mutating func valid() -> [UInt8] { Array((space() + value(depth: 0) + space()).utf8) }

    private mutating func value(depth: Int) -> String {
        switch number(below: depth < 4 ? 10 : 6) {
        case 0: pick(["true", "false", "null"])
        case 1, 2: numberText()
        case 3, 4, 5: stringText()
        case 6, 7:
            "[" + space() + list { $0.value(depth: depth + 1) } + "]"
        default:
            "{" + space() + list { $0.stringText() + $0.space() + ":" + $0.space() + $0.value(depth: depth + 1) } + "}"
        }
    }

    private mutating func list(_ element: (inout RandomText) -> String) -> String {
        var elements: [String] = []
        for _ in 0..<number(below: 4) { elements.append(element(&self) + space()) }
        return elements.joined(separator: "," + space())
    }

    private mutating func space() -> String { pick(["", "", "", "", " ", "\n", "\t", "\r\n", "  "]) }

    private mutating func numberText() -> String {
        pick(["", "-"]) + pick(["0", "7", "10", "123456789", "9223372036854775808", "18446744073709551616"])
            + pick(["", "", ".0", ".5", ".000000000000000000001"])
            + pick(["", "", "e0", "E+5", "e-7", "e308", "e-400"])
    }

    private mutating func stringText() -> String {
        var text = ""
        for _ in 0..<number(below: 5) {
            text += pick([
                "a", "key", "é", "€", "😀", "\u{7F}", "\u{85}", "\\n", "\\\"", "\\\\", "\\/", "\\u0000", "\\u00e9",
                "\\ud83d\\ude00",
                "\u{2028}", "long enough for a word",
            ])
        }
        return "\"" + text + "\""
    }

    // MARK: Texts with a few changes

    /// Makes one to three changes at random offsets, as a careless person, program or network would.
    mutating func changed(_ text: [UInt8]) -> [UInt8] {
        var text = text
        for _ in 0...number(below: 3) {
            let offset = number(below: text.count + 1)
            switch number(below: 7) {
            case 0 where offset < text.count: text.remove(at: offset)
            case 1 where offset < text.count: text[offset] = pick(Self.bytes)
            case 2 where offset < text.count: text.insert(text[offset], at: offset)
            case 3: text.insert(contentsOf: pick(Self.fragments).utf8, at: offset)
            case 4 where number(below: 4) == 0: text.removeSubrange(offset...)
            case 5: text.insert(pick(Self.bytes), at: offset)
            default: text.insert(contentsOf: pick(Self.fragments).utf8, at: nextBracket(in: text, from: offset))
            }
        }
        return text
    }

    private func nextBracket(in text: [UInt8], from offset: Int) -> Int {
        text[offset...].firstIndex { $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: "}") } ?? offset
    }

    private static let bytes: [UInt8] =
        Array("\"\\/[]{},:0123456789-+.eEtfnu \n\r\t'".utf8)
        + [0x00, 0x01, 0x0C, 0x1E, 0x1F, 0x7F, 0x80, 0xBF, 0xC0, 0xC2, 0xE2, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFE, 0xFF]

    private static let fragments = [
        ",", ",", ",,", "]", "}", "[", "{", "\"\":", "01", "1.", ".5", "1e", "+1", "-", "0x1F", "NaN", "Infinity",
        "1e400",
        "tru", "nul", "True", "\\ud800", "\\udc00", "\\ud83d\\ud83d", "\\x41", "\\u12", "'a'", "//\n", "/**/", "\n1",
        "\u{1E}",
        "\u{FEFF}", "\u{2028}", "[1]", "{}", "\u{A0}",
    ]
}
