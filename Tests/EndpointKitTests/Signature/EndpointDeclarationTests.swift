import Testing

@testable import EndpointKit

struct EndpointDeclarationTests {
    /// Several examples of one endpoint, which together tell what none of them does.
    enum Library: API, Equatable {
        case search(text: String?, filter: Filter?, lists: [Filter]?)
        case newBooks
        case book(id: Int)

        struct Filter: Codable, Sendable, Equatable {
            var language: String?
            var year: Int
        }

        static let name = "library"
        static let servers = [Server("main", "https://h.test")]
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

    static let filter = ParameterType.object([
        Parameter(name: "language", type: .string, isOptional: true),
        Parameter(name: "year", type: .integer, isOptional: false, example: ["2026"]),
    ])
    static let mergedFilter = ParameterType.object([
        Parameter(name: "language", type: .string, isOptional: true, example: ["de"]),
        Parameter(name: "year", type: .integer, isOptional: false, example: ["2026"]),
    ])
    static let otherFilter = ParameterType.object([
        Parameter(name: "language", type: .string, isOptional: true),
        Parameter(name: "year", type: .integer, isOptional: false, example: ["2024"]),
    ])

    @Test func standInTheOrderOfTheirFirstExamples() throws {
        let all = try EndpointDeclaration.all(of: Library.self)
        #expect(all.map(\.name) == ["library.search", "library.new-books", "library.book"])
        #expect(all.map(\.endpointName) == ["search", "new-books", "book"])
        #expect(all.map(\.examples.count) == [3, 1, 2])
        #expect(all[2].examples as? [Library] == [.book(id: 1), .book(id: 2)])
        #expect(all[2].endpoint.summary == "A book")
        #expect(all[2].endpoint.notes == ["id": "its number"])
    }

    @Test func laterExamplesFillInWhatTheFirstLeavesOpen() throws {
        let all = try EndpointDeclaration.all(of: Library.self)
        #expect(
            all[0].signature
                == Signature(
                    caseName: "search",
                    parameters: [
                        Parameter(name: "text", type: .string, isOptional: true, example: ["tea"]),
                        Parameter(
                            name: "filter", type: Self.mergedFilter, isOptional: true, example: [#"{"year":2026}"#]),
                        Parameter(
                            name: "lists", type: .array(Self.otherFilter), isOptional: true,
                            example: [#"[{"year":2024}]"#]),
                    ]))
        #expect(
            all[2].signature
                == Signature(
                    caseName: "book",
                    parameters: [Parameter(name: "id", type: .integer, isOptional: false, example: ["1"])]))
    }

    /// The first example has a structure whose inner one is nil; the second knows the inner one's fields.
    enum Nested: API {
        case put(outer: Outer)

        struct Outer: Codable, Sendable { var inner: Inner? }
        struct Inner: Codable, Sendable { var id: Int }

        static let name = "nested"
        static let servers: [Server] = []
        static let examples: [Nested] = [.put(outer: Outer(inner: nil)), .put(outer: Outer(inner: Inner(id: 1)))]
        var endpoint: Endpoint { .get("/", returns: EmptyResponse.self, summary: "") }
    }

    @Test func laterExamplesFillInNestedFields() throws {
        let signature = try EndpointDeclaration.all(of: Nested.self)[0].signature
        let inner = Parameter(
            name: "inner", type: .object([Parameter(name: "id", type: .integer, isOptional: false, example: ["1"])]),
            isOptional: true, example: [#"{"id":1}"#])
        #expect(signature.parameters.map(\.type) == [.object([inner])])
    }

    static let calls: [Row<[Argument], Library>] = [
        Row("nothing given", [], .search(text: nil, filter: nil, lists: nil)),
        Row("text", [Argument(["text"], "a")], .search(text: "a", filter: nil, lists: nil)),
        Row(
            "a field", [Argument(["filter", "year"], "2020")],
            .search(text: nil, filter: .init(year: 2020), lists: nil)),
    ]

    @Test(arguments: calls)
    func makesCalls(_ row: Row<[Argument], Library>) throws {
        let search = try EndpointDeclaration.all(of: Library.self)[0]
        #expect(try search.call(row.input) as? Library == row.expected)
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

    @Test(arguments: failures)
    func saysWhatIsMissing(_ row: Row<[Argument], ArgumentError>) throws {
        let integers = try EndpointDeclaration.all(of: Everything.self)[2]
        #expect(throws: row.expected) { try integers.call(row.input) }
    }

    /// Cases that no example shows have their parameters; one whose type refuses made-up values can't be called.
    enum Unshown: API, Equatable {
        case find(text: String, size: Everything.Size?, box: Everything.Product.Box, tags: [String: Int], event: Event)
        case stamp(at: Stamp)

        enum Event: Codable, Sendable, Equatable { case opened(by: String), closed }

        struct Stamp: Codable, Sendable, Equatable {
            init(from decoder: any Decoder) throws {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "never"))
            }
        }

        static let name = "unshown"
        static let servers: [Server] = []
        static let examples: [Unshown] = []
        var endpoint: Endpoint { .get("/", returns: EmptyResponse.self, summary: "") }
    }

    @Test func casesWithoutExamplesHaveParameters() throws {
        #expect(try EndpointCase.all(of: Unshown.self).map(\.endpointName) == ["find", "stamp"])
        let all = try EndpointDeclaration.all(of: Unshown.self)
        #expect(all.map(\.name) == ["unshown.find"])
        #expect(
            all[0].signature.parameters == [
                Parameter(name: "text", type: .string, isOptional: false),
                Parameter(name: "size", type: SignatureTests.size, isOptional: true),
                Parameter(
                    name: "box",
                    type: .object([
                        Parameter(name: "width", type: .integer, isOptional: false),
                        Parameter(
                            name: "inner",
                            type: .object([Parameter(name: "since", type: .date, isOptional: false)]), isOptional: true),
                    ]), isOptional: false),
                Parameter(name: "tags", type: .dictionary(.integer), isOptional: false),
                Parameter(
                    name: "event",
                    type: .variants([
                        Parameter(
                            name: "opened",
                            type: .object([Parameter(name: "by", type: .string, isOptional: false)]), isOptional: true),
                        Parameter(name: "closed", type: .object([]), isOptional: true),
                    ]), isOptional: false),
            ])
        let arguments = [
            Argument(["text"], "a"), Argument(["box", "width"], "3"), Argument(["tags", "x"], "1"),
            Argument(["event", "closed"], "true"),
        ]
        #expect(
            try all[0].call(arguments) as? Unshown
                == .find(text: "a", size: nil, box: .init(width: 3), tags: ["x": 1], event: .closed))
    }

    @Test func refusesWhatIsNoEnum() {
        #expect(throws: Signature.NotACase(SignatureTests.Handwritten.self)) {
            try EndpointDeclaration.all(of: SignatureTests.Handwritten.self)
        }
    }

    /// Every example can be written as arguments, and read back.
    @Test func examplesComeBack() throws {
        for declaration in try EndpointDeclaration.all(of: Everything.self) {
            let arguments = declaration.signature.parameters.flatMap(\.exampleArguments)
            #expect(try declaration.call(arguments) as? Everything == declaration.examples[0] as? Everything)
        }
    }
}
