import EndpointKit
import JSONText
import TestSupport
import Testing

struct NullableTests {
    struct Changes: Codable, Equatable {
        var name: Nullable<String>?
        var age: Nullable<Int>?
    }

    static let texts: [Row<String, Changes>] = [
        Row("absent", "{}", Changes()),
        Row("null", #"{"name":null}"#, Changes(name: .null)),
        Row("values", #"{"name":"a","age":3}"#, Changes(name: .value("a"), age: .value(3))),
    ]

    @Test(arguments: texts)
    func `Absent members, null and values are read and written`(_ row: Row<String, Changes>) throws {
        #expect(try Coding().decode(Changes.self, from: row.input.bytes) == row.expected)
        #expect(try String(decoding: Coding().encode(row.expected), as: UTF8.self) == row.input)
    }
}
