import EndpointKit
import TestSupport
import Testing

struct ExactBytesTests {
    @Test func `Every single byte is kept`() {
        for byte in UInt8.min...UInt8.max {
            #expect(String(exactBytes: [byte]).exactBytes == [byte])
        }
    }

    static let forms: [Row<[UInt8], [UInt32]>] = [
        Row("empty", [], []),
        Row("ascii", [0x61, 0x00, 0x7F], [0x61, 0x00, 0x7F]),
        Row("two bytes", [0xC3, 0xA9], [0xE9]),
        Row("three bytes", [0xE2, 0x82, 0xAC], [0x20AC]),
        Row("four bytes", [0xF0, 0x9F, 0x98, 0x80], [0x1F600]),
        Row("U+10FFFF is ordinary text", [0xF4, 0x8F, 0xBF, 0xBF], [0x10FFFF]),
        Row(
            "U+10FFFE itself is kept byte by byte", [0xF4, 0x8F, 0xBF, 0xBE],
            [0x10FFFE, 0xF4, 0x10FFFE, 0x8F, 0x10FFFE, 0xBF, 0x10FFFE, 0xBE]),
        Row("a raw byte between letters", [0x61, 0xFF, 0x62], [0x61, 0x10FFFE, 0xFF, 0x62]),
        Row("two bytes cut short", [0xC3], [0x10FFFE, 0xC3]),
        Row("three bytes cut short", [0xE2, 0x82], [0x10FFFE, 0xE2, 0x10FFFE, 0x82]),
        Row("four bytes cut short", [0xF0, 0x9F, 0x98], [0x10FFFE, 0xF0, 0x10FFFE, 0x9F, 0x10FFFE, 0x98]),
        Row("cut short by a letter", [0xE2, 0x82, 0x41], [0x10FFFE, 0xE2, 0x10FFFE, 0x82, 0x41]),
        Row("cut short by a longer one", [0xF0, 0x9F, 0xC3, 0xA9], [0x10FFFE, 0xF0, 0x10FFFE, 0x9F, 0xE9]),
        Row("overlong slash", [0xC0, 0xAF], [0x10FFFE, 0xC0, 0x10FFFE, 0xAF]),
        Row("surrogate", [0xED, 0xA0, 0x80], [0x10FFFE, 0xED, 0x10FFFE, 0xA0, 0x10FFFE, 0x80]),
        Row(
            "beyond U+10FFFF", [0xF4, 0x90, 0x80, 0x80],
            [0x10FFFE, 0xF4, 0x10FFFE, 0x90, 0x10FFFE, 0x80, 0x10FFFE, 0x80]),
        Row("text beside a raw byte is still text", [0xFF, 0xC3, 0xA9], [0x10FFFE, 0xFF, 0xE9]),
        Row("the last of two bytes beside a raw byte", [0xFF, 0xDF, 0xBF], [0x10FFFE, 0xFF, 0x7FF]),
        Row("the first of three bytes beside a raw byte", [0xFF, 0xE0, 0xA0, 0x80], [0x10FFFE, 0xFF, 0x800]),
        Row("the first of four bytes beside a raw byte", [0xFF, 0xF0, 0x90, 0x80, 0x80], [0x10FFFE, 0xFF, 0x10000]),
        Row("CR LF is not joined", [0x0D, 0x0A], [0x0D, 0x0A]),
    ]

    @Test(arguments: forms)
    func `Bytes that are not UTF-8 are kept`(_ row: Row<[UInt8], [UInt32]>) {
        let text = String(exactBytes: row.input)
        #expect(text.unicodeScalars.map(\.value) == row.expected)
        #expect(text.exactBytes == row.input)
    }

    @Test func `Random bytes are kept`() {
        var generator = SeededRandom(seed: 7)
        // Bytes from which the mark and other long sequences are likely to come up.
        let likely: [UInt8] = [0xF4, 0x8F, 0xBF, 0xBE, 0xC3, 0xA9, 0x41, 0xFF, 0xE2, 0x82]
        for round in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                round.isMultiple(of: 2)
                    ? UInt8.random(in: .min ... .max, using: &generator)
                    : likely[Int.random(in: 0..<likely.count, using: &generator)]
            }
            #expect(String(exactBytes: bytes).exactBytes == bytes)
        }
    }

    /// Text that was not made from bytes may hold the mark anywhere.
    static let strayMarks: [Row<String, [UInt8]>] = [
        Row("alone", "\u{10FFFE}", [0xF4, 0x8F, 0xBF, 0xBE]),
        Row("at the end", "a\u{10FFFE}", [0x61, 0xF4, 0x8F, 0xBF, 0xBE]),
        Row("before a scalar above U+00FF", "\u{10FFFE}€", [0xF4, 0x8F, 0xBF, 0xBE, 0xE2, 0x82, 0xAC]),
        Row("twice", "\u{10FFFE}\u{10FFFE}", [0xF4, 0x8F, 0xBF, 0xBE, 0xF4, 0x8F, 0xBF, 0xBE]),
        Row("before a raw byte", "\u{10FFFE}\u{FF}", [0xFF]),
    ]

    @Test(arguments: strayMarks)
    func `A mark stands for itself unless a byte follows it`(_ row: Row<String, [UInt8]>) {
        #expect(row.input.exactBytes == row.expected)
    }

    static let shown: [Row<[UInt8], String>] = [
        Row("no raw bytes", "füßchen".bytes, "füßchen"),
        Row("one", [0x66, 0xFF, 0x6F], "f\\xFFo"),
        Row("a truncated sequence", [0xE2, 0x82], "\\xE2\\x82"),
        Row("the mark itself", [0xF4, 0x8F, 0xBF, 0xBE], "\\xF4\\x8F\\xBF\\xBE"),
    ]

    @Test(arguments: shown)
    func `Raw bytes are shown escaped`(_ row: Row<[UInt8], String>) {
        #expect(String(exactBytes: row.input).escapingRawBytes == row.expected)
    }

    @Test func `A text of UTF-8 holds no raw bytes`() {
        #expect(!String(exactBytes: "füßchen".bytes).holdsRawBytes)
    }

    @Test func `A text with a byte that is not UTF-8 holds raw bytes`() {
        #expect(String(exactBytes: [0x66, 0xFF]).holdsRawBytes)
    }

    @Test func `The mark itself is no raw byte, but a byte after it may be one`() {
        #expect(!String(exactBytes: [0xF4, 0x8F, 0xBF, 0xBE]).holdsRawBytes)
        #expect(String(exactBytes: [0xF4, 0x8F, 0xBF, 0xBE, 0xFF]).holdsRawBytes)
    }
}
