import EndpointKit

/// The tool's APIs, and the lookup of endpoints by name.
struct Registry: Sendable {
    /// The longest name that is looked up, in bytes.
    static let longestName = 1000

    let apis: [any API.Type]

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
        guard word.text.utf8.count <= Self.longestName else {
            throw UsageError.unknownAPI(word.text, position: word.position, nearest: nil)
        }
        let parts = word.text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let api = apis.first(where: { matches($0.name, parts[0]) }) else {
            let nearest = Nearest.match(parts[0], in: apis.map { $0.name })
            // The word may be an endpoint's name without its API.
            let endpoint = parts.count == 1 ? try endpoints().first { matches($0.endpointName, parts[0]) } : nil
            throw UsageError.unknownAPI(parts[0], position: word.position, nearest: endpoint?.name ?? nearest)
        }
        let endpoints = try EndpointDeclaration.all(of: api)
        guard parts.count > 1, !parts[1].isEmpty else {
            throw UsageError.apiAlone(
                word.text, api: api.name, position: word.position, endpoints: endpoints.map(\.name))
        }
        guard let endpoint = endpoints.first(where: { matches($0.endpointName, parts[1]) }) else {
            let nearest = Nearest.match(parts[1], in: endpoints.map(\.endpointName))
            throw UsageError.unknownEndpoint(
                parts[1], api: api.name, position: word.position, nearest: nearest.map { "\(api.name).\($0)" })
        }
        return endpoint
    }

    /// The name of an endpoint, as an example in messages.
    var exampleName: String? {
        apis.lazy.compactMap { try? EndpointDeclaration.all(of: $0).first?.name }.first
    }

    private func matches(_ name: String, _ word: String) -> Bool {
        name == word || name == KebabCase.text(word)
    }
}
