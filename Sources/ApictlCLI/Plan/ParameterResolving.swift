import EndpointKit

extension PlanResolver {
    /// The enum case with the given parameters; reads the files and stdin that they refer to.
    ///
    /// Throws ``UsageError`` and ``FileError``.
    func call(_ input: ArgumentInput) throws -> any API {
        let declaration = arguments.declaration
        var given = arguments.options.body == nil ? [] : try argumentsOfReplacedBody()
        for parameter in arguments.parameters {
            let (word, path) = (parameter.word, parameter.path)
            guard parameter.isJSON else {
                given.append(Argument(path, word.text, position: word.position))
                continue
            }
            let (bytes, source) = try input.bytes(word, of: declaration.shown(path))
            given.append(Argument(path, .json(bytes, source: source), position: word.position))
        }
        given += configuredArguments(without: given)
        if purpose == .sample { given += exampleArguments(without: given) }
        do {
            return try declaration.call(given)
        } catch let error as ArgumentError {
            throw UsageError(error, declaration)
        }
    }

    /// The values that the configuration file has for parameters that were not given.
    private func configuredArguments(without given: [Argument]) -> [Argument] {
        guard let configuration = context.configuration,
            let values = configuration.settings(of: arguments.declaration.api)?.parameters
        else { return [] }
        let names = Set(given.compactMap(\.path.first))
        return arguments.declaration.signature.parameters.filter { !names.contains($0.name) }.flatMap { parameter in
            guard let value = values[parameter.name], !value.isNull else { return [Argument]() }
            let isList = parameter.type.isArray && !parameter.type.isJSON
            return (isList ? value.elements.map(Array.init) : nil).map {
                $0.map { element in
                    Argument([parameter.name], element.string ?? String(decoding: element.written, as: UTF8.self))
                }
            } ?? [
                parameter.type.isJSON
                    ? Argument([parameter.name], .json(Array(value.written), source: configuration.path))
                    : Argument([parameter.name], value.string ?? String(decoding: value.written, as: UTF8.self))
            ]
        }
    }

    /// The example's values for required parameters that were not given.
    private func exampleArguments(without given: [Argument]) -> [Argument] {
        let names = Set(given.compactMap(\.path.first))
        return arguments.declaration.signature.parameters
            .filter { !$0.isOptional && !names.contains($0.name) }.flatMap(\.exampleArguments)
    }

    /// The example's values for parameters that only affect the body, which `--body` replaces.
    ///
    /// Throws ``UsageError`` if such a parameter is given, because it would have no effect.
    private func argumentsOfReplacedBody() throws(UsageError) -> [Argument] {
        let declaration = arguments.declaration
        let places = ParameterPlaces(of: declaration).places
        let hasBody = declaration.endpoint.body != nil
        let replaced = declaration.signature.parameters.filter { parameter in
            // A JSON value without a known place can only be in the body.
            places[parameter.name].map { $0 == [.body] } ?? (hasBody && parameter.type.isJSON)
        }
        let names = Set(replaced.map(\.name))
        if let parameter = arguments.parameters.first(where: { names.contains($0.path.first ?? "") }) {
            throw .conflict("--body", declaration.shown(parameter.path))
        }
        return replaced.flatMap(\.exampleArguments)
    }
}

extension UsageError {
    /// The same error with flags instead of Swift names.
    fileprivate init(_ error: ArgumentError, _ declaration: EndpointDeclaration) {
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
    /// The name of the parameter at `path` in messages: its flag, or `the value` if it has none.
    func shown(_ path: [String]) -> String {
        let parameter = signature.parameters.first { $0.name == path.first }
        return parameter?.position == nil ? "--" + Parameter.flagName(path) : "the value"
    }

    /// The parameter, or the field of one, at `path`.
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
