import EndpointKit
import EndpointTools
import JSONText

/// Finds and describes endpoints for an agent.
struct EndpointSearch: Sendable {
    let catalogue: CatalogueDescription
    let settings: Settings
    /// The options of `mcp`, which say what endpoints may be called.
    let options: AgentOptions

    /// The most endpoints that a search shows.
    private static let maxResults = 20
    /// The longest query, in characters.
    private static let maxQueryLength = 500
    /// The most examples of an endpoint in its description.
    private static let maxExamples = 2

    // MARK: Search

    /// Returns the endpoints that match a query, a line each.
    ///
    /// Endpoints that have more words of the query come first. Endpoints with equally many keep the order of the
    /// catalogue. If no endpoint has any of the words, or if the query has none, the result is the first endpoints of
    /// the catalogue.
    func results(for query: String) -> String {
        let patterns = Self.patterns(of: query)
        let endpoints = catalogue.endpoints
        // The rank of an endpoint is the number of the query's words that its name, method, path or summary has.
        let ranks = endpoints.map { endpoint in
            patterns.count { pattern in endpoint.row.contains(where: pattern.matches) }
        }
        let matching = ranks.indices.filter { ranks[$0] > 0 }
        // Comparing pairs sorts by descending rank, and by ascending index among equal ranks.
        let bestFirst = matching.sorted { (ranks[$1], $0) < (ranks[$0], $1) }
        let listed = bestFirst.isEmpty ? Array(endpoints.indices) : bestFirst

        var lines = listed.prefix(Self.maxResults).map { line(of: endpoints[$0]) }
        if listed.count > lines.count { lines.append("… and \(listed.count - lines.count) more") }
        if bestFirst.isEmpty, !patterns.isEmpty {
            lines.insert("No endpoint has these words. The first of all:", at: 0)
        }
        return lines.joined(separator: "\n")
    }

    /// Returns patterns for the words of a query that have more than two letters, so that words such as `of` do not
    /// count.
    ///
    /// A plural also finds the singular: `movies` becomes the pattern `movie`.
    private static func patterns(of query: String) -> [NamePattern] {
        let words = query.prefix(maxQueryLength).split { !$0.isLetter && !$0.isNumber }
        return words.filter { $0.count > 2 }.map { word in
            let isPlural = word.count > 3 && word.hasSuffix("s")
            return NamePattern(String(isPlural ? word.dropLast() : word))
        }
    }

    /// Returns the line of an endpoint: `movies.popular: Popular right now (GET /movie/popular)`.
    private func line(of endpoint: EndpointSummary) -> String {
        let note = options.allows(endpoint.method) ? "" : "; not allowed without --unsafe"
        return "\(endpoint.name): \(endpoint.summary) (\(endpoint.method) \(endpoint.path)\(note))"
    }

    // MARK: Description

    /// Returns the text of `describe_endpoint`: title, arguments, examples, response and credentials of an endpoint.
    func description(of declaration: EndpointDeclaration) -> String {
        let endpoint = EndpointDescription(declaration)
        var lines = [endpoint.title.trimmingLineBreaks]
        if !declaration.api.summary.isEmpty { lines.append("API: \(declaration.api.summary)") }
        lines.append("Arguments, as JSON Schema: \(endpoint.inputSchema([]))")
        lines += declaration.examples.prefix(Self.maxExamples).map { example in
            "Example: \(Self.arguments(of: example, in: declaration))"
        }
        lines.append(endpoint.outline)
        lines += credentialLines(of: endpoint)
        return lines.joined(separator: "\n")
    }

    /// Returns the arguments that a tool needs to make the call of an example, such as `{"id": 550}`.
    ///
    /// The result is an empty object if the values of the example can't be read.
    private static func arguments(of example: EndpointCall, in declaration: EndpointDeclaration) -> JSONValue {
        let parameters = (try? example.values().parameters) ?? []
        let members = parameters.filter { !$0.value.isNull }.map { parameter in
            (declaration.argumentName(parameter.name), parameter.value)
        }
        return JSONValue(members)
    }

    /// Returns a line for each way to send a credential that the endpoint accepts. It names the variable, never the
    /// value.
    private func credentialLines(of endpoint: EndpointDescription) -> [String] {
        let hasValue = { settings.hasValue($0, of: endpoint.api) }
        let rows = endpoint.credentials.flatMap { $0.rows(hasValue) }
        return rows.map { row in
            "Credential: " + row.filter { !$0.isEmpty }.joined(separator: "; ")
        }
    }
}
