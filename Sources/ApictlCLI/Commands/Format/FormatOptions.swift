import JSONText

/// The options of `format`.
struct FormatOptions: Sendable, SelectionOptions {
    var style = JSONStyle.pretty(indent: .spaces(2))
    var color = ColorChoice.auto
    var selects: [Word] = []
    var array = false
    var rawStrings = false
    var mustFind = false
    var rowStyle: RowStyle?
    var columns: Word?
    var help = false

    static let table = OptionTable<FormatOptions>([
        OptionGroup(title: "Options", options: options),
        OptionGroup(title: "Selection and rows", options: selectionOptions(excluding: ["indent", "check"])),
    ])

    private static let options: [Option<FormatOptions>] = [
        Option("compact", "one line per document", excludes: ["indent", "check"]) { $0.style = .compact },
        Option("indent", .indent, "indent by N spaces (0–8) or a tab; default 2", excludes: ["check"]) {
            $0.style = .pretty(indent: $1)
        },
        Option("check", "check only, print nothing") { $0.style = .none },
        Option("color", .color, "when to use colour; default auto") { $0.color = $1 },
        Option("help", short: "h", HelpCommand.optionHelp) { $0.help = true },
    ]
}

extension ValueType where Value == JSONStyle.Indent {
    fileprivate static let indent = parsed("N|tab", expected: "0 to 8 spaces or 'tab'") { text in
        if text == "tab" { return .tab }
        return Int(text).flatMap { (0...8).contains($0) ? .spaces($0) : nil }
    }
}
