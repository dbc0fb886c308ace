import EndpointKit
import EndpointTools

/// The APIs of the tool, and the lookup of APIs, groups and endpoints by name.
struct APIRegistry: Sendable {
    var apis: [CatalogueAPI] {
        didSet { groups = APIGroup.groups(of: apis) }
    }
    /// The groups of the APIs, in the order of their first APIs. An outer group comes before the groups in it.
    private(set) var groups: [APIGroup]
    /// The name of the tool, for commands in messages.
    let tool: String
    /// The `--api` options that the user gave, quoted for a shell: `--api shop.yaml`.
    var apiOptions: [String] = []
    /// The names of the APIs that the `--api` options describe.
    var namesOfOptions: Set<String> = []

    /// The start of the commands that messages propose: `apictl --api shop.yaml`.
    ///
    /// It repeats the `--api` options, without which the endpoints of those documents would be unknown.
    var invocation: String { ([tool] + apiOptions).joined(separator: " ") }

    /// Makes a registry of these APIs, in the order in which they are listed.
    init(apis: [CatalogueAPI], tool: String = "apictl") {
        self.apis = apis
        self.tool = tool
        groups = APIGroup.groups(of: apis)
    }

    /// Checks that all APIs have different names.
    ///
    /// - Throws: ``Failure`` if two have the same name, so that one could not be called.
    func checkNames() throws(Failure) {
        var names: Set<String> = []
        for api in apis {
            let isNew = names.insert(api.name).inserted
            if !isNew { throw Failure("two APIs have the name \(api.name)", .failure) }
        }
    }

    // MARK: APIs and groups

    /// The APIs that a command is about if it is given no names: those of `--api` if there are any, or else all.
    ///
    /// A user who checks a document does not mean to send requests to all other APIs too.
    var apisWithoutNames: [CatalogueAPI] {
        apis.filter { namesOfOptions.contains($0.name) }.nonEmpty ?? apis
    }

    /// The names of all APIs, then the names of the groups that are not names of APIs too.
    var names: [String] { (apis.map(\.name) + groups.map(\.name)).withoutRepetitions }

    /// The shortest list of groups and APIs that covers all APIs, in their order. An outermost group with several APIs
    /// stands in place of them.
    var outermostSubjects: [Subject] { outermostSubjects(of: apis) }

    /// Returns the shortest list of groups and APIs that covers the given APIs, in their order.
    ///
    /// The APIs of a group are covered by their outermost group, if that has several APIs. Any other API is listed
    /// itself.
    ///
    ///     kinto.buckets, kinto.records, movies   →   the group kinto, the API movies
    ///
    /// - Parameter apis: The APIs to cover. A group is listed once, if one of its APIs is among them.
    func outermostSubjects(of apis: [CatalogueAPI]) -> [Subject] {
        let outermostGroups = groups.filter { !$0.name.contains(".") && $0.apis.count > 1 }
        var subjects: [Subject] = []
        var listedGroups: Set<String> = []
        for api in apis {
            if let group = outermostGroups.first(where: { APIGroup.name($0.name, covers: api.name) }) {
                let isFirstOfGroup = listedGroups.insert(group.name).inserted
                if isFirstOfGroup { subjects.append(.group(group)) }
            } else {
                subjects.append(.api(api))
            }
        }
        return subjects
    }

    /// Returns the API of a name, in kebab case or in Swift's spelling; nil if there is none.
    func api(_ name: String) -> CatalogueAPI? { apis.first { isSpelling(name, of: $0.name) } }

    /// Returns the group or API of a name. If both have the name, it is the group, because the API belongs to the
    /// group.
    ///
    /// - Parameter name: The name, in kebab case or in Swift's spelling.
    /// - Returns: The group or API; nil if there is none.
    func apiOrGroup(_ name: String) -> Subject? {
        if let group = groups.first(where: { isSpelling(name, of: $0.name) }) { return .group(group) }
        if let api = api(name) { return .api(api) }
        return nil
    }

    /// Returns the group or API that a word of the command line names.
    ///
    /// - Throws: ``UsageError`` if there is none, with the nearest existing names. For the name of an endpoint, it
    ///   suggests the API.
    func apiOrGroup(_ word: SourcedText) throws(UsageError) -> Subject {
        if let subject = apiOrGroup(word.text) { return subject }
        if let api = splitName(word.text)?.api {
            throw UsageError("expected an API, got \(word.shown)" + NearestWord.question([api.name]), see: "list")
        }
        throw unknownAPIError(word, apiName: word.text)
    }

    /// Returns the group or API that several words name together, such as `kinto buckets`; nil if there is none.
    func apiOrGroup(joining words: [SourcedText]) -> Subject? {
        // A word after the name of an endpoint is an error. Here it only means that the words name no group or API.
        guard let name = try? joinedName(words) else { return nil }
        return apiOrGroup(name.text)
    }

    /// Whether a name starts with the name of a group and a dot.
    func isInGroup(_ name: String) -> Bool { groups.contains { name.hasPrefix($0.name + ".") } }

    /// Returns the group, API or endpoint that a word names.
    ///
    /// - Throws: ``UsageError`` with the nearest existing names, and `NotAnEnumCase` for an API with a handwritten
    ///   `Codable`.
    func subject(_ word: SourcedText) throws -> Subject {
        if let subject = apiOrGroup(word.text) { return subject }
        return .endpoint(try endpoint(word))
    }

    // MARK: Endpoints

    /// Returns the endpoints that a command is about if it is given no names.
    ///
    /// - Throws: `NotAnEnumCase` for an API with a handwritten `Codable`.
    func endpointsWithoutNames() throws -> [EndpointDeclaration] {
        try apisWithoutNames.flatMap { try $0.declarations() }
    }

    /// Returns the endpoints of all APIs.
    ///
    /// - Throws: `NotAnEnumCase` for an API with a handwritten `Codable`.
    func endpoints() throws -> [EndpointDeclaration] {
        try apis.flatMap { try $0.declarations() }
    }

    /// Returns the endpoint that a word names: `movies.new-movies`, or in Swift's spelling `movies.newMovies`.
    ///
    /// - Throws: ``UsageError`` if the word names no endpoint, with the nearest existing names, and if the endpoint has
    ///   no example. `NotAnEnumCase` for an API with a handwritten `Codable`.
    func endpoint(_ word: SourcedText) throws -> EndpointDeclaration {
        guard let (api, endpointName) = splitName(word.text) else {
            throw unknownAPIError(word, apiName: String(word.text.prefix { $0 != "." }))
        }
        let entries = try api.entries()
        guard let entry = entry(named: endpointName, in: entries) else {
            let isAPIAlone = endpointName.isEmpty
            if isAPIAlone {
                let hint = entries.first.map { ", such as \($0.name)" } ?? ""
                throw UsageError("\(word.shown) is an API; name one of its endpoints\(hint)", see: api.name)
            }
            throw unknownEndpointError(
                endpointName, of: api, candidates: entries.map(\.endpointName), source: word.source)
        }
        // The parameters of an endpoint in Swift are only known from an example.
        guard let declaration = try entry.declaration() else {
            throw UsageError(
                """
                \(entry.name)\(word.source.suffix) can't be called: no example shows its parameters; add one to the \
                API's examples
                """, see: api.name)
        }
        return declaration
    }

    /// Returns the entry of an endpoint by its own name, which may be in Swift's spelling. An exact match comes first.
    ///
    /// - Returns: The entry; nil if there is none.
    private func entry(named endpointName: String, in entries: [EndpointEntry]) -> EndpointEntry? {
        entries.first { $0.endpointName == endpointName }
            ?? entries.first { isSpelling(endpointName, of: $0.endpointName) }
    }

    /// Splits the name of an endpoint into its API and its own name.
    ///
    ///     splitName("kinto.buckets.list")   // the API kinto.buckets and "list"
    ///     splitName("kinto.buckets")        // the API kinto.buckets and ""
    ///
    /// The name of an API may contain dots itself. If `name` starts with the names of several APIs, the longest one
    /// counts.
    ///
    /// - Returns: The API, and the text after its name and a dot; nil if the name starts with no API.
    func splitName(_ name: String) -> (api: CatalogueAPI, endpointName: String)? {
        if let api = api(name) { return (api, "") }
        let dots = name.indices.filter { name[$0] == "." }
        // From the last dot on, so that the longest name of an API is found first.
        for dot in dots.reversed() {
            if let api = api(String(name[..<dot])) { return (api, String(name[dot...].dropFirst())) }
        }
        return nil
    }

    /// The name of the first endpoint, as an example in messages; nil if there is none.
    var exampleName: String? {
        for api in apis {
            // An API whose endpoints can't be listed gives no example.
            if let entry = try? api.entries().first { return entry.name }
        }
        return nil
    }

    /// Returns the arguments of a call that works without a server, as an example in messages.
    ///
    ///     movies.popular --sample     if the endpoint has a sample
    ///     movies.popular --dry-run    otherwise
    ///
    /// - Parameter endpointName: The full name of the endpoint.
    func offlineArguments(_ endpointName: String) -> String {
        // An endpoint that can't be examined has no sample. This is only an example in a message.
        let declaration = try? endpoint(SourcedText(endpointName, .preset))
        let hasSample = declaration?.endpoint.sample != nil
        return endpointName + (hasSample ? " --sample" : " --dry-run")
    }

    // MARK: Names in several words

    /// Joins the words of a name: `kinto buckets list` is `kinto.buckets.list`, and so is `kinto buckets.list`.
    ///
    /// A word belongs to the name if the words before it name an API or group.
    ///
    /// - Returns: The name with the place of its last word; nil without words.
    /// - Throws: ``UsageError`` for a word after the name of an endpoint, or after a word that names nothing.
    func joinedName(_ words: [SourcedText]) throws(UsageError) -> SourcedText? {
        guard var name = words.first else { return nil }
        for word in words.dropFirst() {
            guard apiOrGroup(name.text) != nil else { throw .unexpectedArgument(word) }
            name = word.with(name.text + "." + word.text)
        }
        return name
    }

    /// Whether a word spells a name, which is in kebab case: as it is, or as Swift would, `newMovies` for `new-movies`.
    func isSpelling(_ word: String, of name: String) -> Bool {
        if word == name { return true }
        // A much longer word can't spell the name, because kebab case makes a word longer, except for a few non-ASCII
        // letters. It is not converted, because that takes long for a very long word.
        guard word.utf8.count <= 2 * name.utf8.count else { return false }
        return KebabCase.text(word) == name
    }
}
