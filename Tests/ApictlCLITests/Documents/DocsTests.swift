import EndpointKit
import EndpointTools
import Foundation
import JSONText
import TestSupport
import Testing

@testable import ApictlCLI

@Suite("The command docs")
struct DocsTests {
    @Test("A page in Markdown has an overview, all facts about each endpoint, and each model once")
    func markdown() async {
        await Row(
            "markdown", "docs movies.popular --format markdown", out: goldenText("Golden/movies.md")
        ).check()
    }

    @Test("An endpoint's section has the fields of a structured parameter, and the media type of the body")
    func fields() async {
        let text = await run("docs movies.rate --format markdown").out
        #expect(text.contains("\n#### Body\n\n` application/json `\n"))
        let row = "` --rating.by.name ` | text, required in by | body | e.g. Ann |"
        #expect(text.contains("\n| <a id=\"movies.rate.rating.by.name\"></a>\(row)\n"))
    }

    @Test("Long commands are wrapped, including the options for the mock")
    func wrapped() async {
        let text = await run("docs echo.path echo.head --format markdown").out
        #expect(text.contains("\napictl call echo.path 'a b' --base-url http://127.0.0.1:8080 \\\n      --auth none\n"))
        #expect(text.contains("\ncurl --location --fail-with-body --head http://127.0.0.1:9/head \\\n      --header"))
    }

    @Test("-o replaces a file as a whole, its extension tells the format, and a failure leaves it as it was")
    func files() async {
        let files = MemoryFiles(["kept.html": Array("old".utf8)], readOnly: ["kept.html"])
        let failed = await run(["docs", "-o", "kept.html"], files: files)
        #expect(failed == Outcome(err: "apictl: can't write kept.html: permission denied\n", code: 1))
        #expect(files.texts == ["kept.html": "old"])
        for (name, start) in [("out/page.html", "<!DOCTYPE html>\n"), ("out/page.md", "# apictl API reference\n")] {
            let outcome = await run(["docs", "-o", name], files: files)
            #expect(outcome == Outcome())
            #expect(files.texts[name]?.hasPrefix(start) == true)
        }
        let printed = await run(["docs", "-o", "-"])
        #expect(printed.out == files.texts["out/page.html"])
    }

    @Test(
        "No environment variable changes a page or a document",
        arguments: ["docs", "docs --format markdown", "openapi"])
    func variables(_ words: String) async {
        let plain = await run(words, variables: [:])
        let names = [
            "MOVIES_KEY", "MOVIES_TOKEN", "APICTL_MOVIES_URL", "APICTL_SERVER", "APICTL_CONFIG", "LANG", "LC_ALL",
            "COLUMNS",
        ]
        let variables = Dictionary(uniqueKeysWithValues: names.map { ($0, "https://s3cret.test") })
        #expect(await run(words, variables: variables) == plain)
        #expect(plain.code == 0)
    }

    @Test("Texts with markup and control characters are escaped, and credentials in samples are removed")
    func hostileTexts() async throws {
        let page = await run(["docs"], apis: [Odd.self]).out
        #expect(page.components(separatedBy: "</script").count == 2)
        #expect(page.components(separatedBy: "<img").count == 1)
        let hazards = page.unicodeScalars.filter { $0 != "\n" && TerminalText.isHazard($0.value) }
        #expect(hazards.isEmpty)
        #expect(page.contains("<p>&lt;/script&gt;&lt;img src=x onerror='a'&gt; \\u202E \\u0007 &amp;amp;</p>"))
        #expect(page.contains(#""html": "&lt;/script&gt;&lt;!-- \u202E\u0007""#))
        #expect(page.contains(#""access_token": "(redacted)""#))
        #expect(!page.contains("s3cret"))

        let markdown = await run(["docs", "--format", "markdown"], apis: [Odd.self]).out
        #expect(markdown.contains("\n\\</script\\>\\<img src=x onerror='a'\\> \\\\u202E \\\\u0007 \\&amp;\n"))
        #expect(markdown.contains("\n````\n{\n") && markdown.contains("\"fence\": \"```\""))
        #expect(!markdown.contains("s3cret"))
    }

    @Test("Identifiers are unique even without regard to case, and every link on the page leads to one")
    func identifiers() async throws {
        let page = await run(["docs"], apis: [Odd.self, Movies.self, Echo.self]).out
        let ids = Self.values(of: "id", in: page)
        #expect(Set(ids.map { $0.lowercased() }).count == ids.count)
        for id in [
            "odd", "odd.list", "odd.list.content", "movies.popular.page", "model-MoviePage", "model-OddMovie", "models",
        ] {
            #expect(ids.contains(id))
        }
        #expect(ids.filter { $0.lowercased().hasPrefix("model-thing") } == ["model-Thing", "model-THING2"])
        for target in Self.values(of: "href", in: page) where target.hasPrefix("#") {
            #expect(ids.contains(String(target.dropFirst())), "\(target)")
        }
    }

    private static func values(of attribute: String, in page: String) -> [String] {
        page.components(separatedBy: " \(attribute)=\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
    }

    @Test("A sample of more than 40 lines is collapsed")
    func longSamples() async {
        let page = await run(["docs"], apis: [Odd.self]).out
        let start = "<pre tabindex=\"0\" role=\"group\" aria-label=\"Sample of odd"
        #expect(page.contains("<details><summary>Sample, 41 lines</summary>\(start).long\">[\n"))
        #expect(page.contains("<figcaption>Sample</figcaption>\(start).list\">{\n"))
    }

    @Test("The Content-Security-Policy allows only the style sheet and the script of the page")
    func policy() async throws {
        let page = await run(["docs"]).out
        for name in ["style", "script"] {
            let text = try #require(page.split(separator: "<\(name)>").last?.split(separator: "</\(name)>").first)
            #expect(!text.contains("</"))
            let directory = try TemporaryDirectory()
            let file = try directory.write("text", text.utf8)
            let output = try ChildProcess.run("/bin/sh", ["-c", "sha256sum < \(file)"], environment: [:]).output
            let digits = String(decoding: output.prefix(64), as: UTF8.self)
            let hash = Data(digits.matches(of: /../).compactMap { UInt8($0.0, radix: 16) })
            #expect(hash.count == 32)
            #expect(page.contains("; \(name)-src 'sha256-\(hash.base64EncodedString())';"))
        }
    }

    @Test("The curl command of an endpoint is the one that the command curl prints")
    func curl() async throws {
        let registry = APIRegistry(apis: [Movies.self, Echo.self])
        let page = await run(["docs", "--format", "markdown"], apis: [Movies.self, Echo.self]).out
        for section in page.components(separatedBy: "\n### ").dropFirst() {
            // Without this heading, the section is about a model, or about an endpoint that curl can't call.
            let textAroundHeading = section.components(separatedBy: "\ncurl:\n\n```\n")
            guard textAroundHeading.count == 2 else { continue }
            let command = try #require(textAroundHeading[1].components(separatedBy: "\n```\n").first)
            // The name is the title of the section. Backslashes are escapes of Markdown.
            let name = section.prefix { $0 != "\n" }.filter { $0 != "\\" }
            let endpoint = try registry.endpoint(SourcedText(String(name), .preset))
            let words = try #require(endpoint.words(of: endpoint.firstCall)).flatMap(\.self)
            let printed = await run(["curl"] + words).out
            #expect(command.replacing(" \\\n      ", with: " ") + "\n" == printed)
        }
        #expect(page.components(separatedBy: "\ncurl:\n").count > 5)
    }

    @Test(
        "A call is written as Swift source that an app could have",
        arguments: [
            (Movies.details("a\"b", language: "en"), #"Movies.details("a\"b", language: "en")"#),
            (
                Movies.search(
                    query: "x", adult: false, sort: .releaseDate, genres: [1, 2],
                    since: Date(timeIntervalSince1970: 0)),
                #"""
                Movies.search(query: "x", adult: false, sort: .releaseDate, genres: [1, 2], since: \#
                Date(timeIntervalSince1970: 0.0))
                """#
            ),
            (
                Movies.rate(1, rating: Rating(value: 8.5, comment: nil, by: Person(name: "Ann", age: nil), tags: [])),
                #"Movies.rate(1, rating: Rating(value: 8.5, by: Person(name: "Ann"), tags: []))"#
            ),
            (
                Echo.types(
                    small: -1, ratio: nil, price: 9.5, link: URL(string: "http://a/"),
                    id: UUID(uuidString: "00000000-0000-0000-0000-00000000000A"), level: .high),
                #"Echo.types(small: -1, ratio: nil, price: 9.5, link: URL(string: "http://a/")!, "#
                    + #"id: UUID(uuidString: "00000000-0000-0000-0000-00000000000A")!, level: .high)"#
            ),
            (
                Odd.list(content: ["b": 1, "a": nil], kind: .text("x")),
                #"DocsTests.Odd.list(content: ["b": 1, "a": nil], kind: .text("x"))"#
            ),
            (Odd.list(content: [:], kind: .none(at: 1)), "DocsTests.Odd.list(content: [:], kind: .none(at: 1))"),
            (Odd.tagged(.red), "DocsTests.Odd.tagged(.red)"),
        ] as [(any API, String)])
    func swift(_ call: any API, _ text: String) { #expect(SwiftCall.text(EndpointCall(call)) == text) }

    /// An API with texts, names and samples that could break a page.
    enum Odd: API {
        case list(content: JSONValue, kind: Kind)
        case long
        case models
        case tagged(Tag)

        enum Tag: String, Codable, CustomStringConvertible {
            case red = "r"
            var description: String { "a colour" }
        }
        enum Kind: Codable { case text(String), none(at: Int) }
        struct Thing: Codable { var a: Int }
        struct THING: Codable { var b: Int }
        struct Movie: Codable { var thing: Thing?, other: THING? }
        struct All: Codable { var movie: Movie, things: [String: Thing] }

        static let api = APIInfo(name: "odd", servers: [Server("local", url: "http://127.0.0.1:9/")])
        static let examples: [Odd] = [.list(content: [:], kind: .text("x")), .long, .models]
        static let sample = """
            {"html": "</script><!-- \u{202E}\\u0007", "access_token": "s3cret", "fence": "```"}
            """

        var endpoint: Endpoint {
            switch self {
            case .list(let content, _):
                .post(
                    "/", body: .json(content), returns: JSONValue.self,
                    summary: "</script><img src=x onerror='a'> \u{202E} \u{7} &amp;",
                    sample: .json(Array(Self.sample.utf8)))
            case .long:
                .get(
                    "/long", returns: [Int].self, summary: "",
                    sample: .json(Array("[\(String(repeating: "1,", count: 38))1]".utf8)))
            case .models: .get("/models", returns: All.self, summary: "")
            case .tagged: .get("/tagged", returns: EmptyResponse.self, summary: "")
            }
        }
    }
}
