/// The options of `list` and `describe`.
struct DisplayOptions: Sendable, Equatable {
    var json = false
    var color = ColorChoice.auto
    var help = false

    static let table = OptionTable<DisplayOptions>([
        Option("json", "print JSON") { $0.json = true },
        Option("color", .color, "when to use colour; default auto") { $0.color = $1 },
        Option("help", short: "h", HelpCommand.optionHelp) { $0.help = true },
    ])
}
