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
            if parameter.form == .text {
                given.append(Argument(path, word.text, position: word.position))
            } else if case .member(let isJSON) = parameter.form, let member = MemberText(word.text) {
                let value: Argument.Value =
                    isJSON ? .json(member.value.exactBytes, source: "the JSON given") : .text(member.value)
                given.append(Argument(path + [member.key], value, position: word.position))
            } else {
                try checkJSON(parameter)
                let (bytes, source) = try input.bytes(word, of: declaration.shown(path))
                given.append(Argument(path, .json(bytes, source: source), position: word.position))
            }
        }
        given += configuredArguments(without: given)
        if purpose == .sample { given += exampleArguments(without: given) }
        do {
            let call = try declaration.call(given)
            try call.checkRules(call.endpoint)
            return call
        } catch let error as ArgumentError {
            throw UsageError(error, declaration)
        } catch let violation as RuleViolation {
            throw usageError(violation)
        }
    }

    /// Throws ``UsageError`` if the word for a dictionary is neither `KEY=VALUE` nor a whole object.
    private func checkJSON(_ parameter: ParameterWord) throws(UsageError) {
        let word = parameter.word
        guard parameter.form != .json, !word.isStdin, word.file == nil, word.text.unicodeScalars.first != "{" else {
            return
        }
        throw .invalidValue(
            option: arguments.declaration.shown(parameter.path), value: word.text,
            expected: ParameterType.dictionary(.json).phrase, position: word.position)
    }

    /// The violation with flags instead of Swift names.
    private func usageError(_ violation: RuleViolation) -> UsageError {
        let declaration = arguments.declaration
        func given(_ key: String) -> ParameterWord? {
            arguments.parameters.last { declaration.signature.key(of: $0.path) == key }
        }
        func shown(_ key: String) -> String {
            given(key).map { declaration.shown($0.path) }
                ?? declaration.shown(key.split(separator: ".").map(String.init))
        }
        return switch violation {
        case .outOfBounds(let key, let value, let bounds):
            .invalidValue(option: shown(key), value: value, expected: bounds, position: given(key)?.word.position)
        case .exclusive(let one, let other): .conflict(shown(one), shown(other))
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
                guard declaration.hasFlag(path) else {
                    let name = declaration.signature.shownName(of: parameter)
                    return "\("aeiou".contains(name.first ?? "x") ? "an" : "a") \(name) (\(parameter.type.placeholder))"
                }
                let isSwitch = parameter.type == .bool
                return isSwitch
                    ? "\(shown(path)) or --no-\(declaration.signature.flagName(path))"
                    : "\(shown(path)) \(parameter.type.placeholder)"
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
    /// The name of the parameter at `path` in messages: its flag, or `the value` if it has none; with its key for a member of a dictionary.
    func shown(_ path: [String]) -> String {
        guard hasFlag(path) else {
            return signature.parameters.first { $0.name == path.first }.map { "the " + signature.shownName(of: $0) }
                ?? "the value"
        }
        let isMember = path.count > 1 && parameter(at: path.dropLast())?.type.isDictionary == true
        return "--" + signature.flagName(path) + (isMember ? " \(path[path.count - 1])" : "")
    }

    /// Whether there is a flag for the parameter or field.
    fileprivate func hasFlag(_ path: [String]) -> Bool {
        let parameter = signature.parameters.first { $0.name == path.first }
        return parameter?.position == nil || path.count > 1 && parameter?.type.isDictionary == false
    }

    /// The parameter, or the field of one, at `path`.
    fileprivate func parameter(at path: some Collection<String>) -> Parameter? {
        var type = ParameterType.object(signature.parameters)
        var found: Parameter?
        for name in path {
            if case .array(let element) = type {
                type = element
                continue
            }
            found = type.fields.first { $0.name == name }
            type = found?.type ?? .json
        }
        return found
    }
}
