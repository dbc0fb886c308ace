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

    /// The flag with the name of its value, if it has one: `--output FILE`.
    var syntax: String { flag + (placeholder.map { " \($0)" } ?? "") }

    /// The same option, whose name has positions of elements, under the name that has them: `records.0.name`.
    func named(_ name: String) -> OptionSpec { OptionSpec(name, short: short, value: placeholder, help) }

    /// The name with `N` for each position: `records.N.name`.
    var pattern: String { Self.pattern(name) }

    /// The name with 0 for each position.
    var firstName: String {
        name.split(separator: ".").map { $0 == ParameterOption.anyPosition ? "0" : String($0) }.joined(separator: ".")
    }

    static func pattern(_ name: String) -> String {
        name.split(separator: ".").map { isPosition(String($0)) ? ParameterOption.anyPosition : String($0) }
            .joined(separator: ".")
    }

    /// Whether a part of a name is the position of an element, from 0.
    static func isPosition(_ name: String) -> Bool { Int(name).map { $0 >= 0 && String($0) == name } == true }
}
