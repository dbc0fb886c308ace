import EndpointKit
import EndpointTools
import JSONText

/// A call while its words are read from the command line one after the other. Each word adds a value to ``request``.
struct CallWords: Sendable {
    private(set) var request: CallRequest
    /// The parameters without a label that have no value yet. The next words without a flag are their values.
    private(set) var pendingUnlabelledParameters: ArraySlice<Parameter>

    var declaration: EndpointDeclaration { request.declaration }
    private var signature: Signature { declaration.signature }

    /// Begins a call whose endpoint is known. The words of its parameters follow.
    init(_ request: CallRequest) {
        self.request = request
        // Only a parameter without a label has a position.
        pendingUnlabelledParameters = request.declaration.signature.parameters.filter { $0.position != nil }[...]
    }

    // MARK: Values

    /// Adds an item of the command line to ``request`` if it gives a value to a parameter.
    ///
    /// - Returns: Whether the item was added. If not, it is an option of the command or an unexpected word.
    mutating func addParameterValue(from item: CommandLineItem) -> Bool {
        switch item {
        case .option(let spec, let value, let source):
            // A switch without a value is on.
            addFlagValue(spec, value: SourcedText(value ?? "true", source))
        case .positional(let word):
            addUnlabelledValue(word)
        }
    }

    /// Adds the value of a flag to ``request`` if the flag sets a parameter or a field.
    ///
    /// If the flag was given before, the new value replaces the old one. A list or dictionary keeps all values.
    ///
    /// - Returns: Whether the value was added; false for an option of the command, such as `--raw`.
    private mutating func addFlagValue(_ spec: OptionSpec, value: SourcedText) -> Bool {
        // Options of the command set no parameter, so that they have no path.
        if spec.path.isEmpty { return false }
        // Without a type, the path leads to no parameter or field.
        guard let type = signature.type(at: spec.path) else { return false }
        if !type.takesSeveral { request.parameters.removeAll { $0.path == spec.path } }
        let isSwitch = spec.placeholder == nil
        let mayBeJSON = !isSwitch && type.mayBeJSON(value.text)
        request.parameters.append(ParameterWord(path: spec.path, word: value, mayBeJSON: mayBeJSON))
        return true
    }

    /// Adds a word to ``request`` as the value of the next parameter without a label.
    ///
    /// - Returns: Whether there is such a parameter.
    private mutating func addUnlabelledValue(_ word: SourcedText) -> Bool {
        guard let parameter = pendingUnlabelledParameters.first else { return false }
        // The last parameter takes all further words if it is a list or a dictionary.
        let isLast = pendingUnlabelledParameters.count == 1
        let takesFurtherWords = isLast && parameter.type.takesSeveral
        if !takesFurtherWords { pendingUnlabelledParameters.removeFirst() }
        let mayBeJSON = parameter.type.mayBeJSON(word.text)
        request.parameters.append(ParameterWord(path: [parameter.name], word: word, mayBeJSON: mayBeJSON))
        return true
    }

    // MARK: Unexpected words

    /// Returns the error about a word for which there is no parameter. The error suggests what was probably meant:
    ///
    ///     --all true        →   --all=true
    ///     q==star           →   --query 'q=star'
    ///     X-Kind:a          →   -H 'X-Kind: a'
    ///     550               →   --id 550
    ///     {"name":"x"}      →   --body '{"name":"x"}', after a URL --json '{"name":"x"}'
    ///     name=x            →   after a URL -d name=x
    func unexpectedWordError(_ word: SourcedText) -> UsageError {
        let looksLikeOption = word.text.hasPrefix("-") && word.text != "-" && Double(word.text) == nil
        if looksLikeOption {
            // The scanner takes such a word for an option, except after `--`.
            return UsageError("unexpected argument \(word.shown): options come before '--', which ends them")
        }
        return .unexpectedArgument(word, suggestion: suggestion(for: word))
    }

    /// Returns the words that were probably meant by an unexpected one, as a shell takes them; nil if none come to
    /// mind.
    private func suggestion(for word: SourcedText) -> String? {
        if let suggestion = suggestionForJSON(word) { return suggestion }
        if let suggestion = suggestionForSwitchValue(word) { return suggestion }
        if let item = RequestItem(word.text) { return suggestion(for: item) }
        return suggestionForMissingParameter(word)
    }

    /// Returns the flag or option that a JSON object or array is probably meant for, with the JSON as its value.
    ///
    /// This is the flag of the first parameter that has no value yet and can be given as JSON, or else the option for
    /// the body.
    ///
    /// - Returns: The option and its value, which is quoted for a shell; nil if `word` is no JSON object or array.
    private func suggestionForJSON(_ word: SourcedText) -> String? {
        guard let value = try? JSONValue(text: word.text.exactBytes) else { return nil }
        let isObjectOrArray = value.members != nil || value.elements != nil
        guard isObjectOrArray else { return nil }
        if let parameter = missingLabelledParameters.first(where: { $0.type.hasParts }) {
            return flagWithValue(of: parameter, value: word.text)
        }
        // After a URL, `--json` also sends it with POST and asks for JSON.
        let bodyOption = request.url == nil ? "--body" : "--json"
        return "\(bodyOption) \(ShellWord.quoted(word.text))"
    }

    /// Returns `--all=true` if `word` is probably meant as the value of the switch before it, as in `--all true`.
    ///
    /// - Returns: The switch with its value; nil if there is no switch before the word, or if it is no boolean.
    private func suggestionForSwitchValue(_ word: SourcedText) -> String? {
        guard let lastParameter = request.parameters.last else { return nil }
        guard let lastPosition = lastParameter.word.source.position else { return nil }
        let isNextWord = word.source == .argument(lastPosition + 1)
        let isAfterSwitch = ["true", "false"].contains(lastParameter.word.text)
        let isBoolean = ["true", "false", "yes", "no", "1", "0"].contains(word.text)
        guard isNextWord, isAfterSwitch, isBoolean else { return nil }
        return "--\(signature.flagName(lastParameter.path))=\(word.text)"
    }

    /// Returns the option that is probably meant by a word in the notation of HTTPie: `--query 'q=star'` for `q==star`.
    ///
    /// If the endpoint has a parameter of that name, the option is the flag of the parameter: `--q star`. For a member
    /// of the body, such as `name=x`, the option is `-d` after a URL.
    ///
    /// - Returns: The option and its value, which is quoted for a shell. Nil for a member of the body of an endpoint,
    ///   because only parameters can set it.
    private func suggestion(for item: RequestItem) -> String? {
        let parameter = labelledParameters.first { [$0.name, KebabCase.text($0.name)].contains(item.name) }
        if let parameter { return flagWithValue(of: parameter, value: item.value) }
        let assignment = ShellWord.quoted("\(item.name)=\(item.value)")
        switch item.kind {
        case .query: return "--query \(assignment)"
        case .header: return "-H \(ShellWord.quoted("\(item.name): \(item.value)"))"
        case .bodyMember:
            let callsURL = request.url != nil
            return callsURL ? "-d \(assignment)" : nil
        }
    }

    /// Returns the flag of a parameter that has no value yet, with the word as its value: `--id 550` for `550`.
    ///
    /// A required parameter is preferred to an optional one.
    ///
    /// - Returns: The flag and its value, which is quoted for a shell; nil if no parameter lacks a value that the word
    ///   may be.
    private func suggestionForMissingParameter(_ word: SourcedText) -> String? {
        let candidates = missingLabelledParameters.filter { Self.mayBeValue(word.text, of: $0) }
        guard let parameter = candidates.first(where: { !$0.isOptional }) ?? candidates.first else { return nil }
        return flagWithValue(of: parameter, value: word.text)
    }

    /// Whether a word may be the value of a parameter.
    ///
    /// Only numbers and booleans are checked. For other types the word counts as a possible value.
    private static func mayBeValue(_ text: String, of parameter: Parameter) -> Bool {
        switch parameter.type {
        // A boolean is a switch, so that the word can't be its value.
        case .scalar(.boolean): false
        case .scalar(.integer): Int(text) != nil
        case .scalar(.number): Double(text) != nil
        default: true
        }
    }

    /// The parameters that have a flag.
    private var labelledParameters: [Parameter] { signature.parameters.filter { $0.position == nil } }

    /// The parameters that have a flag and for which no value was given, nor one for a field of them.
    private var missingLabelledParameters: [Parameter] {
        let givenNames = Set(request.parameters.map { $0.path[0] })
        return labelledParameters.filter { !givenNames.contains($0.name) }
    }

    /// Returns the words that give a value to a parameter: `--page 2`. The value is quoted for a shell.
    private func flagWithValue(of parameter: Parameter, value: String) -> String {
        "--\(KebabCase.text(parameter.name)) \(ShellWord.quoted(value))"
    }
}

/// A word in the notation of HTTPie and xh.
///
/// | Word | Part of the request |
/// |---|---|
/// | `name==value` | the query |
/// | `name:value` | the headers |
/// | `name=value`, `name:=value` | the body |
private struct RequestItem {
    enum Kind { case query, header, bodyMember }

    let name: String
    let kind: Kind
    let value: String

    /// Reads a word of HTTPie: `name==value` is a query item, `name:value` a header, and `name=value` or `name:=value`
    /// a member of the body.
    ///
    /// - Returns: Nil if the word has no `=` or `:`, or no name before them.
    init?(_ text: String) {
        let separatorStart = text.firstIndex { $0 == "=" || $0 == ":" }
        guard let separatorStart, separatorStart > text.startIndex else { return nil }
        name = String(text[..<separatorStart])
        let separatorAndValue = text[separatorStart...]
        // The separator has one or two characters, all of which are `=` or `:`.
        value = String(separatorAndValue.drop { $0 == "=" || $0 == ":" })
        if separatorAndValue.hasPrefix("==") {
            kind = .query
        } else if separatorAndValue.hasPrefix("=") || separatorAndValue.hasPrefix(":=") {
            kind = .bodyMember
        } else {
            kind = .header
        }
    }
}
