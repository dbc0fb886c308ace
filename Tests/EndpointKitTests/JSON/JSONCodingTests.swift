import EndpointKit
import JSONText
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct JSONCodingTests {
    static let full =
        #"{"title":"tea","box":{"width":3,"inner":{"since":"2026-11-21T09:30:00Z"}},"tags":["a","b"],"genre":"drama"}"#

    @Test func goesBothWays() throws {
        #expect(try Coding().encode(Everything.full) == Self.full.bytes)
        #expect(try Coding().decode(Everything.Product.self, from: Self.full.bytes) == Everything.full)
    }

    static let dates: [Row<String, Double>] = [
        Row("UTC", #""2026-11-21T09:30:00Z""#, 1_795_253_400),
        Row("zone without a colon", #""1969-12-31T19:00:00-0500""#, 0),
        Row("day alone", #""2026-11-21""#, 1_795_219_200),
        Row("escaped", #""2026\u002d11-21""#, 1_795_219_200),
    ]

    @Test(arguments: dates)
    func readsDates(_ row: Row<String, Double>) throws {
        #expect(try Coding().decode(Date.self, from: row.input.bytes).timeIntervalSince1970 == row.expected)
    }

    static let syntaxErrors: [Row<[UInt8], String>] = [
        Row("empty", [], "line 1, column 1: expected a value, found end of input"),
        Row("white space", " \n ".bytes, "line 2, column 2: expected a value, found end of input"),
        Row("HTML", "<html>".bytes, "line 1, column 1: expected a value, found '<'"),
        Row("cut short", "{\"a\":".bytes, "line 1, column 6: expected a value, found end of input"),
        Row("not UTF-8", [0x22, 0xFF, 0x22], "line 1, column 2: expected valid UTF-8, found byte 0xFF"),
        Row("NaN", "NaN".bytes, "line 1, column 1: expected a value, found 'N'"),
        Row("single quotes", "{'a':1}".bytes, "line 1, column 2: expected a key in quotes or '}', found \"'\""),
    ]

    @Test(arguments: syntaxErrors)
    func tellsWhatIsNoJSON(_ row: Row<[UInt8], String>) throws {
        let error = try #require(throws: JSONSyntaxError.self) {
            try Coding().decode(JSONValue.self, from: row.input)
        }
        #expect(error.description == row.expected)
    }

    @Test func skipsAByteOrderMark() throws {
        #expect(try Coding().decode([Int].self, from: [0xEF, 0xBB, 0xBF] + "[1]".bytes) == [1])
    }

    @Test func takesOneDocument() {
        #expect(throws: (any Error).self) { try Coding().decode(Int.self, from: "1\n2".bytes) }
    }

    @Test func deepNestingIsNoCrash() {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(throws: (any Error).self) { try Coding().decode(JSONValue.self, from: deep.bytes) }
        let objects = String(repeating: "{\"a\":", count: 50_000) + "1" + String(repeating: "}", count: 50_000)
        #expect(throws: (any Error).self) { try Coding().decode(JSONValue.self, from: objects.bytes) }
    }

    @Test func notANumberHasNoJSON() {
        #expect(throws: EncodingError.self) { try Coding().encode(["a": Double.infinity]) }
    }
}
