import EndpointKit
import EndpointTools
import JSONText

extension CallResolution {
    /// Makes the call of the endpoint with the parameters that were given. Reads the files and stdin that they refer
    /// to.
    ///
    /// - Throws: ``UsageError`` for a parameter that is missing or wrong, and ``FileError`` for a file that can't be
    ///   read.
    func call() throws -> EndpointCall {
        let given = try arguments()
        do {
            let call = try declaration.call(given.numbered)
            try call.checkRules()
            // No parameter can give the bytes of such a body, only `--body`. A sample is answered without a body.
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

    /// Returns the values of all parameters of the call.
    ///
    /// A call can only be made with a value for each required parameter. So values of the example fill the gaps that
    /// do no harm:
    ///
    /// - With `--body`, the parameters that would only make up the body get example values, which are never sent.
    /// - With `--sample`, nothing is sent, and required parameters that are missing get example values.
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

    /// Returns the example's values for the required parameters that were not given.
    ///
    /// - Parameter names: The names of the parameters that were given.
    private func exampleArguments(without names: Set<String>) -> [Sourced<Argument>] {
        let missing = declaration.firstParameters.filter { !$0.isOptional && !names.contains($0.name) }
        return missing.flatMap(\.exampleArguments).map { Sourced($0, .preset) }
    }

    /// Returns the value of a parameter together with the place where it was given, for error messages.
    ///
    /// - Throws: ``UsageError`` and ``FileError``.
    private func argument(_ parameter: ParameterWord) throws -> Sourced<Argument> {
        Sourced(try value(of: parameter), parameter.word.source)
    }

    /// Returns the value of a parameter. Reads the file or stdin that it refers to.
    ///
    /// | Parameter | Word | Value |
    /// |---|---|---|
    /// | a text | `@list.txt` | the text `@list.txt` |
    /// | a dictionary | `colour=red` | the member `colour` |
    /// | a structure | `{"name": "Rex"}`, `@pet.json`, `-` | the JSON of the word, the file or stdin |
    ///
    /// - Throws: ``UsageError`` for a word that is no value of a dictionary, and ``FileError`` for a file that can't
    ///   be read.
    private func value(of parameter: ParameterWord) throws -> Argument {
        let (word, path) = (parameter.word, parameter.path)
        guard parameter.mayBeJSON else {
            // A text is sent as it is. But if it is the whole body and `@FILE` names an existing file, the content of
            // the file was probably meant, so a note says how to send that.
            if !options.output.quiet, !options.common.reportsJSON, let advice = advice(parameter), let file = word.file,
                (try? context.environment.files.open(file)) != nil
            {
                let note = "note: \(shown(path)) is the text '\(word.text)'\(advice)"
                // A note that can't be written must not stop the call.
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
                    option: shown(path), value: word.text,
                    expected: Shape.dictionary(.any).phrase, source: word.source)
            }
        }
        let (bytes, source) = try context.environment.bytes(word, of: shown(path))
        return Argument(path, .json(bytes, source: source))
    }

    /// Returns the parameters of the request except for those that only affect the body, because `--body` replaces
    /// it.
    ///
    /// - Parameter replaced: The parameters that only affect the body.
    /// - Throws: ``UsageError`` if the call itself gives such a parameter, because it would have no effect. A value
    ///   from the configuration file is dropped without an error, because it is meant for all calls.
    private func withoutReplaced(_ replaced: [Parameter]) throws(UsageError) -> [ParameterWord] {
        let names = Set(replaced.map(\.name))
        func isReplaced(_ parameter: ParameterWord) -> Bool { names.contains(parameter.path.first ?? "") }
        if let conflict = request.parameters.first(where: { isReplaced($0) && !$0.word.source.isConfiguration }) {
            throw .conflict("--body", shown(conflict.path))
        }
        return request.parameters.filter { !isReplaced($0) }
    }

    /// The parameters that affect the body of the request and no other part of it.
    private var bodyParameters: [Parameter] {
        let found = ParameterPlaces(of: declaration)
        let (places, hasBody) = (found.places, found.endpoint.body != nil)
        return declaration.firstParameters.filter { parameter in
            // `ParameterPlaces` may not find the place of a parameter. If that parameter is JSON, only the body can
            // hold it.
            places[parameter.name].map { $0 == [.body] } ?? (hasBody && parameter.type.isJSON)
        }
    }

    /// Returns advice for a file that was given for a parameter that is the whole body: how to send the file
    /// unchanged.
    ///
    /// - Returns: The end of a message, `; to send the file as it is: --body @pet.json`. Nil if the value is not from
    ///   a file that the command line names, or if the body has other parameters too.
    private func advice(_ parameter: ParameterWord?) -> String? {
        guard let parameter, let file = parameter.word.file, parameter.word.source.position != nil,
            bodyParameters.map(\.name) == parameter.path
        else { return nil }
        return "; to send the file as it is: --body \(ShellWord.quoted("@" + file))"
    }

    /// Returns the error for a broken rule. It names flags, where the violation has Swift names.
    ///
    ///     outOfBounds "page", 0, "1 to 500"   →   --page (argument 3): expected 1 to 500, got '0'
    ///
    /// A violation names a parameter by its key: the Swift names of the parameter and its fields with dots between
    /// them, such as `filter.minPrice`.
    private func usageError(_ violation: RuleViolation) -> UsageError {
        // The word that gave the value. Nil if the call does not give the parameter. Then the value is the endpoint's
        // own default, and the error has the source `.preset`.
        func given(_ key: String) -> ParameterWord? {
            request.parameters.last { declaration.signature.key(of: $0.path) == key }
        }
        // The Swift names on the way to the value, from which the flag is made.
        func path(_ key: String) -> [String] { given(key)?.path ?? key.split(separator: ".").map(String.init) }
        switch violation {
        case .outOfBounds(let key, let value, let bounds):
            let source = given(key)?.word.source ?? .preset
            return error(about: path(key), source, "expected \(bounds), got '\(value)'")
        case .mutuallyExclusive(let one, let other):
            return .conflict(shown(path(one)), shown(path(other)))
        }
    }

    /// Returns the error that the value of a parameter is wrong: `--page (argument 3): expected …`.
    ///
    /// - Parameters:
    ///   - path: The Swift names that lead from the parameter to the value.
    ///   - source: The place where the value was given.
    ///   - problem: What is wrong with it.
    private func error(about path: [String], _ source: ValueSource, _ problem: String) -> UsageError {
        .unusableValue(option: shown(path), problem: problem, source: source)
    }

    /// Returns the name of a parameter or field in messages: its flag, or a noun if it has none.
    private func shown(_ path: [String]) -> String { isBodyWithoutFlag(path) ? "the body" : declaration.shown(path) }

    /// Returns the words that give a missing parameter or field a value: `--page INTEGER`, `a body (JSON|@FILE|-)`.
    private func syntax(_ path: [String]) -> String {
        declaration.syntax(path, name: isBodyWithoutFlag(path) ? "body" : nil)
    }

    /// Whether a parameter without a flag is the whole body of the request.
    private func isBodyWithoutFlag(_ path: [String]) -> Bool {
        path.count == 1 && declaration.unlabelledName(path) != nil && bodyParameters.map(\.name) == path
    }

    /// Returns the error for arguments from which no call can be made. It names flags and words of the command line,
    /// where `error` has Swift names and positions.
    ///
    /// - Parameter given: The arguments in the order of the positions that `error` has. An error without a position
    ///   is about a value that was not given.
    private func usageError(_ error: ArgumentError, _ given: [Sourced<Argument>]) -> UsageError {
        func source(_ position: Int?) -> ValueSource { position.map { given[$0].source } ?? .preset }
        switch error {
        case .missing(let paths):
            return UsageError("\(declaration.name) needs \(paths.map(syntax).joined(separator: " and "))")
        case .repeated(let path, let position):
            let source = source(position)
            let problem = "\(shown(path)) is given a second time\(source.suffix); it takes one value"
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

    /// Returns advice for a list whose element is wrong because the whole list was given as one word.
    ///
    ///     [] beside other elements   →   , the empty list, which is given alone
    ///     --ids 1,2                  →   ; for several, give --ids several times
    ///
    /// - Returns: The end of a message; empty if there is no advice.
    private func adviceAboutList(_ path: [String], _ text: String) -> String {
        if text == "[]" { return ", the empty list, which is given alone" }
        return text.contains(",") ? "; for several, give \(shown(path)) several times" : ""
    }
}

extension [Sourced<Argument>] {
    /// The names of the parameters that have a value.
    fileprivate var parameterNames: Set<String> { Set(compactMap(\.value.path.first)) }

    /// The arguments with their indexes as positions. An error has the position of the argument that it is about.
    fileprivate var numbered: [Argument] {
        enumerated().map { index, sourced in Argument(sourced.value.path, sourced.value.value, position: index) }
    }
}

extension Argument {
    /// Whether the value was given as JSON and is well-formed. An error is then about its content, not its syntax.
    fileprivate var isJSON: Bool {
        if case .json(let bytes, _) = value { (try? JSONDocument(bytes)) != nil } else { false }
    }
}

extension JSONValue {
    /// The elements of a list. A value that is not a list counts as a list of one: `7` → `[7]`.
    var list: [JSONValue] { elements ?? [self] }
}
