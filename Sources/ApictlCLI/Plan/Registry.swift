import EndpointKit

/// The APIs the tool was built with, and how names lead to their endpoints.
struct Registry: Sendable {
    /// No endpoint's name is longer, in bytes.
    static let longestName = 1000

    let apis: [any API.Type]

    /// The endpoints of all APIs. Throws `Signature.NotACase` for an API whose conformance is written by hand.
    func endpoints() throws -> [EndpointDeclaration] {
        try apis.flatMap { try EndpointDeclaration.all(of: $0) }
    }

    /// The endpoints of all APIs as a listing shows them. Throws as ``endpoints()`` does.
    func summaries() throws -> [EndpointSummary] {
        try apis.flatMap { try EndpointSummary.all(of: $0) }
    }

    /// The endpoint that `word` names: `movies.new-movies`, or in Swift's spelling `movies.newMovies`.
    ///
    /// Throws ``UsageError`` with the nearest name there is.
    func endpoint(_ word: Word) throws -> EndpointDeclaration {
        // Names are short; a text of any length is compared with them in vain.
        guard word.text.utf8.count <= Self.longestName else {
            throw UsageError.unknownAPI(word.text, position: word.position, nearest: nil)
        }
        let parts = word.text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let api = apis.first(where: { matches($0.name, parts[0]) }) else {
            let nearest = Nearest.match(parts[0], in: apis.map { $0.name })
            // Perhaps the API was left out before one of its endpoints.
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

    /// The name of an endpoint, to show what one looks like.
    var exampleName: String? {
        apis.lazy.compactMap { try? EndpointDeclaration.all(of: $0).first?.name }.first
    }

    private func matches(_ name: String, _ word: String) -> Bool {
        name == word || name == KebabCase.text(word)
    }
}
