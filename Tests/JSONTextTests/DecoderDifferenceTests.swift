import JSONText
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Our decoder accepts the texts that Foundation's decoder accepts, and has the same values and kinds of errors.
struct DecoderDifferenceTests {
    /// A coding for our decoder, and the same strategies for Foundation's decoder.
    struct Strategies: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let coding: Coding
        /// Sets the strategies of Foundation's decoder.
        let configure: @Sendable (JSONDecoder) -> Void

        static let plain = Strategies(testDescription: "plain", coding: Coding(dates: .deferredToDate)) { _ in }
        static let snake = Strategies(
            testDescription: "snake case",
            coding: Coding(keys: .convertFromSnakeCase, dates: .secondsSince1970, data: .deferredToData)
        ) {
            $0.keyDecodingStrategy = .convertFromSnakeCase
            $0.dateDecodingStrategy = .secondsSince1970
            $0.dataDecodingStrategy = .deferredToData
        }
        static let custom = Strategies(
            testDescription: "custom",
            coding: Coding(
                keys: .custom(decode: { Self.key($0) }, encode: { $0[$0.count - 1] }),
                dates: .custom(decode: { try Self.date($0) }, encode: { _, _ in }),
                floats: .strings(positiveInfinity: "+Inf", negativeInfinity: "-Inf", nan: "NaN"))
        ) {
            $0.keyDecodingStrategy = .custom { Self.key($0) }
            $0.dateDecodingStrategy = .custom { try Self.date($0) }
            $0.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "+Inf", negativeInfinity: "-Inf", nan: "NaN")
        }
        static let all = [plain, snake, custom]

        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        /// Maps `bytes` at the top level to `ints`, and each spelling of `string` to its lowercase.
        private static func key(_ path: [any CodingKey]) -> any CodingKey {
            let name = path[path.count - 1].stringValue
            if path.count == 1, name == "bytes" { return Key(stringValue: "ints") }
            if name.lowercased() == "string" { return Key(stringValue: "string") }
            return Key(stringValue: name)
        }

        private static func date(_ decoder: any Decoder) throws -> Date {
            let path = decoder.codingPath.map(\.stringValue).joined(separator: ".")
            let text = try decoder.singleValueContainer().decode(String.self)
            guard let number = Double(text) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "Custom \(path)"))
            }
            return Date(timeIntervalSinceReferenceDate: number)
        }
    }

    struct Dates: Codable {
        var date: Date?
        var dates: [Date]?
    }

    /// Decodes `type` with both decoders and describes how the outcomes differ; nil if they do not.
    private func difference<T: Decodable>(_ type: T.Type, _ text: [UInt8], _ strategies: Strategies) -> String? {
        // Foundation does not look closely at values that nobody asks for.
        guard let document = try? JSONDocument(text) else { return nil }
        let foundation = JSONDecoder()
        strategies.configure(foundation)
        let expected = DecoderOutcome { try foundation.decode(type, from: Data(text)) }
        let found = DecoderOutcome { try JSONTextDecoder(coding: strategies.coding).decode(type, from: document) }
        guard found != expected else { return nil }
        return """
            \(type) from \(String(decoding: text.prefix(300), as: UTF8.self)):
            \(DecoderOutcome.contrast(found.description, expected.description))
            """
    }

    /// Describes how the outcomes of both decoders differ for each model.
    private func differences(_ text: [UInt8], _ strategies: Strategies) -> [String] {
        [
            difference(DecoderModels.Numbers.self, text, strategies),
            difference(DecoderModels.Required.self, text, strategies),
            difference(DecoderModels.Lists.self, text, strategies),
            difference(DecoderModels.Item.self, text, strategies),
            difference(DecoderModels.Event.self, text, strategies),
            difference(DecoderModels.Derived.self, text, strategies),
            difference(DecoderModels.Questions.self, text, strategies),
            difference(DecoderModels.Lenient.self, text, strategies),
            difference(Dates.self, text, strategies),
        ].compactMap { $0 }
    }

    static let samples: [String] = [
        #"""
        {"int":1,"int8":-128,"int16":-32768,"int32":2147483647,"int64":-9223372036854775808,\#
        "uint":18446744073709551615,"uint8":255,"uint16":65535,"uint32":4294967295,"uint64":0,\#
        "int128":-170141183460469231731687303715884105728,"uint128":340282366920938463463374607431768211455,\#
        "double":0.1,"float":3.25,"decimal":12.50,"bool":true,"string":"aé\n\ud83d\ude00",\#
        "url":"https://a.b/c?d=e","data":"aGVsbG8=","uuid":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F"}
        """#,
        #"""
        {"ints":[1,2.0,3e2],"bytes":[0,255],"doubles":[1,null,-0.5e-3],"strings":["","a","\u0062"],\#
        "grid":[[],[1.5,2]],"flags":["a","b","a"],"urls":["a:b"],\#
        "items":[{"itemID":1,"item_title":"x","kind":"small","level":10,"inner":[{"itemID":2}]}],\#
        "byName":{"a b":{"itemID":3},"a_b":{"item_id":4,"itemId":5}},"byNumber":{"1":true,"-2":false},\#
        "byKind":{"small":1,"very-large":2},"table":{"a":{"x":1,"y":null}}}
        """#,
        #"{"created":{"id":1,"name":null}}"#, #"{"renamed":{"_0":"a","_1":[1]}}"#, #"{"deleted":{}}"#,
        #"{"own":"a","base":{"base":1}}"#, #"{"value":1.5,"words":"w"}"#, #"{"date":12.5,"dates":["1.5",0,-1e3]}"#,
        #"{"a":1,"b":null,"c":[1,2],"super":{"a":1},"a":"second"}"#,
        #"[true,1,-128,1.5,"x","small",null,[1,[]],{"a":1,"b":2},300,"very-large"]"#, "[]", "{}", "null", "1",
        #""small""#,
        #"{"_int":1,"int_":2,"__a_b__":3,"string_":"a","STRING":"x","item_id":3,"item_i_d":4,"ItemID":5}"#,
    ]

    @Test(arguments: Strategies.all)
    func samplesHaveTheSameOutcome(_ strategies: Strategies) {
        for sample in Self.samples { #expect(differences(Array(sample.utf8), strategies) == []) }
    }

    private static let scalarTypes: [any (Decodable & Sendable).Type] = [
        Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self,
        UInt64.self, Int128.self, UInt128.self, Double.self, Float.self, Decimal.self, Bool.self, String.self, URL.self,
        Data.self, UUID.self, Date.self, DecoderModels.Kind.self, DecoderModels.Level.self, Int?.self,
        [String: Decimal].self,
        [UInt8].self,
    ]

    @Test(arguments: Strategies.all)
    func everyScalarHasTheSameOutcomeForEveryType(_ strategies: Strategies) {
        for scalar in JSONMutator.scalars {
            for type in Self.scalarTypes { #expect(difference(type, Array(scalar.utf8), strategies) == nil) }
            for sample in [#"{"a":\#(scalar),"value":\#(scalar),"words":\#(scalar)}"#, "[\(scalar)]"] {
                #expect(difference(DecoderModels.Questions.self, Array(sample.utf8), strategies) == nil)
                #expect(difference(DecoderModels.Lenient.self, Array(sample.utf8), strategies) == nil)
            }
        }
    }

    /// Foundation refuses a zero with an exponent of a single digit in some texts.
    @Test(arguments: ["0e5", "0E5", "-0e5", "-0.0e-5", "0.000e9", "0e0", "0e+1", "0e-400", "0e400"])
    func zeroIsZeroWithAnyExponent(_ text: String) throws {
        let document = try JSONDocument(Array(text.utf8))
        let double = try JSONTextDecoder().decode(Double.self, from: document)
        #expect(double.isZero && double.sign == (text.hasPrefix("-") ? .minus : .plus))
        #expect(try JSONTextDecoder().decode(Float.self, from: document).isZero)
        #expect(try JSONTextDecoder().decode(Int.self, from: document) == 0)
    }

    /// Foundation refuses the least integer with a fraction of zero.
    @Test func theLeastIntegerMayHaveAFractionOfZero() throws {
        let document = try JSONDocument(Array("-9223372036854775808.0".utf8))
        #expect(try JSONTextDecoder().decode(Int.self, from: document) == Int.min)
    }

    @Test(arguments: [
        "9007199254740993.0", "-9007199254740993.00000", "9007199254740993.5", "9.007199254740993e15",
        "90071992547409930e-1", "900719925474099300000000e-8", "1e18", "9.3e18", "1e19", "9223372036854775807.0",
        "9223372036854774784.0", "18446744073709549568.0", "0.09007199254740993E+17",
        "-1234567890123456789012e-3", "1.0e38", "123456789012345678901234567890.25e2",
    ])
    func bigIntegersHaveTheSameOutcome(_ text: String) {
        for type in [Int.self, UInt64.self, Int128.self, UInt128.self] as [any (Decodable & Sendable).Type] {
            #expect(difference(type, Array(text.utf8), .plain) == nil)
        }
    }

    /// Each sample has one to three changed values. In every eighth sample, bytes are changed too.
    @Test(arguments: Strategies.all)
    func changedSamplesHaveTheSameOutcome(_ strategies: Strategies) throws {
        var random = RandomText(seed: 7)
        for round in 0..<200 {
            var mutator = JSONMutator(seed: UInt64(round))
            let text = try mutator.changed(Array(Self.samples[round % Self.samples.count].utf8))
            #expect(differences(round % 8 == 0 ? random.changed(text) : text, strategies) == [])
        }
    }

    /// Objects with many members are searched in another way than small ones. Some keys occur twice here.
    @Test(arguments: Strategies.all)
    func objectsWithManyMembersHaveTheSameOutcome(_ strategies: Strategies) {
        let members =
            (0..<300).map { "\"\($0 % 250)\":\($0)" } + [#""int":1"#, #""e\u0301":5"#, #""é":6"#, #""int":2"#]
        let text = Array("{\(members.joined(separator: ","))}".utf8)
        #expect(difference([String: Int].self, text, strategies) == nil)
        #expect(difference(DecoderModels.Required.self, text, strategies) == nil)
        #expect(difference(DecoderModels.Questions.self, text, strategies) == nil)
    }

    /// The last of many elements is of the type of the others or is the first that does not fit.
    @Test(arguments: ["1", "300", "null", #"{"itemID":1}"#])
    func arraysWithManyElementsHaveTheSameOutcome(_ last: String) {
        let numbers = "[" + String(repeating: "1,", count: 1000) + last + "]"
        for type in [[Int].self, [UInt8].self, [Double?].self, Set<Int>.self] as [any (Decodable & Sendable).Type] {
            #expect(difference(type, Array(numbers.utf8), .plain) == nil)
        }
        let items = #"{"items":["# + String(repeating: #"{"itemID":1},"#, count: 1000) + last + "]}"
        #expect(difference(DecoderModels.Lists.self, Array(items.utf8), .plain) == nil)
    }

    static let keys: [String] = [
        "a", "_", "__", "_a", "a_", "_a_", "a_b", "a__b", "_a_b_", "aB", "a_B", "A_B", "AB_CD", "ab_cD", "é_é", "a_é",
        "a_b-c", "a_b c", "a_1b", "a_ß",
        "", "a_b_c", "URL_path", "a_ǆ", "\u{301}_a", "a_\u{301}b", "straße_x",
    ]

    /// A model that keeps its container after it has been decoded, and reads its name from it only in `text`.
    private struct Kept: Decodable {
        enum Key: String, CodingKey { case name, inner, list }

        let container: KeyedDecodingContainer<Key>
        let inner: [Kept]

        init(from decoder: any Decoder) throws {
            container = try decoder.container(keyedBy: Key.self)
            let other = try decoder.container(keyedBy: Key.self)
            inner =
                try (container.decodeIfPresent([Kept].self, forKey: .list) ?? [])
                + [other.decodeIfPresent(Kept.self, forKey: .inner)].compactMap(\.self)
        }

        var text: String {
            let name = (try? container.decode(String.self, forKey: .name)) ?? "-"
            let path = container.codingPath.map(\.stringValue).joined(separator: ".")
            return ([name, path] + inner.map(\.text)).joined(separator: " ")
        }
    }

    @Test func aContainerThatAModelKeepsStillReadsItsOwnObject() throws {
        let text = Array(
            #"""
            [{"name":"a","inner":{"name":"b","list":[{"name":"c"},{"inner":{"name":"d"}},{"name":"e"}]}},\#
            {"name":"f"}]
            """#.utf8)
        let ours = try JSONTextDecoder().decode([Kept].self, from: JSONDocument(text)).map(\.text)
        #expect(try ours == JSONDecoder().decode([Kept].self, from: Data(text)).map(\.text))
        #expect(ours[1] == "f Index 1")
    }

    @Test func aDocumentIsReleasedWithTheModelThatKeepsItsDecoder() throws {
        struct Lazy: Decodable {
            let decoder: any Decoder
            init(from decoder: any Decoder) throws { self.decoder = decoder }
        }
        weak var document: JSONDocument?
        do {
            let text = try JSONDocument(Array(#"{"name":"a"}"#.utf8))
            document = text
            let lazy = try JSONTextDecoder().decode(Lazy.self, from: text)
            #expect(try lazy.decoder.container(keyedBy: Kept.Key.self).decode(String.self, forKey: .name) == "a")
        }
        #expect(document == nil)
    }

    @Test(arguments: keys)
    func keysInSnakeCaseBecomeTheSame(_ key: String) {
        struct AnyKeys: Decodable {
            let keys: [String]
            init(from decoder: any Decoder) throws {
                keys = try decoder.container(keyedBy: Strategies.Key.self).allKeys.map(\.stringValue)
            }
        }
        #expect(difference(AnyKeys.self, Array("{\"\(key)\":1}".utf8), .snake) == nil)
    }
}
