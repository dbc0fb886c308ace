import EndpointTools
import Testing

@testable import APIImport

@Suite struct SwiftFileTests {
    private static let file = #"""
        import EndpointKit

        /// An API with "quotes" and { brackets in a comment.
        public enum Movies: API {
            case popular(page: Int?)  // enum Movies: {
            case video(id: Int)

            public static let api = APIInfo(name: "movies } \("{") ", servers: [])
            public static let examples: [Movies] = [.popular(page: 1), .video(id: 550)]
            static let text = #"} \#("\"") ""#

            public var endpoint: Endpoint {
                switch self {
                case .popular(let page): .get("/movie/popular", query: ["page": page], returns: MoviePage.self, summary: "return")
                case .video(let id):
                    .get("/movie/\(id)/\("}")", returns: VideoList.self, notes: ["a": """
                        " } \("""
                            {
                            """)
                        """])
                }
            }

            func half(_ a: Int) -> Int { a / 2 / (1) }
        }

        """#

    private static func inserting(_ change: (inout String) -> Void = { _ in }) -> String? {
        var text = file
        change(&text)
        let by = EndpointText.Parameter(key: "by", place: .path, type: .integer, name: "by", example: "1")
        let endpoint = EndpointText(
            name: "rated", method: "GET", path: [("/r/", false), ("by", true)], parameters: [by], returns: "Movie.self",
            summary: "Rated")
        return SwiftFile(text).inserting(endpoint, into: "Movies")
    }

    /// The arm is a statement if the others are.
    @Test func returnIsWrittenAsElsewhere() {
        #expect(
            Self.inserting { $0 = $0.replacing("        .get(", with: "        return .get(") }?
                .contains("            return .get(\"/r/\\(by)\", returns: ") == true)
    }

    @Test func anEndpointIsInserted() throws {
        let text = try #require(Self.inserting())
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let old = Self.file.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[6] == "    case rated(by: Int)")
        lines.remove(at: 6)
        #expect(
            lines[8] == "    public static let examples: [Movies] = [.popular(page: 1), .video(id: 550), .rated(by: 1)]"
        )
        lines[8] = old[8]
        #expect(lines[20] == "        case .rated(let by):")
        #expect(lines[21] == #"            .get("/r/\(by)", returns: Movie.self, summary: "Rated")"#)
        lines.removeSubrange(20...21)
        #expect(lines == old)
    }

    @Test(arguments: [
        ("[.popular(page: 1), .video(id: 550)]", "[]", "[.rated(by: 1)]"),
        (
            "[.popular(page: 1), .video(id: 550)]", "[\n        .popular(page: 1),\n    ]",
            "[\n        .popular(page: 1),\n        .rated(by: 1),\n    ]"
        ),
        (
            "[.popular(page: 1), .video(id: 550)]", "[\n    ]", "[\n        .rated(by: 1),\n    ]"
        ),
        (
            "[.popular(page: 1), .video(id: 550)]",
            "[.popular(page: 1), .video(id: 1000000000000000000000000000000)]",
            "[\n        .popular(page: 1), .video(id: 1000000000000000000000000000000),\n        .rated(by: 1),\n    ]\n"
        ),
    ])
    func examples(old: String, new: String, expected: String) throws {
        let text = try #require(Self.inserting { $0 = $0.replacing(old, with: new) })
        #expect(text.contains(expected))
    }

    /// Arms with statements have `return`, arms of a switch expression have none, and all of them are indented alike.
    @Test(arguments: [
        (
            "if id > 1 {\n                return .get(\"/a\")\n            }\n            return .get(\"/b\")",
            "            return .get("
        ),
        (".get(\"/\", map {\n                    return 1\n                })", "            .get("),
    ])
    func returns(arm: String, expected: String) throws {
        let lines = ["case video(id: Int)", "static let examples: [Movies] = []", "var endpoint: Endpoint {"]
        let arms = ["    switch self {", "    case .video(let id):", "        \(arm)", "    }", "}"]
        let text = "enum Movies: API {\n" + (lines + arms).map { "    \($0)\n" }.joined() + "}\n"
        let new = try #require(Self.inserting { $0 = text })
        #expect(new.contains("        case .rated(let by):\n\(expected)"), "\(new)")
        let indented = try #require(Self.inserting { $0 = text.replacing("    case .", with: "        case .") })
        #expect(indented.contains("            case .rated(let by):\n    "), "\(indented)")
    }

    @Test(arguments: [
        ("public enum Kind: String { case a }\nenum A: API {", ["A"]),
        ("/// The enum of: everything.\nenum A : API {", ["A"]),
        ("enum Kind { case a }\nenum A: String, API {\n}\n    indirect enum B: API {", ["A", "B"]),
        ("enum A {}\nextension A: API {", []), ("// enum A: API {", []), ("enum A: APIs {", []),
        ("enum Outer {\n    enum A: EndpointKit.API {", ["A"]),
        ("enum API {}", []),
    ])
    func apis(text: String, apis: [String]) { #expect(SwiftFile(text).apis == apis) }

    /// An endpoint is not inserted if the file leaves open where it belongs.
    @Test(arguments: [
        ("case video(id: Int)", "#if DEBUG\n    case video(id: Int)\n    #endif"),
        ("enum Movies: API", "enum Films: API"),
        ("case .popular(let page):", "default:"), ("switch self", "print(1); switch self"),
        (" = [.popular(page: 1), .video(id: 550)]", " = all"),
        (" = [.popular(page: 1), .video(id: 550)]", " = [.a,\n]"),
        ("public enum", "enum Movies: API {\n}\npublic enum"),
        ("[.popular(page: 1), .video(id: 550)]", "[\n        .popular(page: 1), .video(id: 1) // x\n    ]"),
        ("[.popular(page: 1), .video(id: 550)]", "[.popular(page: 1),]"),
        (" = [.popular(page: 1), .video(id: 550)]", " { [.popular(page: 1), .video(id: 550)] }"),
        (".video(id: 550)]", ".video(id: 550)].filter { _ in [true][0] }"),
        (".video(id: 550)]", "\n        .video(id: 550),\n    ].map { $0 }"),
        ("case .popular(let page):", "case _:"),
        ("case .popular(let page):", "case let other:"),
        (
            "        case .popular(let page): .get(\"/movie/popular\"",
            "            default: .get(\"/movie/popular\""
        ),
        ("var endpoint: Endpoint", "var other: Endpoint"),
        ("case popular(page: Int?)  // enum Movies: {\n    case video(id: Int)\n", ""),
    ])
    func unsure(old: String, new: String) { #expect(Self.inserting { $0 = $0.replacing(old, with: new) } == nil) }

    @Test func typesAndCodingAreRead() throws {
        let file = SwiftFile(
            "struct A {\n    enum B {} } // class C\nstatic let coding = Coding(keys: .convertFromSnakeCase)")
        #expect(file.typeNames(includesNested: true) == ["A", "B"])
        #expect(file.typeNames(includesNested: false) == ["A"])
        guard case .convertFromSnakeCase = file.coding.keys, case .iso8601 = file.coding.dates else {
            Issue.record("another coding")
            return
        }
    }

    /// Texts with an `APIInfo(…)`, and what is read from each.
    @Test(arguments: [
        (#"static let api = APIInfo(name: "a", servers: [Server("x", url: "y")])"#, "a - false"),
        (
            "static let api = APIInfo(\n    name: \"a.b\",\n    servers: Shop.servers,\n    credentials: [])",
            "a.b Shop true"
        ),
        ("static let api = APIInfo(name: title, servers: Shop.servers)\ncredentials: []", "- Shop false"),
        ("static var api: APIInfo { APIInfo(name: \"a\", servers: []) }", "a - false"), ("enum A: API {", ""),
        ("a APIInfo(name: \"a\")\nb APIInfo(\n    name: \"b\")", "a - false, b - false"),
        ("APIInfo(", "- - false"), ("APIInfo(name: \"", " - false"),
    ])
    func apiInfos(text: String, infos: String) {
        let texts = DeclaredAPIInfo.all(in: text).map { info in
            "\(info.name ?? "-") \(info.ownerOfServers ?? "-") \(info.hasCredentials)"
        }
        #expect(texts.joined(separator: ", ") == infos)
    }

    @Test(arguments: [
        "", "\n", "enum A: API {", "enum A: API {\n}\n", "enum A: API {\n case a\n}", " enum A: API {\n case a\n}",
        "\u{0}", "é\"", "// enum A {", "enum", ":", "\u{301}\n",
    ])
    func piecesOfText(piece: String) {
        for count in [1, 2, 2000] {
            let file = SwiftFile(String(repeating: piece, count: count))
            #expect(!file.hasMember("b", of: "A"))
        }
    }

    @Test func members() {
        let file = SwiftFile(Self.file)
        #expect(["popular", "video", "api", "endpoint", "half"].allSatisfy { file.hasMember($0, of: "Movies") })
        #expect(!["page", "id", "rated", "a"].contains { file.hasMember($0, of: "Movies") })
    }
}
