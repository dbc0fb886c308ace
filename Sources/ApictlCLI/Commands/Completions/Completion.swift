import EndpointKit
import EndpointTools

/// `__complete WORD…`: finds the words that may stand at the cursor of an unfinished command line.
///
/// Words that make no sense have no completion, and no error: a shell shows the output while someone types.
struct Completion {
    /// A word that may replace the one at the cursor.
    private struct Candidate {
        var text: String
        /// The meaning of the word, which the shell shows beside it. For file names, it is the text before them.
        var description = ""

        /// Makes a candidate that stands for all file names. The completion script replaces it by the names.
        ///
        /// - Parameter prefix: The text of the word before the file name, such as `@`.
        static func files(after prefix: String = "") -> Candidate { Candidate(text: ":files", description: prefix) }

        /// Whether the candidate stands for all file names.
        var standsForFiles: Bool { text == ":files" }

        /// Returns this candidate for a word in which a prefix stands before it: `always` after `--color=` is
        /// `--color=always`.
        func after(_ prefix: some StringProtocol) -> Candidate {
            if standsForFiles { return .files(after: prefix + description) }
            return Candidate(text: prefix + text, description: description)
        }
    }

    private let context: CommandContext
    /// The meaning of the words before the cursor; nil if no command line begins with them.
    private let state: Parser.State?
    /// The word at the cursor, as far as it is typed.
    private let typedWord: String
    /// The names of the options before the cursor.
    private let givenOptions: [String]

    /// Reads the words before the cursor. Their errors don't matter: what the parser knows up to an error is enough.
    ///
    /// - Parameters:
    ///   - words: The words after the tool's name. The last one is at the cursor, and may be empty.
    ///   - context: The context.
    init(_ words: [String], _ context: CommandContext) {
        self.context = context
        typedWord = words.last ?? ""
        var parser = Parser(registry: context.registry, commands: context.commands)
        _ = try? parser.parse(words.dropLast())
        givenOptions = parser.common.given
        // The parser leaves no options if nothing may follow, such as after a word that names no command.
        let mayContinue = !parser.state.specs.isEmpty
        state = mayContinue ? parser.state : nil
    }

    private var registry: APIRegistry { context.registry }

    /// The output: a line for each candidate that starts with what is typed, with its description after a tab.
    var text: String {
        guard let state else { return "" }
        let matching = candidates(in: state).filter { $0.standsForFiles || $0.text.hasPrefix(typedWord) }
        return matching.map { candidate in
            let description = candidate.description.safeToShow
            return candidate.text.safeToShow + (description.isEmpty ? "" : "\t" + description) + "\n"
        }.joined()
    }

    /// Returns the candidates for the word at the cursor. They are not filtered by the part of the word that is typed.
    ///
    /// The word may be the value of the option before it, an option with its value (`--color=always`), a flag, or an
    /// operand.
    ///
    /// - Parameter state: The meaning of the words before the cursor.
    private func candidates(in state: Parser.State) -> [Candidate] {
        // The options of another program, such as curl, are not known here, but its words may be files.
        if state.isInForeignProgram { return [.files()] }
        let declaration = state.call?.declaration
        if let option = state.openOption { return values(of: option, typed: typedWord, for: declaration) }
        if let equals = typedWord.firstIndex(of: "=") {
            let flag = typedWord[..<equals]
            if let option = state.specs.first(where: { $0.hasFlag(flag) }) {
                let typedValue = String(typedWord[equals...].dropFirst())
                return values(of: option, typed: typedValue, for: declaration).map { $0.after(flag + "=") }
            }
        }
        return typedWord.hasPrefix("-") ? flags(in: state) : operands(in: state)
    }

    // MARK: Flags

    /// Returns the flags of the endpoint's parameters, and then the flags of the command's options.
    ///
    /// Once `--no-` is typed, the flags that turn options off follow. For a URL, the options that only endpoints have
    /// are left out.
    private func flags(in state: Parser.State) -> [Candidate] {
        let isURL = state.call?.request.url != nil
        let specs = isURL ? state.specs.filter { !CallOptions.ofEndpoints.contains($0.name) } : state.specs
        // The options that set parameters have a path.
        let commandOptions = specs.filter(\.path.isEmpty)

        var candidates = state.call.map(parameterFlags) ?? []
        candidates += commandOptions.map { Candidate(text: $0.flag, description: $0.help) }
        if typedWord.hasPrefix("--no-") {
            let negatable = specs.filter(\.isNegatable)
            candidates += negatable.map { Candidate(text: "--no-" + $0.name, description: "turn \($0.flag) off") }
        }
        return candidates
    }

    /// Returns the flags of an endpoint's parameters and their fields. Required parameters come first.
    ///
    /// Flags that are given already are left out, unless they can be given several times.
    private func parameterFlags(of call: CallWords) -> [Candidate] {
        let signature = call.declaration.signature
        let notes = call.declaration.endpoint.notes
        let givenPaths = Set(call.request.parameters.map(\.path))
        let requiredFirst = signature.parameters.sorted { !$0.isOptional && $1.isOptional }
        var candidates: [Candidate] = []
        for option in requiredFirst.flatMap({ signature.options(of: $0.name) }) {
            // The path leads to the parameter or field that the option sets.
            let isGiven = givenPaths.contains(option.path)
            let isRepeatable = signature.type(at: option.path)?.takesSeveral == true
            if isGiven, !isRepeatable { continue }
            let note = notes[signature.key(of: option.path)]
            candidates.append(
                Candidate(text: "--" + option.firstElementName, description: note ?? option.placeholder ?? ""))
        }
        return candidates
    }

    // MARK: Operands

    /// Returns the words other than options that may stand at the cursor, as the command declares them.
    private func operands(in state: Parser.State) -> [Candidate] {
        switch state.operandKind {
        case nil:
            // The command is not named yet. The name of an API or endpoint may stand in its place.
            commandNames + subjectNames
        case .call, .subject: subjectsOrParameters(in: state)
        case .patterns: subjectNames
        case .apis: apiAndGroupNames
        case .files: [.files()]
        case .values(let values): values.map { Candidate(text: $0) }
        case .valueAndFiles(let kinds): kindsOrSources(in: state, kinds: kinds)
        case .topics: (state.operands.isEmpty ? topicNames : []) + subjectNames
        case .nothing: []
        }
    }

    /// Returns the candidates for a word of `import KIND SOURCE…`: a kind such as `openapi`, then files.
    ///
    /// With `--check`, the names of APIs follow the first source:
    ///
    ///     import openapi shop.yaml --check shop
    private func kindsOrSources(in state: Parser.State, kinds: [String]) -> [Candidate] {
        if state.operands.isEmpty { return kinds.map { Candidate(text: $0) } }
        let hasSource = state.operands.count > 1
        let comparesWithAPI = givenOptions.contains("check") && hasSource
        return comparesWithAPI ? subjectNames : [.files()]
    }

    private var commandNames: [Candidate] {
        context.commands.map { Candidate(text: $0.name, description: $0.summary) }
    }

    /// The names of the topics of help, which include the commands.
    private var topicNames: [Candidate] {
        let names = context.commands.map { $0.name } + HelpTopic.all.map(\.name)
        return names.map { Candidate(text: $0) }
    }

    /// Returns the operands that may follow in a command about an API or endpoint.
    ///
    /// - First, there are the names of APIs and endpoints, and of other programs such as `curl`.
    /// - After the name of an API, there are the names of its endpoints alone: `apictl movies popular`.
    /// - After the name of an endpoint, there are values of its next parameter without a flag, and its flags.
    private func subjectsOrParameters(in state: Parser.State) -> [Candidate] {
        if let call = state.call {
            let nextParameter = call.pendingUnlabelledParameters.first
            let parameterValues = nextParameter.map { values(of: $0, typed: typedWord) } ?? []
            return parameterValues + parameterFlags(of: call)
        }
        if state.operands.isEmpty {
            let programNames = state.foreignPrograms.sorted().map { Candidate(text: $0) }
            return subjectNames + programNames
        }
        guard let subject = registry.apiOrGroup(joining: state.operands) else { return [] }
        return subject.apis.flatMap(endpointNames).map { endpoint in
            let nameInSubject = endpoint.text.dropFirst(subject.name.count + 1)
            return Candidate(text: String(nameInSubject), description: endpoint.description)
        }
    }

    /// The names of groups and APIs. An API with the name of a group is not listed twice.
    private var apiAndGroupNames: [Candidate] {
        let groups = registry.groups.map { Candidate(text: $0.name, description: $0.summary) }
        let groupNames = Set(groups.map(\.text))
        let otherAPIs = registry.apis.filter { !groupNames.contains($0.name) }
        return groups + otherAPIs.map { Candidate(text: $0.name, description: $0.summary) }
    }

    /// The names of groups and APIs, and of the endpoints of those APIs that the word at the cursor begins to name. All
    /// endpoints of all APIs would be too many to look through.
    private var subjectNames: [Candidate] {
        if typedWord.isEmpty { return apiAndGroupNames }
        let typedAPIs = registry.apis.filter { typedWord.hasPrefix($0.name) || $0.name.hasPrefix(typedWord) }
        return apiAndGroupNames + typedAPIs.flatMap(endpointNames)
    }

    /// Returns the names of an API's endpoints; none if they can't be read, because completion reports no errors.
    private func endpointNames(of api: CatalogueAPI) -> [Candidate] {
        let summaries = (try? api.summaries()) ?? []
        return summaries.map { Candidate(text: $0.name, description: $0.summary) }
    }

    // MARK: Values

    /// Returns the values that a parameter may have: its allowed values, or else the values of its example.
    ///
    /// - Parameters:
    ///   - parameter: The parameter whose value is completed.
    ///   - typed: The part of the value that is typed. After `@`, it is the name of a file.
    private func values(of parameter: Parameter, typed: String) -> [Candidate] {
        if typed.hasPrefix("@"), parameter.type.hasParts { return [.files(after: "@")] }
        if let choices = parameter.type.element.choices { return choices.map { Candidate(text: $0) } }
        return parameter.example.map { Candidate(text: $0, description: "example") }
    }

    /// Returns the values that an option of the command or a flag of the endpoint may have.
    ///
    /// - Parameters:
    ///   - option: The option or flag.
    ///   - typed: The part of the value that is typed.
    ///   - declaration: The endpoint; nil before one is named.
    private func values(
        of option: OptionSpec, typed: String, for declaration: EndpointDeclaration?
    ) -> [Candidate] {
        // The flags of an endpoint's parameters have a path.
        if let signature = declaration?.signature, !option.path.isEmpty {
            let parameter = signature.parameter(named: signature.key(of: option.path))
            return parameter.map { values(of: $0, typed: typed) } ?? []
        }
        switch option.completion {
        case .nothing: return []
        case .files: return [.files()]
        case .filesAfterAt: return typed.hasPrefix("@") ? [.files(after: "@")] : []
        case .values(let values): return values.map { Candidate(text: $0) }
        case .servers: return servers(of: declaration)
        case .credentials: return credentials(of: declaration)
        case .statuses: return endpointStatuses(typed: typed)
        case .sessions: return sessionNames
        case .fields: return declaration.map { selectPaths(of: $0, typed: typed) } ?? []
        case .columns: return declaration.map { columns(of: $0, typed: typed) } ?? []
        }
    }

    /// Returns the names of the servers of the endpoint's API, or of all APIs before an endpoint is named.
    private func servers(of declaration: EndpointDeclaration?) -> [Candidate] {
        let apis = declaration.map { [$0.api] } ?? registry.apis
        return apis.flatMap(\.servers).map { Candidate(text: $0.name, description: $0.url) }
    }

    /// Returns the values of `--auth`: the names of the credentials that the endpoint accepts, and `none`.
    private func credentials(of declaration: EndpointDeclaration?) -> [Candidate] {
        let credentials = declaration.map { $0.api.declaredCredentials(of: $0) } ?? []
        let schemes = credentials.flatMap(\.credential.alternatives)
        let none = Candidate(text: CallOptions.noCredential, description: "send no credential")
        return schemes.map { Candidate(text: $0.names[0], description: $0.sentence) } + [none]
    }

    /// The names of the stored sessions; none if they can't be read, because completion reports no errors.
    private var sessionNames: [Candidate] {
        let names = (try? context.environment.sessions?.names()) ?? []
        return names.map { Candidate(text: $0.text) }
    }

    /// Returns the values of `mock --status`: each endpoint with the status 500, or with several statuses once `=` is
    /// typed.
    ///
    ///     movies.v → movies.video=500    movies.video= → movies.video=401, movies.video=404, …
    private func endpointStatuses(typed: String) -> [Candidate] {
        let statuses = typed.contains("=") ? ["401", "404", "429", "500", "503"] : ["500"]
        return registry.apis.flatMap(endpointNames).flatMap { endpoint in
            statuses.map { Candidate(text: "\(endpoint.text)=\($0)", description: endpoint.description) }
        }
    }

    // MARK: Values from the model of the response

    /// Returns the paths for `--select` that continue the typed path with one more name.
    ///
    ///     results.   →   results.id, results.title and the other fields of the items in results
    ///
    /// There are no candidates without a model, and none for JSONPath, which begins with `$`.
    private func selectPaths(of declaration: EndpointDeclaration, typed: String) -> [Candidate] {
        let isJSONPath = typed.hasPrefix("$")
        guard !isJSONPath, let model = declaration.responseShape else { return [] }
        // The last name is the one to complete, and may be empty.
        let completeNames = typed.split(separator: ".", omittingEmptySubsequences: false).dropLast()

        // The shapes of the values that the complete names lead to.
        var reachedShapes = shapesAtStart(of: declaration, model: model)
        for name in completeNames {
            // `namedFields` also finds the fields of a list's elements, so the index of an element, such as `0`, is
            // skipped.
            let isIndex = Int(name) != nil
            if isIndex { continue }
            let fields = reachedShapes.flatMap { model.namedFields(of: $0) }
            reachedShapes = fields.filter { $0.key == name }.map(\.shape)
        }
        let typedPath = completeNames.map { $0 + "." }.joined()
        let nextFields = reachedShapes.flatMap { model.namedFields(of: $0) }
        return nextFields.map { Candidate(text: typedPath + $0.key) }
    }

    /// Returns the shapes of the values at which a path of `--select` begins.
    ///
    /// These are the items of a page if an option such as `--all-pages` follows pages, or else the whole response.
    private func shapesAtStart(of declaration: EndpointDeclaration, model: ModelShape) -> [Shape] {
        let followsPages = givenOptions.contains { ["all-pages", "max-pages", "max-items"].contains($0) }
        guard followsPages, let itemsPath = declaration.endpoint.pages?.items else { return [model.root] }
        return model.shapes(at: itemsPath) ?? [model.root]
    }

    /// Returns the values of `--columns` with one more column of the list in the response: `id,title` after `id,`.
    private func columns(of declaration: EndpointDeclaration, typed: String) -> [Candidate] {
        // The columns that are complete, with the comma after them.
        let completeColumns = typed.lastIndex(of: ",").map { typed[...$0] } ?? ""
        guard let model = declaration.responseShape else { return [] }
        // A model without a list has no columns. Completion does not report that.
        guard let layout = try? RowLayout(of: model) else { return [] }
        return layout.columns.map { Candidate(text: completeColumns + $0.name) }
    }
}
