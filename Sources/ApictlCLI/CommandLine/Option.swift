/// How an option is spelled on the command line and shown in help.
struct OptionSpec: Sendable, Equatable {
    /// What a shell offers for the value.
    enum Completion: Sendable, Equatable {
        case nothing, files
        case values([String])
        /// The names of an API's servers, the fields of the response, the columns of its list.
        case servers, fields, columns
    }

    /// The long name without its dashes, in kebab case.
    let name: String
    let short: Character?
    /// The name of the value in help, such as `FILE`; nil for a switch.
    let placeholder: String?
    let help: String
    let completion: Completion

    init(
        _ name: String, short: Character? = nil, value placeholder: String? = nil, _ help: String = "",
        completion: Completion = .nothing
    ) {
        self.name = name
        self.short = short
        self.placeholder = placeholder
        self.help = help
        self.completion = completion
    }

    var flag: String { "--" + name }

    /// The flag with the name of its value, if it has one: `--output FILE`.
    var syntax: String { flag + (placeholder.map { " \($0)" } ?? "") }

    /// The same option, whose name has positions of elements, under the name that has them: `records.0.name`.
    func named(_ name: String) -> OptionSpec { OptionSpec(name, short: short, value: placeholder, help) }

    /// The name with 0 for each position.
    var firstName: String { ParameterOption.first(name) }
}

/// An option of a command: a line of its table, and the one place where it takes effect.
struct Option<Options>: Sendable {
    let spec: OptionSpec
    /// Names of options that it can't be used with.
    let excludes: [String]
    /// How `curl` says the same.
    let curl: CurlForm
    /// Whether a configuration may set it.
    let isConfigurable: Bool
    /// Another option that this one needs but that was not given, such as `-o FILE`; nil if nothing is missing.
    let missing: @Sendable (Options) -> String?
    /// Sets the option's value. Throws ``UsageError`` for an invalid value.
    let apply: @Sendable (inout Options, Word) throws(UsageError) -> Void

    /// An option without a value.
    init(
        _ name: String, short: Character? = nil, _ help: String, curl: CurlForm = .missing, excludes: [String] = [],
        isConfigurable: Bool = true, missing: @escaping @Sendable (Options) -> String? = { _ in nil },
        set: @escaping @Sendable (inout Options) -> Void
    ) {
        self.init(
            OptionSpec(name, short: short, help), curl: curl, excludes: excludes, isConfigurable: isConfigurable,
            missing: missing, apply: { options, _ in set(&options) })
    }

    /// An option with a value of that type.
    init<Value>(
        _ name: String, short: Character? = nil, _ type: ValueType<Value>, _ help: String, curl: CurlForm = .missing,
        excludes: [String] = [], isConfigurable: Bool = true,
        missing: @escaping @Sendable (Options) -> String? = { _ in nil },
        set: @escaping @Sendable (inout Options, Value) -> Void
    ) {
        let spec = OptionSpec(name, short: short, value: type.placeholder, help, completion: type.completion)
        self.init(
            spec, curl: curl, excludes: excludes, isConfigurable: isConfigurable, missing: missing,
            apply: { options, word throws(UsageError) in
                if word.text.isEmpty, !type.mayBeEmpty {
                    throw .valueExpected(spec.flag, type.placeholder, word.position)
                }
                set(&options, try type.read(word, spec.flag))
            })
    }

    private init(
        _ spec: OptionSpec, curl: CurlForm, excludes: [String], isConfigurable: Bool,
        missing: @escaping @Sendable (Options) -> String?,
        apply: @escaping @Sendable (inout Options, Word) throws(UsageError) -> Void
    ) {
        self.spec = spec
        self.curl = curl
        self.excludes = excludes
        self.isConfigurable = isConfigurable
        self.missing = missing
        self.apply = apply
    }

    /// The same option for a command whose options include these at `path`.
    func lifted<Outer>(to path: WritableKeyPath<Outer, Options> & Sendable) -> Option<Outer> {
        Option<Outer>(
            spec, curl: curl, excludes: excludes, isConfigurable: isConfigurable,
            missing: { missing($0[keyPath: path]) },
            apply: { options, word throws(UsageError) in try apply(&options[keyPath: path], word) })
    }

    /// The same option, which adds its name to those at `path` when it is set.
    func recorded(in path: WritableKeyPath<Options, [String]> & Sendable) -> Option {
        Option(
            spec, curl: curl, excludes: excludes, isConfigurable: isConfigurable, missing: missing,
            apply: { options, word throws(UsageError) in
                try apply(&options, word)
                if !options[keyPath: path].contains(spec.name) { options[keyPath: path].append(spec.name) }
            })
    }
}

/// Options under one heading of a help page.
struct OptionGroup<Options>: Sendable {
    let title: String
    let options: [Option<Options>]

    /// The same group for a command whose options include these at `path`.
    func lifted<Outer>(to path: WritableKeyPath<Outer, Options> & Sendable) -> OptionGroup<Outer> {
        OptionGroup<Outer>(title: title, options: options.map { $0.lifted(to: path) })
    }
}

/// All options of a command.
struct OptionTable<Options>: Sendable {
    let groups: [OptionGroup<Options>]
    let options: [Option<Options>]

    init(_ groups: [OptionGroup<Options>]) {
        self.groups = groups
        options = groups.flatMap(\.options)
    }

    var specs: [OptionSpec] { options.map(\.spec) }

    subscript(name: String) -> Option<Options>? { options.first { $0.spec.name == name } }

    /// Applies one option. Throws ``UsageError``.
    func apply(_ spec: OptionSpec, value: String?, position: Int, to options: inout Options) throws(UsageError) {
        guard let option = self[spec.name] else { throw .unknownOption(Word(text: spec.flag, position: position), "") }
        if spec.placeholder == nil, let value { throw .noValueTaken(spec.flag, value, position) }
        try option.apply(&options, Word(text: value ?? "", position: position))
    }

    /// Whether the table has an option of that name that none of `given` excludes or is excluded by.
    func allows(_ name: String, beside given: [String]) -> Bool {
        guard let option = self[name] else { return false }
        let others = options.filter { given.contains($0.spec.name) }
        return !given.contains(where: option.excludes.contains) && !others.contains { $0.excludes.contains(name) }
    }

    /// Throws ``UsageError`` if options among `given` can't be used together, or need another one that is missing.
    func check(_ options: Options, given: [String]) throws(UsageError) {
        for option in self.options where given.contains(option.spec.name) {
            if let other = option.excludes.first(where: given.contains) {
                throw .conflict(option.spec.flag, "--" + other)
            }
            if let missing = option.missing(options) { throw .optionMissing(missing, for: option.spec.flag) }
        }
    }
}

/// The options that every command has.
struct CommonOptions: Sendable, Equatable {
    var color = ColorChoice.auto
    var pages = true
    var reportsJSON = false
    var asksForHelp = false

    static let group = OptionGroup<CommonOptions>(
        title: "Common options",
        options: [
            Option("color", .color, "when to use colour; default auto") { $0.color = $1 },
            Option(
                "no-pager", "write long texts to the terminal without a pager", curl: .notNeeded, isConfigurable: false
            ) { $0.pages = false },
            Option("json-errors", "report a failure as one line of JSON on stderr", isConfigurable: false) {
                $0.reportsJSON = true
            },
            Option("help", short: "h", "show this help", curl: .notNeeded, isConfigurable: false) {
                $0.asksForHelp = true
            },
        ])
}
