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

    @Test func givesItsContent() throws {
        let value = try value(Self.text)
        #expect(value.members?.map(\.key) == ["b", "a", "b"])
        let elements = try #require(value["a"]?.elements)
        #expect(elements.count == 5)
        let list = Array(elements)
        #expect(list[0].number == "1e2")
        #expect(list[0].integer(UInt8.self) == 100)
        #expect(list[0].double == 100)
        #expect(list[1].string == "A/")
        #expect(list[2].isNull)
        #expect(list[3].bool == true)
        #expect(list[4].members?.count == 0)
        #expect(list[4]["a"] == nil)
        #expect(list[1].integer() == nil)
        #expect(try self.value("300").integer(UInt8.self) == nil)
        #expect(try self.value(#""7""#).integer() == nil)
        #expect(try self.value(#""\ud800x""#).string == "\u{FFFD}x")
    }

    static let equal: [(String, String, Bool)] = [
        ("[1, 2]", "[1,2]", true), (#""\u0061""#, #""a""#, true), (#"{"\u0061":1}"#, #"{"a":1}"#, true),
        ("1", "1.0", false),
        (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, false), (#"{"a":1}"#, #"{"a":1,"a":1}"#, false),
        ("[[],1]", "[[1]]", false),
        ("[[1],2]", "[[1,2]]", false), ("null", "false", false), ("true", "false", false), ("[]", "{}", false),
    ]

    @Test(arguments: equal)
    func comparesByContent(_ one: String, _ other: String, _ areEqual: Bool) throws {
        let (first, second) = try (value(one), value(other))
        #expect((first == second) == areEqual)
        if areEqual { #expect(first.hashValue == second.hashValue) }
        #expect(try first == value("[0,\(one)]").elements?.dropFirst().first { _ in true })
    }

    @Test func isMadeFromLiterals() {
        let value: JSONValue = ["a": [1, 2.5, "x\n\"", true, nil, [:], []], "a": .null]
        #expect(value.description == #"{"a":[1,2.5,"x\n\"",true,null,{},[]],"a":null}"#)
        #expect(JSONValue(Double.nan) == .null)
        #expect(JSONValue(UInt64.max).description == "18446744073709551615")
    }

    /// Through any decoder and encoder: the same value, if not the same text.
    @Test func passesThroughFoundation() throws {
        let text = #"{"a":[null,true,-1,18446744073709551615,0.5,"é",{"b":[]}]}"#
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        #expect(value.description == text)
        #expect(String(decoding: try JSONEncoder().encode(value), as: UTF8.self) == text)
    }
}
