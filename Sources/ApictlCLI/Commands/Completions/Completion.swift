import EndpointKit
import EndpointTools

/// `__complete WORD…`: finds the words that may stand at the cursor of an unfinished command line.
///
/// Words that make no sense have no completion, and no error: a shell shows the output while someone types.
struct Completion {
    /// A word that may replace the one at the cursor.
    private struct Candidate {
        var text: String
        var description = ""

        /// Makes a candidate that stands for all file names. The completion script finds them.
        ///
        /// - Parameter prefix: The text of the word before the file name, such as `@`.
        static func files(after prefix: String = "") -> Candidate { Candidate(text: ":files", description: prefix) }

        /// Whether the candidate stands for all file names.
        var areFiles: Bool { text == ":files" }

        /// Returns this candidate for a word in which a prefix stands before it: `always` after `--color=` is
        /// `--color=always`.
        func after(_ prefix: some StringProtocol) -> Candidate {
            if areFiles { return .files(after: prefix + description) }
            return Candidate(text: prefix + text, description: description)
        }
    }

    private let context: CommandContext
    /// The meaning of the words before the cursor; nil if no command line begins with them.
    private let state: Parser.State?
    /// The word at the cursor.
    private let current: String
    /// The names of the options before the cursor.
    private let given: [String]

    /// Reads the words before the cursor. Their errors don't matter: what the parser knows up to an error is enough.
    ///
    /// - Parameters:
    ///   - words: The words after the tool's name. The last one is at the cursor, and may be empty.
    ///   - context: The context.
    init(_ words: [String], _ context: CommandContext) {
        self.context = context
        current = words.last ?? ""
        var parser = Parser(registry: context.registry, commands: context.commands)
        _ = try? parser.parse(words.dropLast())
        given = parser.common.given
        state = parser.state.specs.isEmpty ? nil : parser.state
    }

    private var registry: APIRegistry { context.registry }

    /// The output: a line for each candidate that fits the current word, with its description after a tab.
    var text: String {
        guard let state else { return "" }
        let fitting = candidates(state).filter { $0.areFiles || $0.text.hasPrefix(current) }
        return fitting.map { candidate in
            let description = candidate.description.safeToShow
            return candidate.text.safeToShow + (description.isEmpty ? "" : "\t" + description) + "\n"
        }.joined()
    }

    /// Returns the candidates for the word at the cursor, also those that do not fit what is typed of it.
    ///
    /// It is the value of the option before it, the value after `=`, a flag, or an operand.
    private func candidates(_ state: Parser.State) -> [Candidate] {
        // The options of another program, such as curl, are not known here, but its words may be files.
        if state.isInForeignProgram { return [.files()] }
        let declaration = state.call?.declaration
        if let spec = state.openOption { return values(of: spec, declaration, current) }
        // The value of an option follows its name in the same word: --color=always.
        if let equals = current.firstIndex(of: "="),
            let spec = state.specs.first(where: { $0.hasFlag(current[..<equals]) })
        {
            let typed = String(current[equals...].dropFirst())
            return values(of: spec, declaration, typed).map { $0.after(current[...equals]) }
        }
        return current.hasPrefix("-") ? flags(state) : operands(state)
    }

    // MARK: Flags

    /// Returns the flags of the endpoint's parameters, of the command's options, and with `--no-` those that turn
    /// options off.
    ///
    /// For a URL, the options that only endpoints have are left out.
    private func flags(_ state: Parser.State) -> [Candidate] {
        let isURL = state.call?.request.url != nil
        let specs = isURL ? state.specs.filter { !CallOptions.ofEndpoints.contains($0.name) } : state.specs
        let options = specs.filter(\.path.isEmpty).map { Candidate(text: $0.flag, description: $0.help) }
        let negatable = current.hasPrefix("--no-") ? specs.filter(\.isNegatable) : []
        let negations = negatable.map { Candidate(text: "--no-" + $0.name, description: "turn \($0.flag) off") }
        return (state.call.map(flags) ?? []) + options + negations
    }

    /// Returns the flags of an endpoint's parameters, the required ones first. Those that are given are left out,
    /// unless they can be given several times.
    private func flags(of call: CallWords) -> [Candidate] {
        let signature = call.declaration.signature
        let notes = call.declaration.endpoint.notes
        let given = Set(call.request.parameters.map(\.path))
        let parameters = signature.parameters.sorted { !$0.isOptional && $1.isOptional }
        let specs = parameters.flatMap { signature.options(of: $0.name) }.filter { spec in
            !given.contains(spec.path) || signature.type(at: spec.path)?.takesSeveral == true
        }
        return specs.map { spec in
            let note = notes[signature.key(of: spec.path)]
            return Candidate(text: "--" + spec.firstElementName, description: note ?? spec.placeholder ?? "")
        }
    }

    // MARK: Operands

    /// Returns the words other than options that may stand at the cursor, as the command declares them.
    private func operands(_ state: Parser.State) -> [Candidate] {
        switch state.operands {
        case nil:
            // The command is not named yet. The name of an API or endpoint may stand in its place.
            commands + names
        case .call, .subject: subjectOrParameter(state)
        case .patterns: names
        case .apis: subjects
        case .files: [.files()]
        case .values(let values): values.map { Candidate(text: $0) }
        case .valueAndFiles(let values): kindOrSource(state, values)
        case .topics: (state.others.isEmpty ? topics : []) + names
        case .nothing: []
        }
    }

    /// Returns the candidates for a word of `import KIND SOURCE…`.
    ///
    /// They are the kinds, then files. With `--check`, the names of APIs follow the first source:
    ///
    ///     import openapi shop.yaml --check shop
    private func kindOrSource(_ state: Parser.State, _ kinds: [String]) -> [Candidate] {
        if state.others.isEmpty { return kinds.map { Candidate(text: $0) } }
        let isComparison = given.contains("check")
        return isComparison && state.others.count > 1 ? names : [.files()]
    }

    /// The names of the commands.
    private var commands: [Candidate] {
        context.commands.map { Candidate(text: $0.name, description: $0.summary) }
    }

    /// The names of the topics of help, which include the commands.
    private var topics: [Candidate] {
        let names = context.commands.map { $0.name } + HelpTopic.all.map(\.name)
        return names.map { Candidate(text: $0) }
    }

    /// Returns the names of APIs and endpoints or, after the name of an endpoint, its next parameter.
    private func subjectOrParameter(_ state: Parser.State) -> [Candidate] {
        if let call = state.call {
            // A parameter without a flag is an operand, whose value may come next.
            let next = call.pendingUnlabelledParameters.first.map { values($0, current) } ?? []
            return next + flags(of: call)
        }
        if state.others.isEmpty { return names + state.foreignPrograms.sorted().map { Candidate(text: $0) } }
        // After the name of an API, the endpoint is named without it: apictl movies popular.
        guard let subject = registry.apiOrGroup(joining: state.others) else { return [] }
        return subject.apis.flatMap(endpoints).map { endpoint in
            let name = endpoint.text.dropFirst(subject.name.count + 1)
            return Candidate(text: String(name), description: endpoint.description)
        }
    }

    /// The names of groups and APIs. An API with the name of a group is not listed twice.
    private var subjects: [Candidate] {
        let groups = registry.groups.map { Candidate(text: $0.name, description: $0.summary) }
        let groupNames = Set(groups.map(\.text))
        let apis = registry.apis.filter { !groupNames.contains($0.name) }
        return groups + apis.map { Candidate(text: $0.name, description: $0.summary) }
    }

    /// The names of groups and APIs, and of the endpoints of APIs that the current word begins to name. All endpoints
    /// of all APIs would be too many to look through.
    private var names: [Candidate] {
        if current.isEmpty { return subjects }
        let named = registry.apis.filter { current.hasPrefix($0.name) || $0.name.hasPrefix(current) }
        return subjects + named.flatMap(endpoints)
    }

    /// Returns the names of an API's endpoints; none if they can't be read, because completion reports no errors.
    private func endpoints(_ api: CatalogueAPI) -> [Candidate] {
        let summaries = (try? api.summaries()) ?? []
        return summaries.map { Candidate(text: $0.name, description: $0.summary) }
    }

    // MARK: Values

    /// Returns the values that a parameter may have.
    ///
    /// - Parameter typed: The part of the value that is typed.
    private func values(_ parameter: Parameter, _ typed: String) -> [Candidate] {
        if typed.hasPrefix("@"), parameter.type.hasParts { return [.files(after: "@")] }
        if let values = parameter.type.element.choices { return values.map { Candidate(text: $0) } }
        return parameter.example.map { Candidate(text: $0, description: "example") }
    }

    /// Returns the values that an option of the command or a flag of the endpoint may have.
    ///
    /// - Parameter typed: The part of the value that is typed.
    private func values(of spec: OptionSpec, _ declaration: EndpointDeclaration?, _ typed: String) -> [Candidate] {
        if let signature = declaration?.signature, !spec.path.isEmpty {
            let parameter = signature.parameter(named: signature.key(of: spec.path))
            return parameter.map { values($0, typed) } ?? []
        }
        switch spec.completion {
        case .nothing: return []
        case .files: return [.files()]
        case .filesAfterAt: return typed.hasPrefix("@") ? [.files(after: "@")] : []
        case .values(let values): return values.map { Candidate(text: $0) }
        case .servers: return servers(declaration)
        case .credentials: return credentials(declaration)
        case .statuses: return statuses(typed)
        case .sessions: return sessions
        case .fields: return declaration.map { paths(of: $0, typed) } ?? []
        case .columns: return declaration.map { columns(of: $0, typed) } ?? []
        }
    }

    /// Returns the names of the servers of the endpoint's API, or of all APIs before an endpoint is named.
    private func servers(_ declaration: EndpointDeclaration?) -> [Candidate] {
        let apis = declaration.map { [$0.api] } ?? registry.apis
        return apis.flatMap(\.servers).map { Candidate(text: $0.name, description: $0.url) }
    }

    /// Returns the values of `--auth`: the names of the credentials that the endpoint accepts, and `none`.
    private func credentials(_ declaration: EndpointDeclaration?) -> [Candidate] {
        let credentials = declaration.map { $0.api.declaredCredentials(of: $0) } ?? []
        let schemes = credentials.flatMap(\.credential.alternatives)
        let none = Candidate(text: CallOptions.noCredential, description: "send no credential")
        return schemes.map { Candidate(text: $0.names[0], description: $0.sentence) } + [none]
    }

    /// The names of the stored sessions; none if they can't be read, because completion reports no errors.
    private var sessions: [Candidate] {
        let names = (try? context.environment.sessions?.names()) ?? []
        return names.map { Candidate(text: $0.text) }
    }

    /// Returns the values of `mock --status`: each endpoint with the status 500, or with several statuses once `=` is
    /// typed.
    ///
    ///     movies.v → movies.video=500    movies.video= → movies.video=401, movies.video=404, …
    private func statuses(_ typed: String) -> [Candidate] {
        let statuses = typed.contains("=") ? ["401", "404", "429", "500", "503"] : ["500"]
        return registry.apis.flatMap(endpoints).flatMap { endpoint in
            statuses.map { Candidate(text: "\(endpoint.text)=\($0)", description: endpoint.description) }
        }
    }

    /// Returns the dotted paths of `--select` with one more name than is typed: `results.title` after `results.`.
    ///
    /// There are none without a model, and for JSONPath, which begins with `$`.
    private func paths(of declaration: EndpointDeclaration, _ typed: String) -> [Candidate] {
        guard let shape = declaration.responseShape, !typed.hasPrefix("$") else { return [] }
        let names = typed.split(separator: ".", omittingEmptySubsequences: false).dropLast()
        var shapes = startShapes(of: declaration, shape)
        // An index leads to an element, whose fields ``ModelShape/namedFields(of:)`` finds through the list.
        for name in names where Int(name) == nil {
            let fields = shapes.flatMap { shape.namedFields(of: $0) }
            shapes = fields.filter { $0.key == name }.map(\.shape)
        }
        let start = names.map { $0 + "." }.joined()
        return shapes.flatMap { shape.namedFields(of: $0) }.map { Candidate(text: start + $0.key) }
    }

    /// Returns the shapes of the values where a path of `--select` begins: of a page's items if pages are followed, or
    /// else of the response.
    private func startShapes(of declaration: EndpointDeclaration, _ shape: ModelShape) -> [Shape] {
        let followsPages = given.contains { ["all-pages", "max-pages", "max-items"].contains($0) }
        guard followsPages, let items = declaration.endpoint.pages?.items else { return [shape.root] }
        return shape.shapes(at: items) ?? [shape.root]
    }

    /// Returns the values of `--columns` with one more column of the list in the response: `id,title` after `id,`.
    private func columns(of declaration: EndpointDeclaration, _ typed: String) -> [Candidate] {
        let start = typed.lastIndex(of: ",").map { typed[...$0] } ?? ""
        guard let shape = declaration.responseShape, let layout = try? RowLayout(of: shape) else { return [] }
        return layout.columns.map { Candidate(text: start + $0.name) }
    }
}
