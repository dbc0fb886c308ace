import EndpointKit
import Testing

struct JSONValueTests {
    static let values: [Row<String, JSONValue>] = [
        Row("null", "null", .null),
        Row("true", "true", .bool(true)),
        Row("false", "false", .bool(false)),
        Row("zero", "0", .integer(0)),
        Row("one is no boolean", "1", .integer(1)),
        Row("largest integer", "9223372036854775807", .integer(.max)),
        Row("smallest integer", "-9223372036854775808", .integer(.min)),
        Row("fraction", "1.5", .number(1.5)),
        Row("small fraction", "-0.001", .number(-0.001)),
        Row("text", "\"a\"", .string("a")),
        Row("empty text", "\"\"", .string("")),
        Row("text that looks like a number", "\"1\"", .string("1")),
        Row("escapes", #""\"\\é\n""#, .string("\"\\é\n")),
        Row("empty list", "[]", .array([])),
        Row("empty object", "{}", .object([:])),
        Row(
            "mixed list", #"[null,true,1,1.5,"a",[2],{"b":[]}]"#,
            .array([
                .null, .bool(true), .integer(1), .number(1.5), .string("a"), .array([.integer(2)]),
                .object(["b": .array([])]),
            ])),
        Row("object", #"{"a":{"b":null}}"#, .object(["a": .object(["b": .null])])),
    ]

    @Test(arguments: values)
    func goesBothWays(_ row: Row<String, JSONValue>) throws {
        #expect(try JSONCoding.decode(JSONValue.self, from: row.input.bytes) == row.expected)
        #expect(String(decoding: try JSONCoding.encode(row.expected), as: UTF8.self) == row.input)
    }

    static let others: [Row<String, JSONValue>] = [
        Row("beyond 64 bits", "9223372036854775808", .number(9_223_372_036_854_775_808)),
        Row("exponent", "1e100", .number(1e100)),
        Row("surrogate pair", #""\ud83d\ude00""#, .string("😀")),
        Row("the first of two equal keys", #"{"a":1,"a":2}"#, .object(["a": .integer(1)])),
    ]

    @Test(arguments: others)
    func reads(_ row: Row<String, JSONValue>) throws {
        #expect(try JSONCoding.decode(JSONValue.self, from: row.input.bytes) == row.expected)
    }
}
