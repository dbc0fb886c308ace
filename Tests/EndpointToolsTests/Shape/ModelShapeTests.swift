import EndpointKit
import EndpointTools
import JSONText
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct ModelShapeTests {
    struct Everything: Decodable {
        var flag: Bool
        var count: UInt8
        var ratio: Float
        var price: Decimal
        var text: String?
        var link: URL
        var id: UUID
        var made: Date
        var bytes: Data?
        var size: Size
        var level: Level?
        var grade: Grade?
        var open: Open
        var tags: Set<String>
        var grid: [[Int?]]
        var names: [Int: [String]]
        var any: JSONValue
        var children: [Everything]?
    }

    enum Size: String, Codable, CaseIterable { case small, large }
    enum Level: Int, Codable, CaseIterable { case one = 1, two }

    /// A structure that lists its values like an enum, as code generators write it.
    struct Grade: RawRepresentable, CaseIterable, Codable {
        static let allCases = [Grade("good"), Grade("bad")]
        let rawValue: String

        init(_ text: String) { rawValue = text }
        init?(rawValue: String) {
            if !["good", "bad"].contains(rawValue) { return nil }
            self.rawValue = rawValue
        }
    }

    /// An enum that decodes any text, also one that it does not list.
    enum Open: String, Decodable, CaseIterable {
        case known, unknown

        init(from decoder: any Decoder) throws {
            self = Open(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
        }
    }

    enum Event: Codable {
        case created(id: Int)
        case renamed(from: String, to: String)
    }

    struct Nested: Decodable {
        let title: String

        enum Keys: String, CodingKey { case head, title }

        init(from decoder: any Decoder) throws {
            let head = try decoder.container(keyedBy: Keys.self).nestedContainer(keyedBy: Keys.self, forKey: .head)
            title = try head.decode(String.self, forKey: .title)
        }
    }

    struct Tagged: Decodable {
        enum Item: Decodable {
            struct A: Decodable { var x: Int }
            struct B: Decodable { var y: String; var z: Int? }
            case a(A), b(B)

            enum Keys: String, CodingKey { case type }

            init(from decoder: any Decoder) throws {
                let type = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .type)
                switch type {
                case "a": self = .a(try A(from: decoder))
                case "b": self = .b(try B(from: decoder))
                default:
                    throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "type"))
                }
            }
        }
        var items: [Item]
        var total: Int
    }

    enum Text: Decodable {
        case one(String), many([Text])

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self = .one(text)
            } else {
                self = .many(try [Text](from: decoder))
            }
        }
    }

    struct Outer: Decodable {
        struct Image: Decodable { var a: Int }
        var image: Image
        var other: Other.Image
    }
    enum Other { struct Image: Decodable { var b: Int } }

    /// A structure that keeps the members for which it has no property.
    struct Bucket: Decodable {
        var id: Int
        var note: String?
        var others: [String: JSONValue]

        enum Keys: String, CodingKey, CaseIterable { case id, note }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            id = try container.decode(Int.self, forKey: .id)
            note = try container.decodeIfPresent(String.self, forKey: .note)
            others = try decoder.additionalProperties(besides: Keys.self)
        }
    }

    @Test(
        "A structure that keeps other members is an open object, whatever the sample has",
        arguments: [nil, #"{"id": 1}"#, #"{"id": 1, "x": true, "note": "n"}"#])
    func membersWithoutAProperty(sample: String?) throws {
        let shape = ModelShape.of(Bucket.self, sample: sample.map { Array($0.utf8) }, coding: Coding())
        guard case .model(let name) = shape.root, let model = shape.models.first(where: { $0.name == name }),
            case .open(let fields, _) = model.shape
        else {
            Issue.record("\(shape)")
            return
        }
        #expect(fields.map(\.key) == ["id", "note"])
        #expect(fields.map(\.isOptional) == [false, true])
    }

    /// Returns the outline of a model's shape, which depends on the sample.
    private func outline<Model: Decodable>(_ model: Model.Type, _ sample: String? = nil, _ coding: Coding = Coding())
        -> String
    {
        ModelShape.of(model, sample: sample.map { Array($0.utf8) }, coding: coding).outline
    }

    @Test("The outline shows the type of each property")
    func everyType() {
        #expect(
            outline(Everything.self) == """
                Everything
                  flag      boolean
                  count     integer
                  ratio     number
                  price     number
                  text      string, optional
                  link      URL
                  id        UUID
                  made      date
                  bytes     Base64 string, optional
                  size      small | large
                  level     1 | 2, optional
                  grade     good | bad, optional
                  open      string
                  tags      [string]
                  grid      [[integer or null]]
                  names     [string: [string]]
                  any       any JSON
                  children  [Everything], optional

                """)
    }

    @Test(
        "An enum with associated values has an optional object for each case of the sample",
        arguments: [
            (
                #"[{"created":{"id":1}},{"renamed":{"from":"a","to":"b"}}]"#,
                """
                [Event]
                  created  object, optional
                    id     integer
                  renamed  object, optional
                    from   string
                    to     string

                """
            )
        ])
    func enumWithValues(_ sample: String, _ expected: String) {
        #expect(outline([Event].self, sample) == expected)
    }

    private static let name = Shape.Field(key: "name", shape: .scalar(.string), isOptional: false)
    private static let pet = ModelShape.Model(name: "Pet", shape: .open([name], others: .model("Pet")))
    private static let pets = ModelShape(root: .array(.model("Pet")), models: [pet])

    @Test("The outline of an open object shows its other keys as an asterisk")
    func openObject() {
        #expect(
            Self.pets.outline == """
                [Pet]
                  name  string
                  *     Pet, optional

                """)
    }

    /// An open object may have any key, so that its fields are not all of its keys.
    @Test("An open object has named fields, but no complete list of fields")
    func fieldsOfAnOpenObject() {
        #expect(Self.pets.fields(of: Self.pets.root) == nil)
        #expect(Self.pets.namedFields(of: Self.pets.root) == [Self.name])
    }

    @Test("The models that a shape names include those of its other keys")
    func modelNamesOfAnOpenObject() {
        #expect(Self.pets.root.modelNames == ["Pet"])
        #expect(Self.pet.shape.modelNames == ["Pet"])
    }

    @Test("The members of a nested container are fields of its object")
    func nestedContainer() {
        #expect(outline(Nested.self) == "Nested\n  head     object\n    title  string\n")
    }

    @Test("The members of forms that a value chooses are optional, if the sample has several forms")
    func chosenByAValue() {
        let sample = #"{"items":[{"type":"a","x":1},{"type":"b","y":"t"}],"total":2}"#
        #expect(
            outline(Tagged.self, sample) == """
                Tagged
                  items   [Item]
                    type  string
                    x     integer, optional
                    y     string, optional
                    z     integer, optional
                  total   integer

                """)
    }

    /// A model that tries several forms in turn. Without a sample, the first one accepts the value that is made up.
    enum Range: Decodable {
        struct Bounds: Decodable { var from: Int?; var to: Int? }
        struct Named: Decodable { var name: String }
        case number(Int), text(Double), bounds(Bounds), list([Range]), named(Named)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Int.self) {
                self = .number(value)
            } else if let value = try? container.decode(Double.self) {
                self = .text(value)
            } else if let value = try? container.decode(Bounds.self) {
                self = .bounds(value)
            } else if let value = try? container.decode([Range].self) {
                self = .list(value)
            } else {
                self = .named(try container.decode(Named.self))
            }
        }
    }

    @Test("Forms that are tried in turn are all found without a sample")
    func formsWithoutASample() {
        struct Filter: Decodable {
            var created: Range?
            var name: String
            var size: Size
        }
        #expect(
            outline(Filter.self) == """
                Filter
                  created  Range, optional
                    from   integer, optional
                    to     integer, optional
                    name   string
                  name     string
                  size     small | large

                """)
    }

    @Test("Forms that are tried in turn are alternatives")
    func formsTriedInTurn() {
        #expect(outline(Text.self, #"["a",["b"]]"#) == "Text\n")
        let shape = ModelShape.of(Text.self, sample: Array(#"["a",["b"]]"#.utf8))
        #expect(shape.models.map(\.shape) == [.alternatives([.scalar(.string), .array(.model("Text"))])])
    }

    @Test("Models with the same name get qualified names")
    func sameNamesAreToldApart() {
        #expect(
            ModelShape.of(Outer.self).models.map(\.name) == [
                "Outer", "ModelShapeTests.Outer.Image", "ModelShapeTests.Other.Image",
            ])
    }

    /// A generic type that contains itself with another parameter, so that its models never end.
    private final class Endless<Value: Decodable>: Decodable {
        let next: Endless<[Value]>?
        let last: Int
    }

    /// The models of large APIs form long chains.
    @Test("Every model of a long chain has all its fields")
    func deepTypes() {
        let models = ModelShape.of(Endless<Int>.self).models
        #expect(models.count > 200)
        let complete = models.filter { if case .object(let fields) = $0.shape { fields.count == 2 } else { false } }
        #expect(complete.count == models.count)
    }

    @Test("A model that contains itself through an enum has all its fields")
    func typesInThemselves() {
        let shape = ModelShape.of(Parcel.self)
        guard case .object(let fields)? = shape.model("Stop")?.shape else {
            Issue.record("no stop in \(shape.models.map(\.name))")
            return
        }
        #expect(fields.map(\.key) == ["before", "name"])
    }

    @Test("The keys and dates of a shape follow the coding")
    func codings() {
        struct Movie: Decodable {
            var posterPath: String
            var made: Date
        }
        let coding = Coding(keys: .convertFromSnakeCase, dates: .secondsSince1970)
        #expect(outline(Movie.self, nil, coding) == "Movie\n  poster_path  string\n  made         number\n")
    }

    /// The sample has one known case of the enum, and its case that accepts anything.
    @Test("A model that a tag chooses has the fields that the sample shows")
    func taggedModels() {
        struct Cat: Decodable { var lives: Int }
        enum Animal: Decodable {
            case cat(Cat)
            case unknown(JSONValue)

            private enum CodingKeys: String, CodingKey { case type }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                switch try? container.decode(String.self, forKey: .type) {
                case "cat": self = .cat(try Cat(from: decoder))
                default: self = .unknown(try JSONValue(from: decoder))
                }
            }
        }
        #expect(
            outline([Animal].self, #"[{"type": "cat", "lives": 9}, {"type": "newt"}]"#)
                == "[Animal]\n  type   string\n  lives  integer, optional\n")
    }

    @Test("Null, the cases of an enum and forms that are tried in turn are different shapes")
    func nullVariantsAndAlternatives() {
        let numbers = ModelShape.of([Int?].self)
        #expect(numbers.root == .array(.nullable(.scalar(.integer(nil)))))

        let event = ModelShape.of(Event?.self)
        #expect(event.root == .nullable(.model("Event")))
        guard case .variants(let cases)? = event.model("Event")?.shape else {
            Issue.record("no variants in \(event)")
            return
        }
        #expect(cases.map(\.key) == ["created", "renamed"])
        #expect(cases.map(\.isOptional) == [true, true])
        let text = Shape.Field(key: "from", shape: .scalar(.string), isOptional: false)
        #expect(event.fields(of: cases[1].shape)?.first == text)

        let texts = ModelShape.of([Text?].self)
        #expect(texts.root == .array(.nullable(.model("Text"))))
    }
}

private struct Parcel: Decodable {
    let stop: StopOrID
}

private indirect enum StopOrID: Decodable {
    case stop(Stop), id(String)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let stop = try? container.decode(Stop.self) {
            self = .stop(stop)
        } else {
            self = .id(try container.decode(String.self))
        }
    }
}

private struct Stop: Decodable {
    let before: StopOrID
    let name: String
}
