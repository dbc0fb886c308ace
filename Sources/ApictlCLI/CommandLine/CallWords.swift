import EndpointKit
import EndpointTools

/// The words of a command line that make a call, as they are read one after the other.
struct CallWords: Sendable {
    private(set) var request: CallRequest
    /// The parameters without a label that are still to be given.
    private(set) var unlabelled: ArraySlice<Parameter>

    var declaration: EndpointDeclaration { request.declaration }
    private var parameters: [ParameterWord] { request.parameters }

    init(_ request: CallRequest) {
        self.request = request
        unlabelled = request.declaration.signature.parameters.filter { $0.position != nil }[...]
    }

    /// Takes the value that `item` gives a parameter; false if it is something else.
    mutating func take(_ item: CommandLineItem) -> Bool {
        switch item {
        case .option(let spec, let value, let source):
            guard let type = declaration.signature.type(at: spec.path), !spec.path.isEmpty else { return false }
            let word = SourcedText(value ?? "true", source)
            // As of an option, the last one counts.
            if !type.takesSeveral { request.parameters.removeAll { $0.path == spec.path } }
            let mayBeJSON = spec.placeholder != nil && type.mayBeJSON(word.text)
            request.parameters.append(ParameterWord(path: spec.path, word: word, mayBeJSON: mayBeJSON))
        case .positional(let word):
            guard let parameter = unlabelled.first else { return false }
            if unlabelled.count > 1 || !parameter.type.takesSeveral { unlabelled.removeFirst() }
            let mayBeJSON = parameter.type.mayBeJSON(word.text)
            request.parameters.append(ParameterWord(path: [parameter.name], word: word, mayBeJSON: mayBeJSON))
        }
        return true
    }

    // MARK: Words too many

    /// Returns the error about a word for which there is no parameter, with what was probably meant.
    func unexpected(_ word: SourcedText) -> UsageError {
        if word.text.hasPrefix("-"), word.text != "-", Double(word.text) == nil {
            // Only after `--` a word that looks like an option is none.
            return UsageError("unexpected argument \(word.shown): options come before '--', which ends them")
        }
        if let words = valueOfSwitch(word) { return .unexpectedArgument(word, words) }
        if let item = RequestItem(word.text) { return .unexpectedArgument(word, words(for: item)) }
        return .unexpectedArgument(word, valueOfOpenParameter(word))
    }

    /// Returns `--flag=true` for a word that probably is the value of the switch before it.
    private func valueOfSwitch(_ word: SourcedText) -> String? {
        guard let last = parameters.last, let position = last.word.source.position,
            word.source == .argument(position + 1), ["true", "false"].contains(last.word.text),
            ["true", "false", "yes", "no", "1", "0"].contains(word.text)
        else { return nil }
        return "--\(declaration.signature.flagName(last.path))=\(word.text)"
    }

    /// Returns the flag, query item or header that an item probably means; nil for a member of a body.
    private func words(for item: RequestItem) -> String? {
        let named = labelled.first { [$0.name, KebabCase.text($0.name)].contains(item.name) }
        if let parameter = named { return flag(parameter, item.value) }
        switch item.kind {
        case .query: return "--query \(ShellText.quoted("\(item.name)=\(item.value)"))"
        case .header: return "-H \(ShellText.quoted("\(item.name): \(item.value)"))"
        case .member: return nil
        }
    }

    /// Returns the flag of the first parameter that is not given yet, with the word as its value; those that are required
    /// come first.
    private func valueOfOpenParameter(_ word: SourcedText) -> String? {
        let given = Set(parameters.map { $0.path[0] })
        let open = labelled.filter { !given.contains($0.name) && $0.type != .scalar(.boolean) }
        let parameter = open.first { !$0.isOptional } ?? open.first
        return parameter.map { flag($0, word.text) }
    }

    /// The parameters that have a flag.
    private var labelled: [Parameter] { declaration.signature.parameters.filter { $0.position == nil } }

    private func flag(_ parameter: Parameter, _ value: String) -> String {
        "--\(KebabCase.text(parameter.name)) \(ShellText.quoted(value))"
    }
}

/// A word in the notation of HTTPie and xh: `name==value` in the query, `name:value` in the headers, `name=value` and
/// `name:=value` in the body.
private struct RequestItem {
    enum Kind { case query, header, member }

    let name: String
    let kind: Kind
    let value: String

    /// Nil for any other word.
    init?(_ text: String) {
        guard let end = text.firstIndex(where: { $0 == "=" || $0 == ":" }), end > text.startIndex else { return nil }
        let rest = text[end...]
        name = String(text[..<end])
        value = String(rest.drop { $0 == "=" || $0 == ":" })
        if rest.hasPrefix("==") {
            kind = .query
        } else {
            kind = rest.hasPrefix("=") || rest.hasPrefix(":=") ? .member : .header
        }
    }
}
