import Foundation
import Testing

@testable import JSONText

/// What is encoded, in every layout, against text that is made in simpler ways.
struct EncoderLayoutTests {
    static let formatters: [JSONFormatter] = [
        .pretty, .compact, .checking, .terminal,
        JSONFormatter(style: .pretty(indent: .spaces(8)), palette: .standard),
        JSONFormatter(style: .pretty(indent: .spaces(0)), escapesControls: true),
        JSONFormatter(style: .compact, palette: .standard),
    ]

    @Test(arguments: 0..<8)
    func randomValues(_ seed: Int) throws {
        var random = RandomText(seed: UInt64(seed))
        for _ in 0..<100 {
            let value = random.value()
            let text = try encoded(value)
            #expect(text == value.text)
            for formatter in Self.formatters {
                #expect(try JSONTextEncoder().encode(value, formattedBy: formatter) == formatter.run(text).output)
            }
        }
    }

    /// Deeper than the indentation grows.
    struct Deep: Encodable {
        let levels: Int
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            if levels > 0 { try container.encode(Deep(levels: levels - 1)) }
        }
    }

    @Test func deepNesting() throws {
        let text = try encoded(Deep(levels: 400))
        #expect(text == String(repeating: "[", count: 401) + String(repeating: "]", count: 401))
        #expect(
            try JSONTextEncoder().encode(Deep(levels: 400), formattedBy: .pretty)
                == JSONFormatter.pretty.run(text).output)
    }

    @Test func longText() throws {
        let text = String(repeating: "0123456789\n", count: 10_000)
        let expected = "{\"a\":\"" + String(repeating: "0123456789\\n", count: 10_000) + "\"}"
        #expect(try encoded(["a": text]) == expected)
    }

    static let texts = [
        "1", "-1.50e+007", "true", "null", "\"\\u0041\u{85}\"", "[]", "{}", " {\"a\" : 1, \"a\":\n[ 1.0,{} ] }\n",
        "[[[1]]]",
    ]

    @Test(arguments: texts)
    func valuesAreWrittenAsTheyAre(_ text: String) throws {
        let value = JSONValue(try JSONDocument(Array(text.utf8)))
        for formatter in Self.formatters {
            #expect(try JSONTextEncoder().encode(value, formattedBy: formatter) == formatter.run(text).output)
            let list = formatter.run("{\"a\":[\(text),\(text)],\"b\":\(text)}").output
            #expect(
                try JSONTextEncoder().encode(Both(list: [value, value], value: value), formattedBy: formatter) == list)
        }
    }

    struct Both: Encodable {
        var list: [JSONValue]
        var value: JSONValue
        enum CodingKeys: String, CodingKey { case list = "a", value = "b" }
    }
}
