import EndpointKit
import TestSupport
import Testing

struct HeaderTests {
    static let valid: [Row<Header, Header>] = [
        Header("X-Client", "apictl"),
        Header("!#$%&'*+-.^_`|~09azAZ", "every token character"),
        Header("X", ""),
        Header("X", "tab\tand space"),
        Header("X", "obs-text é"),
        Header("X", String(exactBytes: [0x80, 0xFF])),
        Header("X", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
        Header("X", SensitiveText([.secret(Secret(variable: "V", value: nil))])),
    ].map { Row($0.description, $0, $0) }

    @Test(arguments: valid)
    func allows(_ row: Row<Header, Header>) throws {
        #expect(try row.input.checked() == row.expected)
    }

    static let refusedNames = [
        "", " ", "X Y", "X:", ":method", "X\r\nY", "X\n", "\0", "X\t", "é", "(x)", "X,Y", "X;Y", "X/Y", "X=Y", "X@Y",
        "[X]", "{X}", "\"X\"", "X\\Y", "X?", "<X>", "\u{7F}", String(exactBytes: [0xFF]),
    ]

    @Test(arguments: refusedNames)
    func refusesName(_ name: String) {
        #expect(throws: RequestError.invalidHeaderName(name)) { try Header(name, "v").checked() }
    }

    static let refusedValues = [
        "a\r\nEvil: 1", "a\rb", "a\nb", "\n", "\0", "a\0b", "\u{1}", "\u{8}", "\u{B}", "\u{C}", "\u{1B}[2J", "\u{1F}",
        "\u{7F}",
        // The mark of a kept raw byte before a control character stands for that character.
        "\u{10FFFE}\n",
    ]

    @Test(arguments: refusedValues)
    func refusesValue(_ value: String) {
        let expected = RequestError.invalidHeaderValue(name: "X")
        #expect(throws: expected) { try Header("X", value).checked() }
        let secret = Secret(variable: "V", value: value)
        let named = RequestError.invalidHeaderValue(name: "X", variable: "V")
        #expect(throws: named) { try Header("X", SensitiveText([.text("Bearer "), .secret(secret)])).checked() }
        #expect(throws: named) { try Header("X", SensitiveText([.secret(secret), .text("x")])).checked() }
    }

    @Test func refusesALineBreakMadeOfTwoPieces() {
        let value = SensitiveText([.text("a"), .text("\n"), .text("b")])
        #expect(throws: RequestError.invalidHeaderValue(name: "X")) { try Header("X", value).checked() }
    }

    @Test func comparesNamesWithoutCase() {
        #expect(Header("Content-TYPE", "a").isNamed("content-type"))
        #expect(!Header("Content-Type", "a").isNamed("Content-Length"))
    }

    @Test func leavesOutNilAndKeepsOrder() {
        let none: String? = nil
        let headers: Headers = ["B": "1", "A": none, "C": "", "B": "2"]
        #expect(headers.fields == [Header("B", "1"), Header("C", ""), Header("B", "2")])
    }
}
