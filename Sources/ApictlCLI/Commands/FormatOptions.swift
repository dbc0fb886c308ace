import JSONText

extension FormatCommand {
    static let specs = [
        OptionSpec("compact", "one line per document"),
        OptionSpec("indent", value: "N|tab", "spaces a level, 0 to 8, or a tab (2)"),
        OptionSpec("check", "check only, print nothing"),
        OptionSpec("color", value: "auto|always|never", "when to colour (auto)"),
        HelpCommand.helpOption,
    ]

    /// The command that `words` describe, or nil where help was asked for. Throws ``UsageError``.
    static func parse(_ words: [Word]) throws(UsageError) -> FormatCommand? {
        var scanner = OptionScanner(words, options: specs)
        var command = FormatCommand()
        var styleOption: String?
        while let item = try scanner.next() {
            switch item {
            case .positional(let word):
                command.files.append(word)
            case .negated(let spec, let position):
                throw .unknownOption("--no-" + spec.name, position: position, nearest: spec.flag)
            case .option(let spec, let value, let position):
                if spec.placeholder == nil, let value {
                    throw .noValueTaken(option: spec.flag, value: value, position: position)
                }
                switch spec.name {
                case "help": return nil
                case "color": command.color = try ColorChoice(value ?? "", position: position)
                default:
                    if let other = styleOption, other != spec.flag { throw .conflict(other, spec.flag) }
                    styleOption = spec.flag
                    command.style = try style(spec, value ?? "", position)
                }
            }
        }
        return command
    }

    private static func style(_ spec: OptionSpec, _ value: String, _ position: Int) throws(UsageError) -> JSONStyle {
        switch spec.name {
        case "compact": return .compact
        case "check": return .none
        default:
            if value == "tab" { return .pretty(indent: .tab) }
            guard let count = Int(value), (0...8).contains(count) else {
                throw .invalidValue(
                    option: spec.flag, value: value, expected: "0 to 8 spaces or 'tab'", position: position)
            }
            return .pretty(indent: .spaces(count))
        }
    }
}
