import JSONText
import Testing

struct EncoderContainerTests {
    struct Zoo: Encodable {
        var zebra = 1
        var ape: String? = nil
        var lion = [Cub(name: "b", age: 1.0)]
        var bear: Cub? = Cub(name: "a", age: 0.5)
    }

    struct Cub: Encodable {
        var name: String
        var age: Double
    }

    @Test func keysAreInTheOrderOfDeclaration() throws {
        #expect(try encoded(Zoo()) == #"{"zebra":1,"lion":[{"name":"b","age":1}],"bear":{"name":"a","age":0.5}}"#)
    }

    enum Call: Encodable {
        case popular(page: Int?, String)
        case plain
    }

    @Test func writesEnumsWithAssociatedValues() throws {
        #expect(
            try encoded([Call.popular(page: 2, "x"), .plain]) == #"[{"popular":{"page":2,"_1":"x"}},{"plain":{}}]"#)
    }

    class Animal: Encodable {
        var legs = 4
    }

    /// Encodes its superclass with `super.encode(to:)` under the key `super`, and again in a list under `base`.
    final class Dog: Animal {
        var name = "Rex"
        enum CodingKeys: String, CodingKey { case name, base, tail }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            let superclassEncoder = container.superEncoder()
            let baseEncoder = container.superEncoder(forKey: .base)
            try container.encode(name, forKey: .name)
            _ = container.superEncoder(forKey: .tail)
            try super.encode(to: superclassEncoder)
            var list = baseEncoder.unkeyedContainer()
            try super.encode(to: list.superEncoder())
            try list.encode(7)
        }
    }

    @Test func writesWhatSuperclassesEncode() throws {
        #expect(try encoded(Dog()) == #"{"super":{"legs":4},"base":[{"legs":4},7],"name":"Rex","tail":{}}"#)
    }

    /// Encodes into several containers by turns, and opens one of them a second time.
    struct Interleaved: Encodable {
        enum Key: String, CodingKey { case a, b, c, d }
        func encode(to encoder: any Encoder) throws {
            var object = encoder.container(keyedBy: Key.self)
            var first = object.nestedContainer(keyedBy: Key.self, forKey: .a)
            var second = object.nestedUnkeyedContainer(forKey: .b)
            try first.encode(1, forKey: .a)
            try second.encode("x")
            try object.encode(true, forKey: .c)
            var inner = second.nestedContainer(keyedBy: Key.self)
            var list = second.nestedUnkeyedContainer()
            try second.encodeNil()
            try list.encode(Int8(5))
            try inner.encodeNil(forKey: .d)
            try list.encode(Float(1.5))
            try first.encode([2], forKey: .b)
            var again = object.nestedContainer(keyedBy: Key.self, forKey: .a)
            try again.encode("again", forKey: .c)
        }
    }

    @Test func containersCanBeFilledInAnyOrder() throws {
        let expected = #"{"a":{"a":1,"b":[2],"c":"again"},"b":["x",{"d":null},[5,1.5],null],"c":true}"#
        #expect(try encoded(Interleaved()) == expected)
    }

    struct Nothing: Encodable {
        func encode(to encoder: any Encoder) throws {}
    }

    @Test func aValueThatEncodesNothingIsAnError() throws {
        let error = try #require(throws: EncodingError.self) { try encoded(Nothing()) }
        guard case .invalidValue(let value, _) = error else {
            Issue.record("unexpected \(error)")
            return
        }
        #expect(value is Nothing)
    }

    @Test func aMemberThatEncodesNothingIsAnEmptyObject() throws {
        #expect(try encoded(["a": [Nothing()]]) == #"{"a":[{}]}"#)
    }

    struct TwoKinds: Encodable {
        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            try list.encode(1)
            _ = encoder.container(keyedBy: Interleaved.Key.self)
        }
    }

    @Test func twoKindsOfValueAreAnError() { #expect(throws: EncodingError.self) { try encoded([TwoKinds()]) } }

    struct Reading: Encodable {
        static let key = CodingUserInfoKey(rawValue: "unit")
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(Self.key.flatMap { encoder.userInfo[$0] as? String })
            try container.encode(encoder.codingPath.map(\.stringValue))
            let inner = container.superEncoder()
            var single = inner.singleValueContainer()
            try single.encode(inner.codingPath.map(\.stringValue))
        }
    }

    @Test func modelsSeeUserInfoAndCodingPath() throws {
        let key = try #require(Reading.key)
        let text = try JSONTextEncoder(coding: Coding(userInfo: [key: "km"])).encode(["a": [Reading()]])
        #expect(String(decoding: text, as: UTF8.self) == #"{"a":[["km",["a","Index 0"],["a","Index 0","Index 2"]]]}"#)
    }
}
