/// An option of a command: its spelling, what it sets, and what it can't be used with.
struct Option<Options>: Sendable {
    let spec: OptionSpec
    /// Names of options that it can't be used with.
    let excludes: [String]
    /// Another option that this one needs but that was not given, such as `-o FILE`; nil if nothing is missing.
    let missing: @Sendable (Options) -> String?
    /// Sets the option's value. Throws ``UsageError`` for an invalid value.
    let apply: @Sendable (inout Options, Word) throws(UsageError) -> Void

    /// An option without a value.
    init(
        _ name: String, short: Character? = nil, _ help: String, excludes: [String] = [],
        missing: @escaping @Sendable (Options) -> String? = { _ in nil },
        set: @escaping @Sendable (inout Options) -> Void
    ) {
        spec = OptionSpec(name, short: short, help)
        self.excludes = excludes
        self.missing = missing
        apply = { options, _ in set(&options) }
    }

    /// An option with a value of that type.
    init<Value>(
        _ name: String, short: Character? = nil, _ type: ValueType<Value>, _ help: String, excludes: [String] = [],
        missing: @escaping @Sendable (Options) -> String? = { _ in nil },
        set: @escaping @Sendable (inout Options, Value) -> Void
    ) {
        let spec = OptionSpec(name, short: short, value: type.placeholder, help)
        self.spec = spec
        self.excludes = excludes
        self.missing = missing
        apply = { options, word throws(UsageError) in
            if word.text.isEmpty, !type.mayBeEmpty {
                throw .valueExpected(option: spec.flag, placeholder: type.placeholder, position: word.position)
            }
            set(&options, try type.read(word, spec.flag))
        }
    }
}

extension Option {
    private init(
        spec: OptionSpec, excludes: [String], missing: @escaping @Sendable (Options) -> String?,
        apply: @escaping @Sendable (inout Options, Word) throws(UsageError) -> Void
    ) {
        self.spec = spec
        self.excludes = excludes
        self.missing = missing
        self.apply = apply
    }

    /// The same option for a command whose options include these at `path`.
    func lifted<Outer>(to path: WritableKeyPath<Outer, Options> & Sendable) -> Option<Outer> {
        Option<Outer>(
            spec: spec, excludes: excludes, missing: { missing($0[keyPath: path]) },
            apply: { options, word throws(UsageError) in try apply(&options[keyPath: path], word) })
    }
}

/// Options under one heading of a help page.
struct OptionGroup<Options>: Sendable {
    let title: String
    let options: [Option<Options>]
}

/// All options of a command.
struct OptionTable<Options>: Sendable {
    let groups: [OptionGroup<Options>]
    let options: [Option<Options>]

    init(_ groups: [OptionGroup<Options>]) {
        self.groups = groups
        options = groups.flatMap(\.options)
    }

    /// A table of one group.
    init(_ options: [Option<Options>]) { self.init([OptionGroup(title: "Options", options: options)]) }

    var specs: [OptionSpec] { options.map(\.spec) }

    /// Applies one option; the last one wins if it is given twice. Throws ``UsageError``.
    func apply(
        _ spec: OptionSpec, value: String?, position: Int, to options: inout Options
    ) throws(UsageError) {
        guard let option = self.options.first(where: { $0.spec.name == spec.name }) else {
            throw .unknownOption(spec.flag, position: position, nil)
        }
        if spec.placeholder == nil, let value {
            throw .noValueTaken(option: spec.flag, value: value, position: position)
        }
        try option.apply(&options, Word(text: value ?? "", position: position))
    }

    /// Whether the table has an option of that name that none of `given` excludes or is excluded by.
    func allows(_ name: String, beside given: [String]) -> Bool {
        guard let option = options.first(where: { $0.spec.name == name }) else { return false }
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

    /// Parses options and at most `most` other words.
    ///
    /// Returns the other words and the names of the given options. Throws ``UsageError``.
    func parse(
        _ words: [Word], into options: inout Options, most: Int = .max
    ) throws(UsageError) -> (positionals: [Word], given: [String]) {
        var scanner = OptionScanner(words, options: specs)
        var positionals: [Word] = []
        var given: [String] = []
        while let item = try scanner.next() {
            switch item {
            case .option(let spec, let value, let position):
                try apply(spec, value: value, position: position, to: &options)
                if !given.contains(spec.name) { given.append(spec.name) }
            case .negated(let spec, let position):
                throw .unknownOption("--no-" + spec.name, position: position, .nearest(spec.flag))
            case .positional(let word):
                if positionals.count == most {
                    throw .unexpectedArgument(word.text, position: word.position, suggestion: nil)
                }
                positionals.append(word)
            }
        }
        return (positionals, given)
    }
}
