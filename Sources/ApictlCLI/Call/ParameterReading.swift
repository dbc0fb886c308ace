import EndpointKit

extension EndpointInvocation {
    /// The call that the parameters make; files and stdin are read where a parameter names them.
    ///
    /// Throws ``UsageError`` and ``FileError``.
    func call(_ declaration: EndpointDeclaration, _ environment: ProcessEnvironment) throws -> any API {
        var stdinIsRead = options.body?.isStdin ?? false
        var arguments = try parameters.map { word in
            try word.argument(declaration, environment, stdinIsRead: &stdinIsRead)
        }
        if options.body != nil { arguments += try argumentsOfReplacedBody(declaration) }
        do {
            return try declaration.call(arguments)
        } catch let error as ArgumentError {
            throw UsageError(error, declaration)
        }
    }
}

extension ParameterWord {
    fileprivate func argument(
        _ declaration: EndpointDeclaration, _ environment: ProcessEnvironment, stdinIsRead: inout Bool
    ) throws -> Argument {
        guard isJSON else { return Argument(path, text, position: position) }
        let word = Word(text: text, position: position)
        if word.isStdin {
            if stdinIsRead { throw UsageError.stdinTwice(text, position: position) }
            stdinIsRead = true
            return Argument(
                path, .json(try environment.stdin.readAll(name: "stdin"), source: "stdin"), position: position)
        }
        if let file = word.file {
            if file.isEmpty {
                throw UsageError.fileNameExpected(parameter: declaration.shown(path), position: position)
            }
            return Argument(
                path, .json(try environment.files.open(file).readAll(name: file), source: file), position: position)
        }
        return Argument(path, .json(text.exactBytes, source: "the JSON given"), position: position)
    }
}

extension UsageError {
    /// The error in the words of the command line: flags instead of Swift names.
    init(_ error: ArgumentError, _ declaration: EndpointDeclaration) {
        let shown = declaration.shown
        switch error {
        case .missing(let paths):
            let flags = paths.map { path in
                guard let parameter = declaration.parameter(at: path) else { return shown(path) }
                if parameter.type == .bool { return "\(shown(path)) or --no-\(Parameter.flagName(path))" }
                return parameter.position == nil
                    ? "\(shown(path)) \(parameter.type.placeholder)" : "a value (\(parameter.type.placeholder))"
            }
            self = .missingParameters(flags, endpoint: declaration.name)
        case .repeated(let path, let position):
            self = .repeatedParameter(shown(path), position: position)
        case .invalid(let path, let text, let expected, let position):
            self = .invalidValue(option: shown(path), value: text, expected: expected, position: position)
        case .invalidJSON(let path, let source, let problem, let position):
            self = .invalidJSON(parameter: shown(path), source: source, problem: problem, position: position)
        case .bothWholeAndFields(let path, let position):
            self = .wholeAndFields(parameter: shown(path), position: position)
        }
    }
}

extension EndpointDeclaration {
    /// The parameter at `path` as messages call it: its flag, or `the value` where it has none.
    func shown(_ path: [String]) -> String {
        let parameter = signature.parameters.first { $0.name == path.first }
        return parameter?.position == nil ? "--" + Parameter.flagName(path) : "the value"
    }

    /// The parameter, or the field of one, that `path` leads to.
    fileprivate func parameter(at path: [String]) -> Parameter? {
        var fields = signature.parameters
        var found: Parameter?
        for name in path {
            found = fields.first { $0.name == name }
            if case .object(let inner) = found?.type { fields = inner } else { fields = [] }
        }
        return found
    }
}
