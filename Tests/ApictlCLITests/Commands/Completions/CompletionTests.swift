import Testing

@testable import ApictlCLI

/// What `__complete` offers, and the scripts that ask it.
struct CompletionTests {
    private static func texts(_ words: [String]) async -> [String] {
        let lines = await run(["__complete"] + words).out.split(separator: "\n")
        return lines.map { String($0.prefix { $0 != "\t" }) }
    }

    @Test(
        "The words that may come next",
        arguments: [
            (["cu"], ["curl"]), (["mov"], ["movies"] + names),
            (["call", "movies.po"], ["movies.popular", "movies.poster"]),
            (["call", "movies", "det"], ["details"]), (["movies", "new"], ["new-movies"]),
            (["describe", "echo.not"], ["echo.note", "echo.notes"]),
            (["call", "movies.popular", "--pag"], ["--page"]), (["movies", "popular", "--pag"], ["--page"]),
            (["call", "movies.popular", "--page", "1", "--pag"], []),
            (["call", "movies.popular", "--page=1", "--pag"], []),
            (["call", "movies.popular", "--page", ""], ["1"]),
            (["call", "movies.popular", "--env", ""], ["production", "staging"]),
            (["call", "movies.popular", "--env=st"], ["--env=staging"]),
            (["call", "movies.popular", "--auth", ""], ["api_key", "bearer", "none"]),
            (["call", "movies.popular", "--color", "a"], ["auto", "always"]),
            (["call", "movies.popular", "--select", "results.t"], ["results.title"]),
            (["call", "movies.popular", "--select", "$.r"], []),
            (["call", "movies.popular", "--select", "results.0.t"], ["results.0.title"]),
            (["call", "movies.popular", "--table", "--columns", "id,t"], ["id,title"]),
            (["call", "movies.popular", "--csv", "--columns", "s"], ["score"]),
            (["call", "movies.popular", "--auth", ""], ["api_key", "bearer", "none"]),
            (["mock", "--status", "movies.po"], ["movies.popular=500", "movies.poster=500"]),
            (["mock", "--status=movies.po"], ["--status=movies.popular=500", "--status=movies.poster=500"]),
            (["mock", "--status", "movies.rate=4"], ["movies.rate=401", "movies.rate=404", "movies.rate=429"]),
            (["list", "--js"], ["--json", "--json-errors"]),
            (["check", "--report-j"], ["--report-junit", "--report-json"]),
            (["completions", ""], ["bash", "zsh", "fish"]), (["help", "exit"], ["exit-codes"]),
            (["nonsense", "x"], []), (["call", "nonsense.x", ""], []), (["--", "x"], []), ([], commands),
        ] as [([String], [String])])
    func next(_ words: [String], _ expected: [String]) async {
        #expect(await Self.texts(words) == expected)
    }

    private static let names = [
        "movies.popular", "movies.new-movies", "movies.details", "movies.search", "movies.rate", "movies.forget",
        "movies.poster",
    ]
    private static let commands = Apictl.commands.map { $0.name } + ["movies", "echo"]

    @Test("Required parameters come before optional ones, and both before options")
    func order() async {
        let flags = await Self.texts(["call", "movies.search", "--"])
        let own = flags.prefix { $0 != "--raw" }
        #expect(own.first == "--query")
        #expect(flags.contains("--dry-run"))
        #expect(await Self.texts(["call", "movies.search", ""]) == Array(own))
    }

    @Test(
        "Files are asked for where one is meant, and what comes before the name",
        arguments: [
            (["format", ""], ":files\n"), (["call", "movies.popular", "-o", "x"], ":files\n"),
            (["call", "movies.popular", "--cacert=x"], ":files\t--cacert=\n"),
            (["call", "movies.popular", "--body", "@x"], ":files\t@\n"),
            (["call", "movies.popular", "--body", ""], ""),
            (["call", "movies.popular", "--body=@x"], ":files\t--body=@\n"),
            (["call", "movies.rate", "5", "--rating", "@x"], ":files\t@\n"),
            (["call", "movies.popular", "--page", "@"], ""), (["list", "x"], ""),
        ])
    func files(_ words: [String], _ expected: String) async {
        #expect(await run(["__complete"] + words).out == expected)
    }

    @Test("Candidates have descriptions after a tab")
    func lines() async {
        #expect(
            await run(["__complete", "call", "movies.popular", "--env", ""])
                == Outcome(out: "production\thttps://api.movies.test/3\nstaging\thttps://staging.movies.test/3\n"))
        #expect(await run(["__complete", "format", ""]) == Outcome(out: ":files\n"))
        #expect(await run(["__complete", "call", "nothing.here", ""]) == Outcome())
    }

    @Test("A script names the tool that it completes", arguments: CompletionsCommand.Shell.allCases)
    func script(_ shell: CompletionsCommand.Shell) async {
        let text = await run(["completions", shell.rawValue], tool: "pet-ctl").out
        #expect(text.contains("pet-ctl __complete"))
        #expect(text.contains("_pet_ctl"))
        #expect(!text.contains("TOOL") && !text.contains("FUNCTION") && !text.contains("apictl"))
    }

    static let rows: [Row] = [
        Row(
            "no shell", "completions",
            err: "apictl: completions needs a shell: bash, zsh, fish\nSee 'apictl help completions'.\n", code: 2),
        Row(
            "another shell", "completions tcsh",
            err: """
                apictl: there is no completion for 'tcsh' (argument 2), only for bash, zsh, fish
                See 'apictl help completions'.

                """, code: 2),
    ]

    @Test(arguments: rows)
    func wrong(_ row: Row) async { await row.check() }
}
