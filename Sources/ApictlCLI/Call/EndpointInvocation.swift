import EndpointKit

/// An endpoint with its parameters and options, as `call` and `curl` take them.
struct EndpointInvocation: Sendable, Equatable {
    /// The endpoint's name as it is shown, such as `movies.new-movies`; empty where only help was asked for.
    var endpoint: String
    var parameters: [ParameterWord] = []
    var options = CallOptions()

    /// Reads the words behind the command. Throws ``UsageError``.
    ///
    /// Before the endpoint's name only options are known. Behind it the endpoint's parameters are too, and come first where
    /// a parameter has the name of an option.
    static func parse(
        command: String, _ words: [Word], registry: Registry
    ) throws -> EndpointInvocation {
        var scanner = OptionScanner(words, options: CallOptions.specs)
        var options = CallOptions()
        while let item = try nextBeforeEndpoint(&scanner) {
            switch item {
            case .option(let spec, let value, let position):
                try options.apply(spec, value: value, position: position)
            case .negated(let spec, let position):
                throw UsageError.unknownOption("--no-" + spec.name, position: position, nearest: spec.flag)
            case .positional(let word):
                let declaration = try registry.endpoint(word)
                var invocation = EndpointInvocation(endpoint: declaration.name, options: options)
                try invocation.readParameters(&scanner, declaration.signature)
                return invocation
            }
        }
        if options.help { return EndpointInvocation(endpoint: "", options: options) }
        throw UsageError.endpointExpected(command: command, example: registry.exampleName)
    }

    private static func nextBeforeEndpoint(_ scanner: inout OptionScanner) throws(UsageError) -> ParsedItem? {
        do {
            return try scanner.next()
        } catch .unknownOption(let word, let position, nil) where word.hasPrefix("--") {
            throw .optionBeforeEndpoint(word, position: position)
        }
    }

    private mutating func readParameters(_ scanner: inout OptionScanner, _ signature: Signature) throws(UsageError) {
        let parameterOptions = signature.parameters.flatMap { $0.options() }
        let unlabelled = signature.parameters.filter { $0.position != nil }
        var positionals: [Word] = []
        scanner.options = parameterOptions.map(\.spec) + CallOptions.specs
        while let item = try scanner.next() {
            switch item {
            case .option(let spec, let value, let position):
                if let option = parameterOptions.first(where: { $0.spec == spec }) {
                    add(option, value ?? "true", position)
                } else {
                    try options.apply(spec, value: value, position: position)
                }
            case .negated(let spec, let position):
                guard let option = parameterOptions.first(where: { $0.spec == spec }) else {
                    throw .unknownOption("--no-" + spec.name, position: position, nearest: spec.flag)
                }
                add(option, "false", position)
            case .positional(let word):
                guard positionals.count < unlabelled.count || unlabelled.last?.type.isArray == true else {
                    throw .unexpectedArgument(
                        word.text, position: word.position, suggestion: suggestion(for: word, signature))
                }
                let parameter = unlabelled[min(positionals.count, unlabelled.count - 1)]
                positionals.append(word)
                parameters.append(
                    ParameterWord(
                        path: [parameter.name], text: word.text, position: word.position,
                        isJSON: parameter.type.isJSON))
            }
        }
    }

    private mutating func add(_ option: ParameterOption, _ text: String, _ position: Int) {
        parameters.append(
            ParameterWord(path: option.path, text: text, position: position, isJSON: option.type.isJSON))
    }

    /// The flag that a lone value was probably meant for: that of the switch before it, or of the first parameter not given yet.
    private func suggestion(for word: Word, _ signature: Signature) -> String? {
        if let last = parameters.last, last.position == word.position - 1, ["true", "false"].contains(last.text),
            ["true", "false", "yes", "no", "1", "0"].contains(word.text)
        {
            return "--\(Parameter.flagName(last.path))=\(word.text)"
        }
        let given = Set(parameters.map { $0.path[0] })
        let open = signature.parameters.filter { !given.contains($0.name) && $0.position == nil }
        let parameter = open.first { !$0.isOptional } ?? open.first
        return parameter.map { "--\(KebabCase.text($0.name)) \(word.text)" }
    }
}
