import EndpointKit
import JSONText
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Tests of the messages about values that do not fit. `JSONDecoder` does not say where such values are.
struct DecodingTests {
    struct Reading: Decodable, Sendable {
        var id: Int?
        var small: UInt8?
        var huge: UInt128?
        var score: Double?
        var ratio: Float?
        var price: Decimal?
        var title: String?
        var data: Data?
        var link: URL?
        var key: UUID?
        var day: Date?
        var genre: Everything.Genre?
        var size: Everything.Size?
        var unit: Everything.Unit?
        var letter: Letter?
    }

    enum Letter: String, Decodable, CaseIterable {
        case a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u
    }

    static let numbers: [Row<String, String>] = [
        Row("fraction for an integer", #""id":1.5"#, "$.id: expected integer, found number 1.5"),
        Row("fraction beyond a small integer", #""small":300.5"#, "$.small: expected integer, found number 300.5"),
        Row("negative exponent", #""id":15e-1"#, "$.id: expected integer, found number 15e-1"),
        Row("too large", #""small":300"#, "$.small: expected integer from 0 to 255, found number 300"),
        Row("too large by one", #""small":256"#, "$.small: expected integer from 0 to 255, found number 256"),
        Row(
            "too large with a fraction of zero", #""small":256.0"#,
            "$.small: expected integer from 0 to 255, found number 256.0"),
        Row("too large by exponent", #""small":3e2"#, "$.small: expected integer from 0 to 255, found number 3e2"),
        Row("negative for unsigned", #""small":-1"#, "$.small: expected integer from 0 to 255, found number -1"),
        Row(
            "beyond 64 bits", #""id":9223372036854775808"#,
            "$.id: expected integer from -9223372036854775808 to 9223372036854775807,"
                + " found number 9223372036854775808"),
        Row(
            "twenty digits", #""id":99999999999999999999"#,
            "$.id: expected integer from -9223372036854775808 to 9223372036854775807, found number 99999999999999999999"
        ),
        Row(
            "below 64 bits", #""id":-9223372036854775809"#,
            "$.id: expected integer from -9223372036854775808 to 9223372036854775807, found number -9223372036854775809"
        ),
        Row(
            "integer with a large exponent", #""id":1e400"#,
            "$.id: expected integer from -9223372036854775808 to 9223372036854775807, found number 1e400"),
        Row(
            "beyond 128 bits", #""huge":340282366920938463463374607431768211456"#,
            "$.huge: expected integer from 0 to 340282366920938463463374607431768211455,"
                + " found number 340282366920938463463374607431768211456"),
        Row(
            "too large a double", #""score":1e400"#,
            "$.score: expected number in the range of Double, found number 1e400"),
        Row(
            "too small a double", #""score":-1e-400"#,
            "$.score: expected number in the range of Double, found number -1e-400"),
        Row("too large a float", #""ratio":1e39"#, "$.ratio: expected number in the range of Float, found number 1e39"),
        Row(
            "too large a decimal", #""price":1e400"#,
            "$.price: expected number in the range of Decimal, found number 1e400"),
        Row(
            "a hundred digits", #""id":1\#(String(repeating: "0", count: 100))"#,
            "$.id: expected integer from -9223372036854775808 to 9223372036854775807,"
                + " found number 1\(String(repeating: "0", count: 79))…"),
    ]

    static let texts: [Row<String, String>] = [
        Row(
            "a lone surrogate", #""title":"\ud800""#,
            #"$.title: expected string without lone surrogates, found string "\ud800""#),
        Row("no Base64", #""data":"?""#, #"$.data: expected Base64 text, found string "?""#),
        Row("number for data", #""data":1"#, "$.data: expected string, found number 1"),
        Row("no URL", #""link":"""#, #"$.link: expected a URL, found string """#),
        Row("number for a URL", #""link":1"#, "$.link: expected string, found number 1"),
        Row("no UUID", #""key":"x""#, #"$.key: expected a UUID, found string "x""#),
        Row("number for a UUID", #""key":1"#, "$.key: expected string, found number 1"),
        Row("no date", #""day":"today""#, #"$.day: expected an ISO 8601 date, found string "today""#),
        Row("no date, escaped", #""day":"\n""#, #"$.day: expected an ISO 8601 date, found string "\n""#),
        Row(
            "value outside an enum", #""genre":"x""#,
            #"$.genre: expected one of drama, science-fiction, found string "x""#),
        Row("number outside an enum", #""size":7"#, "$.size: expected one of 1, 10, found number 7"),
        Row("fraction for an enum", #""size":1.5"#, "$.size: expected integer, found number 1.5"),
        Row(
            "value outside an enum of unknown values", #""unit":"x""#,
            #"$.unit: expected a value of Unit, found string "x""#),
        Row(
            "value outside a large enum", #""letter":"x""#,
            #"$.letter: expected one of a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, …,"#
                + #" found string "x""#
        ),
    ]

    @Test(arguments: numbers + texts)
    func `The message says what was expected and found`(_ row: Row<String, String>) throws {
        let error = try #require(throws: ModelMismatch.self) {
            try Coding().decode(Reading.self, from: "{\(row.input)}".bytes)
        }
        let name = row.input.prefix { $0 != ":" }
        #expect(error.description == "\(row.expected) (line 1, column \(name.count + 3))")
    }

    static let accepted: [Row<String, Double>] = [
        Row("whole fraction", "7.0", 7), Row("whole exponent", "7e0", 7), Row("negative zero", "-0", 0),
        Row("largest", "255", 255),
    ]

    /// The lone surrogate in `title` forces the second pass, which must accept the numbers before it.
    @Test(arguments: accepted)
    func `Values that fit are decoded as by JSONDecoder`(_ row: Row<String, Double>) throws {
        let good = #"{"small":\#(row.input),"score":\#(row.input)}"#
        let reading = try Coding().decode(Reading.self, from: good.bytes)
        #expect(reading.small.map(Double.init) == row.expected)
        #expect(reading.score == row.expected)
        let bad = #"{"small":\#(row.input),"ratio":0.0,"price":0,"huge":0,"score":\#(row.input),"title":"\ud800"}"#
        let error = try #require(throws: ModelMismatch.self) { try Coding().decode(Reading.self, from: bad.bytes) }
        #expect(error.mismatch.path.pathText == "$.title")
    }

    /// This file imports EndpointKit and JSONText. The name must not be ambiguous, in expressions too.
    @Test func `JSONValue is one type in both modules`() {
        let none = ([JSONValue](), [String: JSONValue](), JSONValue?.none)
        #expect(none.0.isEmpty && none.1.isEmpty && none.2 == nil)
    }

    @Test func `Text with more than one document is an error`() throws {
        let error = try #require(throws: JSONSyntaxError.self) {
            try Coding().decode(JSONValue.self, from: "{\"a]}\\\"\":[\"[{\"]}\n 1".bytes)
        }
        #expect(error.description == "line 2, column 2: expected one JSON document, found a second one")
    }
}
