import EndpointKit
import EndpointTools
import JSONText

extension OptionSpec {
    /// The name with 0 for each position.
    var firstName: String {
        name.split(separator: ".").map { $0 == Signature.anyPosition ? "0" : $0 }.joined(separator: ".")
    }

    /// The option under this name, which has positions in place of `N`: `records.0.name` for `records.N.name`; nil if it is another one.
    func named(_ other: String) -> OptionSpec? {
        if name == other { return self }
        let parts = (name.split(separator: "."), other.split(separator: ".").map(String.init))
        guard parts.0.count == parts.1.count, path.contains(Signature.anyPosition),
            zip(parts.0, parts.1).allSatisfy({ $0 == $1 || $0 == Signature.anyPosition && Signature.isPosition($1) })
        else { return nil }
        var positions = parts.1.filter(Signature.isPosition)[...]
        var copy = self
        copy.name = other
        copy.path = path.map { $0 == Signature.anyPosition ? positions.popFirst() ?? $0 : $0 }
        return copy
    }
}

extension Signature {
    /// The flag of a parameter or field without its dashes, nested names joined by dots.
    func flagName(_ path: [String]) -> String {
        names(of: path).map { $0 == Self.anyPosition ? $0 : KebabCase.text($0) }.joined(separator: ".")
    }

    /// The options that set parameters and, for a structure, its fields; with a name, those of that parameter alone, its own first.
    func options(of name: String? = nil) -> [OptionSpec] {
        fields.filter { name == nil || $0.path[0] == name }.compactMap { parameter in
            let path = parameter.path
            let isUnlabelled = parameters.contains { $0.name == path[0] && $0.position != nil }
            // A value without a label has no flag of its own, nor have the elements of such a list.
            if isUnlabelled, path.count == 1 || path.contains(Self.anyPosition) { return nil }
            if parameter.isCase, !parameter.type.fields.isEmpty { return nil }
            let isBool = parameter.type == .scalar(.boolean)
            return OptionSpec(
                name: flagName(path), placeholder: parameter.isCase || isBool ? nil : parameter.type.placeholder,
                path: path, isNegatable: isBool)
        }
    }
}

extension Shape {
    /// The name of a parameter's value in help.
    var placeholder: String {
        if let other = nonNull { return other.placeholder + "|null" }
        return switch self {
        case .values: (choices ?? []).joined(separator: "|")
        case .array(let element): element.placeholder
        case .dictionary(let value): "KEY=" + (value.isJSON ? "JSON" : value.placeholder)
        case .object, .variants, .alternatives, .any: "JSON|@FILE|-"
        default: shortName.uppercased()
        }
    }
}

/// A parameter's value as given on the command line.
struct ParameterWord: Sendable, Equatable {
    let path: [String]
    let word: Word
    /// Whether the word may be JSON, `@FILE` or `-` for stdin; otherwise it is text.
    let mayBeJSON: Bool
}

/// A call as it was given: an endpoint, values of its parameters, options.
struct CallWords: Sendable {
    let declaration: EndpointDeclaration
    var parameters: [ParameterWord] = []
    var options = CallOptions()
    /// The options of the command; a configuration may set these.
    var table = CallOptions.table
    /// The call, if it is known already, as an example is.
    var call: (any API)?
    /// What to request in place of the endpoint of ``call``.
    var endpoint: Endpoint?
    /// The parameters without a label that are still to be given.
    private(set) var unlabelled: ArraySlice<Parameter>

    init(_ declaration: EndpointDeclaration) {
        self.declaration = declaration
        unlabelled = declaration.signature.parameters.filter { $0.position != nil }[...]
    }

    /// Takes the value that `item` gives a parameter; false if it is something else.
    mutating func take(_ item: ParsedItem) -> Bool {
        switch item {
        case .option(let spec, let value, let position):
            guard let type = declaration.signature.type(at: spec.path), !spec.path.isEmpty else { return false }
            let word = Word(text: value ?? "true", position: position)
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

    /// Takes values of parameters under their names. A null that can't be sent is refused, or leaves the parameter out, as agents mean it. Throws
    /// ``UsageError``.
    mutating func take(
        _ arguments: [(key: String, value: JSONValue)], nullLeavesOut: Bool = false
    ) throws(UsageError) {
        for (name, value) in arguments {
            let parameter = try declaration.parameter(named: name)
            if nullLeavesOut, value.isNull, !parameter.type.takesNull { continue }
            let texts = try parameter.type.texts(of: value, for: declaration.shown([parameter.name]))
            parameters += texts.map { text in
                let word = Word(text: text, position: 0)
                return ParameterWord(path: [parameter.name], word: word, mayBeJSON: parameter.type.mayBeJSON(text))
            }
        }
    }

    /// The error about a word for which there is no parameter, with the flag that it was probably meant for.
    func unexpected(_ word: Word) -> UsageError {
        // A word after a switch.
        if let last = parameters.last, last.word.position == word.position - 1,
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

extension Shape {
    fileprivate var takesNull: Bool { hasParts || nonNull != nil }

    /// What is typed for that value of the parameter `name`: a text for each element of a list, JSON for what has parts. Throws ``UsageError``.
    func texts(of value: JSONValue, for name: String) throws(UsageError) -> [String] {
        if isArray, value.elements?.isEmpty == true { return ["[]"] }
        var texts: [String] = []
        for value in isArray ? value.list : [value] {
            if value.isNull, !hasParts, (isArray ? element : self).nonNull == nil {
                throw .unusableValue(option: name, problem: "null would not be sent; leave it out", position: nil)
            }
            if !hasParts, value.elements != nil || value.members != nil {
                throw .invalidValue(option: name, value: value.shown, expected: phrase, position: nil)
            }
            // 1.0 is an integer.
            let integer = if case .scalar(.integer) = element { value.integer(Int.self) } else { Int?.none }
            let isQuoted = nonNull != nil && value.string.map { $0 == "null" || $0.hasPrefix("\"") } == true
            texts.append(hasParts || isQuoted ? value.description : integer.map { "\($0)" } ?? value.text)
        }
        return texts
    }

    /// Whether the parameter may be given more than once.
    var takesSeveral: Bool { isArray || isDictionary }

    /// Whether a word for the parameter may be JSON: of a list of texts, only the empty list is.
    fileprivate func mayBeJSON(_ text: String) -> Bool { hasParts || isArray && text == "[]" }
}

extension Resolution {
    /// The enum case with the given parameters; reads the files and stdin that they refer to.
    ///
    /// Throws ``UsageError`` and ``FileError``.
    func call() throws -> any API {
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
            try call.checkRules(call.endpoint)
            return call
        } catch let error as ArgumentError {
            throw usageError(error, given)
        } catch let violation as RuleViolation {
            throw usageError(violation)
        }
    }

    /// The value of a parameter. Throws ``UsageError`` and ``FileError``.
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

    /// The values that the configuration file has for parameters that were not given. Throws ``UsageError``.
    private func configuredArguments(without given: [Argument]) throws(UsageError) -> [Argument] {
        guard let configuration = settings.configuration,
            let values = configuration.settings(of: declaration.api)?.parameters
        else { return [] }
        let names = Set(given.compactMap(\.path.first))
        var arguments: [Argument] = []
        for parameter in declaration.signature.parameters where !names.contains(parameter.name) {
            guard let value = values[parameter.name] else { continue }
            do {
                arguments += try parameter.type.texts(of: value, for: declaration.shown([parameter.name])).map { text in
                    let isJSON = parameter.type.mayBeJSON(text)
                    return Argument(
                        [parameter.name], isJSON ? .json(text.exactBytes, source: configuration.path) : .text(text))
                }
            } catch {
                throw configuration.error(error.text, declaration.api, "parameters", parameter.name)
            }
        }
        return arguments
    }

    /// The example's values for parameters that only affect the body, which `--body` replaces.
    ///
    /// Throws ``UsageError`` if such a parameter is given, because it would have no effect.
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

    /// How to send the file that a parameter was given unchanged, as the rest of a sentence; nil if the body is not that parameter alone.
    private func advice(_ parameter: ParameterWord?) -> String? {
        guard let parameter, let file = parameter.word.file, parameter.word.position > 0,
            bodyParameters.map(\.name) == parameter.path
        else { return nil }
        return "; to send the file as it is: --body \(ShellText.quoted("@" + file))"
    }

    /// The violation with flags instead of Swift names.
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

    /// The error that a parameter is wrong; without a position, it may be in the configuration, which has a place of its own.
    private func error(about path: [String], _ position: Int?, _ problem: String) -> UsageError {
        let text = "\(declaration.shown(path))\(Word.at(position)): \(problem)"
        guard position == nil, let name = path.first, let configuration = settings.configuration,
            configuration.settings(of: declaration.api)?.parameters?[name] != nil
        else { return UsageError(text).at("arguments", path.first ?? "") }
        return configuration.error(text, declaration.api, "parameters", name)
    }

    /// The error with flags instead of Swift names; about a value of the configuration, with its place in the file.
    private func usageError(_ error: ArgumentError, _ given: [Argument]) -> UsageError {
        let shown = declaration.shown
        switch error {
        case .missing(let paths):
            return UsageError("\(declaration.name) needs \(paths.map(declaration.syntax).joined(separator: " and "))")
        case .repeated(let path, let position):
            return UsageError("\(shown(path)) is given a second time\(Word.at(position)); it takes one value")
        case .invalid(let path, let text, let expected, let position):
            let isList = declaration.signature.type(at: path)?.isArray == true
            let several = text.contains(",") ? "; for several, give \(shown(path)) several times" : ""
            let advice = !isList ? "" : text == "[]" ? ", the empty list, which is given alone" : several
            return self.error(about: path, position, "expected \(expected), got '\(text)'\(advice)")
        case .invalidJSON(let path, let source, let problem, let position):
            // What is no JSON is not worth sending.
            let isJSON = given.contains { $0.position == position && $0.isJSON }
            let advice = isJSON ? advice(words.parameters.first { $0.word.position == position }) : nil
            let start = position == nil || source.isEmpty ? "" : source + ": "
            return self.error(about: path, position, start + problem + (advice ?? ""))
        case .bothWholeAndFields(let path, let position):
            return self.error(about: path, position, "give it whole or by its fields, not both")
        }
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

extension EndpointDeclaration {
    /// The parameter of that name, in Swift's spelling, the command line's or snake case; a value without a label also by its type.
    /// Throws ``UsageError`` with the nearest one.
    func parameter(named name: String) throws(UsageError) -> Parameter {
        let word = KebabCase.text(name)
        if let found = signature.parameters.first(where: {
            KebabCase.text($0.name) == word || signature.shownName(of: $0.name) == word
        }) {
            return found
        }
        let question = Nearest.question(name, in: signature.parameters.map(\.name))
        throw UsageError("\(self.name) has no parameter '\(name)'\(question)")
    }

    /// The name of the parameter at `path` in messages: its flag, or `the value` if it has none; with its key for a member of a dictionary.
    func shown(_ path: [String]) -> String {
        if let name = unlabelledName(path) { return "the " + name }
        let isMember = path.count > 1 && signature.type(at: path.dropLast())?.isDictionary == true
        return "--" + signature.flagName(path) + (isMember ? " \(path[path.count - 1])" : "")
    }

    /// How a missing parameter is given: `--page INTEGER`, `--all or --no-all`, `a pet (JSON|@FILE|-)`.
    fileprivate func syntax(_ path: [String]) -> String {
        guard let type = signature.type(at: path) else { return shown(path) }
        if let name = unlabelledName(path) {
            return "\("aeiou".contains(name.first ?? "x") ? "an" : "a") \(name) (\(type.placeholder))"
        }
        return type == .scalar(.boolean)
            ? "\(shown(path)) or --no-\(signature.flagName(path))" : "\(shown(path)) \(type.placeholder)"
    }

    /// What the parameter or field at `path` is called if there is no flag for it; nil if there is one.
    func unlabelledName(_ path: [String]) -> String? {
        guard let parameter = signature.parameters.first(where: { $0.name == path.first }), parameter.position != nil
        else { return nil }
        let name = signature.shownName(of: parameter.name)
        if path.count == 1 || parameter.type.isDictionary { return name }
        return parameter.type.isArray ? name + "." + signature.flagName(Array(path.dropFirst())) : nil
    }
}
