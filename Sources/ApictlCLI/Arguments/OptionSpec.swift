/// An option as it is declared: what the parser takes, and what help and completion show.
struct OptionSpec: Sendable, Equatable {
    /// The name without its dashes, in the form of the command line.
    let name: String
    let short: Character?
    /// What stands for the value in help, such as `FILE`; nil for a switch.
    let placeholder: String?
    let summary: String
    /// Whether it may be given more than once.
    let repeats: Bool

    init(
        _ name: String, short: Character? = nil, value placeholder: String? = nil, repeats: Bool = false,
        _ summary: String
    ) {
        self.name = name
        self.short = short
        self.placeholder = placeholder
        self.summary = summary
        self.repeats = repeats
    }

    var flag: String { "--" + name }
}

/// A word with its place on the command line, from 1.
struct Word: Sendable, Equatable {
    let text: String
    let position: Int
}

/// What the parser makes of the words.
enum ParsedItem: Sendable, Equatable {
    case option(OptionSpec, value: String?, position: Int)
    /// `--no-name` for a switch called `name`.
    case negated(OptionSpec, position: Int)
    case positional(Word)
}
