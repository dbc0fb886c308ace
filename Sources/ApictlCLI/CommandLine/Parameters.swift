import EndpointKit

/// An option that sets a parameter or one of its fields.
struct ParameterOption: Sendable, Equatable {
    /// Stands for the position of a list's element in a path and in the name of a flag: `--records.N.name`.
    static let anyPosition = "N"

    let spec: OptionSpec
    let path: [String]
    let parameter: Parameter

    var type: ParameterType { parameter.type }

    /// This option with the positions that are in the name of `spec`; nil if that is another option.
    func matching(_ spec: OptionSpec) -> ParameterOption? {
        if spec == self.spec { return self }
        guard Self.pattern(spec.name) == self.spec.name else { return nil }
        var positions = spec.name.split(separator: ".").map(String.init).filter(Self.isPosition)[...]
        let path = path.map { $0 == Self.anyPosition ? positions.popFirst() ?? $0 : $0 }
        return ParameterOption(spec: spec, path: path, parameter: parameter)
    }

    /// A name with `N` for each position: `records.N.name`.
    static func pattern(_ name: String) -> String {
        name.split(separator: ".").map { isPosition(String($0)) ? anyPosition : String($0) }.joined(separator: ".")
    }

    /// A pattern with 0 for each position.
    static func first(_ pattern: String) -> String {
        pattern.split(separator: ".").map { $0 == anyPosition ? "0" : $0 }.joined(separator: ".")
    }

    /// Whether a part of a name is the position of an element, from 0.
    static func isPosition(_ name: String) -> Bool { Int(name).map { $0 >= 0 && String($0) == name } == true }
}

extension Signature {
    /// The flag of a parameter or field without its dashes, nested names joined by dots.
    func flagName(_ path: [String]) -> String {
        names(of: path).map { $0 == ParameterOption.anyPosition ? $0 : KebabCase.text($0) }.joined(separator: ".")
    }

    /// The options that set parameters and, for a structure, its fields.
    func options() -> [ParameterOption] { parameters.flatMap { options($0, under: []) } }

    /// The options of one parameter or field, its own first.
    func options(_ parameter: Parameter, under parents: [String]) -> [ParameterOption] {
        let path = parents + [parameter.name]
        let hasFlag = parameter.position == nil || !parents.isEmpty
        let own = hasFlag ? [option(parameter, path, isSwitch: parameter.type == .bool)] : []
        return own + fields(of: parameter.type, at: path, hasFlag: hasFlag)
    }

    private func fields(of type: ParameterType, at path: [String], hasFlag: Bool) -> [ParameterOption] {
        switch type {
        case .object(let fields): fields.flatMap { options($0, under: path) }
        case .variants(let cases):
            cases.flatMap { variant in
                let place = path + [variant.name]
                return variant.type.hasFields
                    ? self.fields(of: variant.type, at: place, hasFlag: true)
                    : [option(variant, place, isSwitch: true)]
            }
        case .array(let element) where hasFlag:
            self.fields(of: element, at: path + [ParameterOption.anyPosition], hasFlag: true)
        default: []
        }
    }

    private func option(_ parameter: Parameter, _ path: [String], isSwitch: Bool) -> ParameterOption {
        let spec = OptionSpec(flagName(path), value: isSwitch ? nil : parameter.type.placeholder)
        return ParameterOption(spec: spec, path: path, parameter: parameter)
    }

    /// The type of a parameter or field; nil if there is none.
    func type(at path: some Collection<String>) -> ParameterType? {
        var type: ParameterType? = .object(parameters)
        for name in path {
            if case .array(let element) = type {
                type = element
            } else {
                type = type?.fields.first { $0.name == name }?.type
            }
        }
        return type
    }

    /// What notes and rules call a parameter or field.
    func key(of path: [String]) -> String {
        names(of: path).filter { $0 != ParameterOption.anyPosition && !ParameterOption.isPosition($0) }
            .joined(separator: ".")
    }
}

extension ParameterType {
    /// The name of a value of this type in help.
    var placeholder: String {
        switch self {
        case .bool: "BOOL"
        case .integer: "INTEGER"
        case .number: "NUMBER"
        case .string: "TEXT"
        case .url: "URL"
        case .uuid: "UUID"
        case .date: "DATE"
        case .choice(let values): values.joined(separator: "|")
        case .array(let element): element.placeholder
        case .dictionary(let value): "KEY=" + (value.isJSON ? "JSON" : value.placeholder)
        case .object, .variants, .json: "JSON|@FILE|-"
        }
    }
}

/// A parameter's value as given on the command line.
struct ParameterWord: Sendable, Equatable {
    /// How the word is read.
    enum Form: Sendable, Equatable {
        case text
        /// JSON: the word itself, or the content of a file (`@FILE`) or stdin (`-`).
        case json
        /// `KEY=VALUE`, or the whole dictionary as JSON.
        case member(isJSON: Bool)

        init(_ type: ParameterType) {
            switch type {
            case .dictionary(let value): self = .member(isJSON: value.isJSON)
            default: self = type.isJSON ? .json : .text
            }
        }
    }

    let path: [String]
    let word: Word
    let form: Form

    /// Whether the word may stand for a file or stdin.
    var mayBeJSON: Bool { form != .text }
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

    init(_ declaration: EndpointDeclaration) { self.declaration = declaration }

    /// The error about a word for which there is no parameter, with the flag that it was probably meant for.
    func unexpected(_ word: Word) -> UsageError {
        .unexpectedArgument(word, suggestion: suggestion(for: word, declaration.signature))
    }

    /// The switch before the word, or the first parameter not given yet.
    private func suggestion(for word: Word, _ signature: Signature) -> String? {
        if let last = parameters.last, last.word.position == word.position - 1,
            ["true", "false"].contains(last.word.text),
            ["true", "false", "yes", "no", "1", "0"].contains(word.text)
        {
            return "--\(signature.flagName(last.path))=\(word.text)"
        }
        // The notations of HTTPie and xh.
        if let item = word.text.firstIndex(where: { $0 == "=" || $0 == ":" }),
            let parameter = signature.parameters.first(where: {
                $0.position == nil && [$0.name, KebabCase.text($0.name)].contains(String(word.text[..<item]))
            })
        {
            return "--\(KebabCase.text(parameter.name)) \(word.text[item...].drop { "=:".contains($0) })"
        }
        let given = Set(parameters.map { $0.path[0] })
        let open = signature.parameters.filter { !given.contains($0.name) && $0.position == nil }
        let parameter = open.first { !$0.isOptional } ?? open.first
        return parameter.map { "--\(KebabCase.text($0.name)) \(word.text)" }
    }
}

/// Finds the endpoint and the values of its parameters among the words of a command line.
///
/// Before the endpoint's name only options are known. After it the endpoint's parameters are known too, and win over options of the
/// same name.
struct CallParser {
    private let registry: Registry
    private var names: [Word] = []
    private var options: [ParameterOption] = []
    private var unlabelled: [Parameter] = []

    init(_ registry: Registry) { self.registry = registry }

    /// The options that set parameters.
    var specs: [OptionSpec] { options.map(\.spec) }

    /// The endpoint that `word` names, or with the word before it: `movies popular`; nil if the name may go on. Throws ``UsageError``.
    mutating func endpoint(after word: Word) throws -> EndpointDeclaration? {
        names.append(word)
        guard names.count == 2 || registry.api(word.text) == nil else { return nil }
        return try endpoint()
    }

    /// The endpoint that the words so far name; nil without any. Throws ``UsageError``.
    mutating func endpoint() throws -> EndpointDeclaration? {
        guard let word = try registry.name(names) else { return nil }
        let declaration = try registry.endpoint(word)
        options = declaration.signature.options()
        unlabelled = declaration.signature.parameters.filter { $0.position != nil }
        return declaration
    }

    /// The value that `item` gives a parameter; nil if it is something else.
    mutating func value(_ item: ParsedItem) -> ParameterWord? {
        switch item {
        case .option(let spec, let value, let position):
            return option(spec).map { word($0, value ?? "true", position) }
        case .negated(let spec, let position):
            guard let option = option(spec), option.type == .bool else { return nil }
            return word(option, "false", position)
        case .positional(let word):
            guard let parameter = unlabelled.first else { return nil }
            if unlabelled.count > 1 || !parameter.type.takesSeveral { unlabelled.removeFirst() }
            return ParameterWord(path: [parameter.name], word: word, form: .init(parameter.type))
        }
    }

    private func option(_ spec: OptionSpec) -> ParameterOption? {
        options.lazy.compactMap { $0.matching(spec) }.first
    }

    private func word(_ option: ParameterOption, _ text: String, _ position: Int) -> ParameterWord {
        ParameterWord(
            path: option.path, word: Word(text: text, position: position),
            form: option.spec.placeholder == nil ? .text : .init(option.type))
    }
}

extension ParameterType {
    /// Whether the parameter may be given more than once.
    var takesSeveral: Bool { isArray || isDictionary }
}

extension Resolution {
    /// The enum case with the given parameters; reads the files and stdin that they refer to.
    ///
    /// Throws ``UsageError`` and ``FileError``.
    func call() throws -> any API {
        let input = ArgumentInput(context.environment)
        var given = options.body == nil ? [] : try argumentsOfReplacedBody()
        for parameter in words.parameters {
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
            throw usageError(error)
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
            option: declaration.shown(parameter.path), value: word.text,
            expected: ParameterType.dictionary(.json).phrase, position: word.position)
    }

    /// The violation with flags instead of Swift names.
    private func usageError(_ violation: RuleViolation) -> UsageError {
        func given(_ key: String) -> ParameterWord? {
            words.parameters.last { declaration.signature.key(of: $0.path) == key }
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
        guard let configuration = settings.configuration,
            let values = configuration.settings(of: declaration.api)?.parameters
        else { return [] }
        let names = Set(given.compactMap(\.path.first))
        return declaration.signature.parameters.filter { !names.contains($0.name) }.flatMap { parameter in
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
        return declaration.signature.parameters
            .filter { !$0.isOptional && !names.contains($0.name) }.flatMap(\.exampleArguments)
    }

    /// The example's values for parameters that only affect the body, which `--body` replaces.
    ///
    /// Throws ``UsageError`` if such a parameter is given, because it would have no effect.
    private func argumentsOfReplacedBody() throws(UsageError) -> [Argument] {
        let places = ParameterPlaces(of: declaration).places
        let hasBody = declaration.endpoint.body != nil
        let replaced = declaration.signature.parameters.filter { parameter in
            // A JSON value without a known place can only be in the body.
            places[parameter.name].map { $0 == [.body] } ?? (hasBody && parameter.type.isJSON)
        }
        let names = Set(replaced.map(\.name))
        if let parameter = words.parameters.first(where: { names.contains($0.path.first ?? "") }) {
            throw .conflict("--body", declaration.shown(parameter.path))
        }
        return replaced.flatMap(\.exampleArguments)
    }

    /// The error with flags instead of Swift names; about a value of the configuration, with its place in the file.
    private func usageError(_ error: ArgumentError) -> UsageError {
        let shown = declaration.shown
        func named(_ path: [String], _ position: Int?, _ problem: String) -> UsageError {
            let error = UsageError("\(shown(path))\(Word.at(position))\(problem)")
            guard position == nil, let name = path.first, let configuration = settings.configuration,
                configuration.settings(of: declaration.api)?.parameters?[name] != nil
            else { return error }
            return configuration.error(parameter: name, of: declaration.api, error.text)
        }
        switch error {
        case .missing(let paths):
            let flags = paths.map { path in
                guard let parameter = declaration.parameter(at: path) else { return shown(path) }
                guard declaration.hasFlag(path) else {
                    let name = declaration.signature.shownName(of: parameter)
                    return "\("aeiou".contains(name.first ?? "x") ? "an" : "a") \(name) (\(parameter.type.placeholder))"
                }
                return parameter.type == .bool
                    ? "\(shown(path)) or --no-\(declaration.signature.flagName(path))"
                    : "\(shown(path)) \(parameter.type.placeholder)"
            }
            return UsageError("\(declaration.name) needs \(flags.joined(separator: " and "))")
        case .repeated(let path, let position):
            return UsageError("\(shown(path)) is given a second time\(Word.at(position)); it takes one value")
        case .invalid(let path, let text, let expected, let position):
            return named(path, position, ": expected \(expected), got '\(text)'")
        case .invalidJSON(let path, let source, let problem, let position):
            return named(path, position, ": \(position == nil ? "" : source + ": ")\(problem)")
        case .bothWholeAndFields(let path, let position):
            return named(path, position, ": give it whole or by its fields, not both")
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
