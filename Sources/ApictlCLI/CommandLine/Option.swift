/// How an option is spelled on the command line and shown in help.
struct OptionSpec: Sendable, Equatable {
    /// What a shell offers for the value.
    enum Completion: Sendable, Equatable {
        /// Files, or files after an `@`.
        case nothing, files, filesAfterAt
        case values([String])
        /// The names of an API's servers and credentials, the fields of the response, the columns of its list.
        case servers, credentials, fields, columns
        /// Endpoints, each with a status.
        case statuses
    }

    /// The long name without its dashes, in kebab case.
    var name: String
    var short: Character?
    /// Other long names that mean the same but are not shown in help.
    var synonyms: [String] = []
    /// The name of the value in help, such as `FILE`; nil for a switch.
    var placeholder: String?
    var help = ""
    var completion = Completion.nothing
    /// Names of options that it can't be used with.
    var excludes: [String] = []
    /// Names of options of which it needs one; none if it needs no other.
    var needs: [String] = []
    /// The parameter or field that it sets; empty for an option of a command.
    var path: [String] = []
    /// Whether `--no-name` sets it to false.
    var isNegatable = false

    /// The value that `--no-name` gives.
    static let off = "false"

    var flag: String { "--" + name }

    /// Whether a word is the option's flag, or that of a synonym.
    func hasFlag(_ word: some StringProtocol) -> Bool { word == flag || synonyms.contains { word == "--" + $0 } }

    /// The flag with the name of its value, if it has one: `--output FILE`.
    var syntax: String { flag + (placeholder.map { " \($0)" } ?? "") }
}

/// An option of a command: a line of its table, and the one place where it takes effect.
struct Option<Options>: Sendable {
    let spec: OptionSpec
    /// Sets the option's value. Throws ``UsageError`` for an invalid value.
    let apply: @Sendable (inout Options, SourcedText) throws(UsageError) -> Void
}

extension Option {
    /// An option without a value.
    init(
        _ name: String, short: Character? = nil, _ help: String, excludes: [String] = [], needs: [String] = [],
        set: @escaping @Sendable (inout Options) -> Void
    ) {
        self.init(name, short: short, help, excludes: excludes, needs: needs) { options, _ in set(&options) }
    }

    /// An option without a value, which `switch` turns on, and `--no-name` off.
    init(
        _ name: String, short: Character? = nil, _ help: String, excludes: [String] = [], needs: [String] = [],
        switch: @escaping @Sendable (inout Options, _ isOn: Bool) -> Void
    ) {
        let spec = OptionSpec(
            name: name, short: short, help: help, excludes: excludes, needs: needs, isNegatable: !name.hasPrefix("no-"))
        self.init(spec: spec) { options, word in `switch`(&options, word.text != OptionSpec.off) }
    }

    /// An option with a value of that type.
    init<Value>(
        _ name: String, short: Character? = nil, _ type: OptionValueType<Value>, _ help: String,
        excludes: [String] = [],
        needs: [String] = [], set: @escaping @Sendable (inout Options, Value) -> Void
    ) {
        let spec = OptionSpec(
            name: name, short: short, placeholder: type.placeholder, help: help, completion: type.completion,
            excludes: excludes, needs: needs)
        self.init(spec: spec) { options, word throws(UsageError) in
            if word.text.isEmpty, !type.mayBeEmpty {
                throw .valueExpected(spec.flag, type.placeholder, word.source)
            }
            set(&options, try type.read(word, spec.flag))
        }
    }

    /// The same option with other facts about it.
    func with(_ change: (inout OptionSpec) -> Void) -> Option {
        var spec = spec
        change(&spec)
        return Option(spec: spec, apply: apply)
    }

    /// The same option for a command whose options include these at `path`.
    func lifted<Outer>(to path: WritableKeyPath<Outer, Options> & Sendable) -> Option<Outer> {
        Option<Outer>(spec: spec) { options, word throws(UsageError) in
            try apply(&options[keyPath: path], word)
        }
    }
}

extension Option {
    /// A switch that sets what is at `path`.
    init(
        _ name: String, short: Character? = nil, _ path: WritableKeyPath<Options, Bool> & Sendable,
        is value: Bool = true, _ help: String, excludes: [String] = [], needs: [String] = []
    ) {
        self.init(name, short: short, help, excludes: excludes, needs: needs) { options, isOn in
            options[keyPath: path] = isOn == value
        }
    }

    /// A switch that chooses a value for what is at `path`.
    init<Value: Equatable & Sendable>(
        _ name: String, _ path: WritableKeyPath<Options, Value?> & Sendable, is value: Value, _ help: String,
        excludes: [String] = []
    ) {
        self.init(name, help, excludes: excludes) { options, isOn in
            if isOn || options[keyPath: path] == value { options[keyPath: path] = isOn ? value : nil }
        }
    }

    /// A switch that sets what is at `path` to `on`. Turned off, it sets that to `off`, unless another option has set it.
    init<Value: Equatable & Sendable>(
        _ name: String, _ path: WritableKeyPath<Options, Value> & Sendable, on: Value, off: Value, _ help: String,
        excludes: [String] = []
    ) {
        self.init(name, help, excludes: excludes) { options, isOn in
            if isOn || options[keyPath: path] == on { options[keyPath: path] = isOn ? on : off }
        }
    }

    /// A switch whose value is kept at `path` with its source; nil there means that it was not given.
    init(
        _ name: String, short: Character? = nil, sourced path: WritableKeyPath<Options, Sourced<Bool>?> & Sendable,
        _ help: String
    ) {
        let spec = OptionSpec(name: name, short: short, help: help, isNegatable: true)
        self.init(spec: spec) { options, word in
            options[keyPath: path] = Sourced(word.text != OptionSpec.off, word.source)
        }
    }

    /// An option whose value is kept at `path`.
    init<Value>(
        _ name: String, short: Character? = nil, _ type: OptionValueType<Value>,
        _ path: WritableKeyPath<Options, Value?> & Sendable, _ help: String, excludes: [String] = [],
        needs: [String] = []
    ) {
        self.init(name, short: short, type, help, excludes: excludes, needs: needs) { $0[keyPath: path] = $1 }
    }

    /// An option whose value is kept at `path` with its source.
    init<Value>(
        _ name: String, short: Character? = nil, _ type: OptionValueType<Value>,
        sourced path: WritableKeyPath<Options, Sourced<Value>?> & Sendable, _ help: String, needs: [String] = []
    ) {
        let sourced = type.map { value, word in Sourced(value, word.source) }
        self.init(name, short: short, sourced, path, help, needs: needs)
    }
}

/// Options under one heading of a help page.
struct OptionGroup<Options>: Sendable {
    let title: String
    let options: [Option<Options>]

    /// The same group with other facts about its options.
    func with(_ change: (inout OptionSpec) -> Void) -> OptionGroup {
        OptionGroup(title: title, options: options.map { $0.with(change) })
    }

    /// The same group for a command whose options include these at `path`.
    func lifted<Outer>(to path: WritableKeyPath<Outer, Options> & Sendable) -> OptionGroup<Outer> {
        OptionGroup<Outer>(title: title, options: options.map { $0.lifted(to: path) })
    }
}

/// All options of a command.
struct OptionTable<Options: CommandOptions>: Sendable {
    let groups: [OptionGroup<Options>]
    let options: [Option<Options>]

    /// A table with these groups and the options that every command has.
    init(command groups: [OptionGroup<Options>]) {
        self.groups = groups + [CommonOptions.group.lifted(to: \.common)]
        options = self.groups.flatMap(\.options)
    }

    var specs: [OptionSpec] { options.map(\.spec) }

    subscript(name: String) -> Option<Options>? { options.first { $0.spec.name == name } }

    /// Applies one option. Throws ``UsageError``.
    func apply(_ spec: OptionSpec, value: String?, source: ValueSource, to options: inout Options) throws(UsageError) {
        let isOff = spec.isNegatable && value == OptionSpec.off
        // As a parameter that is a boolean: `--raw=true`.
        if spec.placeholder == nil, let value, !spec.isNegatable || Bool(value) == nil {
            throw .noValueTaken(spec.flag, value, source)
        }
        try self[spec.name]?.apply(&options, SourcedText(value ?? "", source))
        if isOff {
            options.common.given.removeAll { $0 == spec.name }
        } else if !options.common.given.contains(spec.name) {
            options.common.given.append(spec.name)
        }
    }

    /// Throws ``UsageError`` if options that were given can't be used together, or need another one that is missing.
    func check(_ options: Options) throws(UsageError) {
        let given = options.common.given
        for option in self.options where given.contains(option.spec.name) {
            if let other = option.spec.excludes.first(where: given.contains) {
                throw .conflict(option.spec.flag, "--" + other)
            }
            let needed = option.spec.needs.compactMap { self[$0]?.spec.syntax }
            guard let last = needed.last, !option.spec.needs.contains(where: given.contains) else { continue }
            let others = needed.dropLast().joined(separator: ", ")
            throw UsageError("\(option.spec.flag) needs \(others.isEmpty ? "" : others + " or ")\(last)")
        }
    }
}

/// The options of a command that has none of its own.
struct NoOptions: CommandOptions {
    var common = CommonOptions()
    static let table = OptionTable<NoOptions>(command: [])
}

/// The options that every command has.
struct CommonOptions: Sendable, Equatable {
    /// The value of `--color`; nil leaves it to the configuration.
    var color: ColorChoice?
    var pages = true
    var reportsJSON = false
    var asksForHelp = false
    /// The names of the options of the command line, in order, except for switches that it turned off.
    var given: [String] = []

    static let group = OptionGroup<CommonOptions>(
        title: "Common options",
        options: DocumentOption.options + [
            Option("color", .choice(ColorChoice.self), \.color, "when to use colour; default auto"),
            Option("no-pager", "write long texts to the terminal without a pager") { $0.pages = false },
            Option("json-errors", "report a failure as one line of JSON on stderr") { $0.reportsJSON = $1 },
            Option("help", short: "h", "show this help") { $0.asksForHelp = true },
        ])
}
