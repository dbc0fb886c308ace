import Testing

@testable import ApictlCLI

/// A command that a file and a line add: it runs, and help, completion and the manual page have it.
struct AddedCommandTests {
    struct GreetCommand: Command {
        struct Options: CommandOptions {
            var common = CommonOptions()
            var greeting = "Hello"
        }

        static let name = "greet"
        static let usage = "greet NAME [--greeting WORD]"
        static let summary = "greet someone"
        static let operands = Operands.values(["Ann", "Bob"])
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
            guard let name = words.others.first else { throw UsageError("greet needs a name") }
            text = "\(words.options.greeting) \(name.text)\n"
        }

        func run(_ context: RunContext) async throws -> ExitCode {
            try context.environment.stdout.write(text)
            return .success
        }
    }

    private func run(_ words: String...) async -> Outcome {
        await ApictlCLITests.run(words, commands: Apictl.commands + [GreetCommand.self])
    }

    @Test func itRuns() async {
        #expect(await run("greet", "Ann") == Outcome(out: "Hello Ann\n"))
        #expect(await run("greet", "-g", "Bye", "Bob") == Outcome(out: "Bye Bob\n"))
        #expect(
            await run("greet") == Outcome(err: "apictl: greet needs a name\nSee 'apictl help greet'.\n", code: 2))
        #expect(
            await run("greet", "--greetin", "x")
                == Outcome(
                    err: """
                        apictl: unknown option '--greetin' (argument 2); did you mean '--greeting'?
                        See 'apictl help greet'.

                        """, code: 2))
        #expect(await run("gree").err.contains("did you mean 'greet'?"))
    }

    @Test func helpHasIt() async {
        #expect(await run("help").out.contains("\n  greet NAME [--greeting WORD]          greet someone\n"))
        let help = await run("help", "greet").out
        #expect(
            help.hasPrefix("apictl greet NAME [--greeting WORD]\n  greet someone\n\nGreeting\n  -g, --greeting WORD  "))
        #expect(await run("greet", "-h").out == help)
    }

    @Test func completionHasIt() async {
        #expect(await run("__complete", "gre").out == "greet\tgreet someone\n")
        #expect(await run("__complete", "greet", "--gr").out == "--greeting\tthe word before the name\n")
        #expect(await run("__complete", "greet", "B").out == "Bob\n")
        #expect(await run("__complete", "help", "gre").out == "greet\n")
    }

    @Test func theManualPageHasIt() async {
        let page = await run("help", "--man").out
        #expect(page.contains("\n.SS apictl greet NAME [\\-\\-greeting WORD]\n.nf\n  greet someone\n\nGreeting\n"))
        #expect(page.contains("\n  \\-g, \\-\\-greeting WORD            the word before the name\n"))
    }
}
