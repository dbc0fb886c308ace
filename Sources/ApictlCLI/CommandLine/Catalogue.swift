import EndpointKit

/// The tool's APIs, and the lookup of endpoints by name.
struct Registry: Sendable {
    /// The longest name that is looked up, in bytes.
    static let maxNameLength = 1000

    let apis: [any API.Type]

    /// Throws ``DuplicateAPI`` if two APIs have the same name.
    func checkNames() throws(DuplicateAPI) {
        var names: Set<String> = []
        for api in apis where !names.insert(api.name).inserted { throw DuplicateAPI(name: api.name) }
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
        guard word.text.utf8.count <= Self.maxNameLength else {
            throw unknownAPI(word, [])
        }
        let parts = word.text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let api = api(parts[0]) else {
            // The word may be an endpoint's name without its API.
            let endpoints = parts.count == 1 ? try endpoints().filter { matches($0.endpointName, parts[0]) } : []
            let nearest =
                endpoints.isEmpty ? Nearest.matches(parts[0], in: apis.map { $0.name }) : endpoints.map(\.name)
            throw unknownAPI(Word(text: parts[0], position: word.position), Array(nearest.prefix(5)))
        }
        let endpoints = try ExampleGroup.all(of: api)
        guard parts.count > 1, !parts[1].isEmpty else {
            let example = endpoints.first.map { ", such as \($0.name)" } ?? ""
            throw UsageError("\(word.shown) is an API; name one of its endpoints\(example)", see: api.name)
        }
        guard let endpoint = endpoints.first(where: { matches($0.endpointName, parts[1]) }) else {
            if let name = api.casesWithoutExample.first(where: { matches(KebabCase.text($0), parts[1]) }) {
                let endpoint = "\(api.name).\(KebabCase.text(name))\(Word.at(word.position))"
                throw UsageError(
                    "\(endpoint) can't be called: no example shows its parameters; add one to \(api).examples",
                    see: api.name)
            }
            let nearest = Nearest.matches(parts[1], in: endpoints.map(\.endpointName))
            throw UsageError(
                "\(api.name) has no endpoint '\(parts[1])'\(Word.at(word.position))"
                    + Nearest.question(nearest.map { "\(api.name).\($0)" }), see: api.name)
        }
        return try endpoint.declaration()
    }

    /// The API that `word` names. Throws ``UsageError`` with the nearest existing names.
    func api(_ word: Word) throws(UsageError) -> any API.Type {
        if let api = api(word.text) { return api }
        throw unknownAPI(word, Nearest.matches(word.text, in: apis.map { $0.name }))
    }

    private func unknownAPI(_ word: Word, _ nearest: [String]) -> UsageError {
        .unknownName("unknown API \(word.shown)", nearest: nearest)
    }

    /// The error that `command` needs an endpoint.
    func endpointExpected(by command: String) -> UsageError {
        UsageError("\(command) needs an endpoint" + (exampleName.map { ", such as \($0)" } ?? ""), see: "list")
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

    /// The name of an endpoint, as an example in messages.
    var exampleName: String? {
        apis.lazy.compactMap { try? ExampleGroup.all(of: $0).first?.name }.first
    }

    private func matches(_ name: String, _ word: String) -> Bool {
        name == word || name == KebabCase.text(word)
    }
}

/// Two APIs have the same name, so that one could not be called.
struct DuplicateAPI: Error, Equatable {
    let name: String
}
