import Testing

@testable import ApictlCLI

/// How `call` parses its arguments.
struct CallArgumentTests {
    struct Parse: Sendable, CustomTestStringConvertible {
        let id: String
        let words: [String]
        let endpoint: String?
        let parameters: [ParameterWord]
        let options: CallOptions

        init(
            _ id: String, _ words: String, _ endpoint: String?, _ parameters: [ParameterWord] = [],
            _ change: (inout CallOptions) -> Void = { _ in }
        ) {
            self.id = id
            self.words = words.split(separator: " ").map(String.init)
            var options = CallOptions()
            change(&options)
            self.endpoint = endpoint
            self.parameters = parameters
            self.options = options
        }

        var testDescription: String { id }
    }

    private static func word(_ path: String..., text: String, at position: Int, json: Bool = false) -> ParameterWord {
        ParameterWord(path: path, word: Word(text: text, position: position + 1), form: json ? .json : .text)
    }

    static let parses: [Parse] = [
        Parse("endpoint alone", "movies.popular", "movies.popular"),
        Parse("endpoint in Swift's spelling", "movies.newMovies", "movies.new-movies"),
        Parse("endpoint as shown", "movies.new-movies", "movies.new-movies"),
        Parse("parameter", "movies.popular --page 2", "movies.popular", [word("page", text: "2", at: 2)]),
        Parse("parameter with =", "movies.popular --page=2", "movies.popular", [word("page", text: "2", at: 2)]),
        Parse("negative value", "movies.popular --page -1", "movies.popular", [word("page", text: "-1", at: 2)]),
        Parse("negative value with =", "movies.popular --page=-1", "movies.popular", [word("page", text: "-1", at: 2)]),
        Parse(
            "value like an option of one letter", "echo.header --value -v", "echo.header",
            [word("value", text: "-v", at: 2)]),
        Parse(
            "value like an option, with =", "echo.header --value=--raw", "echo.header",
            [word("value", text: "--raw", at: 2)]),
        Parse(
            "value like no option", "echo.header --value --what", "echo.header", [word("value", text: "--what", at: 2)]),
        Parse("unlabelled", "movies.details 550", "movies.details", [word("_0", text: "550", at: 2)]),
        Parse("unlabelled and negative", "movies.rate -5", "movies.rate", [word("_0", text: "-5", at: 2)]),
        Parse("unlabelled behind --", "movies.details -- --raw", "movies.details", [word("_0", text: "--raw", at: 3)]),
        Parse("unlabelled dash", "movies.details -", "movies.details", [word("_0", text: "-", at: 2)]),
        Parse(
            "options around the endpoint", "--raw movies.popular --page 2 --compact", "movies.popular",
            [word("page", text: "2", at: 3)]
        ) {
            $0.raw = true
            $0.compact = true
            $0.given = ["raw", "compact"]
        },
        Parse(
            "unlabelled among options", "movies.details -o f 550 -q", "movies.details", [word("_0", text: "550", at: 4)]
        ) {
            $0.output = "f"
            $0.quiet = true
            $0.given = ["output", "quiet"]
        },
        Parse(
            "of an option given twice the last counts", "-o a movies.popular --raw --raw --output b", "movies.popular"
        ) {
            $0.output = "b"
            $0.raw = true
            $0.given = ["output", "raw"]
        },
        Parse("letter with its value", "movies.popular -m5", "movies.popular") {
            $0.maxTime = .seconds(5)
            $0.given = ["max-time"]
        },
        Parse("letter with = and its value", "movies.popular -m=500ms", "movies.popular") {
            $0.maxTime = .milliseconds(500)
            $0.given = ["max-time"]
        },
        Parse("letters together", "movies.popular -ivqofile", "movies.popular") {
            $0.include = true
            $0.verbosity = 1
            $0.quiet = true
            $0.output = "file"
            $0.given = ["include", "verbose", "quiet", "output"]
        },
        Parse("twice verbose", "movies.popular -vv", "movies.popular") {
            $0.verbosity = 2
            $0.given = ["verbose"]
        },
        Parse("twice verbose, apart", "-v movies.popular --verbose", "movies.popular") {
            $0.verbosity = 2
            $0.given = ["verbose"]
        },
        Parse(
            "switches",
            "movies.popular --sample --dry-run --any-status --max-time 2.5 --connect-timeout 1s --max-redirects 0 --color never",
            "movies.popular"
        ) {
            $0.sample = true
            $0.dryRun = true
            $0.anyStatus = true
            $0.maxTime = .milliseconds(2500)
            $0.connectTimeout = .seconds(1)
            $0.maxRedirects = 0
            $0.common.color = .never
            $0.given = ["sample", "dry-run", "any-status", "max-time", "connect-timeout", "max-redirects", "color"]
        },
        Parse(
            "additions",
            "movies.popular -H A:1 --header B:2 --query a=1 --query b=2 --env staging",
            "movies.popular"
        ) {
            $0.headers = ["A:1", "B:2"]
            $0.query = ["a=1", "b=2"]
            $0.server = "staging"
            $0.servers = ["staging"]
            $0.given = ["header", "query", "env"]
        },
        Parse("options in Swift's spelling", "movies.popular --dryRun --anyStatus", "movies.popular") {
            $0.dryRun = true
            $0.anyStatus = true
            $0.given = ["dry-run", "any-status"]
        },
        Parse(
            "a parameter hides an option behind the endpoint", "--query a=1 movies.search --query b=2", "movies.search",
            [word("query", text: "b=2", at: 4)]
        ) {
            $0.query = ["a=1"]
            $0.given = ["query"]
        },
        Parse(
            "a switch hides an option behind the endpoint", "--raw echo.raw --no-raw", "echo.raw",
            [word("raw", text: "false", at: 3)]
        ) {
            $0.raw = true
            $0.given = ["raw"]
        },
        Parse("switch", "movies.search --adult", "movies.search", [word("adult", text: "true", at: 2)]),
        Parse("switch negated", "movies.search --no-adult", "movies.search", [word("adult", text: "false", at: 2)]),
        Parse(
            "switch with its value", "movies.search --adult=false", "movies.search",
            [word("adult", text: "false", at: 2)]),
        Parse(
            "array", "movies.search --genres 1 --genres=2", "movies.search",
            [word("genres", text: "1", at: 2), word("genres", text: "2", at: 4)]),
        Parse(
            "fields", "movies.rate 5 --rating.value 8 --rating.by.name Ann --rating.tags a --rating.tags b",
            "movies.rate",
            [
                word("_0", text: "5", at: 2), word("rating", "value", text: "8", at: 3),
                word("rating", "by", "name", text: "Ann", at: 5), word("rating", "tags", text: "a", at: 7),
                word("rating", "tags", text: "b", at: 9),
            ]),
        Parse("a structure", "movies.rate --rating {}", "movies.rate", [word("rating", text: "{}", at: 2, json: true)]),
        Parse(
            "a structure from stdin", "movies.rate --rating -", "movies.rate",
            [word("rating", text: "-", at: 2, json: true)]),
        Parse(
            "an array of structures", "echo.notes --notes {} --notes @f", "echo.notes",
            [word("notes", text: "{}", at: 2, json: true), word("notes", text: "@f", at: 4, json: true)]),
    ]

    @Test(arguments: parses)
    func parse(_ parse: Parse) throws {
        var parser = Parser(registry: Registry(apis: [Movies.self, Echo.self]), commands: Apictl.commands)
        let command = try #require(try parser.parse(["call"] + parse.words) as? CallCommand)
        #expect(command.words.declaration.name == parse.endpoint)
        #expect(command.words.parameters == parse.parameters)
        #expect(command.words.options == parse.options)
    }
}
