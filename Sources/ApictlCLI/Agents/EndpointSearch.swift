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

    /// Returns the text of `find_endpoints`: a line for each endpoint that matches a query, the best first.
    ///
    /// If no endpoint has any of the query's words, or if the query has none, the lines are those of the first
    /// endpoints of the catalogue.
    func results(for query: String) -> String {
        let patterns = Self.patterns(for: query)
        let matching = endpoints(matchingAnyOf: patterns)
        let listed = matching.isEmpty ? catalogue.endpoints : matching
        var lines: [String] = []
        if matching.isEmpty, !patterns.isEmpty { lines.append("No endpoint has these words. The first of all:") }
        lines += listed.prefix(Self.maxResults).map { line(for: $0) }
        if listed.count > Self.maxResults { lines.append("… and \(listed.count - Self.maxResults) more") }
        return lines.joined(separator: "\n")
    }

    /// Returns the endpoints that match at least one pattern.
    ///
    /// Endpoints that match more patterns come first. Endpoints that match equally many keep the order of the
    /// catalogue.
    private func endpoints(matchingAnyOf patterns: [NamePattern]) -> [EndpointSummary] {
        let counted = catalogue.endpoints.map { endpoint in
            // The cells of a row are the name, method, path and summary of the endpoint.
            (endpoint: endpoint, matchCount: patterns.count { endpoint.row.contains(where: $0.matches) })
        }
        // The sort of the standard library is stable, so that the order among equal counts stays.
        let matching = counted.filter { $0.matchCount > 0 }
        return matching.sorted { $0.matchCount > $1.matchCount }.map(\.endpoint)
    }

    /// Returns patterns for the words of a query that have more than two letters, so that words such as `of` do not
    /// count.
    ///
    /// A plural also finds the singular: `movies` becomes the pattern `movie`, which matches both.
    private static func patterns(for query: String) -> [NamePattern] {
        let words = query.prefix(maxQueryLength).split { !$0.isLetter && !$0.isNumber }
        return words.filter { $0.count > 2 }.map { word in
            let isPlural = word.count > 3 && word.hasSuffix("s")
            return NamePattern(String(isPlural ? word.dropLast() : word))
        }
    }

    /// Returns the line of an endpoint: `movies.popular: Popular right now (GET /movie/popular)`.
    private func line(for endpoint: EndpointSummary) -> String {
        let note = options.allows(endpoint.method) ? "" : "; not allowed without --unsafe"
        return "\(endpoint.name): \(endpoint.summary) (\(endpoint.method) \(endpoint.path)\(note))"
    }

    // MARK: Description

    /// Returns the text of `describe_endpoint`: title, arguments, examples, response and credentials of an endpoint.
    func description(of declaration: EndpointDeclaration) -> String {
        let endpoint = EndpointDescription(declaration)
        var lines = [endpoint.title.trimmingLineBreaks]
        if !declaration.api.summary.isEmpty { lines.append("API: \(declaration.api.summary)") }
        lines.append("Arguments, as JSON Schema: \(endpoint.inputSchema())")
        lines += declaration.examples.prefix(Self.maxExamples).map { example in
            "Example: \(Self.toolArguments(for: example, of: declaration))"
        }
        lines.append(endpoint.outline)
        lines += credentialLines(of: endpoint)
        return lines.joined(separator: "\n")
    }

    /// Returns the arguments that a tool needs to make the call of an example, such as `{"id": 550}`.
    ///
    /// The result is an empty object if the values of the example can't be read.
    private static func toolArguments(for example: EndpointCall, of declaration: EndpointDeclaration) -> JSONValue {
        let parameters = (try? example.values().parameters) ?? []
        let members = parameters.filter { !$0.value.isNull }.map { parameter in
            (declaration.argumentName(parameter.name), parameter.value)
        }
        return JSONValue(members)
    }

    /// Returns a line for each way to send a credential that the endpoint accepts. The line names the variable, never
    /// its value.
    private func credentialLines(of endpoint: EndpointDescription) -> [String] {
        let rows = endpoint.credentials.flatMap { credential in
            credential.rows { variable in settings.hasValue(variable, of: endpoint.api) }
        }
        return rows.map { cells in
            "Credential: " + cells.filter { !$0.isEmpty }.joined(separator: "; ")
        }
    }
}
