import EndpointKit
import EndpointTools
import JSONText

extension CallResolution {
    /// Makes the call with the given parameters. Reads the files and stdin that they refer to.
    ///
    /// - Throws: ``UsageError`` and ``FileError``.
    func call() throws -> EndpointCall {
        let given = try arguments()
        do {
            let call = try declaration.call(given.numbered)
            try call.checkRules()
            if declaration.needsBytes, options.request.body == nil, purpose != .sample {
                throw UsageError("\(declaration.name) needs --body @FILE")
            }
            return call
        } catch let error as ArgumentError {
            throw usageError(error, given)
        } catch let violation as RuleViolation {
            throw usageError(violation)
        }
    }

    /// Returns the values of all parameters: those for a body that `--body` replaces, those of the request, and for a
    /// sample those of the example.
    private func arguments() throws -> [Sourced<Argument>] {
        var parameters = request.parameters
        var given: [Sourced<Argument>] = []
        if options.request.body != nil {
            let replaced = bodyParameters
            parameters = try withoutReplaced(replaced)
            given = replaced.flatMap(\.exampleArguments).map { Sourced($0, .preset) }
        }
        given += try parameters.map(argument)
        if purpose == .sample { given += exampleArguments(without: given.parameterNames) }
        return given
    }

    /// Returns the example's values for required parameters that were not given.
    private func exampleArguments(without names: Set<String>) -> [Sourced<Argument>] {
        let missing = declaration.firstParameters.filter { !$0.isOptional && !names.contains($0.name) }
        return missing.flatMap(\.exampleArguments).map { Sourced($0, .preset) }
    }

    /// Returns the value of a parameter.
    ///
    /// - Throws: ``UsageError`` and ``FileError``.
    private func argument(_ parameter: ParameterWord) throws -> Sourced<Argument> {
        Sourced(try value(of: parameter), parameter.word.source)
    }

    /// Returns the value of a parameter. Reads the file or stdin that it refers to.
    private func value(of parameter: ParameterWord) throws -> Argument {
        let (word, path) = (parameter.word, parameter.path)
        guard parameter.mayBeJSON else {
            if !options.output.quiet, !options.common.reportsJSON, let advice = advice(parameter), let file = word.file,
                (try? context.environment.files.open(file)) != nil
            {
                let note = "note: \(declaration.shown(path)) is the text '\(word.text)'\(advice)"
                try? context.environment.stderr.write(note.safeToShow + "\n")
            }
            return Argument(path, word.text)
        }
        // Only a word of the command line is one member of a dictionary; elsewhere, a dictionary is JSON.
        if case .dictionary(let element)? = declaration.signature.type(at: path), word.source.position != nil {
            if let member = MemberText(word.text) {
                let value: Argument.Value =
                    element.isJSON ? .json(member.value.exactBytes, source: "the JSON given") : .text(member.value)
                return Argument(path + [member.key], value)
            }
            guard word.isStdin || word.file != nil || word.text.unicodeScalars.first == "{" else {
                throw UsageError.invalidValue(
                    option: declaration.shown(path), value: word.text,
                    expected: Shape.dictionary(.any).phrase, source: word.source)
            }
        }
        let (bytes, source) = try context.environment.bytes(word, of: declaration.shown(path))
        return Argument(path, .json(bytes, source: source))
    }

    /// Returns the parameters of the request without those that only affect the body, which `--body` replaces.
    ///
    /// - Throws: ``UsageError`` if the call gives such a parameter, because it would have no effect. A value of the
    ///   configuration is for other calls.
    private func withoutReplaced(_ replaced: [Parameter]) throws(UsageError) -> [ParameterWord] {
        let names = Set(replaced.map(\.name))
        func isReplaced(_ parameter: ParameterWord) -> Bool { names.contains(parameter.path.first ?? "") }
        if let conflict = request.parameters.first(where: { isReplaced($0) && !$0.word.source.isConfiguration }) {
            throw .conflict("--body", declaration.shown(conflict.path))
        }
        return request.parameters.filter { !isReplaced($0) }
    }

    /// The parameters that only affect the body.
    private var bodyParameters: [Parameter] {
        let found = ParameterPlaces(of: declaration)
        let (places, hasBody) = (found.places, found.endpoint.body != nil)
        return declaration.firstParameters.filter { parameter in
            // A JSON value without a known place can only be in the body.
            places[parameter.name].map { $0 == [.body] } ?? (hasBody && parameter.type.isJSON)
        }
    }

    /// Returns, as the rest of a sentence, how to send the file of a parameter unchanged.
    ///
    /// - Returns: Nil if the body is not that parameter alone.
    private func advice(_ parameter: ParameterWord?) -> String? {
        guard let parameter, let file = parameter.word.file, parameter.word.source.position != nil,
            bodyParameters.map(\.name) == parameter.path
        else { return nil }
        return "; to send the file as it is: --body \(ShellText.quoted("@" + file))"
    }

    /// Returns the violation with flags instead of Swift names.
    private func usageError(_ violation: RuleViolation) -> UsageError {
        // A key has the Swift names of a parameter and its fields, with dots between them. A value that was not given is
        // one of the declaration.
        func given(_ key: String) -> ParameterWord? {
            request.parameters.last { declaration.signature.key(of: $0.path) == key }
        }
        func path(_ key: String) -> [String] { given(key)?.path ?? key.split(separator: ".").map(String.init) }
        switch violation {
        case .outOfBounds(let key, let value, let bounds):
            let source = given(key)?.word.source ?? .preset
            return error(about: path(key), source, "expected \(bounds), got '\(value)'")
        case .exclusive(let one, let other):
            return .conflict(declaration.shown(path(one)), declaration.shown(path(other)))
        }
    }

    /// Returns the error that the value of a parameter is wrong.
    private func error(about path: [String], _ source: ValueSource, _ problem: String) -> UsageError {
        .unusableValue(option: declaration.shown(path), problem: problem, source: source)
    }

    /// Returns the error with flags instead of Swift names.
    private func usageError(_ error: ArgumentError, _ given: [Sourced<Argument>]) -> UsageError {
        func source(_ position: Int?) -> ValueSource { position.map { given[$0].source } ?? .preset }
        switch error {
        case .missing(let paths):
            return UsageError("\(declaration.name) needs \(paths.map(declaration.syntax).joined(separator: " and "))")
        case .repeated(let path, let position):
            let source = source(position)
            let problem = "\(declaration.shown(path)) is given a second time\(source.suffix); it takes one value"
            return UsageError(problem, from: source)
        case .invalid(let path, let text, let expected, let position):
            let isList = declaration.signature.type(at: path)?.isArray == true
            let advice = isList ? adviceAboutList(path, text) : ""
            return self.error(about: path, source(position), "expected \(expected), got '\(text)'\(advice)")
        case .invalidJSON(let path, let name, let problem, let position),
            .missingKeyInJSON(let path, let name, let problem, let position):
            let source = source(position)
            // A text that is not JSON is not worth sending as it is.
            let isJSON = position.map { given[$0].value.isJSON } ?? false
            let advice = isJSON ? advice(request.parameters.first { $0.word.source == source }) : nil
            // The place in a file is shown before the whole message.
            let start = source.file != nil || name.isEmpty ? "" : name + ": "
            return self.error(about: path, source, start + problem + (advice ?? ""))
        case .bothWholeAndFields(let path, let position):
            return self.error(about: path, source(position), "give it whole or by its fields, not both")
        }
    }

    /// Returns, as the rest of a sentence, how to give the elements of a list for which `text` was given.
    private func adviceAboutList(_ path: [String], _ text: String) -> String {
        if text == "[]" { return ", the empty list, which is given alone" }
        return text.contains(",") ? "; for several, give \(declaration.shown(path)) several times" : ""
    }
}

extension [Sourced<Argument>] {
    /// The names of the parameters that have a value.
    fileprivate var parameterNames: Set<String> { Set(compactMap(\.value.path.first)) }

    /// The arguments with their indexes, by which an error names one of them.
    fileprivate var numbered: [Argument] {
        enumerated().map { index, sourced in Argument(sourced.value.path, sourced.value.value, position: index) }
    }
}

extension Argument {
    fileprivate var isJSON: Bool {
        if case .json(let bytes, _) = value { (try? JSONDocument(bytes)) != nil } else { false }
    }
}

extension JSONValue {
    /// The elements of a list; anything else is its only element.
    var list: [JSONValue] { elements ?? [self] }
}
