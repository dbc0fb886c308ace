/// The options of the commands that show the catalogue.
struct DisplayOptions: Sendable, Equatable {
    var json = false
    var color = ColorChoice.auto
    var help = false

    static let specs = [
        OptionSpec("json", "as JSON"),
        OptionSpec("color", value: "auto|always|never", "when to colour (auto)"),
        HelpCommand.helpOption,
    ]

    /// The options and at most `most` other words. Throws ``UsageError``.
    static func parse(_ words: [Word], most: Int) throws(UsageError) -> (DisplayOptions, [Word]) {
        var scanner = OptionScanner(words, options: specs)
        var options = DisplayOptions()
        var positionals: [Word] = []
        while let item = try scanner.next() {
            switch item {
            case .option(let spec, let value, let position):
                try options.apply(spec, value, position)
            case .negated(let spec, let position):
                throw .unknownOption("--no-" + spec.name, position: position, nearest: spec.flag)
            case .positional(let word):
                if positionals.count == most {
                    throw .unexpectedArgument(word.text, position: word.position, suggestion: nil)
                }
                positionals.append(word)
            }
        }
        return (options, positionals)
    }

    private mutating func apply(_ spec: OptionSpec, _ value: String?, _ position: Int) throws(UsageError) {
        if spec.placeholder == nil, let value {
            throw .noValueTaken(option: spec.flag, value: value, position: position)
        }
        switch spec.name {
        case "json": json = true
        case "help": help = true
        default: color = try ColorChoice(value ?? "", position: position)
        }
    }
}

extension ColorChoice {
    /// The choice that the value of `--color` names. Throws ``UsageError``.
    init(_ value: String, position: Int) throws(UsageError) {
        guard let choice = ColorChoice(rawValue: value) else {
            throw .invalidValue(
                option: "--color", value: value, expected: "auto, always or never", position: position)
        }
        self = choice
    }
}
