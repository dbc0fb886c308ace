import EndpointKit
import TestSupport
import Testing

struct HeaderTests {
    static let valid: [Row<HTTPField, HTTPField>] = [
        HTTPField("X-Client", "apictl"),
        HTTPField("!#$%&'*+-.^_`|~09azAZ", "every token character"),
        HTTPField("X", ""),
        HTTPField("X", "tab\tand space"),
        HTTPField("X", "obs-text é"),
        HTTPField("X", String(exactBytes: [0x80, 0xFF])),
        HTTPField("X", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
        HTTPField("X", SensitiveText([.secret(Secret(variable: "V", value: nil))])),
    ].map { Row($0.description, $0, $0) }

    @Test(arguments: valid)
    func `A valid header is sent`(_ row: Row<HTTPField, HTTPField>) throws {
        #expect(try row.input.checked() == row.expected)
    }

    /// The text of a value never has a secret. A new text replaces all of the value.
    @Test func `The secrets of a header are kept apart from its text`() throws {
        var field = HTTPField("X-Key", SensitiveText([.text("v1 "), .secret(Secret("s3cret"))]))
        #expect(field.value == "v1 (redacted)")
        #expect(field.description == "X-Key: v1 (redacted)")
        #expect(try field.revealedValue() == "v1 s3cret")
        field.value = "v2"
        #expect(field == HTTPField("X-Key", "v2"))
        let item = QueryItem("key", SensitiveText([.secret(Secret("s3cret"))]))
        #expect(item.value == "(redacted)")
        #expect(QueryItem("a", "b").value == "b")
    }

    static let refusedNames = [
        "", " ", "X Y", "X:", ":method", "X\r\nY", "X\n", "\0", "X\t", "é", "(x)", "X,Y", "X;Y", "X/Y", "X=Y", "X@Y",
        "[X]", "{X}", "\"X\"", "X\\Y", "X?", "<X>", "\u{7F}", String(exactBytes: [0xFF]),
    ]

    @Test(arguments: refusedNames)
    func `An invalid name of a header is an error`(_ name: String) {
        #expect(throws: RequestError.invalidHeaderName(name)) { try HTTPField(name, "v").checked() }
    }

    static let refusedValues = [
        "a\r\nEvil: 1", "a\rb", "a\nb", "\n", "\0", "a\0b", "\u{1}", "\u{8}", "\u{B}", "\u{C}", "\u{1B}[2J", "\u{1F}",
        "\u{7F}",
        // The mark of a kept raw byte before a control character stands for that character.
        "\u{10FFFE}\n",
    ]

    @Test(arguments: refusedValues)
    func `A header with a control character is an error`(_ value: String) {
        let expected = RequestError.invalidHeaderValue(name: "X")
        #expect(throws: expected) { try HTTPField("X", value).checked() }
        let secret = Secret(variable: "V", value: value)
        let named = RequestError.invalidHeaderValue(name: "X", variable: "V")
        #expect(throws: named) { try HTTPField("X", SensitiveText([.text("Bearer "), .secret(secret)])).checked() }
        #expect(throws: named) { try HTTPField("X", SensitiveText([.secret(secret), .text("x")])).checked() }
    }

    @Test func `A line break in two pieces of a value is an error`() {
        let value = SensitiveText([.text("a"), .text("\n"), .text("b")])
        #expect(throws: RequestError.invalidHeaderValue(name: "X")) { try HTTPField("X", value).checked() }
    }

    @Test func `Names of headers are compared without case`() {
        #expect(HTTPField("Content-TYPE", "a").isNamed("content-type"))
        #expect(!HTTPField("Content-Type", "a").isNamed("Content-Length"))
    }

    @Test func `Headers are in order, without those that are nil`() {
        let none: String? = nil
        let headers: Headers = ["B": "1", "A": none, "C": "", "B": "2"]
        #expect(headers.fields == [HTTPField("B", "1"), HTTPField("C", ""), HTTPField("B", "2")])
    }
}
