import Testing

@testable import JSONText

/// The text of random values, and of JSON values inside models.
struct EncoderLayoutTests {
    @Test(arguments: 0..<8)
    func writesRandomValues(_ seed: Int) throws {
        var random = RandomText(seed: UInt64(seed))
        for _ in 0..<100 {
            let value = random.value()
            #expect(try encoded(value) == value.text)
        }
    }

    static let texts = [
        "1", "-1.50e+007", "true", "null", "\"\\u0041\u{85}\"", "[]", "{}", " {\"a\" : 1, \"a\":\n[ 1.0,{} ] }\n",
        "[[[1]]]",
    ]

    @Test(arguments: texts)
    func aJSONValueInsideAModelKeepsItsText(_ text: String) throws {
        let value = JSONValue(try JSONDocument(Array(text.utf8)))
        for formatter in [JSONFormatter.pretty, .compact, .checking, .terminal] {
            let list = formatter.run("{\"a\":[\(text),\(text)],\"b\":\(text)}").output
            #expect(
                try formatter.formatted(JSONTextEncoder().encode(Both(list: [value, value], value: value))) == list)
        }
    }

    struct Both: Encodable {
        var list: [JSONValue]
        var value: JSONValue
        enum CodingKeys: String, CodingKey { case list = "a", value = "b" }
    }
}
