import EndpointKit
import EndpointTools
import JSONText

/// A call while its words are read from the command line one after the other. Each word adds a value to ``request``.
struct CallWords: Sendable {
    private(set) var request: CallRequest
    /// The parameters without a label that have no value yet. The next words without a flag are their values.
    private(set) var unlabelled: ArraySlice<Parameter>

    var declaration: EndpointDeclaration { request.declaration }
    private var signature: Signature { declaration.signature }

    /// Begins a call whose endpoint is known. The words of its parameters follow.
    init(_ request: CallRequest) {
        self.request = request
        unlabelled = request.declaration.signature.parameters.filter { $0.position != nil }[...]
    }

    // MARK: Values

    /// Takes an item of the command line if it gives a value to a parameter.
    ///
    /// - Returns: Whether the item was taken. If not, it is an option of the command or an unexpected word.
    mutating func take(_ item: CommandLineItem) -> Bool {
        switch item {
        case .option(let spec, let value, let source):
            // A switch without a value is on.
            takeOption(spec, SourcedText(value ?? "true", source))
        case .positional(let word):
            takeUnlabelled(word)
        }
    }

    /// Takes the flag of a parameter or field with its value.
    ///
    /// - Returns: Whether the option is such a flag; false for an option of the command.
    private mutating func takeOption(_ spec: OptionSpec, _ word: SourcedText) -> Bool {
        let isParameter = !spec.path.isEmpty
        guard isParameter, let type = signature.type(at: spec.path) else { return false }
        // If a parameter is given twice, the last value counts, as for options.
        if !type.takesSeveral { request.parameters.removeAll { $0.path == spec.path } }
        let isSwitch = spec.placeholder == nil
        let mayBeJSON = !isSwitch && type.mayBeJSON(word.text)
        request.parameters.append(ParameterWord(path: spec.path, word: word, mayBeJSON: mayBeJSON))
        return true
    }

    /// Takes a word as the value of the next parameter without a label.
    ///
    /// - Returns: Whether there is such a parameter.
    private mutating func takeUnlabelled(_ word: SourcedText) -> Bool {
        guard let parameter = unlabelled.first else { return false }
        // The last parameter takes all further words if it is a list or a dictionary.
        let takesMore = unlabelled.count == 1 && parameter.type.takesSeveral
        if !takesMore { unlabelled.removeFirst() }
        let mayBeJSON = parameter.type.mayBeJSON(word.text)
        request.parameters.append(ParameterWord(path: [parameter.name], word: word, mayBeJSON: mayBeJSON))
        return true
    }

    // MARK: Unexpected words

    /// Returns the error about a word for which there is no parameter. It suggests the words that were probably
    /// meant:
    ///
    ///     --all true        →   --all=true
    ///     q==star           →   --query 'q=star'
    ///     X-Kind:a          →   -H 'X-Kind: a'
    ///     550               →   --id 550
    ///     {"name":"x"}      →   --body '{"name":"x"}', after a URL --json '{"name":"x"}'
    ///     name=x            →   after a URL -d name=x
    func unexpected(_ word: SourcedText) -> UsageError {
        let looksLikeOption = word.text.hasPrefix("-") && word.text != "-" && Double(word.text) == nil
        if looksLikeOption {
            // The scanner takes such a word for an option, except after `--`.
            return UsageError("unexpected argument \(word.shown): options come before '--', which ends them")
        }
        if let suggestion = json(word) { return .unexpectedArgument(word, suggestion) }
        if let suggestion = valueOfSwitch(word) { return .unexpectedArgument(word, suggestion) }
        if let item = RequestItem(word.text) { return .unexpectedArgument(word, suggestion(for: item)) }
        return .unexpectedArgument(word, valueOfMissingParameter(word))
    }

    /// Returns the flag or option that JSON is probably meant for: a parameter with parts that has no value yet, or else
    /// the body. Nil if the word is no JSON object or array.
    private func json(_ word: SourcedText) -> String? {
        guard let value = try? JSONValue(text: word.text.exactBytes) else { return nil }
        if value.members == nil && value.elements == nil { return nil }
        let givenNames = Set(request.parameters.map { $0.path[0] })
        let parameter = labelled.first { !givenNames.contains($0.name) && $0.type.hasParts }
        // A form is the usual type of -d, so that JSON has an option of its own.
        let option = request.url == nil ? "--body" : "--json"
        return parameter.map { flag($0, word.text) } ?? "\(option) \(ShellWord.quoted(word.text))"
    }

    /// Returns `--flag=true` if a word is probably meant as the value of the switch before it; otherwise nil.
    private func valueOfSwitch(_ word: SourcedText) -> String? {
        guard let last = request.parameters.last, let lastPosition = last.word.source.position else { return nil }
        let isNextWord = word.source == .argument(lastPosition + 1)
        let isAfterSwitch = ["true", "false"].contains(last.word.text)
        let isBoolean = ["true", "false", "yes", "no", "1", "0"].contains(word.text)
        guard isNextWord, isAfterSwitch, isBoolean else { return nil }
        return "--\(signature.flagName(last.path))=\(word.text)"
    }

    /// Returns the flag, query item or header that an item probably means. A member of a body is one only for a URL,
    /// which has no parameters.
    private func suggestion(for item: RequestItem) -> String? {
        let parameter = labelled.first { [$0.name, KebabCase.text($0.name)].contains(item.name) }
        if let parameter { return flag(parameter, item.value) }
        switch item.kind {
        case .query: return "--query \(ShellWord.quoted("\(item.name)=\(item.value)"))"
        case .header: return "-H \(ShellWord.quoted("\(item.name): \(item.value)"))"
        case .bodyMember:
            return request.url == nil ? nil : "-d \(ShellWord.quoted("\(item.name)=\(item.value)"))"
        }
    }

    /// Returns the flag of a parameter that has no value yet, with the word as its value. A required parameter is
    /// preferred to an optional one.
    ///
    /// - Returns: The words; nil if all parameters have values.
    private func valueOfMissingParameter(_ word: SourcedText) -> String? {
        let givenNames = Set(request.parameters.map { $0.path[0] })
        let missing = labelled.filter { !givenNames.contains($0.name) && Self.mayBeValue(word.text, of: $0) }
        let parameter = missing.first { !$0.isOptional } ?? missing.first
        return parameter.map { flag($0, word.text) }
    }

    /// Whether a word may be the value of a parameter, as far as its type shows it at once.
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
    private var labelled: [Parameter] { signature.parameters.filter { $0.position == nil } }

    /// Returns the words that give a value to a parameter: `--page 2`.
    private func flag(_ parameter: Parameter, _ value: String) -> String {
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

    /// Reads a word. Nil if it is not in this notation: if it has no `=` or `:`, or no name before them.
    init?(_ text: String) {
        let separatorStart = text.firstIndex { $0 == "=" || $0 == ":" }
        guard let separatorStart, separatorStart > text.startIndex else { return nil }
        let separatorAndValue = text[separatorStart...]
        name = String(text[..<separatorStart])
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
