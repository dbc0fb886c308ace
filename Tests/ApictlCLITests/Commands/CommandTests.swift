import Testing

@testable import ApictlCLI

/// A command that is added to the list of commands. It runs, and help, completion and the manual page have it.
struct AddedCommandTests {
    struct GreetCommand: Command {
        struct Options: CommandOptions {
            var common = CommonOptions()
            var greeting = "Hello"
        }

        static let name = "greet"
        static let usage = "greet NAME [--greeting WORD]"
        static let summary = "greet someone"
        static let operands = CommandOperands.values(["Ann", "Bob"])
        static let table = OptionTable<Options>(command: [
            OptionGroup(
                title: "Greeting",
                options: [
                    Option("greeting", short: "g", .text("WORD"), "the word before the name") { $0.greeting = $1 }
                ])
        ])

        private let text: String

        init(_ words: CommandWords<Options>) throws {
            try words.requireAtMost(1)
            guard let name = words.operands.first else { throw UsageError("greet needs a name") }
            text = "\(words.options.greeting) \(name.text)\n"
        }

        func run(_ context: CommandContext) async throws -> ExitCode {
            try context.environment.stdout.write(text)
            return .success
        }
    }

    @Test(
        "A new command has help, completion, a page of the manual and suggestions",
        arguments: [
            ("greet Ann", "Hello Ann\n"), ("greet -g Bye Bob", "Bye Bob\n"),
            ("help", "\n  greet        greet someone\n"),
            ("help greet", "apictl greet NAME [--greeting WORD]\n  greet someone\n\nGreeting\n  -g, --greeting WORD  "),
            ("__complete gre", "greet\tgreet someone\n"),
            ("__complete greet --gr", "--greeting\tthe word before the name\n"), ("__complete greet B", "Bob\n"),
            ("__complete help gre", "greet\n"),
            ("help --man", "\n.SS apictl greet NAME [\\-\\-greeting WORD]\ngreet someone\n.PP\nGreeting:\n.TP\n"),
            ("greet", "apictl: greet needs a name\nSee 'apictl help greet'.\n"),
            ("greet --greetin x", "did you mean '--greeting'?\nSee 'apictl help greet'.\n"),
            ("gree", "did you mean 'greet'?"),
        ])
    func everythingHasIt(_ words: String, _ text: String) async {
        let outcome = await run(words, commands: Apictl.commands + [GreetCommand.self])
        #expect((outcome.out + outcome.err).contains(text), "\(outcome)")
    }
}

/// The words that `__complete` offers, and the scripts that run it.
struct CompletionTests {
    private static func texts(_ words: [String]) async -> [String] {
        let lines = await run(["__complete"] + words).out.split(separator: "\n")
        return lines.map { String($0.prefix { $0 != "\t" }) }
    }

    @Test(
        "Completion offers the words that may come next",
        arguments: [
            (["cu"], ["curl"]), (["mov"], ["movies"] + names),
            (["call", "movies.po"], ["movies.popular", "movies.poster"]),
            (["call", "movies", "det"], ["details"]), (["movies", "new"], ["new-movies"]),
            (["describe", "echo.not"], ["echo.note", "echo.notes"]),
            (["call", "movies.popular", "--pag"], ["--page"]), (["movies", "popular", "--pag"], ["--page"]),
            (["call", "movies.popular", "--page", "1", "--pag"], []),
            (["call", "movies.popular", "--page", ""], ["1"]),
            (["call", "movies.popular", "--server", ""], ["production", "staging"]),
            (["call", "movies.popular", "--server=st"], ["--server=staging"]),
            (["call", "movies.popular", "--auth", ""], ["api_key", "bearer", "none"]),
            (["call", "movies.popular", "--select", "results.t"], ["results.title"]),
            (["call", "movies.popular", "--select", "$.r"], []),
            (["call", "movies.popular", "--all-pages", "--select", "t"], ["title"]),
            (["call", "http://h.test", "--en"], ["--env-file"]),
            (["import", "openapi", "x", "--check", "mov"], ["movies"] + names),
            (["call", "movies.popular", "--table", "--columns", "id,t"], ["id,title"]),
            (["call", "movies.popular", "--csv", "--columns", "s"], ["score"]),
            (["mock", "--status", "movies.po"], ["movies.popular=500", "movies.poster=500"]),
            (["mock", "--status", "movies.rate=4"], ["movies.rate=401", "movies.rate=404", "movies.rate=429"]),
            (["list", "--js"], ["--json", "--json-errors"]),
            (["completions", ""], ["bash", "zsh", "fish"]), (["import", ""], ["curl", "json", "har", "openapi"]),
            (["help", "exit"], ["exit-codes"]),
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
        let parameters = flags.prefix { $0 != "--dry-run" }
        #expect(parameters.first == "--query")
        #expect(flags.contains("--raw"))
        #expect(await Self.texts(["call", "movies.search", ""]) == Array(parameters))
    }

    @Test(
        "Completion asks the shell for files where a file is meant, with the text before its name",
        arguments: [
            (["format", ""], ":files\n"), (["import", "har", ""], ":files\n"),
            (["call", "movies.popular", "-o", "x"], ":files\n"),
            (["call", "movies.popular", "--cacert=x"], ":files\t--cacert=\n"),
            (["call", "movies.popular", "--body", "@x"], ":files\t@\n"),
            (["call", "movies.popular", "--body", ""], ""),
            (["call", "movies.popular", "--body=@x"], ":files\t--body=@\n"),
            (["call", "movies.rate", "5", "--rating", "@x"], ":files\t@\n"),
            (["call", "movies.popular", "--page", "@"], ""), (["list", "x"], ""),
            (["call", "curl", ""], ":files\n"), (["call", "-r", "curl", "-d", "a", "--raw"], ":files\n"),
            (["call", "--select", "curl", "cur"], "curl\n"), (["import", "curl", "--na"], ":files\n"),
        ])
    func files(_ words: [String], _ expected: String) async {
        #expect(await run(["__complete"] + words).out == expected)
    }

    @Test("A script names the tool that it completes", arguments: CompletionsCommand.Shell.allCases)
    func script(_ shell: CompletionsCommand.Shell) async {
        let text = await run(["completions", shell.rawValue], tool: "pet-ctl").out
        #expect(text.contains("pet-ctl __complete"))
        #expect(text.contains("_pet_ctl"))
        #expect(!text.contains("TOOL") && !text.contains("FUNCTION") && !text.contains("apictl"))
    }

    static let rows: [Row] = [
        wrong("completions", "completions needs a shell: bash, zsh, fish"),
        wrong(
            "completions tcsh", "there is no completion for 'tcsh' (argument 2), only for bash, zsh, fish"),
    ]

    @Test("A shell without a script is an error", arguments: rows)
    func row(_ row: Row) async { await row.check() }
}

/// The command `format`, which reads JSON from files and stdin.
struct FormatTests {
    private static let files = ["a.json": #"{"b":1.0,"a":[]}"#, "b.json": "[1,\n 2", "c": "1\n2\n"]

    static let rows: [Row] = [
        Row("stdin", "format", stdin: #"{"a":[1,{}]}"#, out: "{\n  \"a\": [\n    1,\n    {}\n  ]\n}\n"),
        Row("file", "format a.json", files: files, out: "{\n  \"b\": 1.0,\n  \"a\": []\n}\n"),
        Row("two files", "format c a.json --compact", files: files, out: "1\n2\n{\"b\":1.0,\"a\":[]}\n"),
        Row("tab", "format --indent tab a.json", files: files, out: "{\n\t\"b\": 1.0,\n\t\"a\": []\n}\n"),
        Row("no indentation", "format --indent=0 a.json", files: files, out: "{\n\"b\": 1.0,\n\"a\": []\n}\n"),
        Row("check", "format --check a.json c", files: files),
        Row(
            "the valid start of a file is printed, and the files after it", "format --compact b.json a.json",
            files: files,
            out: "[1,2\n{\"b\":1.0,\"a\":[]}\n",
            err: "b.json:2:3: expected ',' or ']', found end of input (byte offset 6)\n", code: 8),
        Row(
            "missing file", "format gone.json", err: "apictl: can't read gone.json: no such file or directory\n",
            code: 1),
        Row("no name", ["format", ""], err: "apictl: can't read '': no such file or directory\n", code: 1),
        Row(
            "a file that can't be read does not stop the files after it", "format --compact gone.json a.json b.json",
            files: files,
            out: "{\"b\":1.0,\"a\":[]}\n[1,2\n",
            err: """
                apictl: can't read gone.json: no such file or directory
                b.json:2:3: expected ',' or ']', found end of input (byte offset 6)

                """, code: 1),
        Row(
            "empty stdin", "format", stdin: "",
            err: "apictl: stdin:1:1: expected a value, found end of input (byte offset 0)\n",
            code: 8),
        wrong("format --indent 9", "--indent (argument 2): expected 0 to 8 spaces or 'tab', got '9'"),
        wrong("format --chekc", "unknown option '--chekc' (argument 2); did you mean '--check'?"),
    ]

    @Test(
        "Files are checked and re-indented one after the other, and a wrong one does not stop the next", arguments: rows
    )
    func format(_ row: Row) async { await row.check() }
}
