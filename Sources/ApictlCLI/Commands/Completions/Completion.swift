import EndpointKit
import EndpointTools

/// `__complete WORD…`: finds what may come next on a command line that is being typed.
///
/// Finds nothing if the words make no sense: a shell shows what is printed while someone types.
struct Completion {
    /// What may replace the word at the cursor.
    private struct Candidate {
        var text: String
        var description = ""

        /// Asks the script for file names, after what the description says.
        static func files(after start: String = "") -> Candidate { Candidate(text: ":files", description: start) }

        var areFiles: Bool { text == ":files" }

        /// The candidate for a word that starts so.
        func after(_ start: some StringProtocol) -> Candidate {
            areFiles ? .files(after: start + description) : Candidate(text: start + text, description: description)
        }
    }

    private let context: CommandContext
    /// What the words before the cursor are; nil if they are no beginning of a command line.
    private let state: Parser.State?
    /// The word at the cursor.
    private let current: String
    /// The names of the options before it.
    private let given: [String]

    /// `words` are those after the tool's name; the last one is at the cursor.
    init(_ words: [String], _ context: CommandContext) {
        self.context = context
        current = words.last ?? ""
        var parser = Parser(registry: context.registry, commands: context.commands)
        _ = try? parser.parse(words.dropLast())
        given = parser.common.given
        state = parser.state.specs.isEmpty ? nil : parser.state
    }

    private var registry: APIRegistry { context.registry }

    /// One candidate a line, a tab and a description after it.
    var text: String {
        candidates.filter { $0.areFiles || $0.text.hasPrefix(current) }.map { candidate in
            let description = candidate.description.safeToShow
            return candidate.text.safeToShow + (description.isEmpty ? "" : "\t" + description) + "\n"
        }.joined()
    }

    private var candidates: [Candidate] {
        guard let state else { return [] }
        let declaration = state.call?.declaration
        if let spec = state.openOption { return values(of: spec, declaration, current) }
        if let equals = current.firstIndex(of: "="),
            let spec = state.specs.first(where: { $0.hasFlag(current[..<equals]) })
        {
            return values(of: spec, declaration, String(current[equals...].dropFirst()))
                .map { $0.after(current[...equals]) }
        }
        let flags = state.call.map(self.flags) ?? []
        if current.hasPrefix("-") {
            let isURL = state.call?.request.url != nil
            let specs = isURL ? state.specs.filter { !CallOptions.ofEndpoints.contains($0.name) } : state.specs
            let negations = current.hasPrefix("--no-") ? specs.filter(\.isNegatable) : []
            return flags + specs.filter(\.path.isEmpty).map { Candidate(text: $0.flag, description: $0.help) }
                + negations.map { Candidate(text: "--no-" + $0.name, description: "turn \($0.flag) off") }
        }
        switch state.operands {
        case nil: return context.commands.map { Candidate(text: $0.name, description: $0.summary) } + names
        case .call, .subject:
            if let call = state.call { return (call.unlabelled.first.map { values($0, current) } ?? []) + flags }
            if state.others.isEmpty { return names }
            guard let subject = registry.apiOrGroup(state.others) else { return [] }
            return subject.apis.flatMap(endpoints).map {
                Candidate(text: String($0.text.dropFirst(subject.name.count + 1)), description: $0.description)
            }
        case .patterns: return names
        case .apis: return subjects
        case .files: return [.files()]
        case .values(let values): return values.map { Candidate(text: $0) }
        case .valueAndFiles where given.contains("check") && state.others.count > 1: return names
        case .valueAndFiles(let values): return state.others.isEmpty ? values.map { Candidate(text: $0) } : [.files()]
        case .topics:
            let topics = context.commands.map { $0.name } + HelpTopic.all.map(\.name)
            return (state.others.isEmpty ? topics.map { Candidate(text: $0) } : []) + names
        case CommandOperands.none?: return []
        }
    }

    /// The groups and APIs.
    private var subjects: [Candidate] {
        let groups = registry.groups
        let names = Set(groups.map(\.name))
        return groups.map { Candidate(text: $0.name, description: $0.summary) }
            + registry.apis.filter { !names.contains($0.name) }.map {
                Candidate(text: $0.name, description: $0.summary)
            }
    }

    /// The groups and APIs, and once one is begun, its endpoints.
    private var names: [Candidate] {
        let begun = registry.apis.filter { current.hasPrefix($0.name) || $0.name.hasPrefix(current) }
        return subjects + (current.isEmpty ? [] : begun.flatMap(endpoints))
    }

    private func endpoints(_ api: CatalogueAPI) -> [Candidate] {
        ((try? api.summaries()) ?? []).map { Candidate(text: $0.name, description: $0.summary) }
    }

    /// The flags of the parameters that are not given yet, the required ones first.
    private func flags(of call: CallWords) -> [Candidate] {
        let (signature, notes) = (call.declaration.signature, call.declaration.endpoint.notes)
        let given = Set(call.request.parameters.map(\.path))
        return signature.parameters.sorted { !$0.isOptional && $1.isOptional }
            .flatMap { signature.options(of: $0.name) }
            .filter { !given.contains($0.path) || signature.type(at: $0.path)?.takesSeveral == true }
            .map { spec in
                let note = notes[signature.key(of: spec.path)]
                return Candidate(text: "--" + spec.firstElementName, description: note ?? spec.placeholder ?? "")
            }
    }

    private func values(_ parameter: Parameter, _ typed: String) -> [Candidate] {
        if typed.hasPrefix("@"), parameter.type.hasParts { return [.files(after: "@")] }
        if let values = parameter.type.element.choices { return values.map { Candidate(text: $0) } }
        return parameter.example.map { Candidate(text: $0, description: "example") }
    }

    /// What may be the value of an option or parameter; `typed` is what there is of it.
    private func values(of spec: OptionSpec, _ declaration: EndpointDeclaration?, _ typed: String) -> [Candidate] {
        if let signature = declaration?.signature, !spec.path.isEmpty {
            return signature.parameter(named: signature.key(of: spec.path)).map { values($0, typed) } ?? []
        }
        switch spec.completion {
        case .nothing: return []
        case .files: return [.files()]
        case .filesAfterAt: return typed.hasPrefix("@") ? [.files(after: "@")] : []
        case .values(let values): return values.map { Candidate(text: $0) }
        case .servers:
            let apis = declaration.map { [$0.api] } ?? registry.apis
            return apis.flatMap { $0.servers }.map { Candidate(text: $0.name, description: $0.url) }
        case .credentials:
            let credentials = declaration.map { $0.api.declaredCredentials(of: $0) } ?? []
            return credentials.flatMap(\.credential.alternatives).map {
                Candidate(text: $0.names[0], description: $0.sentence)
            } + [Candidate(text: CallOptions.noCredential, description: "send no credential")]
        case .statuses:
            let statuses = typed.contains("=") ? ["401", "404", "429", "500", "503"] : ["500"]
            return registry.apis.flatMap(endpoints).flatMap { endpoint in
                statuses.map { Candidate(text: "\(endpoint.text)=\($0)", description: endpoint.description) }
            }
        case .fields: return declaration.map { paths(of: $0, typed) } ?? []
        case .columns: return declaration.map { columns(of: $0, typed) } ?? []
        }
    }

    /// The paths of `--select` that go one name further than `typed`.
    private func paths(of declaration: EndpointDeclaration, _ typed: String) -> [Candidate] {
        guard let shape = declaration.responseShape, !typed.hasPrefix("$") else { return [] }
        let names = typed.split(separator: ".", omittingEmptySubsequences: false).dropLast()
        let followsPages = given.contains { ["all-pages", "max-pages", "max-items"].contains($0) }
        var shapes = (followsPages ? declaration.endpoint.pages?.items : nil).flatMap(shape.shapes) ?? [shape.root]
        for name in names where Int(name) == nil {
            shapes = shapes.flatMap { shape.namedFields(of: $0) }.filter { $0.key == name }.map(\.shape)
        }
        let start = names.map { $0 + "." }.joined()
        return shapes.flatMap { shape.namedFields(of: $0) }.map { Candidate(text: start + $0.key) }
    }

    /// The columns of the list in the response, after those that are typed already.
    private func columns(of declaration: EndpointDeclaration, _ typed: String) -> [Candidate] {
        let start = typed.lastIndex(of: ",").map { typed[...$0] } ?? ""
        let layout = try? declaration.responseShape.map(RowLayout.init)
        return (layout?.columns ?? []).map { Candidate(text: start + $0.name) }
    }
}
