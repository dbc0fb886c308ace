import EndpointKit

/// `__complete WORD…`: prints what may replace the last word, one candidate a line, a tab and a description after it.
///
/// Prints nothing if the words make no sense: a shell shows what is printed while someone types.
struct CompleteCommand: Command {
    static let name = "__complete"
    static let usage = "__complete WORD…"
    static let summary = "print what may come next on a command line"
    static let table = CompletionsCommand.table

    /// The words after the tool's name up to the cursor; the last one may be empty.
    private let words: [String]

    init(_ words: CommandWords<CompletionsCommand.Options>) { self.words = words.others.map(\.text) }
    init(_ words: [String]) { self.words = words }

    func run(_ context: RunContext) async throws -> ExitCode {
        let lines = Completion(words, context).candidates.map { candidate in
            let description = candidate.description.safeToShow
            return candidate.text.safeToShow + (description.isEmpty ? "" : "\t" + description) + "\n"
        }
        try context.environment.stdout.write(lines.joined())
        return .success
    }
}

/// Finds what may come next on a command line that is being typed.
private struct Completion {
    /// What may replace the word at the cursor.
    struct Candidate: Equatable {
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

    var candidates: [Candidate] { unfiltered.filter { $0 == .files || $0.text.hasPrefix(current) } }

    private var unfiltered: [Candidate] {
        let commands = context.commands.map { Candidate(text: $0.name, description: $0.summary) }
        guard let first = before.first else { return commands + names }
        let known = context.commands.first { $0.name == first }
        let command = known ?? CallCommand.self
        let rest = Array(before.dropFirst(known == nil ? 0 : 1))
        let specs = command.specs
        switch command.operands {
        case .call: return call(rest, specs, takesParameters: true)
        case .subject: return call(rest, specs, takesParameters: false)
        case .patterns: return options(rest, specs) ?? names
        case .apis: return options(rest, specs) ?? apis
        case .files: return options(rest, specs) ?? [.files]
        case .values(let values): return options(rest, specs) ?? values.map { Candidate(text: $0) }
        case .topics:
            let topics = context.commands.map { $0.name } + HelpCommand.topics.keys.sorted()
            return options(rest, specs) ?? (rest.isEmpty ? topics.map { Candidate(text: $0) } : []) + names
        case .none: return options(rest, specs) ?? []
        }
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

    /// The options, or the value of the option before the cursor; nil if neither is asked for.
    private func options(_ rest: [String], _ specs: [OptionSpec]) -> [Candidate]? {
        if let spec = Self.openOption(rest.last, specs) { return values(of: spec, nil, current) }
        return current.hasPrefix("-") ? specs.map { Candidate(text: $0.flag, description: $0.help) } : nil
    }

    /// For a command with an endpoint, its parameters and options.
    private func call(_ rest: [String], _ specs: [OptionSpec], takesParameters: Bool) -> [Candidate] {
        var positionals = Self.positionals(rest, specs)[...]
        guard let name = positionals.popFirst() else { return options(rest, specs) ?? names }
        var found = declaration(name)
        if found == nil, let api = registry.api(name) {
            guard let endpoint = positionals.popFirst() else {
                let short = endpoints(api).map {
                    Candidate(text: String($0.text.dropFirst(api.name.count + 1)), description: $0.description)
                }
                return options(rest, specs) ?? short
            }
            found = declaration(name + "." + endpoint)
        }
        guard let found, takesParameters else { return options(rest, specs) ?? [] }
        return parameters(of: found, rest, specs, unlabelled: positionals.count)
    }

    private func declaration(_ name: String) -> EndpointDeclaration? {
        try? registry.endpoint(Word(text: name, position: 1))
    }

    /// The parameters that are not given yet, the required ones first, and options; or the value of one of them.
    private func parameters(
        of declaration: EndpointDeclaration, _ rest: [String], _ specs: [OptionSpec], unlabelled: Int
    ) -> [Candidate] {
        let parameters = declaration.signature.parameters
        let all = declaration.signature.options().map(\.spec) + specs
        if let spec = Self.openOption(rest.last, all) { return values(of: spec, declaration, current) }
        if let equals = current.firstIndex(of: "="), let spec = all.first(where: { $0.flag == current[..<equals] }) {
            let prefix = String(current[...equals])
            return values(of: spec, declaration, String(current[equals...].dropFirst())).map {
                $0 == .files ? $0 : Candidate(text: prefix + $0.text, description: $0.description)
            }
        }
        let given = Set(rest.map { $0.prefix { $0 != "=" } })
        let open = parameters.sorted { !$0.isOptional && $1.isOptional }
            .flatMap { declaration.signature.options(of: $0.name) }
            .filter { $0.parameter.type.takesSeveral || !given.contains(Substring($0.spec.flag)) }
        let notes = declaration.endpoint.notes
        let flags = open.map { option in
            let note = notes[declaration.signature.key(of: option.spec.path)]
            return Candidate(text: "--" + option.spec.firstName, description: note ?? option.spec.placeholder ?? "")
        }
        let options = specs.map { Candidate(text: $0.flag, description: $0.help) }
        if current.hasPrefix("-") { return flags + options }
        let positional = parameters.filter { $0.position != nil }.dropFirst(unlabelled).first
        return (positional.map(Self.values) ?? []) + flags
    }

    /// What may be the value of an option or parameter; `typed` is what there is of it.
    private func values(of spec: OptionSpec, _ declaration: EndpointDeclaration?, _ typed: String) -> [Candidate] {
        if let option = declaration?.signature.options().first(where: { $0.spec == spec }) {
            return Self.values(option.parameter)
        }
        switch spec.completion {
        case .nothing: return []
        case .files: return [.files]
        case .values(let values): return values.map { Candidate(text: $0) }
        case .servers: return (declaration?.api.servers ?? []).map { Candidate(text: $0.name, description: $0.url) }
        case .fields: return declaration.map { paths(of: $0, typed) } ?? []
        case .columns: return declaration.map { columns(of: $0, typed) } ?? []
        }
    }

    private static func values(_ parameter: Parameter) -> [Candidate] {
        if case .choice(let values, _) = parameter.type.element { return values.map { Candidate(text: $0) } }
        return parameter.example.map { Candidate(text: $0, description: "example") }
    }

    /// The paths of `--select` that go one name further than `current`.
    private func paths(of declaration: EndpointDeclaration, _ current: String) -> [Candidate] {
        guard let shape = declaration.responseShape, !current.hasPrefix("$") else { return [] }
        let names = current.split(separator: ".", omittingEmptySubsequences: false).dropLast()
        var shapes = [shape.root]
        for name in names where Int(name) == nil {
            shapes = shapes.flatMap { shape.fields(of: $0) ?? [] }.filter { $0.key == name }.map(\.shape)
        }
        let start = names.map { $0 + "." }.joined()
        return shapes.flatMap { shape.fields(of: $0) ?? [] }.map { Candidate(text: start + $0.key) }
    }

    /// The columns of the list in the response, after those that `current` already names.
    private func columns(of declaration: EndpointDeclaration, _ current: String) -> [Candidate] {
        guard let shape = declaration.responseShape, let layout = try? RowLayout(of: shape, columns: nil) else {
            return []
        }
        let start = current.lastIndex(of: ",").map { String(current[...$0]) } ?? ""
        return layout.columns.map { Candidate(text: start + $0.name) }
    }

    /// The words that are neither options nor their values.
    private static func positionals(_ words: [String], _ specs: [OptionSpec]) -> [String] {
        words.indices.filter { index in
            !words[index].hasPrefix("-") && openOption(words[..<index].last, specs) == nil
        }.map { words[$0] }
    }

    /// The option that `word` is, if it needs a value that does not follow an equals sign.
    private static func openOption(_ word: String?, _ specs: [OptionSpec]) -> OptionSpec? {
        guard let word else { return nil }
        return specs.first { $0.placeholder != nil && (word == $0.flag || word == $0.short.map { "-\($0)" }) }
    }
}
