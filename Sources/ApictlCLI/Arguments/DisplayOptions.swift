/// The options of `list`, `describe` and `config`.
struct DisplayOptions: Sendable, Equatable {
    var json = false
    var color = ColorChoice.auto
    var help = false
    var lint = false

    /// Prints `description` with `--json`, otherwise `text`; only what is printed is made.
    func print<Description: Encodable>(
        _ description: @autoclosure () throws -> Description, or text: @autoclosure () throws -> String,
        _ environment: ProcessEnvironment
    ) throws {
        let output = environment.stdout
        guard json else { return try output.write(text()) }
        try BodyPrinter(
            output: output, style: .pretty(indent: .spaces(2)), palette: environment.palette(color, for: output)
        ).print(description())
    }

    /// What keeps long texts out of the pager. It counts anywhere on the command line.
    static let noPager = "--no-pager"
    static let noPagerHelp = "write long texts to the terminal without a pager"

    static let table = OptionTable<DisplayOptions>(shared)

    /// The options of `list`, which has one more.
    static let listTable = OptionTable<DisplayOptions>(
        shared + [
            Option("lint", "show what is probably wrong in the declarations; exit 1 if anything is") { $0.lint = true }
        ])

    private static let shared =
        [
            Option("json", "print JSON") { $0.json = true },
            Option("color", .color, "when to use colour; default auto") { $0.color = $1 },
            Option("no-pager", noPagerHelp) { _ in },
            Option("help", short: "h", HelpCommand.optionHelp) { $0.help = true },
        ] as [Option<DisplayOptions>]
}
