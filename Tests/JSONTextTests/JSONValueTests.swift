import JSONText
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct JSONValueTests {
    private func value(_ text: String) throws -> JSONValue {
        try JSONTextDecoder().decode(JSONValue.self, from: Array(text.utf8))
    }

    private static let text = #"{"b":1.50,"a":[1e2,"\u0041\/",null,true,{}],"b":{"x":-0}}"#

    @Test func keepsTheTextAsItIs() throws {
        #expect(try value(" \(Self.text)\n").description == Self.text)
        let parts = try JSONTextDecoder().decode([String: JSONValue].self, from: Array(Self.text.utf8))
        #expect(parts["a"]?.description == #"[1e2,"\u0041\/",null,true,{}]"#)
        #expect(parts["b"]?.description == "1.50")
    }

    @Test func givesItsMembersAndElementsInOrder() throws {
        let value = try value(Self.text)
        #expect(value.members?.map(\.key) == ["b", "a", "b"])
        #expect(try #require(value["a"]?.elements).count == 5)
    }

    @Test func givesTheContentOfScalars() throws {
        let list = Array(try #require(try value(Self.text)["a"]?.elements))
        #expect(list[0].number == "1e2")
        #expect(list[0].integer(UInt8.self) == 100)
        #expect(list[0].double == 100)
        #expect(list[1].string == "A/")
        #expect(list[2].isNull)
        #expect(list[3].bool == true)
        #expect(list[4].members?.count == 0)
        #expect(list[4]["a"] == nil)
        #expect(list[1].integer() == nil)
    }

    @Test func stringsAndNumbersOutOfRangeAreNoIntegers() throws {
        #expect(try value(#""7""#).integer() == nil)
        #expect(try value("300").integer(UInt8.self) == nil)
    }

    @Test func aLoneSurrogateIsReadAsTheReplacementCharacter() throws {
        #expect(try value(#""\ud800x""#).string == "\u{FFFD}x")
    }

    /// Two JSON texts, and whether their values are equal.
    struct EqualityRow: Sendable, CustomTestStringConvertible {
        let text: String
        let otherText: String
        let areEqual: Bool

        init(_ text: String, _ otherText: String, areEqual: Bool) {
            self.text = text
            self.otherText = otherText
            self.areEqual = areEqual
        }

        var testDescription: String { "\(text) \(areEqual ? "==" : "!=") \(otherText)" }
    }

    static let equalityRows: [EqualityRow] = [
        EqualityRow("[1, 2]", "[1,2]", areEqual: true),
        EqualityRow(#""\u0061""#, #""a""#, areEqual: true),
        EqualityRow(#"{"\u0061":1}"#, #"{"a":1}"#, areEqual: true),
        EqualityRow("1", "1.0", areEqual: false),
        EqualityRow(#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, areEqual: false),
        EqualityRow(#"{"a":1}"#, #"{"a":1,"a":1}"#, areEqual: false),
        EqualityRow("[[],1]", "[[1]]", areEqual: false),
        EqualityRow("[[1],2]", "[[1,2]]", areEqual: false),
        EqualityRow("null", "false", areEqual: false),
        EqualityRow("true", "false", areEqual: false),
        EqualityRow("[]", "{}", areEqual: false),
    ]

    /// Strings are compared without their escapes, numbers as they are written, and members in their order.
    @Test(arguments: equalityRows)
    func comparesByContent(_ row: EqualityRow) throws {
        let first = try value(row.text)
        let second = try value(row.otherText)
        #expect((first == second) == row.areEqual)
        if row.areEqual { #expect(first.hashValue == second.hashValue) }
    }

    @Test(arguments: equalityRows)
    func aPartOfADocumentEqualsTheSameTextAlone(_ row: EqualityRow) throws {
        let part = try value("[0,\(row.text)]").elements?.dropFirst().first { _ in true }
        #expect(try value(row.text) == part)
    }

    @Test func isMadeFromLiterals() {
        let value: JSONValue = ["a": [1, 2.5, "x\n\"", true, nil, [:], []], "a": .null]
        #expect(value.description == #"{"a":[1,2.5,"x\n\"",true,null,{},[]],"a":null}"#)
        #expect(JSONValue(Double.nan) == .null)
        #expect(JSONValue(UInt64.max).description == "18446744073709551615")
    }

    @Test func isDecodedAndEncodedByFoundationToo() throws {
        let text = #"{"a":[null,true,-1,18446744073709551615,0.5,"é",{"b":[]}]}"#
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        #expect(value.description == text)
        #expect(String(decoding: try JSONEncoder().encode(value), as: UTF8.self) == text)
    }
}
