import EndpointKit
import EndpointTools
import TestSupport
import Testing

/// Tests that a number that does not fit is found, however the model reads it.
struct DecodingPathTests {
    struct Lists: Decodable, Sendable {
        var grid: [[UInt8]]?
        var sizes: [String: UInt8]?
        var byNumber: [Int: UInt8]?
        var optional: [UInt8?]?
        var table: [String: [String: [UInt8]]]?
        var value: JSONValue?
        var shape: Shape?
    }

    enum Shape: Decodable, Sendable {
        case circle(radius: UInt8)
        case point
    }

    static let lists: [Row<String, String>] = [
        Row("array in an array", #"{"grid":[[1],[],[2,3,300]]}"#, "$.grid[2][2]: 300 (line 1, column 22)"),
        Row("first of several", "{\"grid\":[[1,\n400],[300]]}", "$.grid[0][1]: 400 (line 2, column 1)"),
        Row("dictionary", #"{"sizes":{"a":1,"b c":300}}"#, #"$.sizes['b c']: 300 (line 1, column 23)"#),
        Row("first of a dictionary", #"{"sizes":{"z":300,"a":400}}"#, "$.sizes.z: 300 (line 1, column 15)"),
        Row("escaped key", #"{"sizes":{"\u0061":300}}"#, "$.sizes.a: 300 (line 1, column 20)"),
        Row("the first of two equal keys", #"{"sizes":{"a":300,"a":1}}"#, "$.sizes.a: 300 (line 1, column 15)"),
        Row("dictionary by number", #"{"byNumber":{"7":300}}"#, #"$.byNumber['7']: 300 (line 1, column 18)"#),
        Row("after null", #"{"optional":[null,1,300]}"#, "$.optional[2]: 300 (line 1, column 21)"),
        Row(
            "dictionary of dictionaries", #"{"table":{"a":{},"b":{"c":[1,300]}}}"#,
            "$.table.b.c[1]: 300 (line 1, column 30)"),
        Row("after any value", #"{"value":[1.5,{"a":null}],"sizes":{"a":300}}"#, "$.sizes.a: 300 (line 1, column 40)"),
        Row(
            "case with a value", #"{"shape":{"circle":{"radius":300}}}"#,
            "$.shape.circle.radius: 300 (line 1, column 30)"),
        Row("after null members", #"{"grid":null,"sizes":{"a":300}}"#, "$.sizes.a: 300 (line 1, column 27)"),
    ]

    @Test(arguments: lists)
    func `A number that is too large is found in arrays and dictionaries`(_ row: Row<String, String>) throws {
        try expectTooLarge(Lists.self, row)
    }

    class Base: Decodable {
        let size: UInt8
        init(size: UInt8) { self.size = size }
    }

    /// Reads every kind of container by hand.
    final class Derived: Base {
        enum Keys: String, CodingKey { case inner, list, base }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            let inner = try container.nestedContainer(keyedBy: Keys.self, forKey: .inner)
            _ = try inner.decodeIfPresent(UInt8.self, forKey: .base)
            var list = try container.nestedUnkeyedContainer(forKey: .list)
            _ = try list.decodeIfPresent(UInt8.self)
            _ = try list.nestedContainer(keyedBy: Keys.self).decodeIfPresent(UInt8.self, forKey: .base)
            var deeper = try list.nestedUnkeyedContainer()
            while !deeper.isAtEnd { _ = try UInt8(from: deeper.superDecoder()) }
            if container.contains(.base) { _ = try Base(from: container.superDecoder(forKey: .base)) }
            try super.init(from: container.superDecoder())
        }
    }

    static let containers: [Row<String, String>] = [
        Row("nested", #"{"inner":{"base":300}}"#, "$.inner.base: 300 (line 1, column 18)"),
        Row("nested list", #"{"inner":{},"list":[300]}"#, "$.list[0]: 300 (line 1, column 21)"),
        Row(
            "object in a nested list", #"{"inner":{},"list":[null,{"base":300}]}"#,
            "$.list[1].base: 300 (line 1, column 34)"),
        Row(
            "list in a nested list", #"{"inner":{},"list":[1,{},[1,300]]}"#, "$.list[2][1]: 300 (line 1, column 29)"),
        Row(
            "superclass by a key", #"{"inner":{},"list":[1,{},[]],"base":{"size":300}}"#,
            "$.base.size: 300 (line 1, column 45)"),
        Row(
            "superclass", #"{"inner":{},"list":[1,{},[]],"super":{"size":300}}"#,
            "$.super.size: 300 (line 1, column 46)"),
    ]

    @Test(arguments: containers)
    func `A number that is too large is found in nested containers`(_ row: Row<String, String>) throws {
        try expectTooLarge(Derived.self, row)
    }

    static let others: [Row<String, String>] = [
        Row("no nested list", #"{"inner":{}}"#, #"$: missing key "list" (line 1, column 1)"#),
        Row("other nested kind", #"{"inner":[]}"#, "$.inner: expected object, found array (line 1, column 10)"),
        Row(
            "null for a nested list", #"{"inner":{},"list":null}"#,
            "$.list: expected array, found null (line 1, column 20)"),
        Row(
            "list too short", #"{"inner":{},"list":[1]}"#,
            "$.list[1]: expected object, found the end of the array (line 1, column 20)"),
        Row("no superclass", #"{"inner":{},"list":[1,{},[]]}"#, "$.super: expected object"),
        Row(
            "a lone surrogate in a key", #"{"inner":{"\udc00":1}}"#,
            "$.inner: expected object with keys without lone surrogates, found object (line 1, column 10)"),
    ]

    @Test(arguments: others)
    func `The message says what is wrong with a nested container`(_ row: Row<String, String>) throws {
        let error = try #require(throws: ModelMismatch.self) {
            try Coding().decode(Derived.self, from: row.input.bytes)
        }
        #expect(error.description == row.expected)
    }

    @Test func `A document that fits is decoded`() throws {
        let text = #"{"inner":{"base":1},"list":[1,{"base":2},[3,4]],"base":{"size":5},"super":{"size":6}}"#
        #expect(try Coding().decode(Derived.self, from: text.bytes).size == 6)
    }

    private func expectTooLarge(_ model: (some Decodable).Type, _ row: Row<String, String>) throws {
        let error = try #require(throws: ModelMismatch.self) { try Coding().decode(model, from: row.input.bytes) }
        let problem = ": expected integer from 0 to 255, found number"
        #expect(error.description.replacing(problem, with: ":") == row.expected)
        #expect(error.mismatch.problem.hasPrefix("expected integer from 0 to 255, found number "))
    }
}
