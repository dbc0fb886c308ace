import EndpointKit

/// `__complete WORD…`: prints what may replace the last word, one candidate a line, a tab and a description after it. A line
/// ``CompletionAnswer/filesLine`` asks for file names too.
///
/// Prints nothing if the words make no sense: a shell shows what is printed while someone types.
struct CompleteCommand: Command {
    /// The words after the tool's name up to the cursor; the last one may be empty.
    let words: [String]

    func run(_ context: RunContext) async throws -> ExitCode {
        let answer = Completion(registry: context.registry).answer(words)
        var text = ""
        for candidate in answer.candidates {
            let description = candidate.description.safeToShow
            text += candidate.text.safeToShow + (description.isEmpty ? "" : "\t" + description) + "\n"
        }
        if answer.takesFiles { text += CompletionAnswer.filesLine + "\n" }
        try context.environment.stdout.write(text)
        return .success
    }
}

/// What may replace the word at the cursor.
struct CompletionAnswer: Equatable {
    struct Candidate: Equatable {
        let text: String
        var description = ""
    }

    /// The line that asks a script for file names.
    static let filesLine = ":files"

    var candidates: [Candidate] = []
    var takesFiles = false

    init(_ candidates: [Candidate] = [], takesFiles: Bool = false) {
        self.candidates = candidates
        self.takesFiles = takesFiles
    }

    /// Only what starts with `word`.
    func starting(with word: String) -> CompletionAnswer {
        CompletionAnswer(candidates.filter { $0.text.hasPrefix(word) }, takesFiles: takesFiles)
    }
}

/// Finds what may come next on a command line that is being typed.
struct Completion {
    typealias Candidate = CompletionAnswer.Candidate

    let registry: Registry

    /// The answer for the words after the tool's name; the last one is at the cursor.
    func answer(_ words: [String]) -> CompletionAnswer {
        let current = words.last ?? ""
        let before = Array(words.dropLast())
        return unfiltered(before, current).starting(with: current)
    }

    private func unfiltered(_ before: [String], _ current: String) -> CompletionAnswer {
        guard let first = before.first else { return CompletionAnswer(commands + apis(current)) }
        let rest = Array(before.dropFirst())
        switch CommandName(rawValue: first) {
        case .call, .curl: return call(rest, current, CallOptions.table.specs)
        case .diff: return call(rest, current, DiffCommand.table.specs)
        case .list: return names(rest, current, DisplayOptions.listTable.specs)
        case .describe: return call(rest, current, DisplayOptions.table.specs, takesParameters: false)
        case .config: return options(rest, current, DisplayOptions.table.specs) ?? CompletionAnswer(apis(""))
        case .check: return names(rest, current, CheckOptions.table.specs)
        case .mock:
            // An empty word, because no endpoints are to be named.
            return options(rest, current, MockOptions.table.specs) ?? CompletionAnswer(apis(""))
        case .format:
            return options(rest, current, FormatOptions.table.specs) ?? CompletionAnswer(takesFiles: true)
        case .help:
            let topics = (CommandName.allCases.map(\.rawValue) + HelpTopic.named.keys.sorted()).map {
                Candidate(text: $0)
            }
            return CompletionAnswer(rest.isEmpty ? topics + apis(current) : apis(current))
        case .completions:
            return CompletionAnswer(CompletionsCommand.Shell.allCases.map { Candidate(text: $0.rawValue) })
        case nil:
            return call(before, current, CallOptions.table.specs)
        }
    }

    private var commands: [Candidate] {
        CommandName.allCases.map { Candidate(text: $0.rawValue, description: $0.summary) }
    }

    /// The APIs, and once one is begun, its endpoints.
    private func apis(_ current: String) -> [Candidate] {
        let apis = registry.apis.map { Candidate(text: $0.name, description: $0.summary) }
        guard !current.isEmpty else { return apis }
        return apis
            + registry.apis.filter { current.hasPrefix($0.name) || $0.name.hasPrefix(current) }.flatMap(endpoints)
    }

    private func endpoints(_ api: any API.Type) -> [Candidate] {
        ((try? EndpointSummary.all(of: api)) ?? []).map { Candidate(text: $0.name, description: $0.summary) }
    }

    /// For a command that takes names and options.
    private func names(_ rest: [String], _ current: String, _ specs: [OptionSpec]) -> CompletionAnswer {
        options(rest, current, specs) ?? CompletionAnswer(apis(current))
    }

    /// The options, or the value of the option before the cursor; nil if neither is asked for.
    private func options(_ rest: [String], _ current: String, _ specs: [OptionSpec]) -> CompletionAnswer? {
        if let spec = Self.openOption(rest, specs) { return values(of: spec, nil) }
        guard current.hasPrefix("-") else { return nil }
        return CompletionAnswer(specs.map { Candidate(text: $0.flag, description: $0.help) })
    }

    /// For a command with an endpoint, its parameters and options.
    private func call(
        _ rest: [String], _ current: String, _ specs: [OptionSpec], takesParameters: Bool = true
    ) -> CompletionAnswer {
        let positionals = Self.positionals(rest, specs)
        guard let name = positionals.first else { return names(rest, current, specs) }
        var found = declaration(name)
        var values = positionals.count - 1
        if found == nil, let api = registry.api(name) {
            guard positionals.count > 1 else {
                let short = endpoints(api).map {
                    Candidate(text: String($0.text.dropFirst(api.name.count + 1)), description: $0.description)
                }
                return options(rest, current, specs) ?? CompletionAnswer(short)
            }
            found = declaration(name + "." + positionals[1])
            values -= 1
        }
        guard let found, takesParameters else { return options(rest, current, specs) ?? CompletionAnswer() }
        return parameters(of: found, rest, current, specs, unlabelled: values)
    }

    private func declaration(_ name: String) -> EndpointDeclaration? {
        try? registry.endpoint(Word(text: name, position: 1))
    }

    /// The parameters that are not given yet, the required ones first, and options; or the value of one of them.
    private func parameters(
        of declaration: EndpointDeclaration, _ rest: [String], _ current: String, _ specs: [OptionSpec], unlabelled: Int
    ) -> CompletionAnswer {
        let parameters = declaration.signature.parameters
        let own = declaration.signature.options()
        let all = own.map(\.spec) + specs
        if let spec = Self.openOption(rest, all) { return values(of: spec, declaration, current) }
        if let equals = current.firstIndex(of: "="), let spec = all.first(where: { $0.flag == current[..<equals] }) {
            let prefix = String(current[...equals])
            let inner = values(of: spec, declaration, String(current[equals...].dropFirst()))
            return CompletionAnswer(
                inner.candidates.map { Candidate(text: prefix + $0.text, description: $0.description) },
                takesFiles: inner.takesFiles)
        }
        let given = Set(rest.map { $0.prefix { $0 != "=" } })
        let open = parameters.sorted { !$0.isOptional && $1.isOptional }
            .flatMap { declaration.signature.options($0, under: []) }
            .filter { $0.type.takesSeveral || !given.contains(Substring($0.spec.flag)) }
        let notes = declaration.endpoint.notes
        let flags = open.map { option in
            let note = notes[declaration.signature.key(of: option.path)]
            return Candidate(text: "--" + option.spec.firstName, description: note ?? option.spec.placeholder ?? "")
        }
        let options = specs.map { Candidate(text: $0.flag, description: $0.help) }
        if current.hasPrefix("-") { return CompletionAnswer(flags + options) }
        let positional = parameters.filter { $0.position != nil }.dropFirst(unlabelled).first
        return CompletionAnswer((positional.map(Self.values) ?? []) + flags)
    }

    /// What may be the value of an option or parameter; `current` is what is typed of it.
    private func values(of spec: OptionSpec, _ declaration: EndpointDeclaration?, _ current: String = "")
        -> CompletionAnswer
    {
        if let option = declaration?.signature.options().first(where: { $0.spec == spec }) {
            return CompletionAnswer(Self.values(option.parameter))
        }
        switch spec.name {
        case "env":
            return CompletionAnswer(
                (declaration?.api.servers ?? []).map { Candidate(text: $0.name, description: $0.url) })
        case "color": return CompletionAnswer(["auto", "always", "never"].map { Candidate(text: $0) })
        case "select": return CompletionAnswer(declaration.map { paths(of: $0, current) } ?? [])
        case "columns": return CompletionAnswer(declaration.map { columns(of: $0, current) } ?? [])
        default:
            return CompletionAnswer(
                takesFiles: spec.placeholder?.contains("FILE") == true
                    || ["PATH", "DIR"].contains(spec.placeholder))
        }
    }

    private static func values(_ parameter: Parameter) -> [Candidate] {
        if case .choice(let values) = parameter.type.element { return values.map { Candidate(text: $0) } }
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
        var found: [String] = []
        for (index, word) in words.enumerated() where !word.hasPrefix("-") {
            if openOption(Array(words[..<index]), specs) == nil { found.append(word) }
        }
        return found
    }

    /// The option at the end of `words` that still needs its value.
    private static func openOption(_ words: [String], _ specs: [OptionSpec]) -> OptionSpec? {
        guard let last = words.last, last.hasPrefix("-"), !last.contains("=") else { return nil }
        return specs.first { spec in
            spec.placeholder != nil && (last == spec.flag || spec.short.map { last == "-\($0)" } == true)
        }
    }
}
