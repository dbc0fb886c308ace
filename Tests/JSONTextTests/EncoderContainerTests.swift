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

    @Test func declarationOrder() throws {
        #expect(try encoded(Zoo()) == #"{"zebra":1,"lion":[{"name":"b","age":1}],"bear":{"name":"a","age":0.5}}"#)
    }

    enum Call: Encodable {
        case popular(page: Int?, String)
        case plain
    }

    @Test func enumsWithValues() throws {
        #expect(
            try encoded([Call.popular(page: 2, "x"), .plain]) == #"[{"popular":{"page":2,"_1":"x"}},{"plain":{}}]"#)
    }

    class Animal: Encodable {
        var legs = 4
    }

    /// Its superclass is encoded by `super.encode(to:)` into a place of its own.
    final class Dog: Animal {
        var name = "Rex"
        enum CodingKeys: String, CodingKey { case name, base, tail }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            let place = container.superEncoder()
            let named = container.superEncoder(forKey: .base)
            try container.encode(name, forKey: .name)
            _ = container.superEncoder(forKey: .tail)
            try super.encode(to: place)
            var list = named.unkeyedContainer()
            try super.encode(to: list.superEncoder())
            try list.encode(7)
        }
    }

    @Test func superEncoders() throws {
        #expect(try encoded(Dog()) == #"{"super":{"legs":4},"base":[{"legs":4},7],"name":"Rex","tail":{}}"#)
    }

    /// Its superclass is encoded into the same object.
    final class Cat: Animal {
        var lives = 9
        enum CodingKeys: String, CodingKey { case lives }
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(lives, forKey: .lives)
        }
    }

    @Test func superclassInTheSameObject() throws {
        #expect(try encoded(Cat()) == #"{"legs":4,"lives":9}"#)
    }

    /// Fills several containers by turns.
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

    @Test func interleavedContainers() throws {
        let expected = #"{"a":{"a":1,"b":[2],"c":"again"},"b":["x",{"d":null},[5,1.5],null],"c":true}"#
        #expect(try encoded(Interleaved()) == expected)
    }

    /// Encodes `count` keys, then the first one again.
    struct Repeated: Encodable {
        var count: Int
        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            for number in 0..<count { try container.encode(number, forKey: Key(stringValue: "k\(number)")) }
            try container.encode("last", forKey: Key(stringValue: "k0"))
        }
    }

    @Test(arguments: [1, 2, 16, 17, 18, 40])
    func sameKeyAgainReplaces(_ count: Int) throws {
        let others = (1..<count).map { ",\"k\($0)\":\($0)" }.joined()
        #expect(try encoded(Repeated(count: count)) == "{\"k0\":\"last\"\(others)}")
    }

    struct Nothing: Encodable {
        func encode(to encoder: any Encoder) throws {}
    }

    @Test func nothingAtTheTopIsAnError() throws {
        let error = try #require(throws: EncodingError.self) { try encoded(Nothing()) }
        guard case .invalidValue(let value, _) = error else {
            Issue.record("unexpected \(error)")
            return
        }
        #expect(value is Nothing)
    }

    @Test func nothingInsideIsAnEmptyObject() throws {
        #expect(try encoded(["a": [Nothing()]]) == #"{"a":[{}]}"#)
    }

    struct Empty: Encodable {}

    @Test func emptyStructure() throws {
        #expect(try encoded(Empty()) == "{}")
    }

    struct TwoKinds: Encodable {
        var secondIsScalar: Bool
        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            try list.encode(1)
            if secondIsScalar {
                var single = encoder.singleValueContainer()
                try single.encode(2)
            } else {
                _ = encoder.container(keyedBy: Interleaved.Key.self)
            }
        }
    }

    @Test(arguments: [true, false])
    func twoKindsOfValueAreAnError(_ secondIsScalar: Bool) {
        #expect(throws: EncodingError.self) { try encoded([TwoKinds(secondIsScalar: secondIsScalar)]) }
    }

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

    @Test func userInfoAndCodingPath() throws {
        let key = try #require(Reading.key)
        let text = try JSONTextEncoder(coding: Coding(userInfo: [key: "km"])).encode(["a": [Reading()]])
        #expect(String(decoding: text, as: UTF8.self) == #"{"a":[["km",["a","Index 0"],["a","Index 0","Index 2"]]]}"#)
    }
}
