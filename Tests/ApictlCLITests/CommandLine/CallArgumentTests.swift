import EndpointKit
import Testing

@testable import ApictlCLI

/// Words of a command line that become a command, an endpoint, parameters and options.
struct CallArgumentTests {
    /// The words of a call, and a line of the request.
    static let parameters: [(words: String, line: String)] = [
        ("echo.header --value -v", "X-Value: -v"), ("echo.header --value=--raw", "X-Value: --raw"),
        ("echo.header --value=a=b", "X-Value: a=b"), ("echo.header --value=", "X-Value: "),
        ("echo.header --value=\u{301}x", "X-Value: \u{301}x"), ("echo.header --value -", "X-Value: -"),
        ("echo.path -- --raw", "GET /path/--raw/end"), ("echo.path -", "GET /path/-/end"),
        ("echo.path -2e3", "GET /path/-2e3/end"), ("echo.types --small -1", "GET /types?small=-1"),
        ("echo.limits --verbose", "GET /limits?verbose=true"),
        ("echo.limits --no-verbose", "GET /limits?verbose=false"),
        ("echo.limits --verbose=false", "GET /limits?verbose=false"),
        ("echo.query --list a --name n --list=b", "GET /query?name=n&list%5B%5D=a&list%5B%5D=b"),
        ("-H A:1 echo.ping --header B:2", "A: 1"), ("-H A:1 echo.ping --header B:2", "B: 2"),
        // After the endpoint, a parameter hides an option of its name.
        ("--raw echo.raw --no-raw", "GET /raw?raw=false"),
    ]

    @Test("Arguments of a call become the request's method, URL and headers", arguments: parameters)
    func parameter(_ words: String, _ requestLine: String) async {
        let outcome = await run(["call", "--dry-run"] + words.words)
        let lines = outcome.out.replacing("http://127.0.0.1:9", with: "").split(separator: "\n")
        #expect(lines.contains { $0.utf8.elementsEqual(requestLine.utf8) }, "\(outcome)")
    }

    @Test(
        "Options may be written in all ways of POSIX and GNU",
        arguments: [
            ("-m5", "--max-time 5.0"), ("-ivqofile", "--dump-header - --verbose --silent --output file"),
            ("-o a --output b", "--output b"), ("-o\u{301}x", "--output '\u{301}x'"),
            ("--connectTimeout=1s", "--connect-timeout 1.0"),
        ])
    func option(_ words: String, _ curlOptions: String) async {
        let head = "curl --location --fail-with-body --head http://127.0.0.1:9/head --header 'Accept: application/json'"
        #expect(await run("curl echo.head \(words)") == Outcome(out: "\(head) --compressed \(curlOptions)\n"))
    }

    @Test(
        "Different words lead to the same output",
        arguments: [
            ("movies.popular --sample", "call movies.popular --sample"),
            ("call movies popular --sample", "call movies.popular --sample"),
            ("call movies --sample popular", "call movies.popular --sample"),
            ("Movies.popular --sample", "call movies.popular --sample"),
            ("--color never call movies.popular --sample", "call movies.popular --sample"),
            ("curl movies newMovies", "curl movies.new-movies"),
            ("describe movies newMovies", "describe movies.new-movies"),
            ("movies --color always", "movies"), ("--color always movies", "movies"), ("movies --no-pager", "movies"),
            ("describe movies", "movies"), ("help movies", "movies"), ("movies --help", "movies"),
            ("", "help"), ("--help", "help"), ("-h", "help"), ("help --help", "help"), ("-h call", "help call"),
            ("call --help", "help call"), ("--help list", "help list"), ("format -h", "help format"),
            ("describe movies.popular --help", "help describe"), ("--help movies.popular", "help movies.popular"),
            ("call movies.popular --help", "help movies.popular"),
            ("help call movies popular", "help movies.popular"),
            ("call movies.popular --page two -h", "help movies.popular"), ("-V", "--version"), ("version", "--version"),
        ])
    func same(_ words: String, _ other: String) async {
        let outcome = await run(words)
        #expect(outcome == (await run(other)))
        // The sample has a key that the model does not have.
        #expect(
            outcome.code == 0 && ["", "note: 1 key is not in MoviePage (--raw shows it)\n"].contains(outcome.err)
                && !outcome.out.isEmpty)
    }

    @Test("An API alone shows its page")
    func page() async {
        let outcome = await run("movies")
        #expect(
            outcome.out.hasPrefix(
                """
                movies

                Servers
                  production  https://api.movies.test/3
                  staging     https://staging.movies.test/3

                """))
        #expect(outcome.out.hasSuffix("  apictl call movies.popular --sample\n"))
    }

    @Test("Every command takes the common options", arguments: Apictl.commands.map { $0.name })
    func everyCommand(_ name: String) async {
        for words in [[name, "--json-errors", "--surely-not"], ["--json-errors", name, "--surely-not"]] {
            let outcome = await run(words)
            #expect(outcome.err.hasPrefix(#"{"error":{"kind":"usage","message":"unknown option '--surely-not' ("#))
            #expect(outcome.err.split(separator: "\n").count == 1 && outcome.out.isEmpty && outcome.code == 2)
        }
        let help = await run([name, "--json-errors", "--no-pager", "--color", "never", "--help"])
        #expect(help == (await run(name == "help" ? ["help"] : ["help", name])))
        #expect(help.code == 0)
    }
}
