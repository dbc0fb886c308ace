/// How an option is spelled on the command line and shown in help.
struct OptionSpec: Sendable, Equatable {
    /// The long name without its dashes, in kebab case.
    let name: String
    let short: Character?
    /// The name of the value in help, such as `FILE`; nil for a switch.
    let placeholder: String?
    let help: String

    init(_ name: String, short: Character? = nil, value placeholder: String? = nil, _ help: String = "") {
        self.name = name
        self.short = short
        self.placeholder = placeholder
        self.help = help
    }

    var flag: String { "--" + name }
}
