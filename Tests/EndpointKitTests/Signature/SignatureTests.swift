import Testing

@testable import EndpointKit

struct SignatureTests {
    static let genre = ParameterType.choice(["drama", "science-fiction"])
    static let size = ParameterType.choice(["1", "10"], areNumbers: true)

    static let innerFields = [
        Parameter(name: "since", type: .date, isOptional: false, example: ["2026-11-21T09:30:00Z"])
    ]
    static let fullFields = [
        Parameter(name: "title", type: .string, isOptional: false, example: ["tea"]),
        Parameter(
            name: "box",
            type: .object([
                Parameter(name: "width", type: .integer, isOptional: false, example: ["3"]),
                Parameter(
                    name: "inner", type: .object(innerFields), isOptional: true,
                    example: [#"{"since":"2026-11-21T09:30:00Z"}"#]),
            ]), isOptional: false, example: [#"{"width":3,"inner":{"since":"2026-11-21T09:30:00Z"}}"#]),
        Parameter(name: "tags", type: .array(.string), isOptional: true, example: ["a", "b"]),
        Parameter(name: "genre", type: genre, isOptional: true, example: ["drama"]),
    ]
    /// The structure without values.
    static let fields = [
        Parameter(name: "title", type: .string, isOptional: false),
        Parameter(
            name: "box",
            type: .object([
                Parameter(name: "width", type: .integer, isOptional: false),
                Parameter(
                    name: "inner", type: .object([Parameter(name: "since", type: .date, isOptional: false)]),
                    isOptional: true),
            ]), isOptional: false),
        Parameter(name: "tags", type: .array(.string), isOptional: true),
        Parameter(name: "genre", type: genre, isOptional: true),
    ]
    /// The structure without the values that may be left out.
    static let smallFields = [
        Parameter(name: "title", type: .string, isOptional: false, example: ["tea"]),
        Parameter(
            name: "box",
            type: .object([
                Parameter(name: "width", type: .integer, isOptional: false, example: ["3"]),
                Parameter(
                    name: "inner", type: .object([Parameter(name: "since", type: .date, isOptional: false)]),
                    isOptional: true),
            ]), isOptional: false, example: [#"{"width":3}"#]),
        Parameter(name: "tags", type: .array(.string), isOptional: true),
        Parameter(name: "genre", type: genre, isOptional: true),
    ]
    static let smallJSON = #"{"title":"tea","box":{"width":3}}"#
    static let fullJSON =
        #"{"title":"tea","box":{"width":3,"inner":{"since":"2026-11-21T09:30:00Z"}},"tags":["a","b"],"genre":"drama"}"#

    static let signatures: [Row<Everything, Signature>] = [
        Row("no parameters", .nothing, Signature(caseName: "nothing", parameters: [])),
        Row(
            "bool", .bool(flag: false),
            Signature(
                caseName: "bool",
                parameters: [Parameter(name: "flag", type: .bool, isOptional: false, example: ["false"])])),
        Row(
            "signed integers", .integers(a: .min, b: .min, c: .max, d: -1, e: 5),
            Signature(
                caseName: "integers",
                parameters: [
                    Parameter(name: "a", type: .integer, isOptional: false, example: ["-9223372036854775808"]),
                    Parameter(
                        name: "b", type: .integer, isOptional: false, example: ["-128"]
                    ),
                    Parameter(
                        name: "c", type: .integer, isOptional: false,
                        example: ["32767"]),
                    Parameter(
                        name: "d", type: .integer, isOptional: false,
                        example: ["-1"]),
                    Parameter(name: "e", type: .integer, isOptional: false, example: ["5"]),
                ])),
        Row(
            "unsigned integers", .unsigned(a: .max, b: .max, c: 3, d: 4, e: 5),
            Signature(
                caseName: "unsigned",
                parameters: [
                    Parameter(
                        name: "a", type: .integer, isOptional: false,
                        example: ["18446744073709551615"]),
                    Parameter(
                        name: "b", type: .integer, isOptional: false, example: ["255"]),
                    Parameter(
                        name: "c", type: .integer, isOptional: false, example: ["3"]),
                    Parameter(
                        name: "d", type: .integer, isOptional: false,
                        example: ["4"]),
                    Parameter(
                        name: "e", type: .integer, isOptional: false,
                        example: ["5"]),
                ])),
        Row(
            "numbers", .numbers(float: 0.5, double: 2.25, decimal: 3),
            Signature(
                caseName: "numbers",
                parameters: [
                    Parameter(name: "float", type: .number, isOptional: false, example: ["0.5"]),
                    Parameter(name: "double", type: .number, isOptional: false, example: ["2.25"]),
                    Parameter(name: "decimal", type: .number, isOptional: false, example: ["3"]),
                ])),
        Row(
            "texts", .texts(string: "a b", url: Everything.url, uuid: Everything.uuid, date: Everything.day),
            Signature(
                caseName: "texts",
                parameters: [
                    Parameter(name: "string", type: .string, isOptional: false, example: ["a b"]),
                    Parameter(name: "url", type: .url, isOptional: false, example: ["https://h.test/a?b=1"]),
                    Parameter(
                        name: "uuid", type: .uuid, isOptional: false, example: ["E621E1F8-C36C-495A-93FC-0C247A3E6E5F"]),
                    Parameter(name: "date", type: .date, isOptional: false, example: ["2026-11-21T09:30:00Z"]),
                ])),
        Row(
            "choices", .choices(genre: .scienceFiction, size: .large, unit: .foot),
            Signature(
                caseName: "choices",
                parameters: [
                    Parameter(name: "genre", type: genre, isOptional: false, example: ["science-fiction"]),
                    Parameter(name: "size", type: size, isOptional: false, example: ["10"]),
                    Parameter(name: "unit", type: .string, isOptional: false, example: ["foot"]),
                ])),
        Row(
            "lists", .lists(integers: [1, 2], texts: [], dates: [Everything.day], genres: [.drama]),
            Signature(
                caseName: "lists",
                parameters: [
                    Parameter(name: "integers", type: .array(.integer), isOptional: false, example: ["1", "2"]),
                    Parameter(name: "texts", type: .array(.string), isOptional: false),
                    Parameter(
                        name: "dates", type: .array(.date), isOptional: false, example: ["2026-11-21T09:30:00Z"]),
                    Parameter(name: "genres", type: .array(genre), isOptional: false, example: ["drama"]),
                ])),
        Row(
            "list of structures", .products(list: [Everything.full, Everything.small]),
            Signature(
                caseName: "products",
                parameters: [
                    Parameter(
                        name: "list", type: .array(.object(fullFields)), isOptional: false,
                        example: ["[\(fullJSON),\(smallJSON)]"])
                ])),
        Row(
            "empty list of structures", .products(list: []),
            Signature(
                caseName: "products",
                parameters: [Parameter(name: "list", type: .array(.object(fields)), isOptional: false, example: ["[]"])]
            )),
        Row(
            "structures in a structure", .product(product: Everything.full),
            Signature(
                caseName: "product",
                parameters: [
                    Parameter(name: "product", type: .object(fullFields), isOptional: false, example: [fullJSON])
                ])),
        Row(
            "structure with nil fields", .product(product: Everything.small),
            Signature(
                caseName: "product",
                parameters: [
                    Parameter(name: "product", type: .object(smallFields), isOptional: false, example: [smallJSON])
                ])),
        Row(
            "optional scalars, all nil", Everything.examples[10],
            Signature(
                caseName: "optionalScalars",
                parameters: [
                    Parameter(name: "bool", type: .bool, isOptional: true),
                    Parameter(name: "integer", type: .integer, isOptional: true),
                    Parameter(name: "number", type: .number, isOptional: true),
                    Parameter(name: "decimal", type: .number, isOptional: true),
                    Parameter(name: "string", type: .string, isOptional: true),
                    Parameter(name: "url", type: .url, isOptional: true),
                    Parameter(name: "uuid", type: .uuid, isOptional: true),
                    Parameter(name: "date", type: .date, isOptional: true),
                    Parameter(name: "genre", type: genre, isOptional: true),
                    Parameter(name: "size", type: size, isOptional: true),
                    Parameter(name: "unit", type: .string, isOptional: true),
                ])),
        Row(
            "optional scalars, all given",
            .optionalScalars(
                bool: true, integer: 1, number: 1.5, decimal: 2, string: "s", url: Everything.url,
                uuid: Everything.uuid,
                date: Everything.day, genre: .drama, size: .small, unit: .metre),
            Signature(
                caseName: "optionalScalars",
                parameters: [
                    Parameter(name: "bool", type: .bool, isOptional: true, example: ["true"]),
                    Parameter(name: "integer", type: .integer, isOptional: true, example: ["1"]),
                    Parameter(name: "number", type: .number, isOptional: true, example: ["1.5"]),
                    Parameter(name: "decimal", type: .number, isOptional: true, example: ["2"]),
                    Parameter(name: "string", type: .string, isOptional: true, example: ["s"]),
                    Parameter(name: "url", type: .url, isOptional: true, example: ["https://h.test/a?b=1"]),
                    Parameter(
                        name: "uuid", type: .uuid, isOptional: true, example: ["E621E1F8-C36C-495A-93FC-0C247A3E6E5F"]),
                    Parameter(name: "date", type: .date, isOptional: true, example: ["2026-11-21T09:30:00Z"]),
                    Parameter(name: "genre", type: genre, isOptional: true, example: ["drama"]),
                    Parameter(name: "size", type: size, isOptional: true, example: ["1"]),
                    Parameter(name: "unit", type: .string, isOptional: true, example: ["metre"]),
                ])),
        Row(
            "optional lists, all nil", .optionalLists(integers: nil, genres: nil, list: nil),
            Signature(
                caseName: "optionalLists",
                parameters: [
                    Parameter(name: "integers", type: .array(.integer), isOptional: true),
                    Parameter(name: "genres", type: .array(genre), isOptional: true),
                    Parameter(name: "list", type: .array(.object(fields)), isOptional: true),
                ])),
        Row(
            "optional lists, all given",
            .optionalLists(integers: [1], genres: [.drama], list: [Everything.small]),
            Signature(
                caseName: "optionalLists",
                parameters: [
                    Parameter(name: "integers", type: .array(.integer), isOptional: true, example: ["1"]),
                    Parameter(name: "genres", type: .array(genre), isOptional: true, example: ["drama"]),
                    Parameter(
                        name: "list", type: .array(.object(smallFields)), isOptional: true, example: ["[\(smallJSON)]"]),
                ])),
        Row(
            "optional structure, nil", .optionalProduct(product: nil),
            Signature(
                caseName: "optionalProduct",
                parameters: [Parameter(name: "product", type: .object(fields), isOptional: true)])),
        Row(
            "optional structure, given", .optionalProduct(product: Everything.full),
            Signature(
                caseName: "optionalProduct",
                parameters: [
                    Parameter(name: "product", type: .object(fullFields), isOptional: true, example: [fullJSON])
                ])),
        Row(
            "without a label", .unlabelled("x"),
            Signature(
                caseName: "unlabelled",
                parameters: [Parameter(name: "_0", type: .string, isOptional: false, example: ["x"])])),
        Row(
            "with and without labels", .mixed(1, name: "n", true),
            Signature(
                caseName: "mixed",
                parameters: [
                    Parameter(name: "_0", type: .integer, isOptional: false, example: ["1"]),
                    Parameter(name: "name", type: .string, isOptional: false, example: ["n"]),
                    Parameter(name: "_2", type: .bool, isOptional: true, example: ["true"]),
                ])),
    ]

    @Test(arguments: signatures)
    func reads(_ row: Row<Everything, Signature>) throws {
        #expect(try Signature(of: row.input) == row.expected)
    }

    @Test func positionsOfUnlabelledValues() throws {
        #expect(try Signature(of: Everything.mixed(1, name: "n", nil)).parameters.map(\.position) == [0, nil, 2])
    }

    enum Handwritten: API {
        case a

        static let name = "handwritten"
        static let servers: [Server] = []
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

        static let name = "renamed"
        static let servers: [Server] = []
        static let examples = [Renamed.a]
        var endpoint: Endpoint { .get("/", returns: EmptyResponse.self, summary: "") }

        enum CodingKeys: String, CodingKey { case a = "b" }
    }

    @Test func wantsTheSynthesisedConformance() {
        #expect(throws: Signature.NotACase(Handwritten.self)) { try Signature(of: Handwritten.a) }
        #expect(throws: Signature.NotACase(Renamed.self)) { try Signature(of: Renamed.a) }
    }
}
