import EndpointKit

/// The tool's APIs, and the lookup of endpoints by name.
struct Registry: Sendable {
    /// The longest name that is looked up, in bytes.
    static let maxNameLength = 1000

    let apis: [any API.Type]

    /// Throws ``Failure`` if two APIs have the same name, so that one could not be called.
    func checkNames() throws(Failure) {
        var names: Set<String> = []
        for api in apis where !names.insert(api.name).inserted {
            throw Failure("two APIs have the name \(api.name)", .failure)
        }
    }

    /// The endpoints of all APIs. Throws `Signature.NotACase` for an API with a handwritten `Codable`.
    func endpoints() throws -> [EndpointDeclaration] {
        try apis.flatMap { try EndpointDeclaration.all(of: $0) }
    }

    /// The endpoints of all APIs for `list`. Throws as ``endpoints()`` does.
    func summaries() throws -> [EndpointSummary] {
        try apis.flatMap { try EndpointSummary.all(of: $0) }
    }

    /// The endpoint that `word` names: `movies.new-movies`, or in Swift's spelling `movies.newMovies`.
    ///
    /// Throws ``UsageError`` with the nearest existing name.
    func endpoint(_ word: Word) throws -> EndpointDeclaration {
        // Comparing a very long text with all names would take long.
        guard word.text.utf8.count <= Self.maxNameLength else { throw unknownAPI(word, []) }
        let parts = word.text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let (name, position) = (parts.count > 1 ? parts[1] : "", Word.at(word.position))
        // The word may be an endpoint's name without its API.
        let others =
            parts.count == 1 && api(parts[0]) == nil
            ? try apis.flatMap { try EndpointCase.all(of: $0) }.filter { matches($0.endpointName, parts[0]) } : []
        if !others.isEmpty { throw unknownAPI(word, Array(others.map(\.name).prefix(5))) }
        let api = try api(Word(text: parts[0], position: word.position))
        let endpoints = try EndpointCase.all(of: api)
        if let endpoint = endpoints.first(where: { matches($0.endpointName, name) }) {
            if let declaration = try endpoint.declaration() { return declaration }
            throw UsageError(
                "\(endpoint.name)\(position) can't be called: no example shows its parameters; "
                    + "add one to \(api).examples", see: api.name)
        }
        if name.isEmpty {
            let example = endpoints.first.map { ", such as \($0.name)" } ?? ""
            throw UsageError("\(word.shown) is an API; name one of its endpoints\(example)", see: api.name)
        }
        let nearest = Nearest.matches(name, in: endpoints.map(\.endpointName)).map { "\(api.name).\($0)" }
        throw UsageError(
            "\(api.name) has no endpoint '\(name)'\(position)" + Nearest.question(nearest), see: api.name)
    }

    /// The API that `word` names. Throws ``UsageError`` with the nearest existing names.
    func api(_ word: Word) throws(UsageError) -> any API.Type {
        if let api = api(word.text) { return api }
        throw unknownAPI(word, Nearest.matches(word.text, in: apis.map { $0.name }))
    }

    private func unknownAPI(_ word: Word, _ nearest: [String]) -> UsageError {
        .unknownName("unknown API \(word.shown)", nearest: nearest)
    }

    /// The API that `name` names; nil if there is none.
    func api(_ name: String) -> (any API.Type)? { apis.first { matches($0.name, name) } }

    /// The name that one word gives, or an API's name and an endpoint's: `movies.popular`, `movies popular`; nil without words.
    ///
    /// Throws ``UsageError`` for more words.
    func name(_ words: [Word]) throws(UsageError) -> Word? {
        guard let first = words.first, words.count > 1 else { return words.first }
        let extra = api(first.text) == nil ? words[1] : words.dropFirst(2).first
        if let extra { throw .unexpectedArgument(extra) }
        return Word(text: first.text + "." + words[1].text, position: words[1].position)
    }

    /// The error that `command` needs an endpoint.
    func endpointExpected(by command: String) -> UsageError {
        UsageError("\(command) needs an endpoint" + (exampleName.map { ", such as \($0)" } ?? ""), see: "list")
    }

    /// The name of an endpoint, as an example in messages.
    var exampleName: String? {
        apis.lazy.compactMap { try? EndpointCase.all(of: $0).first?.name }.first
    }

    private func matches(_ name: String, _ word: String) -> Bool {
        name == word || name == KebabCase.text(word)
    }
}
