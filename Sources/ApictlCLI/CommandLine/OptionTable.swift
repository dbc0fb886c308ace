/// The options under one heading of a help page.
struct OptionGroup<Options>: Sendable {
    let title: String
    let options: [Option<Options>]

    /// Returns this group for a command whose options contain those of the group at `path`.
    ///
    /// Several commands share groups this way: `check` keeps the options of `call` in its property `call`.
    func lifted<Outer>(to path: WritableKeyPath<Outer, Options> & Sendable) -> OptionGroup<Outer> {
        OptionGroup<Outer>(title: title, options: options.map { $0.lifted(to: path) })
    }
}

/// All options of a command.
struct OptionTable<Options: CommandOptions>: Sendable {
    let groups: [OptionGroup<Options>]
    let options: [Option<Options>]

    /// Makes a table of a command's own groups. The options that every command has are added to them.
    init(command groups: [OptionGroup<Options>]) {
        self.groups = groups + [CommonOptions.group.lifted(to: \.common)]
        options = self.groups.flatMap(\.options)
    }

    var specs: [OptionSpec] { options.map(\.spec) }

    /// The option of a long name; nil if there is none.
    subscript(name: String) -> Option<Options>? { options.first { $0.spec.name == name } }

    /// Stores the value of one option, and its name in ``CommonOptions/given``.
    ///
    /// - Parameters:
    ///   - spec: The option.
    ///   - value: The value; for a switch nil, or a Boolean as in `--raw=true`.
    ///   - source: The place of the option on the command line.
    ///   - options: The options of the command, in which the value is stored.
    /// - Throws: ``UsageError`` for an invalid value, and for any value of a switch other than a Boolean.
    func apply(_ spec: OptionSpec, value: String?, source: ValueSource, to options: inout Options) throws(UsageError) {
        let isSwitch = spec.placeholder == nil
        if isSwitch, let value {
            // A switch takes no value, except for a Boolean if it can be turned off.
            let isBoolean = spec.isNegatable && Bool(value) != nil
            guard isBoolean else { throw .noValueTaken(option: spec.flag, value: value, source: source) }
        }
        // A switch without a value gets an empty text, which turns it on.
        try self[spec.name]?.apply(&options, SourcedText(value ?? "", source))

        // An option that is turned off counts as not given, so that it conflicts with no other.
        let isTurnedOff = spec.isNegatable && value == OptionSpec.off
        if isTurnedOff {
            options.common.given.removeAll { $0 == spec.name }
        } else if !options.common.given.contains(spec.name) {
            options.common.given.append(spec.name)
        }
    }

    /// Checks that the options on the command line can be used together, and that none lacks an option that it needs.
    ///
    /// - Throws: ``UsageError`` with the two options of the first conflict, or with an option that needs another one.
    func checkCombination(of options: Options) throws(UsageError) {
        let givenNames = options.common.given
        let givenSpecs = specs.filter { givenNames.contains($0.name) }
        for spec in givenSpecs {
            if let excludedName = spec.excludes.first(where: givenNames.contains) {
                throw .conflict(spec.flag, "--" + excludedName)
            }
            let needsMore = !spec.needs.isEmpty && !spec.needs.contains(where: givenNames.contains)
            if needsMore { throw missingOptionError(for: spec) }
        }
    }

    /// Returns the error that an option is given alone, although it needs one of several others.
    ///
    ///     --columns needs --table, --tsv or --csv
    private func missingOptionError(for spec: OptionSpec) -> UsageError {
        let neededOptions = spec.needs.compactMap { self[$0]?.spec.syntax }
        return UsageError("\(spec.flag) needs \(neededOptions.joinedAsAlternatives)")
    }
}

/// The options of a command that has no options of its own.
struct NoOptions: CommandOptions {
    var common = CommonOptions()
    static let table = OptionTable<NoOptions>(command: [])
}
