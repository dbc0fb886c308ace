/// An option of a command: how it is spelled, and what it does.
///
///     Option("columns", .text("NAMES"), \.columns, "the columns of --table").needing("table")
struct Option<Options>: Sendable {
    let spec: OptionSpec
    /// Stores the value of the option in the command's options.
    ///
    /// A switch gets the text ``OptionSpec/off`` if it is turned off, and any other text if it is on.
    ///
    /// - Throws: ``UsageError`` for an invalid value.
    let apply: @Sendable (inout Options, SourcedText) throws(UsageError) -> Void
}

// MARK: Switches

extension Option {
    /// Makes a switch that changes the options when it is on. Turned off, it leaves them as they are.
    ///
    ///     Option("json", "print JSON") { $0.json = true }
    ///
    /// - Parameters:
    ///   - name: The long name without its dashes.
    ///   - short: The letter of the short form; nil if there is none.
    ///   - help: The text of help.
    ///   - set: Stores in the options that the switch is on.
    init(_ name: String, short: Character? = nil, _ help: String, set: @escaping @Sendable (inout Options) -> Void) {
        self.init(name, short: short, help) { options, isOn in
            if isOn { set(&options) }
        }
    }

    /// Makes a switch that `--no-NAME` turns off, unless its own name starts with `no-`.
    ///
    ///     Option("json-errors", "report a failure as JSON") { $0.reportsJSON = $1 }
    ///
    /// - Parameters:
    ///   - name: The long name without its dashes.
    ///   - short: The letter of the short form; nil if there is none.
    ///   - help: The text of help.
    ///   - storeState: Stores in the options whether the switch is on.
    init(
        _ name: String, short: Character? = nil, _ help: String,
        switch storeState: @escaping @Sendable (inout Options, _ isOn: Bool) -> Void
    ) {
        let spec = OptionSpec(name: name, short: short, help: help, isNegatable: !name.hasPrefix("no-"))
        self.init(spec: spec) { options, word in storeState(&options, word.text != OptionSpec.off) }
    }

    /// Makes a switch that stores `value` at `path` when it is on, and the opposite when it is off.
    ///
    ///     Option("values", \.comparesValues, "compare values too")
    init(
        _ name: String, short: Character? = nil, _ path: WritableKeyPath<Options, Bool> & Sendable,
        is value: Bool = true, _ help: String
    ) {
        self.init(name, short: short, help) { options, isOn in
            options[keyPath: path] = isOn ? value : !value
        }
    }

    /// Makes a switch that stores `value` at `path` when it is on.
    ///
    /// When it is off, it stores nil, unless another option has stored a different value. So `--http2 --no-http1.1`
    /// keeps the choice of `--http2`.
    init<Value: Equatable & Sendable>(
        _ name: String, _ path: WritableKeyPath<Options, Value?> & Sendable, is value: Value, _ help: String
    ) {
        self.init(name, path, on: value, off: nil, help)
    }

    /// Makes a switch that stores `on` at `path` when it is on.
    ///
    /// When it is off, it stores `off`, unless another option has stored a value other than `on`. For example,
    /// `--no-http1.1` does not undo the choice of `--http2`.
    init<Value: Equatable & Sendable>(
        _ name: String, _ path: WritableKeyPath<Options, Value> & Sendable, on: Value, off: Value, _ help: String
    ) {
        self.init(name, help) { options, isOn in
            if isOn {
                options[keyPath: path] = on
            } else if options[keyPath: path] == on {
                options[keyPath: path] = off
            }
        }
    }

    /// Makes a switch whose state is stored at `path`, together with its place on the command line.
    ///
    /// The value at `path` stays nil if the command line has neither `--NAME` nor `--no-NAME`.
    init(
        _ name: String, short: Character? = nil, sourced path: WritableKeyPath<Options, Sourced<Bool>?> & Sendable,
        _ help: String
    ) {
        let spec = OptionSpec(name: name, short: short, help: help, isNegatable: true)
        self.init(spec: spec) { options, word in
            options[keyPath: path] = Sourced(word.text != OptionSpec.off, word.source)
        }
    }
}

// MARK: Options with a value

extension Option {
    /// Makes an option with a value.
    ///
    ///     Option("indent", .indent, "indent by N spaces") { $0.style = .pretty(indent: $1) }
    ///
    /// An empty text is an error, unless the type of the value allows it.
    ///
    /// - Parameters:
    ///   - name: The long name without its dashes.
    ///   - short: The letter of the short form; nil if there is none.
    ///   - type: The type that reads the value.
    ///   - help: The text of help.
    ///   - set: Stores the value in the options. It is called for each time that the option is given.
    init<Value>(
        _ name: String, short: Character? = nil, _ type: OptionValueType<Value>, _ help: String,
        set: @escaping @Sendable (inout Options, Value) -> Void
    ) {
        let spec = OptionSpec(
            name: name, short: short, placeholder: type.placeholder, help: help, completion: type.completion)
        self.init(spec: spec) { options, word throws(UsageError) in
            if word.text.isEmpty, !type.mayBeEmpty {
                throw .valueExpected(option: spec.flag, placeholder: type.placeholder, source: word.source)
            }
            set(&options, try type.read(word, spec.flag))
        }
    }

    /// Makes an option whose value is stored at `path`.
    init<Value>(
        _ name: String, short: Character? = nil, _ type: OptionValueType<Value>,
        _ path: WritableKeyPath<Options, Value?> & Sendable, _ help: String
    ) {
        self.init(name, short: short, type, help) { $0[keyPath: path] = $1 }
    }

    /// Makes an option whose value is stored at `path` with the place where it was given.
    init<Value>(
        _ name: String, short: Character? = nil, _ type: OptionValueType<Value>,
        sourced path: WritableKeyPath<Options, Sourced<Value>?> & Sendable, _ help: String
    ) {
        let sourcedType = type.map { value, word in Sourced(value, word.source) }
        self.init(name, short: short, sourcedType, path, help)
    }
}

// MARK: Modifiers

extension Option {
    /// Returns this option as one that can't be used together with any of the options of these names.
    func excluding(_ names: String...) -> Option { excluding(names) }

    /// Returns this option as one that can't be used together with any of the options of these names.
    func excluding(_ names: [String]) -> Option {
        modified { $0.excludes += names }
    }

    /// Returns this option as one that needs at least one of the options of these names.
    func needing(_ names: String...) -> Option { needing(names) }

    /// Returns this option as one that needs at least one of the options of these names.
    func needing(_ names: [String]) -> Option {
        modified { $0.needs += names }
    }

    /// Returns this option with another name, which help does not show.
    func withSynonym(_ name: String) -> Option {
        modified { $0.synonyms.append(name) }
    }

    /// Returns this option as one that few people need. Help shows it only with `--all`.
    func rarelyUsed() -> Option {
        modified { $0.use = .rare }
    }

    /// Returns this option with a changed description.
    private func modified(_ change: (inout OptionSpec) -> Void) -> Option {
        var spec = spec
        change(&spec)
        return Option(spec: spec, apply: apply)
    }

    /// Returns this option for a command whose own options contain the ones of this option at `path`.
    ///
    /// For example, `check` keeps the options of `call` in its property `call`, so that it has all of them too:
    ///
    ///     callOption.lifted(to: \CheckOptions.call)
    func lifted<Outer>(to path: WritableKeyPath<Outer, Options> & Sendable) -> Option<Outer> {
        Option<Outer>(spec: spec) { options, word throws(UsageError) in
            try apply(&options[keyPath: path], word)
        }
    }
}
