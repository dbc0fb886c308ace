/// An option as it is spelled on the command line and shown in help.
struct OptionSpec: Sendable, Equatable {
    /// How many people need an option, which decides where help shows it.
    enum Use: Sendable, Equatable {
        /// Help shows the option.
        case common
        /// Help shows the option only with `--all`.
        case rare
    }

    /// The kind of values that a shell offers for an option.
    enum Completion: Sendable, Equatable {
        case nothing
        case files
        /// Files, but only once the value begins with `@`.
        case filesAfterAt
        case values([String])
        /// The names of an API's servers.
        case servers
        /// The names of an API's credentials.
        case credentials
        /// The paths of the fields of an endpoint's response.
        case fields
        /// The columns of the list in an endpoint's response.
        case columns
        /// The names of stored sessions.
        case sessions
        /// Endpoints, each with a status: `movies.video=503`.
        case statuses
    }

    /// The long name without its dashes, in kebab case.
    var name: String
    /// The letter of the short form, such as `o` for `-o`.
    var short: Character?
    /// Other long names for the option. Help does not show them.
    var synonyms: [String] = []
    /// The name of the value in help, such as `FILE`; nil for a switch.
    var placeholder: String?
    var help = ""
    var use = Use.common
    var completion = Completion.nothing
    /// The names of the options that can't be used together with this one.
    var excludes: [String] = []
    /// The names of the options of which this one needs at least one. If the list is empty, it needs no other option.
    var needs: [String] = []
    /// The path of the parameter or field that the option sets; empty for an option of a command.
    var path: [String] = []
    /// Whether `--no-NAME` turns the option off.
    var isNegatable = false

    /// The value that `--no-NAME` gives to a switch.
    static let off = "false"

    /// The long form: `--output`.
    var flag: String { "--" + name }

    /// The long form and the name of the value, if the option has one: `--output FILE`.
    var syntax: String {
        guard let placeholder else { return flag }
        return "\(flag) \(placeholder)"
    }

    /// Whether a word is the long form of the option or of one of its synonyms.
    func hasFlag(_ word: some StringProtocol) -> Bool {
        word == flag || synonyms.contains { word == "--" + $0 }
    }
}
