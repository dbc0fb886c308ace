import Testing

@testable import ApictlCLI

/// The options that every command has, before and after the command's name.
struct CommonOptionTests {
    @Test(
        "Options beside the words change nothing of what is said into a pipe",
        arguments: [
            ("movies --color always", "movies"), ("--color always movies", "movies"), ("movies --no-pager", "movies"),
            ("-h call", "help call"), ("--help movies.popular", "help movies.popular"),
            ("--help movies", "help movies"),
            ("--help list", "help list"),
            ("--color never call movies.popular --sample", "call movies.popular --sample"),
            ("--no-pager --json-errors list echo", "list echo"),
        ])
    func same(_ words: String, _ other: String) async {
        let outcome = await run(words.words)
        #expect(outcome == (await run(other.words)))
        #expect(outcome.code == 0 && !outcome.out.isEmpty)
    }

    @Test("Every command takes them", arguments: Apictl.commands.map { $0.name })
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

    static let rows: [Row] = [
        wrong("call echo.ping --body - -w @-", "'@-' (argument 5) would read stdin a second time"),
        Row(
            "an empty list of pages", "call movies.popular --all-pages --compact", variables: ["MOVIES_KEY": "k"],
            response: .json(#"{"page":1,"results":[],"total_pages":1}"#)),
    ]

    @Test(arguments: rows)
    func row(_ row: Row) async { await row.check() }
}
