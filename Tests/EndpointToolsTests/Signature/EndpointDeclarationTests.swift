import EndpointKit
import TestSupport
import Testing

@testable import EndpointTools

struct EndpointDeclarationTests {
    /// An API with several examples of one endpoint. None of them has a value for every parameter.
    enum Library: API, Equatable {
        case search(text: String?, filter: Filter?, lists: [Filter]?)
        case newBooks
        case book(id: Int)

        struct Filter: Codable, Sendable, Equatable {
            var language: String?
            var year: Int
        }

        static let api = APIInfo(name: "library", servers: [Server("main", url: "https://h.test")])
        static let examples: [Library] = [
            .search(text: nil, filter: nil, lists: nil),
            .newBooks,
            .search(text: "tea", filter: Filter(year: 2026), lists: nil),
            .search(text: "milk", filter: Filter(language: "de", year: 2025), lists: [Filter(year: 2024)]),
            .book(id: 1),
            .book(id: 2),
        ]

        var endpoint: Endpoint {
            switch self {
            case .search(let text, _, _):
                .get("/search", query: ["q": text], returns: EmptyResponse.self, summary: "Search")
            case .newBooks: .get("/new", returns: EmptyResponse.self, summary: "New books")
            case .book(let id):
                .get("/books/\(id)", returns: EmptyResponse.self, summary: "A book", notes: ["id": "its number"])
            }
        }
    }

    @Test("Declarations stand in the order of their first examples, each with all of its examples")
    func standInTheOrderOfTheirFirstExamples() throws {
        let all = try CatalogueAPI(Library.self).declarations()
        #expect(all.map(\.name) == ["library.search", "library.new-books", "library.book"])
        #expect(all.map(\.endpointName) == ["search", "new-books", "book"])
        #expect(all.map(\.examples.count) == [3, 1, 2])
        #expect(all[2].examples.map { $0.apiCase as? Library } == [.book(id: 1), .book(id: 2)])
        #expect(all[2].endpoint.summary == "A book")
        #expect(all[2].endpoint.notes == ["id": "its number"])
    }

    @Test("A parameter that the first example leaves out has the value of a later example")
    func laterExamplesFillInWhatTheFirstLeavesOpen() throws {
        let all = try CatalogueAPI(Library.self).declarations()
        #expect(
            all[0].signature.parameters.map(\.testText) == [
                "text: string? = tea", #"filter: {language: string? = de, year: integer = 2026}? = {"year":2026}"#,
                #"lists: [{language: string?, year: integer = 2024}]? = [{"year":2024}]"#,
            ])
        #expect(all[2].signature.parameters.map(\.testText) == ["id: integer = 1"])
    }

    /// An API with placeholders, whose values are neither shown nor sent.
    enum Drafted: API {
        case listed
        case stamped(at: Stamp, name: String)

        /// A value that refuses every text but `now`.
        struct Stamp: Codable, Sendable {
            var text: String

            init(_ text: String) { self.text = text }
            init(from decoder: any Decoder) throws {
                text = try decoder.singleValueContainer().decode(String.self)
                guard text == "now" else {
                    throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "not now"))
                }
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(text)
            }
        }

        static let api = APIInfo(name: "drafted", servers: [Server("main", url: "https://h.test")])
        static let examples: [Drafted] = [.listed]
        static let placeholders: [Drafted] = [.stamped(at: Stamp("now"), name: "x"), .listed]

        var endpoint: Endpoint {
            switch self {
            case .listed: .get("/", returns: EmptyResponse.self, summary: "List")
            case .stamped(let stamp, let name):
                .get("/\(name)", query: ["at": stamp], returns: EmptyResponse.self, summary: "Stamp")
            }
        }
    }

    @Test("A placeholder gives an endpoint its parameters, but is no example")
    func aSignatureIsNoExample() throws {
        #expect(Drafted.lint() == [])
        let summaries = try CatalogueAPI(Drafted.self).summaries()
        #expect(
            summaries.map { "\($0.name) \($0.path) \($0.summary)" } == [
                "drafted.listed / List", "drafted.stamped /{name} Stamp",
            ])
        let all = try CatalogueAPI(Drafted.self).declarations()
        #expect(all.map(\.examples.count) == [1, 0])
        #expect(all[1].signature.parameters.map(\.testText) == ["at: string", "name: string"])
        #expect(all[1].parametersWithValues.map(\.example) == [["now"], ["x"]])
    }

    static let failures: [Row<[Argument], ArgumentError>] = [
        Row("all missing at once", [], .missing([["a"], ["b"], ["c"], ["d"], ["e"]])),
        Row(
            "the missing ones alone", [Argument(["b"], "1"), Argument(["d"], "1")], .missing([["a"], ["c"], ["e"]])),
        Row(
            "what is missing is told before what is wrong", [Argument(["a"], "x")],
            .missing([["b"], ["c"], ["d"], ["e"]])),
        Row(
            "what is wrong", ["a", "b", "c", "d", "e"].map { Argument([$0], "999", position: 4) },
            .invalid(["b"], text: "999", expected: "an integer from -128 to 127", position: 4)),
    ]

    @Test("All missing parameters are named at once, before an invalid value", arguments: failures)
    func saysWhatIsMissing(_ row: Row<[Argument], ArgumentError>) throws {
        let integers = try CatalogueAPI(Everything.self).declarations()[2]
        #expect(throws: row.expected) { try integers.call(row.input) }
    }

    /// An API without examples. The type `Stamp` refuses every value, so that the case `stamp` can't be called.
    enum Unshown: API, Equatable {
        case find(text: String, size: Everything.Size?, box: Everything.Product.Box, tags: [String: Int], event: Event)
        case stamp(at: Stamp)

        enum Event: Codable, Sendable, Equatable { case opened(by: String), closed }

        struct Stamp: Codable, Sendable, Equatable {
            init(from decoder: any Decoder) throws {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "never"))
            }
        }

        static let api = APIInfo(name: "unshown", servers: [])
        static let examples: [Unshown] = []
        var endpoint: Endpoint { .get("/", returns: EmptyResponse.self, summary: "") }
    }

    @Test("A case without an example has parameters and can be called")
    func casesWithoutExamplesHaveParameters() throws {
        #expect(try CatalogueAPI(Unshown.self).entries().map(\.endpointName) == ["find", "stamp"])
        let all = try CatalogueAPI(Unshown.self).declarations()
        #expect(all.map(\.name) == ["unshown.find"])
        #expect(
            all[0].signature.parameters.map(\.testText) == [
                "text: string", "size: 1/10?", "box: {width: integer, inner: {since: date}?}", "tags: [:integer]",
                "event: <opened: {by: string}?, closed: {}?>",
            ])
        let arguments = [
            Argument(["text"], "a"), Argument(["box", "width"], "3"), Argument(["tags", "x"], "1"),
            Argument(["event", "closed"], "true"),
        ]
        #expect(
            try all[0].call(arguments).apiCase as? Unshown
                == .find(text: "a", size: nil, box: .init(width: 3), tags: ["x": 1], event: .closed))
    }

    @Test("Every example can be written as arguments and read back")
    func examplesComeBack() throws {
        for declaration in try CatalogueAPI(Everything.self).declarations() {
            let arguments = declaration.signature.parameters.flatMap(\.exampleArguments)
            #expect(
                try declaration.call(arguments).apiCase as? Everything == declaration.examples[0].apiCase as? Everything
            )
        }
    }
}
