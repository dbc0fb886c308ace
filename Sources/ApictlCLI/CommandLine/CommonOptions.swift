/// The options that every command has.
struct CommonOptions: Sendable, Equatable {
    /// The value of `--color`; nil leaves the choice to the configuration.
    var color: ColorChoice?
    /// Whether long texts are shown by a pager.
    var pages = true
    /// Whether a failure is reported as JSON (`--json-errors`).
    var reportsJSON = false
    var asksForHelp = false
    /// The names of all options on the command line, in order, except for the switches that it turned off.
    var given: [String] = []

    static let group = OptionGroup<CommonOptions>(
        title: "Options of every command",
        options: DocumentOption.options + [
            Option("color", .choice(ColorChoice.self), \.color, "when to use colour; default auto").rarelyUsed(),
            Option("no-pager", "write long texts to the terminal without a pager") { $0.pages = false }.rarelyUsed(),
            Option("json-errors", "report a failure as one line of JSON on stderr") { $0.reportsJSON = $1 }
                .rarelyUsed(),
            Option("help", short: "h", "show this help") { $0.asksForHelp = true },
        ])
}
