import Foundation
import JSONText
import TestSupport
import Testing

/// Our encoder writes what Foundation's encoder writes with the same strategies.
struct EncoderCodingTests {
    struct Model: Encodable {
        var posterPath = "a/b"
        var myURLText: String? = "u"
        var _voteAverage: Double = 7.5
        var dates = [Date(timeIntervalSince1970: 1_700_000_000), Date(timeIntervalSince1970: 0)]
        var byName = ["snakeCase": Date(timeIntervalSince1970: 1), "b": Date(timeIntervalSince1970: 2)]
        var byNumber = [10: 1, 2: 2]
        var byKind = [Kind.bigOne: 1]
        var someData = Data([1, 2, 255])
        var decimal = Decimal(string: "12345678901234567890.5")
        var nestedValues = [Inner(aKey: 1)]
        var choice = Choice.someCase(firstValue: 1, 2)
        var link = URL(string: "https://a.example/b")
        var missing: Int?
    }

    struct Inner: Encodable { var aKey: Int }
    enum Kind: String, Codable, CodingKeyRepresentable { case bigOne }
    enum Choice: Encodable { case someCase(firstValue: Int, Int) }

    struct Named: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    static let codings: [(Coding, @Sendable (JSONEncoder) -> Void)] = [
        (Coding(), { $0.dateEncodingStrategy = .iso8601 }),
        (
            Coding(keys: .convertFromSnakeCase, dates: .secondsSince1970),
            {
                $0.keyEncodingStrategy = .convertToSnakeCase
                $0.dateEncodingStrategy = .secondsSince1970
            }
        ),
        (Coding(dates: .millisecondsSince1970), { $0.dateEncodingStrategy = .millisecondsSince1970 }),
        (
            Coding(dates: .deferredToDate, data: .deferredToData),
            {
                $0.dateEncodingStrategy = .deferredToDate
                $0.dataEncodingStrategy = .deferredToData
            }
        ),
        (
            Coding(
                keys: .custom(decode: { $0[0] }, encode: path),
                dates: .custom(decode: { _ in Date() }, encode: text),
                data: .custom(decode: { _ in Data() }, encode: count)),
            {
                $0.keyEncodingStrategy = .custom(path)
                $0.dateEncodingStrategy = .custom(text)
                $0.dataEncodingStrategy = .custom(count)
            }
        ),
    ]

    @Sendable static func path(_ keys: [any CodingKey]) -> any CodingKey {
        Named(stringValue: keys.suffix(1).map { "\($0.stringValue):\($0.intValue.map(String.init) ?? "")" }.joined())
    }

    /// Foundation leaves out the dictionary's own key.
    @Test func customKeysGetTheWholePath() throws {
        let keys = Coding.Keys.custom(
            decode: { $0[0] },
            encode: {
                Named(stringValue: $0.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "/"))
            })
        let text = try JSONTextEncoder(coding: Coding(keys: keys)).encode(["a": [[3: Inner(aKey: 1)]]])
        #expect(String(decoding: text, as: UTF8.self) == #"{"a":[{"a/0/3":{"a/0/3/aKey":1}}]}"#)
    }

    @Sendable static func text(_ date: Date, _ encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Named.self)
        try container.encode(date.timeIntervalSince1970, forKey: Named(stringValue: "time"))
    }

    @Sendable static func count(_ data: Data, _ encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(data.count)
    }

    @Test(arguments: codings.indices)
    func writesAsTheCodingSays(_ index: Int) throws {
        let (coding, configure) = Self.codings[index]
        let encoder = JSONEncoder()
        configure(encoder)
        let ours = try CanonicalJSON.text(Data(JSONTextEncoder(coding: coding).encode(Model())))
        let foundations = try CanonicalJSON.text(encoder.encode(Model()))
        #expect(ours == foundations)
    }

    @Test func writesKeysInSnakeCase() throws {
        var random = RandomText(seed: 7)
        let ours = JSONTextEncoder(coding: Coding(keys: .convertFromSnakeCase))
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let letters = Array("abABÉéß1_Z9x日")
        for _ in 0..<3000 {
            let name = String((0..<random.number(below: 9)).map { _ in letters[random.number(below: letters.count)] })
            let value = RandomValue.object([(name, .int(1))])
            let text = String(decoding: try ours.encode(value), as: UTF8.self)
            #expect(text == String(decoding: try encoder.encode(value), as: UTF8.self))
        }
    }

    /// A key that could not be written back, because its digits do not start words.
    private struct Video: Codable, Equatable {
        let language: String
        let publishedAt: String

        enum CodingKeys: String, CodingKey {
            case language = "iso_639_1"
            case publishedAt
        }
    }

    @Test("Keys that are excepted from snake case are the same in the text and in the model")
    func exceptedKeys() throws {
        let coding = Coding(keys: .convertFromSnakeCase(except: ["iso_639_1"]))
        let text = #"{"iso_639_1":"en","published_at":"2026"}"#
        let video = try JSONTextDecoder(coding: coding).decode(Video.self, from: JSONDocument(Array(text.utf8)))
        #expect(video == Video(language: "en", publishedAt: "2026"))
        #expect(String(decoding: try JSONTextEncoder(coding: coding).encode(video), as: UTF8.self) == text)
        #expect(coding.name(of: Video.CodingKeys.language, path: []) == "iso_639_1")
        let withoutException = Coding(keys: .convertFromSnakeCase)
        #expect(throws: DecodingError.self) {
            try JSONTextDecoder(coding: withoutException).decode(Video.self, from: JSONDocument(Array(text.utf8)))
        }
    }

    @Test func writesInfinityAndNaNAsTheCodingSays() throws {
        let floats = Coding.NonConformingFloats.strings(positiveInfinity: "+Inf", negativeInfinity: "-Inf", nan: "NaN")
        let text = try JSONTextEncoder(coding: Coding(floats: floats)).encode([Double.infinity, -.infinity, .nan, 1])
        #expect(String(decoding: text, as: UTF8.self) == #"["+Inf","-Inf","NaN",1]"#)
        let single = try JSONTextEncoder(coding: Coding(floats: floats)).encode(-Float.infinity)
        #expect(String(decoding: single, as: UTF8.self) == #""-Inf""#)
    }
}
