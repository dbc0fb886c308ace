import EndpointKit
import EndpointTools
import JSONText

extension CallResolution {
    /// Makes the call with the given parameters. Reads the files and stdin that they refer to.
    ///
    /// - Throws: ``UsageError`` and ``FileError``.
    func call() throws -> EndpointCall {
        var given = options.body == nil ? [] : try argumentsOfReplacedBody()
        given += try words.parameters.map(argument)
        given += try configuredArguments(without: given)
        if purpose == .sample {
            // The example's values for what is required and missing.
            let names = Set(given.compactMap(\.path.first))
            given += declaration.firstParameters
                .filter { !$0.isOptional && !names.contains($0.name) }.flatMap(\.exampleArguments)
        }
        do {
            let call = try declaration.call(given)
            try call.checkRules()
            return call
        } catch let error as ArgumentError {
            throw usageError(error, given)
        } catch let violation as RuleViolation {
            throw usageError(violation)
        }
    }

    /// Returns the value of a parameter.
    ///
    /// - Throws: ``UsageError`` and ``FileError``.
    private func argument(_ parameter: ParameterWord) throws -> Argument {
        let (word, path) = (parameter.word, parameter.path)
        guard parameter.mayBeJSON else {
            if !options.quiet, !options.common.reportsJSON, let advice = advice(parameter), let file = word.file,
                (try? context.environment.files.open(file)) != nil
            {
                let note = "note: \(declaration.shown(path)) is the text '\(word.text)'\(advice)"
                try? context.environment.stderr.write(note.safeToShow + "\n")
            }
            return Argument(path, word.text, position: word.position)
        }
        // In a file of cases, a dictionary is JSON.
        if case .dictionary(let element)? = declaration.signature.type(at: path), word.position > 0 {
            if let member = MemberText(word.text) {
                let value: Argument.Value =
                    element.isJSON ? .json(member.value.exactBytes, source: "the JSON given") : .text(member.value)
                return Argument(path + [member.key], value, position: word.position)
            }
            guard word.isStdin || word.file != nil || word.text.unicodeScalars.first == "{" else {
                throw UsageError.invalidValue(
                    option: declaration.shown(path), value: word.text,
                    expected: Shape.dictionary(.any).phrase, position: word.position)
            }
        }
        let (bytes, source) = try context.environment.bytes(word, of: declaration.shown(path))
        return Argument(path, .json(bytes, source: source), position: word.position)
    }

    /// Returns the values that the configuration has for parameters that were not given.
    ///
    /// - Throws: ``UsageError`` with the place of a value that the parameter can't have.
    private func configuredArguments(without given: [Argument]) throws(UsageError) -> [Argument] {
        let names = Set(given.compactMap(\.path.first))
        var arguments: [Argument] = []
        for parameter in declaration.signature.parameters where !names.contains(parameter.name) {
            guard let setting = configuredParameter(parameter.name) else { continue }
            let texts: [String]
            do {
                texts = try parameter.type.texts(of: setting.value, for: declaration.shown([parameter.name]))
            } catch {
                throw setting.place.error(error.problem)
            }
            arguments += texts.map { text in
                let isJSON = parameter.type.mayBeJSON(text)
                let source = setting.place.file
                return Argument([parameter.name], isJSON ? .json(text.exactBytes, source: source) : .text(text))
            }
        }
        return arguments
    }

    /// Returns the value that the configuration has for the parameter `name`, or nil.
    private func configuredParameter(_ name: String) -> NamedSetting<JSONValue>? {
        configured.parameters.first { $0.name == name }
    }

    /// Returns the example's values for parameters that only affect the body, which `--body` replaces.
    ///
    /// - Throws: ``UsageError`` if such a parameter is given, because it would have no effect.
    private func argumentsOfReplacedBody() throws(UsageError) -> [Argument] {
        let replaced = bodyParameters
        let names = Set(replaced.map(\.name))
        if let parameter = words.parameters.first(where: { names.contains($0.path.first ?? "") }) {
            throw .conflict("--body", declaration.shown(parameter.path))
        }
        return replaced.flatMap(\.exampleArguments)
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
        guard let parameter, let file = parameter.word.file, parameter.word.position > 0,
            bodyParameters.map(\.name) == parameter.path
        else { return nil }
        return "; to send the file as it is: --body \(ShellText.quoted("@" + file))"
    }

    /// Returns the violation with flags instead of Swift names.
    private func usageError(_ violation: RuleViolation) -> UsageError {
        func given(_ key: String) -> ParameterWord? {
            words.parameters.last { declaration.signature.key(of: $0.path) == key }
        }
        func shown(_ key: String) -> String {
            declaration.shown(given(key)?.path ?? key.split(separator: ".").map(String.init))
        }
        switch violation {
        case .outOfBounds(let key, let value, let bounds):
            let path = given(key)?.path ?? key.split(separator: ".").map(String.init)
            return error(about: path, given(key)?.word.position, "expected \(bounds), got '\(value)'")
        case .exclusive(let one, let other): return .conflict(shown(one), shown(other))
        }
    }

    /// Returns the error that a parameter is wrong.
    ///
    /// A value without a position on the command line may be one of the configuration, and gets its place there.
    private func error(about path: [String], _ position: Int?, _ problem: String) -> UsageError {
        let text = "\(declaration.shown(path))\(CommandLineWord.at(position)): \(problem)"
        guard position == nil, let name = path.first, let setting = configuredParameter(name) else {
            return UsageError(text).at("arguments", path.first ?? "")
        }
        return setting.place.error(text)
    }

    /// Returns the error with flags instead of Swift names.
    private func usageError(_ error: ArgumentError, _ given: [Argument]) -> UsageError {
        let shown = declaration.shown
        switch error {
        case .missing(let paths):
            return UsageError("\(declaration.name) needs \(paths.map(declaration.syntax).joined(separator: " and "))")
        case .repeated(let path, let position):
            return UsageError(
                "\(shown(path)) is given a second time\(CommandLineWord.at(position)); it takes one value")
        case .invalid(let path, let text, let expected, let position):
            let isList = declaration.signature.type(at: path)?.isArray == true
            let advice = isList ? adviceAboutList(path, text) : ""
            return self.error(about: path, position, "expected \(expected), got '\(text)'\(advice)")
        case .invalidJSON(let path, let source, let problem, let position),
            .missingKeyInJSON(let path, let source, let problem, let position):
            // A text that is not JSON is not worth sending as it is.
            let isJSON = given.contains { $0.position == position && $0.isJSON }
            let advice = isJSON ? advice(words.parameters.first { $0.word.position == position }) : nil
            let start = position == nil || source.isEmpty ? "" : source + ": "
            return self.error(about: path, position, start + problem + (advice ?? ""))
        case .bothWholeAndFields(let path, let position):
            return self.error(about: path, position, "give it whole or by its fields, not both")
        }
    }

    /// Returns, as the rest of a sentence, how to give the elements of a list for which `text` was given.
    private func adviceAboutList(_ path: [String], _ text: String) -> String {
        if text == "[]" { return ", the empty list, which is given alone" }
        return text.contains(",") ? "; for several, give \(declaration.shown(path)) several times" : ""
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
