import EndpointKit

/// `__complete WORD…`: finds what may come next on a command line that is being typed.
///
/// Finds nothing if the words make no sense: a shell shows what is printed while someone types.
struct Completion {
    /// What may replace the word at the cursor.
    private struct Candidate: Equatable {
        let text: String
        var description = ""

        /// Asks the script for file names.
        static let files = Candidate(text: ":files")
    }

    private let context: RunContext
    /// The words before the cursor.
    private let before: [String]
    /// The word at the cursor.
    private let current: String

    /// `words` are those after the tool's name; the last one is at the cursor.
    init(_ words: [String], _ context: RunContext) {
        self.context = context
        before = Array(words.dropLast())
        current = words.last ?? ""
    }

    private var registry: Registry { context.registry }

    /// One candidate a line, a tab and a description after it.
    var text: String {
        candidates.filter { $0 == .files || $0.text.hasPrefix(current) }.map { candidate in
            let description = candidate.description.safeToShow
            return candidate.text.safeToShow + (description.isEmpty ? "" : "\t" + description) + "\n"
        }.joined()
    }

    private var candidates: [Candidate] {
        let commands = context.commands.map { Candidate(text: $0.name, description: $0.summary) }
        guard let first = before.first else { return commands + names }
        let known = context.commands.first { $0.name == first }
        let command = known ?? CallCommand.self
        let rest = Array(before.dropFirst(known == nil ? 0 : 1))
        let others = Self.others(in: rest, command.specs)
        let takesEndpoint = [.call, .subject].contains(command.operands)
        let (api, declaration) = takesEndpoint ? endpoint(others) : (nil, nil)
        let parameters = command.operands == .call ? declaration?.signature.options() ?? [] : []
        let specs = parameters.map(\.spec) + command.specs
        func values(of spec: OptionSpec, _ typed: String) -> [Candidate] {
            let parameter = parameters.first { $0.spec == spec }?.parameter
            return parameter.map(Self.values) ?? self.values(of: spec, declaration, typed)
        }
        if let spec = Self.openOption(rest.last, specs) { return values(of: spec, current) }
        if let equals = current.firstIndex(of: "="), let spec = specs.first(where: { $0.flag == current[..<equals] }) {
            return values(of: spec, String(current[equals...].dropFirst())).map {
                $0 == .files ? $0 : Candidate(text: current[...equals] + $0.text, description: $0.description)
            }
        }
        let flags = command.operands == .call ? declaration.map { self.flags(of: $0, without: rest) } ?? [] : []
        if current.hasPrefix("-") {
            return flags + command.specs.map { Candidate(text: $0.flag, description: $0.help) }
        }
        switch command.operands {
        case .call, .subject:
            guard let declaration else {
                guard let api else { return others.isEmpty ? names : [] }
                return endpoints(api).map {
                    Candidate(text: String($0.text.dropFirst(api.name.count + 1)), description: $0.description)
                }
            }
            guard command.operands == .call else { return [] }
            let given = Self.others(in: rest, specs).count - (api == nil ? 1 : 2)
            let unlabelled = declaration.signature.parameters.filter { $0.position != nil }.dropFirst(given)
            return (unlabelled.first.map(Self.values) ?? []) + flags
        case .patterns: return names
        case .apis: return apis
        case .files: return [.files]
        case .values(let values): return values.map { Candidate(text: $0) }
        case .topics:
            let topics = context.commands.map { $0.name } + HelpCommand.topics.keys.sorted()
            return (rest.isEmpty ? topics.map { Candidate(text: $0) } : []) + names
        case .none: return []
        }
    }

    /// The endpoint that one word names, or two; and the API that the first one is.
    private func endpoint(_ words: [String]) -> ((any API.Type)?, EndpointDeclaration?) {
        func declaration(_ words: some Sequence<String>) -> EndpointDeclaration? {
            try? registry.endpoint(Word(text: words.joined(separator: "."), position: 1))
        }
        guard let api = words.first.flatMap({ registry.api($0) }) else { return (nil, declaration(words.prefix(1))) }
        return (api, words.count > 1 ? declaration(words.prefix(2)) : nil)
    }

    private var apis: [Candidate] { registry.apis.map { Candidate(text: $0.name, description: $0.summary) } }

    /// The APIs, and once one is begun, its endpoints.
    private var names: [Candidate] {
        let begun = registry.apis.filter { current.hasPrefix($0.name) || $0.name.hasPrefix(current) }
        return apis + (current.isEmpty ? [] : begun.flatMap(endpoints))
    }

    private func endpoints(_ api: any API.Type) -> [Candidate] {
        ((try? EndpointSummary.all(of: api)) ?? []).map { Candidate(text: $0.name, description: $0.summary) }
    }

    /// The flags of the parameters that `words` do not give yet, the required ones first.
    private func flags(of declaration: EndpointDeclaration, without words: [String]) -> [Candidate] {
        let given = Set(words.map { $0.prefix { $0 != "=" } })
        let notes = declaration.endpoint.notes
        return declaration.signature.parameters.sorted { !$0.isOptional && $1.isOptional }
            .flatMap { declaration.signature.options($0, under: []) }
            .filter { $0.parameter.type.takesSeveral || !given.contains(Substring($0.spec.flag)) }
            .map { option in
                let note = notes[declaration.signature.key(of: option.spec.path)]
                return Candidate(
                    text: "--" + option.spec.firstName, description: note ?? option.spec.placeholder ?? "")
            }
    }

    private static func values(_ parameter: Parameter) -> [Candidate] {
        if case .choice(let values, _) = parameter.type.element { return values.map { Candidate(text: $0) } }
        return parameter.example.map { Candidate(text: $0, description: "example") }
    }

    /// What may be the value of an option; `typed` is what there is of it.
    private func values(of spec: OptionSpec, _ declaration: EndpointDeclaration?, _ typed: String) -> [Candidate] {
        switch spec.completion {
        case .nothing: []
        case .files: [.files]
        case .values(let values): values.map { Candidate(text: $0) }
        case .servers: (declaration?.api.servers ?? []).map { Candidate(text: $0.name, description: $0.url) }
        case .fields: declaration.map { paths(of: $0, typed) } ?? []
        case .columns: declaration.map { columns(of: $0, typed) } ?? []
        }
    }

    /// The paths of `--select` that go one name further than `typed`.
    private func paths(of declaration: EndpointDeclaration, _ typed: String) -> [Candidate] {
        guard let shape = declaration.responseShape, !typed.hasPrefix("$") else { return [] }
        let names = typed.split(separator: ".", omittingEmptySubsequences: false).dropLast()
        var shapes = [shape.root]
        for name in names where Int(name) == nil {
            shapes = shapes.flatMap { shape.fields(of: $0) ?? [] }.filter { $0.key == name }.map(\.shape)
        }
        let start = names.map { $0 + "." }.joined()
        return shapes.flatMap { shape.fields(of: $0) ?? [] }.map { Candidate(text: start + $0.key) }
    }

    /// The columns of the list in the response, after those that are typed already.
    private func columns(of declaration: EndpointDeclaration, _ typed: String) -> [Candidate] {
        let start = typed.lastIndex(of: ",").map { typed[...$0] } ?? ""
        let layout = try? declaration.responseShape.map(RowLayout.init)
        return (layout?.columns ?? []).map { Candidate(text: start + $0.name) }
    }

    /// The words that are neither options nor their values.
    private static func others(in words: [String], _ specs: [OptionSpec]) -> [String] {
        words.indices.filter { index in
            !words[index].hasPrefix("-") && openOption(words[..<index].last, specs) == nil
        }.map { words[$0] }
    }

    /// The option that `word` is, if it needs a value that does not follow an equals sign.
    private static func openOption(_ word: String?, _ specs: [OptionSpec]) -> OptionSpec? {
        specs.first { $0.placeholder != nil && (word == $0.flag || word != nil && word == $0.short.map { "-\($0)" }) }
    }
}
