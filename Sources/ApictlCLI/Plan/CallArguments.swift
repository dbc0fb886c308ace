import EndpointKit

/// An endpoint with its parameters and options, as given to `call` and `curl`.
struct CallArguments: Sendable {
    let declaration: EndpointDeclaration
    var parameters: [ParameterWord] = []
    var options = CallOptions()
    /// The options as they were given.
    var optionWords: [OptionWord] = []
    /// The options of the command.
    var table = CallOptions.table

    /// These arguments with options that count unless one that was given says otherwise. Throws ``UsageError``.
    func adding(_ defaults: [OptionWord]) throws(UsageError) -> CallArguments {
        guard !defaults.isEmpty else { return self }
        var all = self
        all.options = CallOptions()
        for word in defaults where table.allows(word.spec.name, beside: options.given) { try all.apply(word) }
        for word in optionWords { try all.apply(word) }
        return all
    }

    fileprivate mutating func apply(_ word: OptionWord) throws(UsageError) {
        try table.apply(word.spec, value: word.value, position: word.position, to: &options)
        if !options.given.contains(word.spec.name) { options.given.append(word.spec.name) }
    }
}

/// An option with its value, as given.
struct OptionWord: Sendable {
    let spec: OptionSpec
    let value: String?
    /// From 1; 0 if it does not come from the command line.
    let position: Int
}

/// Parses the words after `call` or `curl`.
///
/// Before the endpoint's name, only options are known. After it, the endpoint's parameters are known too, and win over options of the
/// same name.
struct CallArgumentParser {
    private var scanner: OptionScanner
    private var options = CallOptions()
    private var parameters: [ParameterWord] = []
    private var optionWords: [OptionWord] = []
    private let table: OptionTable<CallOptions>

    /// `table` are the options of the command.
    init(_ words: [Word], table: OptionTable<CallOptions> = CallOptions.table) {
        self.table = table
        scanner = OptionScanner(words, options: table.specs)
    }

    /// Parses up to the endpoint's name, which may be two words: `movies popular`; nil if there is none. Throws ``UsageError``.
    mutating func endpointName(in registry: Registry) throws(UsageError) -> Word? {
        var words: [Word] = []
        while let item = try nextBeforeEndpoint() {
            switch item {
            case .positional(let word):
                words.append(word)
                if words.count == 2 || registry.api(word.text) == nil { return try registry.name(words) }
            case .option(let spec, let value, let position): try apply(spec, value, position)
            case .negated(let spec, let position):
                throw .unknownOption("--no-" + spec.name, position: position, .nearest(spec.flag))
            }
        }
        return words.first
    }

    /// Whether `--help` was given.
    var asksForHelp: Bool { options.asksForHelp }

    /// Parses the rest, with the parameters of `declaration`. Throws ``UsageError``.
    mutating func arguments(of declaration: EndpointDeclaration) throws(UsageError) -> CallArguments {
        let signature = declaration.signature
        let parameterOptions = signature.options()
        let unlabelled = signature.parameters.filter { $0.position != nil }
        var positionals = 0
        scanner.options = parameterOptions.map(\.spec) + table.specs
        while let item = try scanner.next() {
            switch item {
            case .option(let spec, let value, let position):
                if let option = parameterOptions.lazy.compactMap({ $0.matching(spec) }).first {
                    add(option, value ?? "true", position)
                } else {
                    try apply(spec, value, position)
                }
            case .negated(let spec, let position):
                guard let option = parameterOptions.lazy.compactMap({ $0.matching(spec) }).first, option.type == .bool
                else {
                    throw .unknownOption("--no-" + spec.name, position: position, .nearest(spec.flag))
                }
                add(option, "false", position)
            case .positional(let word):
                guard positionals < unlabelled.count || unlabelled.last?.type.takesSeveral == true else {
                    throw .unexpectedArgument(
                        word.text, position: word.position, suggestion: suggestion(for: word, signature))
                }
                let parameter = unlabelled[min(positionals, unlabelled.count - 1)]
                positionals += 1
                parameters.append(
                    ParameterWord(path: [parameter.name], word: word, form: .init(parameter.type)))
            }
        }
        if !options.asksForHelp { try table.check(options, given: options.given) }
        return CallArguments(
            declaration: declaration, parameters: parameters, options: options, optionWords: optionWords, table: table)
    }

    private mutating func nextBeforeEndpoint() throws(UsageError) -> ParsedItem? {
        do {
            return try scanner.next()
        } catch .unknownOption(let word, let position, nil) where word.hasPrefix("--") {
            throw .optionBeforeEndpoint(word, position: position)
        }
    }

    private mutating func apply(_ spec: OptionSpec, _ value: String?, _ position: Int) throws(UsageError) {
        try table.apply(spec, value: value, position: position, to: &options)
        if !options.given.contains(spec.name) { options.given.append(spec.name) }
        optionWords.append(OptionWord(spec: spec, value: value, position: position))
    }

    private mutating func add(_ option: ParameterOption, _ text: String, _ position: Int) {
        parameters.append(
            ParameterWord(
                path: option.path, word: Word(text: text, position: position),
                form: option.spec.placeholder == nil ? .text : .init(option.type)))
    }

    /// The flag that an unexpected value was probably meant for: the switch before it, or the first parameter not given yet.
    private func suggestion(for word: Word, _ signature: Signature) -> String? {
        if let last = parameters.last, last.word.position == word.position - 1,
            ["true", "false"].contains(last.word.text),
            ["true", "false", "yes", "no", "1", "0"].contains(word.text)
        {
            return "--\(signature.flagName(last.path))=\(word.text)"
        }
        // The notations of HTTPie and xh.
        if let item = word.text.firstIndex(where: { $0 == "=" || $0 == ":" }),
            let parameter = signature.parameters.first(where: {
                $0.position == nil && [$0.name, KebabCase.text($0.name)].contains(String(word.text[..<item]))
            })
        {
            return "--\(KebabCase.text(parameter.name)) \(word.text[item...].drop { "=:".contains($0) })"
        }
        let given = Set(parameters.map { $0.path[0] })
        let open = signature.parameters.filter { !given.contains($0.name) && $0.position == nil }
        let parameter = open.first { !$0.isOptional } ?? open.first
        return parameter.map { "--\(KebabCase.text($0.name)) \(word.text)" }
    }
}

extension ParameterType {
    /// Whether the parameter may be given more than once.
    var takesSeveral: Bool { isArray || isDictionary }
}
