import JSONText
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The JSON text of `value`.
func encoded(_ value: some Encodable) throws -> String {
    String(decoding: try JSONTextEncoder().encode(value), as: UTF8.self)
}

struct EncoderScalarTests {
    /// A value of any type with its text.
    struct Row: Sendable, CustomTestStringConvertible {
        let value: any Encodable & Sendable
        let text: String

        init(_ value: any Encodable & Sendable, _ text: String) {
            self.value = value
            self.text = text
        }

        var testDescription: String { "\(type(of: value)) \(text)" }
    }

    static let rows: [Row] = [
        Row(true, "true"),
        Row(false, "false"),
        Row(Int?.none, "null"),
        Row(Int?.some(3), "3"),
        Row(Int8.min, "-128"),
        Row(UInt8.max, "255"),
        Row(Int16.min, "-32768"),
        Row(UInt16.max, "65535"),
        Row(Int32.min, "-2147483648"),
        Row(UInt32.max, "4294967295"),
        Row(Int64.min, "-9223372036854775808"),
        Row(UInt64.max, "18446744073709551615"),
        Row(Int.max, "9223372036854775807"),
        Row(UInt.max, "18446744073709551615"),
        Row(7.0, "7"),
        Row(0.0, "0"),
        Row(-0.0, "-0"),
        Row(-1.0, "-1"),
        Row(0.1, "0.1"),
        Row(0.1 + 0.2, "0.30000000000000004"),
        Row(1e300, "1e+300"),
        Row(9_007_199_254_740_992.0, "9007199254740992"),
        Row(18_446_744_073_709_551_616.0, "1.8446744073709552e+19"),
        Row(2.5e-7, "2.5e-07"),
        Row(Double.leastNonzeroMagnitude, "5e-324"),
        Row(Double.greatestFiniteMagnitude, "1.7976931348623157e+308"),
        Row(Float(0.1), "0.1"),
        Row(Float(16_777_216), "16777216"),
        Row(Decimal(string: "12345678901234567890.12345"), "12345678901234567890.12345"),
        Row(Decimal(string: "1e20"), "100000000000000000000"),
        Row(Decimal(string: "-0.000001"), "-0.000001"),
        Row("a", #""a""#),
        Row("", #""""#),
        Row("\"\\/\u{8}\t\n\u{C}\r\u{0}\u{1F}", #""\"\\/\b\t\n\f\r\u0000\u001F""#),
        Row("é日本😀\u{7F}\u{2028}", "\"é日本😀\u{7F}\u{2028}\""),
        Row(URL(string: "https://a.example/b?c=d/e"), #""https://a.example/b?c=d/e""#),
        Row(UUID(uuidString: "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"), #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#),
        Row(Data([0, 1, 0xFF]), #""AAH/""#),
        Row(Data(), #""""#),
        Row(Date(timeIntervalSince1970: 1_700_000_000), #""2023-11-14T22:13:20Z""#),
        Row(Date(timeIntervalSince1970: 1_700_000_000.25), #""2023-11-14T22:13:20.250Z""#),
        Row(Date(timeIntervalSince1970: 1_700_000_000.123), #""2023-11-14T22:13:20.123Z""#),
        Row(Date(timeIntervalSince1970: 0.000_25), #""1970-01-01T00:00:00.000250Z""#),
        Row(Date(timeIntervalSince1970: 9.999_999_9), #""1970-01-01T00:00:10Z""#),
        Row(Date(timeIntervalSince1970: -0.5), #""1969-12-31T23:59:59.500Z""#),
        Row(Date(timeIntervalSince1970: 253_402_300_799), #""9999-12-31T23:59:59Z""#),
        Row([1, 2, 3], "[1,2,3]"),
        Row([1, nil], "[1,null]"),
        Row([1.0, -0.5], "[1,-0.5]"),
        Row([Date(timeIntervalSince1970: 0)], #"["1970-01-01T00:00:00Z"]"#),
        Row([[], ["a"]], #"[[],["a"]]"#),
        Row(["b": 1, "a": 2, "é": 3, "B": 4], #"{"B":4,"a":2,"b":1,"é":3}"#),
        Row([String: Int](), "{}"),
        Row(["b": ["z": 1.0, "y": 2], "a": [:]], #"{"a":{},"b":{"y":2,"z":1}}"#),
        Row(["a": ["c": 1, "b": 2] as [String: Int]?], #"{"a":{"b":2,"c":1}}"#),
        Row([10: "a", 2: "b", -1: "c"], #"{"-1":"c","2":"b","10":"a"}"#),
        Row([Colour.red: 1, .blue: 2], #"{"blue":2,"red":1}"#),
        Row([1.5: "x"], #"[1.5,"x"]"#),
        Row(Colour.blue, #""blue""#),
    ]

    enum Colour: String, Codable, CodingKeyRepresentable { case red, blue }

    @Test(arguments: rows)
    func encodes(_ row: Row) throws {
        #expect(try encoded(row.value) == row.text)
        #expect(try encoded([row.value].map(Box.init)) == "[\(row.text)]")
        #expect(try encoded(["k": Box(value: row.value)]) == "{\"k\":\(row.text)}")
        #expect(JSONFormatter.checking.run(row.text).error == nil)
    }

    /// Encodes its value as if there were no box, through a single-value container.
    struct Box: Encodable {
        let value: any Encodable
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    @Test func integersOf128BitsAreExact() throws {
        #expect(try encoded([Int128.min]) == "[-170141183460469231731687303715884105728]")
        #expect(try encoded(UInt128.max) == "340282366920938463463374607431768211455")
        #expect(try encoded(Wide()) == #"{"a":-1,"b":2}"#)
    }

    struct Wide: Encodable {
        var a: Int128 = -1
        var b: UInt128? = 2
    }

    struct Measurement: Encodable {
        var values: [String: [Double]]
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func refusesInfinityAndNaN(_ value: Double) throws {
        let error = try #require(throws: EncodingError.self) {
            try encoded(Measurement(values: ["a": [1, value]]))
        }
        guard case .invalidValue(let invalid, let context) = error else {
            Issue.record("unexpected \(error)")
            return
        }
        #expect((invalid as? Double)?.description == value.description)
        #expect(context.codingPath.map(\.stringValue) == ["values", "a", "Index 1"])
        #expect(context.codingPath.map(\.intValue) == [nil, nil, 1])
        #expect(context.debugDescription == "JSON has no number for \(value).")
    }

    /// Seconds since 1970; a date that is not a number cannot even be printed.
    @Test(arguments: [.nan, .infinity, -1e300, 1e300, 253_402_300_800, -62_135_769_601])
    func refusesDatesOutsideTheYears1To9999(_ time: Double) throws {
        #expect(throws: EncodingError.self) { try encoded([Date(timeIntervalSince1970: time)]) }
    }
}
