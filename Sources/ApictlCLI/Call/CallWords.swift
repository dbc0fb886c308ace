import EndpointKit
import EndpointTools
import JSONText

/// A parameter's value as given on the command line.
struct ParameterWord: Sendable, Equatable {
    let path: [String]
    let word: SourcedText
    /// Whether the word may be JSON, `@FILE` or `-` for stdin; otherwise it is text.
    let mayBeJSON: Bool
}

/// A call as it was given: an endpoint, values of its parameters, options.
struct CallWords: Sendable {
    let declaration: EndpointDeclaration
    var parameters: [ParameterWord] = []
    var options = CallOptions()
    /// The call, if it is known already, as an example is.
    var call: EndpointCall?
    /// The endpoint to request in place of that of ``call``.
    var endpoint: Endpoint?
    /// The parameters without a label that are still to be given.
    private(set) var unlabelled: ArraySlice<Parameter>

    init(_ declaration: EndpointDeclaration) {
        self.declaration = declaration
        unlabelled = declaration.signature.parameters.filter { $0.position != nil }[...]
    }

    /// Takes the value that `item` gives a parameter; false if it is something else.
    mutating func take(_ item: CommandLineItem) -> Bool {
        switch item {
        case .option(let spec, let value, let source):
            guard let type = declaration.signature.type(at: spec.path), !spec.path.isEmpty else { return false }
            let word = SourcedText(value ?? "true", source)
            // As of an option, the last one counts.
            if !type.takesSeveral { parameters.removeAll { $0.path == spec.path } }
            parameters.append(
                ParameterWord(
                    path: spec.path, word: word, mayBeJSON: spec.placeholder != nil && type.mayBeJSON(word.text)))
        case .positional(let word):
            guard let parameter = unlabelled.first else { return false }
            if unlabelled.count > 1 || !parameter.type.takesSeveral { unlabelled.removeFirst() }
            parameters.append(
                ParameterWord(path: [parameter.name], word: word, mayBeJSON: parameter.type.mayBeJSON(word.text)))
        }
        return true
    }

    /// Takes a value of a parameter.
    ///
    /// A null that can't be sent is refused, except from agents, who leave a parameter out with it.
    ///
    /// - Parameters:
    ///   - value: The value, as a case or an agent has it.
    ///   - name: The name of the parameter.
    ///   - source: The source of the value.
    /// - Throws: ``UsageError``.
    mutating func take(_ value: JSONValue, for name: String, from source: ValueSource) throws(UsageError) {
        let parameter = try declaration.parameter(named: name, from: source)
        if source == .agent, value.isNull, !parameter.type.takesNull { return }
        let shown = declaration.shown([parameter.name])
        parameters += try parameter.type.texts(of: value, for: shown, from: source).map { text in
            ParameterWord(
                path: [parameter.name], word: SourcedText(text, source), mayBeJSON: parameter.type.mayBeJSON(text))
        }
    }

    /// The error about a word for which there is no parameter, with the flag that it was probably meant for.
    func unexpected(_ word: SourcedText) -> UsageError {
        // A word after a switch.
        if let last = parameters.last, let position = last.word.source.position,
            word.source == .argument(position + 1),
            ["true", "false"].contains(last.word.text),
            ["true", "false", "yes", "no", "1", "0"].contains(word.text)
        {
            return .unexpectedArgument(word, "--\(declaration.signature.flagName(last.path))=\(word.text)")
        }
        // After `--`.
        if word.text.hasPrefix("-"), word.text != "-", Double(word.text) == nil {
            return UsageError("unexpected argument \(word.shown): options come before '--', which ends them")
        }
        let labelled = declaration.signature.parameters.filter { $0.position == nil }
        func flag(_ parameter: Parameter, _ value: some StringProtocol) -> UsageError {
            .unexpectedArgument(word, "--\(KebabCase.text(parameter.name)) \(ShellText.quoted(String(value)))")
        }
        // The notations of HTTPie and xh.
        if let item = word.text.firstIndex(where: { $0 == "=" || $0 == ":" }),
            let parameter = labelled.first(where: {
                [$0.name, KebabCase.text($0.name)].contains(String(word.text[..<item]))
            })
        {
            return flag(parameter, word.text[item...].drop { "=:".contains($0) })
        }
        if let sign = word.text.firstIndex(where: { $0 == "=" || $0 == ":" }), sign > word.text.startIndex {
            let (name, value) = (word.text[..<sign], word.text[sign...].drop { "=:".contains($0) })
            let option =
                word.text[sign...].hasPrefix("==")
                ? "--query \(ShellText.quoted("\(name)=\(value)"))"
                : word.text[sign...].hasPrefix(":") && !word.text[sign...].hasPrefix(":=")
                    ? "-H \(ShellText.quoted("\(name): \(value)"))" : nil
            return .unexpectedArgument(word, option)
        }
        // The first parameter not given yet.
        let given = Set(parameters.map { $0.path[0] })
        let open = labelled.filter { !given.contains($0.name) && $0.type != .scalar(.boolean) }
        guard let parameter = open.first(where: { !$0.isOptional }) ?? open.first else {
            return .unexpectedArgument(word)
        }
        return flag(parameter, word.text)
    }
}

extension CallWords {
    /// Checks that stdin is read at most once.
    func checkReaders(_ options: CallOptions) throws(UsageError) {
        let format = options.writeOut.flatMap { $0.file == nil ? nil : $0 }
        try UsageError.check(
            readers: parameters.filter(\.mayBeJSON).map(\.word) + options.environmentFiles
                + [options.body, format].compactMap(\.self))
    }
}
