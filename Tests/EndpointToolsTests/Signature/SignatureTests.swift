import EndpointKit
import TestSupport
import Testing

@testable import EndpointTools

extension Parameter {
    /// The parameter as `name: type? = example`.
    var testText: String {
        "\(name): \(testText(type))\(isOptional ? "?" : "")"
            + (example.isEmpty ? "" : " = " + example.joined(separator: " "))
    }

    private func testText(_ type: Shape) -> String {
        switch type {
        case .values(let values): values.map(\.text).joined(separator: values[0].string == nil ? "/" : "|")
        case .scalar(.integer(let bounds?)): "integer \(bounds.lowerBound)...\(bounds.upperBound)"
        case .scalar(let scalar): scalar.name
        case .array(let element): "[\(testText(element))]"
        case .dictionary(let value): "[:\(testText(value))]"
        case .object: "{" + fields.map(\.testText).joined(separator: ", ") + "}"
        case .nullable, .variants, .alternatives: "<" + fields.map(\.testText).joined(separator: ", ") + ">"
        default: type.name
        }
    }
}

struct SignatureTests {
    static let smallJSON = #"{"title":"tea","box":{"width":3}}"#
    static let innerJSON = #"{"since":"2026-11-21T09:30:00Z"}"#
    static let boxJSON = #"{"width":3,"inner":\#(innerJSON)}"#
    static let fullJSON = #"{"title":"tea","box":\#(boxJSON),"tags":["a","b"],"genre":"drama"}"#
    /// The fields of `Everything.Product` without values. `smallFields` has the required values, `fullFields` has all.
    static let fields =
        "{title: string, box: {width: integer, inner: {since: date}?}, tags: [string]?, genre: drama|science-fiction?}"
    static let smallFields = #"""
        {title: string = tea, box: {width: integer = 3, inner: {since: date}?} = {"width":3}, tags: [string]?, \#
        genre: drama|science-fiction?}
        """#
    static let fullFields = #"""
        {title: string = tea, \#
        box: {width: integer = 3, inner: {since: date = 2026-11-21T09:30:00Z}? = \#(innerJSON)} = \#(boxJSON), \#
        tags: [string]? = a b, genre: drama|science-fiction? = drama}
        """#

    /// The other keys of an open object are given with JSON for the whole object.
    @Test("The parameter of an open object has the object's fields")
    func openObject() {
        let pet = Shape.open(
            [Shape.Field(key: "name", shape: .scalar(.string), isOptional: false)], others: .scalar(.integer(nil)))
        let field = Shape.Field(key: "pet", shape: pet, isOptional: false)
        let signature = Signature(
            name: "add", parameters: ModelShape(root: .object([field]), models: []), values: [])
        #expect(signature.parameters.map(\.testText) == ["pet: {name: string}"])
    }

    static let signatures: [Row<Everything, [String]>] = [
        Row("no parameters", .nothing, []),
        Row("bool", .bool(flag: false), ["flag: boolean = false"]),
        Row(
            "signed integers", .integers(a: .min, b: .min, c: .max, d: -1, e: 5),
            [
                "a: integer = -9223372036854775808", "b: integer -128...127 = -128",
                "c: integer -32768...32767 = 32767", "d: integer -2147483648...2147483647 = -1", "e: integer = 5",
            ]),
        Row(
            "unsigned integers", .unsigned(a: .max, b: .max, c: 3, d: 4, e: 5),
            [
                "a: integer 0...\(Int.max) = 18446744073709551615", "b: integer 0...255 = 255",
                "c: integer 0...65535 = 3", "d: integer 0...4294967295 = 4", "e: integer 0...\(Int.max) = 5",
            ]),
        Row(
            "numbers", .numbers(float: 0.5, double: 2.25, decimal: 3),
            ["float: number = 0.5", "double: number = 2.25", "decimal: number = 3"]),
        Row(
            "a number that JSON does not have", .numbers(float: .infinity, double: .nan, decimal: 3),
            ["float: number = inf", "double: number = nan", "decimal: number = 3"]),
        Row(
            "texts", .texts(string: "a b", url: Everything.url, uuid: Everything.uuid, date: Everything.day),
            [
                "string: string = a b", "url: url = https://h.test/a?b=1",
                "uuid: uuid = E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
                "date: date = 2026-11-21T09:30:00Z",
            ]),
        Row(
            "choices", .choices(genre: .scienceFiction, size: .large, unit: .foot),
            ["genre: drama|science-fiction = science-fiction", "size: 1/10 = 10", "unit: string = foot"]),
        Row(
            "lists", .lists(integers: [1, 2], texts: [], dates: [Everything.day], genres: [.drama]),
            [
                "integers: [integer] = 1 2", "texts: [string]", "dates: [date] = 2026-11-21T09:30:00Z",
                "genres: [drama|science-fiction] = drama",
            ]),
        Row(
            "list of structures", .products(list: [Everything.full, Everything.small]),
            ["list: [\(fullFields)] = [\(fullJSON),\(smallJSON)]"]),
        Row("structures in a structure", .product(product: Everything.full), ["product: \(fullFields) = \(fullJSON)"]),
        Row(
            "structure with nil fields", .product(product: Everything.small), ["product: \(smallFields) = \(smallJSON)"]
        ),
        Row(
            "optional scalars, all nil", Everything.examples[10],
            [
                "bool: boolean?", "integer: integer?", "number: number?", "decimal: number?", "string: string?",
                "url: url?", "uuid: uuid?",
                "date: date?", "genre: drama|science-fiction?", "size: 1/10?", "unit: string?",
            ]),
        Row(
            "optional lists, all nil", .optionalLists(integers: nil, genres: nil, list: nil),
            ["integers: [integer]?", "genres: [drama|science-fiction]?", "list: [\(fields)]?"]),
        Row("optional structure, nil", .optionalProduct(product: nil), ["product: \(fields)?"]),
        Row("without a label", .unlabelled("x"), ["_0: string = x"]),
        Row(
            "with and without labels", .mixed(1, name: "n", true),
            ["_0: integer = 1", "name: string = n", "_2: boolean? = true"]),
    ]

    private static let all = Result { try CatalogueAPI(Everything.self).declarations().map(\.signature) }

    private static func signature(_ call: Everything) throws -> Signature {
        let name = try call.caseName
        return try #require(try all.get().first { $0.caseName == name }).filled(from: EndpointCall(call))
    }

    @Test("The parameters of a call have their names, types, bounds and values", arguments: signatures)
    func reads(_ row: Row<Everything, [String]>) throws {
        #expect(try Self.signature(row.input).parameters.map(\.testText) == row.expected)
    }

    @Test("A value without a label has its position")
    func positionsOfUnlabelledValues() throws {
        #expect(try Self.signature(.mixed(1, name: "n", nil)).parameters.map(\.position) == [0, nil, 2])
    }

    enum Handwritten: API {
        case a

        static let api = APIInfo(name: "handwritten", servers: [])
        static let examples = [Handwritten.a]
        var endpoint: Endpoint { .get("/", returns: EmptyResponse.self, summary: "") }

        init(from decoder: any Decoder) throws { self = .a }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode("a")
        }
    }

    enum Renamed: API {
        case a

        static let api = APIInfo(name: "renamed", servers: [])
        static let examples = [Renamed.a]
        var endpoint: Endpoint { .get("/", returns: EmptyResponse.self, summary: "") }

        enum CodingKeys: String, CodingKey { case a = "b" }
    }

    @Test("An API with coding of its own is refused")
    func wantsTheSynthesisedConformance() {
        #expect(throws: NotAnEnumCase(Handwritten.self)) { try CatalogueAPI(Handwritten.self).declarations() }
        #expect(throws: NotAnEnumCase(Renamed.self)) { try CatalogueAPI(Renamed.self).declarations() }
    }
}
