import Testing

@testable import ApictlCLI

/// How the words of `call` become an endpoint, parameters and options.
struct CallArgumentTests {
    struct Parse: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// `NAME=VALUE@ARGUMENT` of each parameter, with `!` if the value may be JSON.
        let parameters: String
        let options: CallOptions

        init(
            _ words: String, _ parameters: String = "", given: [String] = [],
            _ set: (inout CallOptions) -> Void = { _ in }
        ) {
            testDescription = words
            self.parameters = parameters
            var options = CallOptions()
            set(&options)
            options.common.given = given
            self.options = options
        }
    }

    static let parses: [Parse] = [
        Parse("movies.popular"), Parse("movies.popular --page 2", "page=2@3"),
        Parse("movies.popular --page=2", "page=2@3"), Parse("movies.popular --page -1", "page=-1@3"),
        Parse("echo.header --value -v", "value=-v@3"),
        Parse("echo.header --value=--raw", "value=--raw@3"),
        Parse("echo.header --value=a=b", "value=a=b@3"), Parse("echo.header --value=", "value=@3"),
        Parse("echo.header --value=\u{301}x", "value=\u{301}x@3"), Parse("echo.header --value -", "value=-@3"),
        Parse("movies.details 550", "_0=550@3"), Parse("movies.rate -5", "_0=-5@3"),
        Parse("movies.rate -2e3", "_0=-2e3@3"),
        Parse("movies.details -- --raw", "_0=--raw@4"),
        Parse("movies.details -", "_0=-@3"),
        Parse("movies.search --adult", "adult=true@3"), Parse("movies.search --no-adult", "adult=false@3"),
        Parse("movies.search --adult=false", "adult=false@3"),
        Parse("movies.search --genres 1 --genres=2", "genres=1@3 genres=2@5"),
        Parse(
            "movies.rate 5 --rating.value 8 --rating.by.name Ann --rating.tags a --rating.tags b",
            "_0=5@3 rating.value=8@4 rating.by.name=Ann@6 rating.tags=a@8 rating.tags=b@10"),
        Parse("movies.rate --rating {}", "rating={}@3!"), Parse("movies.rate --rating -", "rating=-@3!"),
        Parse("echo.notes --notes {} --notes @f", "notes={}@3! notes=@f@5!"),
        Parse("--raw movies.popular --page 2 --compact", "page=2@4", given: ["raw", "compact"]) {
            $0.raw = true
            $0.compact = true
        },
        Parse("movies.details -o f 550 -q", "_0=550@5", given: ["output", "quiet"]) {
            $0.output = "f"
            $0.quiet = true
        },
        Parse("-o a movies.popular --raw --raw --output b", given: ["output", "raw"]) {
            $0.output = "b"
            $0.raw = true
        },
        Parse("movies.popular -m5", given: ["max-time"]) { $0.maxTime = .seconds(5) },
        Parse("movies.popular -o\u{301}x", given: ["output"]) { $0.output = "\u{301}x" },
        Parse("movies.popular -ivqofile", given: ["include", "verbose", "quiet", "output"]) {
            $0.include = true
            $0.verbosity = 1
            $0.quiet = true
            $0.output = "file"
        },
        Parse("movies.popular -vv", given: ["verbose"]) { $0.verbosity = 2 },
        Parse(
            "movies.popular --sample --dryRun --any-status --max-time 2.5 --connectTimeout=1s --max-redirects 0 --color never",
            given: ["sample", "dry-run", "any-status", "max-time", "connect-timeout", "max-redirects", "color"]
        ) {
            $0.sample = true
            $0.dryRun = true
            $0.anyStatus = true
            $0.maxTime = .milliseconds(2500)
            $0.connectTimeout = .seconds(1)
            $0.maxRedirects = 0
            $0.common.color = .never
        },
        Parse(
            "movies.popular -H A:1 --header B:2 --query a=1 --query b=2 --env staging",
            given: ["header", "query", "env"]
        ) {
            $0.headers = [("A:1", 3), ("B:2", 5)].map { Word(text: $0.0, position: $0.1) }
            $0.query = [("a=1", 7), ("b=2", 9)].map { Word(text: $0.0, position: $0.1) }
            $0.servers = [NamedServer(text: "staging")]
        },
        // After the endpoint, a parameter hides an option of its name.
        Parse("--query a=1 movies.search --query b=2", "query=b=2@5", given: ["query"]) {
            $0.query = [Word(text: "a=1", position: 2)]
        },
        Parse("--raw echo.raw --no-raw", "raw=false@4", given: ["raw"]) { $0.raw = true },
    ]

    @Test(arguments: parses)
    func parse(_ parse: Parse) throws {
        let words = parse.testDescription.words
        var parser = Parser(registry: Registry(apis: [Movies.self, Echo.self]), commands: Apictl.commands)
        let call = try #require(try parser.parse(["call"] + words) as? CallCommand).words
        let name = try #require(words.first { $0.contains(".") })
        #expect(call.declaration.name == name.replacing("newMovies", with: "new-movies"))
        let parameters = call.parameters.map { parameter in
            let word = parameter.word
            return
                "\(parameter.path.joined(separator: "."))=\(word.text)@\(word.position)\(parameter.mayBeJSON ? "!" : "")"
        }
        #expect(Array(parameters.joined(separator: " ").utf8) == Array(parse.parameters.utf8))
        #expect(call.options == parse.options)
    }
}
