import EndpointKit
import EndpointTools
import JSONText

extension CallResolution {
    /// Makes the call of the endpoint from the parameters that were given. Reads the files and stdin that they refer
    /// to.
    ///
    /// - Throws: ``UsageError`` for a parameter that is missing or wrong, and ``FileError`` for a file that can't be
    ///   read.
    func makeCall() throws -> EndpointCall {
        let arguments = try readArguments()
        do {
            // With the index as its position, an error leads back to the argument and its source.
            let call = try declaration.call(arguments.withIndexesAsPositions)
            try call.checkRules()
            // Some endpoints send bytes that no parameter can give, only `--body`. A sample needs no body.
            if declaration.needsBytes, options.request.body == nil, purpose != .sample {
                throw UsageError("\(declaration.name) needs --body @FILE")
            }
            return call
        } catch let error as ArgumentError {
            throw usageError(for: error, in: arguments)
        } catch let violation as RuleViolation {
            throw usageError(for: violation)
        }
    }

    // MARK: Arguments

    /// Reads the values of all parameters of the call.
    ///
    /// A call can only be made with a value for each required parameter. In two cases, missing values are taken from
    /// the example:
    ///
    /// - With `--body`, the parameters that would only make up the body get example values, which are never sent.
    /// - With `--sample`, nothing is sent, and required parameters that are missing get example values.
    private func readArguments() throws -> [Sourced<Argument>] {
        var givenParameters = callRequest.parameters
        var arguments: [Sourced<Argument>] = []
        if options.request.body != nil {
            givenParameters = try givenParametersOutsideBody()
            arguments = exampleArguments(for: parametersOnlyInBody)
        }
        for parameter in givenParameters {
            arguments.append(Sourced(try readArgument(of: parameter), parameter.word.source))
        }
        if purpose == .sample {
            let namesWithValue = arguments.parameterNames
            let missingParameters = declaredParameters.filter { parameter in
                !parameter.isOptional && !namesWithValue.contains(parameter.name)
            }
            arguments += exampleArguments(for: missingParameters)
        }
        return arguments
    }

    /// Returns the values that the endpoint's example has for parameters.
    private func exampleArguments(for parameters: [Parameter]) -> [Sourced<Argument>] {
        parameters.flatMap(\.exampleArguments).map { Sourced($0, .preset) }
    }

    /// Reads the value of a parameter, and the file or stdin that it refers to.
    ///
    /// | Parameter | Word | Value |
    /// |---|---|---|
    /// | a text | `@list.txt` | the text `@list.txt` |
    /// | a dictionary | `colour=red` | the member `colour` |
    /// | a structure | `{"name": "Rex"}`, `@pet.json`, `-` | the JSON of the word, the file or stdin |
    ///
    /// - Throws: ``UsageError`` for a word that is no value of a dictionary, and ``FileError`` for a file that can't
    ///   be read.
    private func readArgument(of parameter: ParameterWord) throws -> Argument {
        guard parameter.mayBeJSON else {
            noteUnreadFile(in: parameter)
            return Argument(parameter.path, parameter.word.text)
        }
        if let member = try dictionaryMember(of: parameter) { return member }
        let json = try context.environment.readBytes(of: parameter.word, for: shownName(of: parameter.path))
        return Argument(parameter.path, .json(json, source: parameter.word.sourceNameOfJSON))
    }

    /// Returns the member of a dictionary that a word such as `colour=red` gives.
    ///
    /// - Returns: The member; nil if the parameter is no dictionary, or if the word is the whole dictionary as JSON,
    ///   `@FILE` or `-`. Only a word of the command line can be a member. In cases and in a configuration, a
    ///   dictionary is always JSON.
    /// - Throws: ``UsageError`` for a word that is neither a member nor a whole dictionary.
    private func dictionaryMember(of parameter: ParameterWord) throws(UsageError) -> Argument? {
        let word = parameter.word
        let isTyped = word.source.position != nil
        guard isTyped else { return nil }
        guard case .dictionary(let element)? = declaration.signature.type(at: parameter.path) else { return nil }
        if let member = MemberText(word.text) {
            let path = parameter.path + [member.key]
            if element.isJSON { return Argument(path, .json(member.value.exactBytes, source: "the JSON given")) }
            return Argument(path, member.value)
        }
        let isWholeDictionary = word.isStdin || word.filePath != nil || word.text.unicodeScalars.first == "{"
        if isWholeDictionary { return nil }
        throw .invalidValue(
            option: shownName(of: parameter.path), value: word.text, expected: Shape.dictionary(.any).phrase,
            source: word.source)
    }

    /// Notes on stderr that a text such as `@pet.json` is sent as it is, and how to send the content of the file.
    ///
    /// The note is only for a text that is the whole body and names an existing file, because the content of the file
    /// was probably meant then.
    private func noteUnreadFile(in parameter: ParameterWord) {
        if options.output.quiet || options.common.reportsJSON { return }
        guard let path = parameter.word.filePath, let advice = adviceToSendFile(of: parameter) else { return }
        guard context.environment.files.exists(path) else { return }
        let note = "note: \(shownName(of: parameter.path)) is the text '\(parameter.word.text)'\(advice)"
        // A note that can't be written must not stop the call.
        try? context.environment.stderr.write(note.safeToShow + "\n")
    }

    // MARK: Parameters of the body

    /// Returns the given parameters that do not only affect the body. Parameters of the body have no effect with
    /// `--body`, which replaces the whole body.
    ///
    /// - Throws: ``UsageError`` if the call itself gives a parameter that only affects the body, because it would have
    ///   no effect. A value from the configuration file is dropped without an error, because it is meant for all
    ///   calls.
    private func givenParametersOutsideBody() throws(UsageError) -> [ParameterWord] {
        let replacedNames = Set(parametersOnlyInBody.map(\.name))
        var remaining: [ParameterWord] = []
        for parameter in callRequest.parameters {
            let isReplaced = replacedNames.contains(parameter.path.first ?? "")
            if !isReplaced {
                remaining.append(parameter)
            } else if !parameter.word.source.isConfiguration {
                throw .conflict("--body", shownName(of: parameter.path))
            }
        }
        return remaining
    }

    /// The parameters that the endpoint declares, with values from its examples.
    private var declaredParameters: [Parameter] { declaration.parametersWithValues }

    /// The declared parameters that affect the body of the request and no other part of it.
    private var parametersOnlyInBody: [Parameter] {
        let parameterPlaces = ParameterPlaces(of: declaration)
        let hasBody = parameterPlaces.endpoint.body != nil
        return declaredParameters.filter { parameter in
            if let places = parameterPlaces.places[parameter.name] { return places == [.body] }
            // The place is unknown. If the parameter is JSON, only the body can hold it.
            return hasBody && parameter.type.isJSON
        }
    }

    /// Whether a parameter without a flag is the whole body of the request.
    private func isBodyWithoutFlag(_ path: [String]) -> Bool {
        path.count == 1 && declaration.unlabelledName(path) != nil && parametersOnlyInBody.map(\.name) == path
    }

    // MARK: Messages

    /// Returns the name of a parameter or field in messages: its flag, or a noun if it has none.
    private func shownName(of path: [String]) -> String {
        isBodyWithoutFlag(path) ? "the body" : declaration.shown(path)
    }

    /// Returns the words that give a missing parameter or field a value: `--page INTEGER`, `a body (JSON|@FILE|-)`.
    private func syntax(of path: [String]) -> String {
        declaration.syntax(path, name: isBodyWithoutFlag(path) ? "body" : nil)
    }

    /// Returns advice on how to send a file unchanged, if the file was given for a parameter that is the whole body.
    ///
    /// - Returns: The end of a message, `; to send the file as it is: --body @pet.json`. Nil if the value is not from
    ///   a file that the command line names, or if the body has other parameters too.
    private func adviceToSendFile(of parameter: ParameterWord) -> String? {
        let isTyped = parameter.word.source.position != nil
        guard isTyped, let filePath = parameter.word.filePath else { return nil }
        let isWholeBody = parametersOnlyInBody.map(\.name) == parameter.path
        guard isWholeBody else { return nil }
        return "; to send the file as it is: --body \(ShellWord.quoted("@" + filePath))"
    }

    /// Returns the error for a broken rule. The violation has Swift names, and the error names the flags instead.
    ///
    ///     outOfBounds "page", 0, "1 to 500"   →   --page (argument 3): expected 1 to 500, got '0'
    private func usageError(for violation: RuleViolation) -> UsageError {
        switch violation {
        case .outOfBounds(let key, let value, let bounds):
            // A call that does not give the parameter sends the endpoint's own default.
            let source = givenParameter(withKey: key)?.word.source ?? .preset
            return unusableValue(at: path(ofKey: key), from: source, problem: "expected \(bounds), got '\(value)'")
        case .mutuallyExclusive(let firstKey, let secondKey):
            return .conflict(shownName(of: path(ofKey: firstKey)), shownName(of: path(ofKey: secondKey)))
        }
    }

    /// Returns the word that gives a parameter its value; nil if the call does not give the parameter.
    ///
    /// - Parameter key: The Swift names of the parameter and its fields with dots between them: `filter.minPrice`.
    private func givenParameter(withKey key: String) -> ParameterWord? {
        callRequest.parameters.last { declaration.signature.key(of: $0.path) == key }
    }

    /// Returns the Swift names that lead to a value, from which its flag is made.
    ///
    /// - Parameter key: The same names with dots between them: `filter.minPrice`.
    private func path(ofKey key: String) -> [String] {
        givenParameter(withKey: key)?.path ?? key.split(separator: ".").map(String.init)
    }

    /// Returns the error that the value of a parameter is wrong: `--page (argument 3): expected …`.
    ///
    /// - Parameters:
    ///   - path: The Swift names that lead from the parameter to the value.
    ///   - source: The place where the value was given.
    ///   - problem: What is wrong with it.
    private func unusableValue(at path: [String], from source: ValueSource, problem: String) -> UsageError {
        .unusableValue(option: shownName(of: path), problem: problem, source: source)
    }

    /// Returns the error for arguments from which no call can be made.
    ///
    /// The original error has Swift names and positions. The returned error names flags and words of the command line
    /// instead.
    ///
    /// - Parameters:
    ///   - error: The error. Its position is an index of `arguments`; nil means that the value was not given.
    ///   - arguments: The arguments of the call.
    private func usageError(for error: ArgumentError, in arguments: [Sourced<Argument>]) -> UsageError {
        func sourceOfArgument(at position: Int?) -> ValueSource { position.map { arguments[$0].source } ?? .preset }
        switch error {
        case .missing(let paths):
            let syntaxes = paths.map(syntax(of:)).joined(separator: " and ")
            return UsageError("\(declaration.name) needs \(syntaxes)")
        case .repeated(let path, let position):
            let source = sourceOfArgument(at: position)
            let problem = "\(shownName(of: path)) is given a second time\(source.suffix); it takes one value"
            return UsageError(problem, from: source)
        case .invalid(let path, let text, let expected, let position):
            let problem = "expected \(expected), got '\(text)'\(adviceAboutList(at: path, value: text))"
            return unusableValue(at: path, from: sourceOfArgument(at: position), problem: problem)
        case .invalidJSON(let path, let sourceName, let problem, let position),
            .missingKeyInJSON(let path, let sourceName, let problem, let position):
            let argument = position.map { arguments[$0] }
            let describedProblem = describedJSONProblem(problem, inSourceNamed: sourceName, of: argument)
            return unusableValue(at: path, from: argument?.source ?? .preset, problem: describedProblem)
        case .bothWholeAndFields(let path, let position):
            let problem = "give it whole or by its fields, not both"
            return unusableValue(at: path, from: sourceOfArgument(at: position), problem: problem)
        }
    }

    /// Returns the message about a problem in a JSON value.
    ///
    ///     pet.json: expected a string; to send the file as it is: --body @pet.json
    ///
    /// The name of the source comes first, and advice on how to send a file unchanged comes last.
    ///
    /// - Parameters:
    ///   - problem: What is wrong with the JSON.
    ///   - sourceName: The name of the source in messages: a path, `stdin` or `the JSON given`; empty for none.
    ///   - argument: The argument with the JSON; nil if it was not given.
    private func describedJSONProblem(
        _ problem: String, inSourceNamed sourceName: String, of argument: Sourced<Argument>?
    ) -> String {
        // The message about a value in the configuration or in a file of cases starts with the place in that file.
        let startsWithPlace = argument?.source.file != nil
        let sourcePrefix = startsWithPlace || sourceName.isEmpty ? "" : sourceName + ": "
        // A text that is not JSON is not worth sending as it is.
        guard let argument, argument.value.isWellFormedJSON else { return sourcePrefix + problem }
        let parameter = callRequest.parameters.first { $0.word.source == argument.source }
        let advice = parameter.flatMap(adviceToSendFile(of:)) ?? ""
        return sourcePrefix + problem + advice
    }

    /// Returns advice for a list whose element is wrong because the whole list was given as one word.
    ///
    ///     [] beside other elements   →   , the empty list, which is given alone
    ///     --ids 1,2                  →   ; for several, give --ids several times
    ///
    /// - Returns: The end of a message; empty if there is no advice, or if the parameter is no list.
    private func adviceAboutList(at path: [String], value: String) -> String {
        guard declaration.signature.type(at: path)?.isArray == true else { return "" }
        if value == "[]" { return ", the empty list, which is given alone" }
        return value.contains(",") ? "; for several, give \(shownName(of: path)) several times" : ""
    }
}

extension [Sourced<Argument>] {
    /// The names of the parameters that have a value.
    fileprivate var parameterNames: Set<String> { Set(compactMap(\.value.path.first)) }

    /// The arguments, each with its index as its position. An error has the position of the argument that it is about.
    fileprivate var withIndexesAsPositions: [Argument] {
        enumerated().map { index, sourced in Argument(sourced.value.path, sourced.value.value, position: index) }
    }
}

extension SourcedText {
    /// The name of the source of JSON in messages: `stdin`, the path of a file, or `the JSON given` for JSON in the
    /// word itself.
    fileprivate var sourceNameOfJSON: String { isStdin ? "stdin" : filePath ?? "the JSON given" }
}

extension Argument {
    /// Whether the value was given as JSON and is well-formed. An error is then about its content, not its syntax.
    fileprivate var isWellFormedJSON: Bool {
        guard case .json(let bytes, _) = value else { return false }
        return (try? JSONDocument(bytes)) != nil
    }
}
