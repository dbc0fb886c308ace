import EndpointKit
import Testing

@testable import ApictlCLI

/// The commands about the catalogue: `list`, `describe`, `help`, `--version`.
struct CatalogueTests {
    static let lists: [Row] = [
        Row(
            "an API", "list movies.",
            terminal: .stdout,
            out: """
                movies
                  movies.popular     GET     /movie/popular         Popular right now
                  movies.new-movies  GET     /movie/now_playing     In cinemas now
                  movies.details     GET     /movie/{value}         One movie
                  movies.search      GET     /search                Movies by title
                  movies.rate        POST    /movie/{value}/rating  Rate a movie
                  movies.forget      DELETE  /movie/{value}/rating  Take a rating back
                  movies.poster      GET     /movie/{value}/poster  The poster as an image

                """),
        Row(
            "an API in a pipe: a line for each endpoint", "list movies.p",
            out: """
                movies.popular\tGET\t/movie/popular\tPopular right now
                movies.poster\tGET\t/movie/{value}/poster\tThe poster as an image

                """),
    ]

    static let descriptions: [Row] = [
        Row(
            "unlabelled and nested", "describe movies.rate",
            out: """
                movies.rate: Rate a movie
                POST /movie/{value}/rating

                Parameters
                  value             integer           required        path  e.g. 550
                  --rating          object            required        body
                  --rating.value    number            required        body  e.g. 8.5
                  --rating.comment  text              optional        body  e.g. good
                  --rating.by       object            optional        body
                  --rating.by.name  text              required in by  body  e.g. Ann
                  --rating.by.age   integer           optional        body  e.g. 30
                  --rating.tags     text, repeatable  optional        body  e.g. dark, long

                Headers
                  X-Client: tests

                Body
                  application/json

                Response
                  Receipt
                    status  string
                    reason  string, optional
                  Sample: no

                Servers
                  production  https://api.movies.test/3
                  staging     https://staging.movies.test/3

                Credentials
                  query api_key from MOVIES_KEY
                  or header Authorization: Bearer … from MOVIES_TOKEN

                Examples
                  apictl call movies.rate 550 --rating.value 8.5 --rating.comment good \\
                      --rating.by.name Ann --rating.by.age 30 --rating.tags dark \\
                      --rating.tags long

                """)
    ]

    static let sections: [(endpoint: String, section: String)] = [
        ("movies.search", "  To use call's own --query, write it before the endpoint's name.\n"),
        ("movies.search", "  --[no-]adult  boolean              optional  query\n"),
        (
            "movies.search",
            """
            Examples
              apictl call movies.search --query 'blade runner' --no-adult --sort title \\
                  --genres 12 --genres 878 --since 1970-01-01T00:00:00Z

            """
        ),
        ("movies.popular", "    total_pages  integer\n  Pages: --all-pages follows them\n  Sample: yes\n"),
        ("echo.login", "Credentials\n  basic authentication from ECHO_USER and ECHO_PASSWORD\n"),
        ("echo.limits", "Credentials\n  header Authorization: Bearer … from ECHO_TOKEN (optional)\n"),
        (
            "echo.types",
            """
            Parameters
              --small  integer  optional  query  -128 to 127; e.g. 1
              --ratio  number   optional  query  e.g. 0.5
              --price  number   optional  query  e.g. 9.99
              --link   URL      optional  query
              --id     UUID     optional  query
              --level  choice   optional  query  one of 1, 9; e.g. 9

            Response
              any JSON

            """
        ),
    ]

    @Test("A list and a description are printed as JSON")
    func asJSON() async {
        let list = await run("list echo.p --json").out
        let endpoints =
            #"""
            {"version":1,"endpoints":[{"name":"echo.path","method":"GET","path":"/path/{value}/end",\#
            "summary":"A path"},
            """#
            + #"{"name":"echo.ping","method":"POST","path":"/ping","summary":"A POST without a body"}]}"#
        #expect(await run("format --compact", stdin: list) == Outcome(out: endpoints + "\n"))
        // The compact text has one line.
        let json = ##"""
            {"version":1,"name":"movies.details","summary":"One movie","apiSummary":"","method":"GET",\##
            "path":"/movie/{value}",\##
            "parameters":[{"flag":"value","type":"text","required":true,"repeats":false,"places":["path"],\##
            "example":["550"],"hidesOption":false},{"flag":"--language","type":"text","required":false,\##
            "repeats":false,"places":["query"],"example":[],"hidesOption":false}],\##
            "headers":["X-Client: tests"],"returns":"Movie",\##
            "servers":[{"name":"production","url":"https://api.movies.test/3"},{"name":"staging",\##
            "url":"https://staging.movies.test/3"}],\##
            "credentials":[{"required":true,"alternatives":[{"sentence":"query api_key from MOVIES_KEY",\##
            "variables":[{"name":"MOVIES_KEY"}]},{"sentence":"header Authorization: Bearer … from MOVIES_TOKEN",\##
            "variables":[{"name":"MOVIES_TOKEN"}]}]}],\##
            "pages":false,"sample":false,"examples":["apictl call movies.details 550"],\##
            "schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","$ref":"#/$defs/Movie",\##
            "$defs":{"Movie":{"type":"object","properties":{"id":{"type":"integer","format":"int64"},\##
            "title":{"type":"string"},"released":{"type":["string","null"]},"score":{"type":["number",\##
            "null"]}},"required":["id","title"]}}}}
            """##
        let described = await run(["describe", "movies.details", "--json"])
        #expect(described.out.hasPrefix("{\n  \"version\": 1,\n  \"name\": \"movies.details\",\n"))
        #expect(await run(["format", "--compact"], stdin: described.out) == Outcome(out: json + "\n"))
    }

    @Test("A description has a section for each kind of declaration", arguments: sections)
    func section(_ endpoint: String, _ section: String) async {
        #expect(await run(["describe", endpoint]).out.contains("\n" + section))
    }

    static let helps: [Row] = [
        Row("version", "--version", out: "apictl 0.1.0\n"),
        wrong("help --man call", "unexpected argument 'call' (argument 3)", see: "help"),
        wrong(
            "help samples --all", "--all is for a command or an endpoint, not for 'samples' (argument 2)", see: "help"),
        wrong("help --all movies", "--all is for a command or an endpoint, not for 'movies' (argument 3)", see: "help"),
    ]

    @Test(
        "Lists, descriptions and the version are printed, and wrong calls of help are refused",
        arguments: lists + descriptions + helps)
    func row(_ row: Row) async { await row.check() }

    @Test("The overview has commands to try, APIs, all commands, and where to go next")
    func overview() async {
        let out = await run(["help"]).out
        #expect(
            out.hasPrefix(
                """
                apictl calls HTTP APIs by name: every endpoint is a command, every parameter a
                flag.

                Try
                  apictl call movies.popular --sample  a recorded response: no network, no key
                  apictl movies                        its servers, credentials and endpoints
                  apictl curl movies.popular           the request as a curl command
                  apictl mock movies                   a local server with recorded responses
                  apictl call URL                      a request without an API
                  apictl --api FILE|URL list           the endpoints of an OpenAPI document

                APIs
                  movies
                  echo

                Commands
                  list         list endpoints
                  describe     show an API, a group, or an endpoint's parameters and response

                """))
        #expect(
            out.hasSuffix(
                """

                call and describe may be left out: 'apictl movies', 'apictl movies.ENDPOINT',
                'apictl URL'.

                'apictl help COMMAND' shows a command's options, 'apictl help API.ENDPOINT' an
                endpoint's parameters, 'apictl --version' the version. More help, as 'apictl
                help TOPIC': select, samples, cases, credentials, exit-codes, environment,
                documents, agents.

                """))
        #expect(out.split(separator: "\n").allSatisfy { $0.count <= 80 })
        // Each command has one line.
        for command in Apictl.commands {
            #expect(
                out.split(separator: "\n").contains {
                    $0.hasPrefix("  \(command.name) ") && $0.hasSuffix(command.summary)
                })
        }
        #expect(await run([]).out == out)
        let all = await run(["help", "--all"]).out
        #expect(Apictl.commands.allSatisfy { all.contains("\n  \($0.usage) ") || all.contains("\n  \($0.usage)\n") })
    }

    @Test("Help on credentials says what they are, also if there is none")
    func credentials() async {
        let none = await run("help credentials", apis: []).out
        #expect(none.hasPrefix("Credentials\n\nA credential is a key, token or password that a server asks for."))
        #expect(none.contains("\nNo API declares a credential.\n"))
    }

    @Test("Help on credentials lists the names and prefixes by which secrets are known")
    func secretRules() async {
        let help = await run("help credentials").out
        let text = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for entry in SecretName.list + SecretName.exceptions + SecretToken.prefixes {
            #expect(text.contains(entry), "\(entry)")
        }
        #expect(help.hasSuffix("\nThese are all the rules.\n"))
    }

    @Test("The page for agents has the front matter of a skill")
    func agents() async {
        #expect(await run("help agents").out.hasPrefix("---\nname: apictl\ndescription: >-\n"))
    }

    @Test("Help on the environment has the tool's variables and those of each API")
    func environment() async {
        let out = await run(["help", "environment"]).out
        for text in [
            "Environment variables\n  APICTL_SERVER                     the server to use, like --server\n",
            "\n  APICTL_ECHO_URL                   the base URL of echo, like --base-url\n",
            "\n  MOVIES_KEY                        a credential of movies\n",
            "\n  ECHO_TOKEN                        a credential of echo.limits\n",
        ] { #expect(out.contains(text)) }
    }

    /// Returns the titles of a help page: the short lines that are not indented, without the first one.
    private static func headings(_ help: String) -> [Substring] {
        help.split(separator: "\n").filter { !$0.hasPrefix(" ") }.dropFirst().filter {
            $0.count < 30 && !$0.hasSuffix(".")
        }
    }

    @Test("Help on a command has the groups of its options, with aligned and wrapped texts")
    func helpOnCall() async {
        let help = await run("help call").out
        #expect(
            help.hasPrefix(
                """
                apictl call API.ENDPOINT|URL|curl [parameters] [options]
                  send a request and show the response
                  After the word curl, all words are a curl command; options of call stand
                  before it.

                Without a server
                      --dry-run               print the request, send nothing; works without
                                              credentials

                """))
        #expect(help.contains("  -h, --help                  show this help\n\nParameters and options may come in "))
        let common = [
            "Without a server", "Selection and rows", "Output", "Pages", "Request", "Data for a URL, as in curl",
            "Transfer", "Connection", "Options of every command",
        ]
        #expect(Self.headings(help).map(String.init) == common)
        let all = Self.headings(await run("help call --all").out).map(String.init)
        #expect(all == common.prefix(4) + ["Watching"] + common.dropFirst(4))
    }

    @Test(
        "Help shows common options, and counts the rare ones; with --all, it shows every option",
        arguments: Apictl.commands.map { $0.name })
    func rareOptions(_ name: String) async throws {
        let command = try #require(Apictl.commands.first { $0.name == name })
        let help = await run("help \(name)").out
        let all = await run("help \(name) --all").out
        func has(_ option: OptionSpec, _ page: String) -> Bool {
            page.split(separator: "\n").contains { line in
                line.hasPrefix(option.short.map { "  -\($0), \(option.syntax)" } ?? "      \(option.syntax)")
            }
        }
        let options = command.groups.flatMap(\.options)
        for option in options {
            #expect(has(option, help) == (option.use == .common), "\(option.flag)")
            #expect(has(option, all), "\(option.flag)")
        }
        let rare = options.count { $0.use == .rare }
        #expect(help.hasSuffix("\n\(rare) more options: 'apictl help \(name) --all'\n"))
        #expect(!all.contains("more options"))
        #expect(await run("\(name) --help").out == (name == "help" ? await run("help").out : help))
        #expect((help + all).split(separator: "\n").allSatisfy { $0.count <= 80 })
        // Completion knows rare options too.
        let candidates = await run(["__complete", name, "--"]).out.split(separator: "\n").map {
            $0.prefix { $0 != "\t" }
        }
        for option in options {
            #expect(candidates.contains { $0 == option.flag }, "\(option.flag)")
        }
    }

    @Test("Help on the call of a URL has the options that a URL can have")
    func helpOnURL() async {
        let help = await run(["call", "http://h.test/a", "--help"]).out
        #expect(help.hasPrefix("apictl call API.ENDPOINT|URL|curl ") && help.contains("\n  -d, --data DATA"))
        for name in CallOptions.ofEndpoints { #expect(!help.contains("\n      --\(name) ")) }
    }

    @Test("Help on an endpoint is its description with the names of call's options")
    func endpointHelp() async {
        let help = await run(["help", "movies.rate"])
        let description = await run(["describe", "movies.rate"])
        #expect(help.out.hasPrefix(description.out + "\nOptions of call\n  Without a server"))
        #expect(help.out.contains(" --retry\n") && !help.out.contains("--retry-delay"))
        #expect(help.out.hasSuffix("\n  'apictl help call' says what they do, with --all what others do.\n"))
        let all = await run("help movies.rate --all").out
        #expect(all.contains(" --retry-delay ") && all.hasSuffix("\n  'apictl help call' says what they do.\n"))
    }

    @Test(
        "Topics are listed, and fit 80 columns",
        arguments: ["select", "samples", "cases", "exit-codes"] + Apictl.commands.map { $0.name })
    func topic(_ name: String) async {
        let text = await run(["help", name]).out
        #expect(text.split(separator: "\n").count > 5 && text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(await run(["help"]).out.contains(name))
        #expect(text.contains("\n  9    a credential is missing") == (name == "exit-codes"))
    }

    @Test(
        "Marks are ASCII in a locale that is known not to be UTF-8",
        arguments: [
            (variables: ["LC_ALL": "C", "LANG": "de_DE.UTF-8"], areASCII: true),
            (variables: ["LC_CTYPE": "C"], areASCII: true),
            (variables: ["LANG": "de_DE.ISO-8859-1"], areASCII: true),
            (variables: ["LC_ALL": "C.UTF-8", "LANG": "C"], areASCII: false),
            (variables: ["LC_ALL": "", "LANG": "en_US.utf8"], areASCII: false),
            (variables: [:], areASCII: false),
        ] as [(variables: [String: String], areASCII: Bool)])
    func marks(_ variables: [String: String], _ areASCII: Bool) async {
        for words in ["help --all", "movies", "check movies.popular movies.details", "call movies.rate"] {
            let outcome = await run(words, variables: variables)
            #expect((outcome.out + outcome.err).utf8.allSatisfy { $0 < 0x80 } == areASCII, "\(outcome)")
        }
        let usage = areASCII ? "list [PATTERN...] [--json] [--lint]" : "list [PATTERN…] [--json] [--lint]  "
        let list = "\n  \(usage)   list endpoints\n"
        #expect(await run("help --all", variables: variables).out.contains(list))
        let json = await run(["describe", "movies", "--json"], variables: variables)
        #expect(json.out.contains("Bearer … from"))
    }

    @Test("The page of an API without credentials says how a call can have one")
    func noCredentials() async {
        let page = await run("describe kinto.admin.users", apis: [Deep.self]).out
        #expect(page.contains("\nCredentials\n  none declared; -n takes one"))
        #expect(await !run("describe movies").out.contains("none declared"))
    }

    @Test("Messages and help use the tool's name")
    func tool() async {
        for words in [["help"], ["describe", "movies.popular"], ["--version"], ["help", "call"]] {
            let out = await run(words, tool: "petctl").out
            #expect(out.contains("petctl ") && !out.contains("apictl"))
        }
        let message = "petctl: unknown command 'cal' (argument 1); did you mean 'call'?\nSee 'petctl help'.\n"
        #expect(await run(["cal"], tool: "petctl") == Outcome(err: message, code: 2))
    }

    @Test("Without any API, the list is empty, calls fail, and the document has no paths")
    func noAPI() async {
        #expect(await run(["list"], apis: []) == Outcome())
        #expect(await run(["call", "movies.popular"], apis: []).code == 2)
        #expect(await run(["openapi"], apis: []).out.contains("\"paths\": {}"))
    }

    @Test("The manual page has what man, whatis and apropos read, and only known requests")
    func manual() async {
        let outcome = await run("help --man")
        #expect(outcome.err == "" && outcome.code == 0)
        let lines = outcome.out.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0].wholeMatch(of: /\.TH APICTL 1 "[0-9]{4}-[0-9]{2}-[0-9]{2}" "apictl 0\.1\.0"/) != nil)
        #expect(
            lines[1...5] == [
                ".SH NAME", #"apictl \- call HTTP APIs by name"#, ".SH SYNOPSIS",
                ".nf", #"apictl list [PATTERN...] [\-\-json] [\-\-lint]"#,
            ])
        #expect(
            lines.filter { $0.hasPrefix(".SH ") }.map { $0.dropFirst(4) } == [
                "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "SELECTION", "SAMPLES", "CASES",
                "CREDENTIALS", "EXIT STATUS", "ENVIRONMENT", "DOCUMENTS", "FILES", "EXAMPLES", "SEE ALSO",
            ])
        #expect(lines.filter { $0.hasPrefix(".SS ") }.count == Apictl.commands.count)
        let known = [".TH", ".SH", ".SS", ".PP", ".TP", ".nf", ".fi", ".BR"]
        for line in lines where line.hasPrefix(".") || line.hasPrefix("'") {
            #expect(known.contains { line == $0 || line.hasPrefix($0 + " ") }, "\(line)")
        }
    }

    @Test("The manual page describes each option once, with the first command that has it")
    func manualOptions() async {
        let lines = await run("help --man").out.split(separator: "\n", omittingEmptySubsequences: false)
        let terms = zip(lines, lines.dropFirst()).filter { $0.0 == ".TP" }.map(\.1)
        var expected: [String: Set<String>] = [:]
        for option in Apictl.commands.flatMap({ $0.groups }).flatMap(\.options) {
            let term = (option.short.map { "-\($0), " } ?? "") + option.syntax
            let shown = term.replacing("…", with: "...").replacing("-", with: #"\-"#)
            expected[shown, default: []].insert(option.help)
        }
        for (term, texts) in expected {
            #expect(terms.count { $0 == term } == texts.count, "\(term)")
        }
    }
}
