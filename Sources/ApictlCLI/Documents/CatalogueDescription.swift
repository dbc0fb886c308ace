import EndpointKit
import EndpointTools
import JSONText

/// The APIs and endpoints that a command shows.
///
/// Listing them is fast. Parameters and the shapes of responses take longer: ``APIDescription/details()`` examines them
/// for the commands that need them.
struct CatalogueDescription {
    /// The APIs, each with one endpoint or more.
    let apis: [APIDescription]

    /// The endpoints of all APIs.
    var endpoints: [EndpointSummary] { apis.flatMap(\.endpoints) }

    /// The JSON that `list --json` prints.
    var json: JSONObject { ["version": 1, "endpoints": endpoints] }

    /// Returns the declarations of ``endpoints``. Endpoints that can't be called are left out.
    ///
    /// - Throws: `NotAnEnumCase` for an API whose enum implements `Codable` by hand, which hides its cases.
    func declarations() throws -> [EndpointDeclaration] { try apis.flatMap { try $0.declarations() } }

    /// Returns the servers of each API, in the order of ``apis``.
    ///
    /// With a name, an API that has a server of this name gets only this one. The other APIs keep all of their servers,
    /// because the choice can't be meant for them.
    ///
    /// - Parameter name: The name of a server; nil for all servers.
    /// - Throws: ``UsageError`` if no API has a server of that name.
    func servers(named name: SourcedText?) throws(UsageError) -> [[Server]] {
        guard let name else { return apis.map(\.api.servers) }
        let serverNames = apis.flatMap { $0.api.servers.map(\.name) }.withoutRepetitions
        guard serverNames.contains(name.text) else {
            let suggestion = NearestWord.question(name.text, in: serverNames)
            throw UsageError("there is no server \(name.shown)\(suggestion)", see: "list")
        }
        return apis.map { described in
            let servers = described.api.servers
            let namedServers = servers.filter { $0.name == name.text }
            return namedServers.isEmpty ? servers : namedServers
        }
    }
}

extension APIRegistry {
    /// Returns the endpoints whose name, method, path or summary matches one of several patterns, in the order of the
    /// catalogue.
    ///
    /// The name of an API or group matches exactly the endpoints in it: `movies` does not match a path with this word.
    ///
    /// - Parameter patterns: Names and patterns; without any, the endpoints of ``APIRegistry/apisWithoutNames`` match.
    /// - Returns: The APIs with their endpoints that match. APIs without such an endpoint are left out.
    /// - Throws: ``UsageError`` for a pattern that matches nothing. `NotAnEnumCase` for an API whose enum implements
    ///   `Codable` by hand, which hides its cases.
    func description(matching patterns: [SourcedText] = []) throws -> CatalogueDescription {
        if patterns.isEmpty {
            let descriptions = try apisWithoutNames.map { APIDescription(api: $0, endpoints: try $0.summaries()) }
            return CatalogueDescription(apis: descriptions.filter { !$0.endpoints.isEmpty })
        }
        var lists = EndpointLists()
        let matchingNames = Set(try patterns.flatMap { try endpointNames(matching: $0, searching: &lists) })
        var descriptions: [APIDescription] = []
        // An API that no pattern had to search has no matching endpoint.
        for api in apis where lists.haveExamined(api) {
            let allEndpoints = try lists.endpoints(of: api)
            let matchingEndpoints = allEndpoints.filter { matchingNames.contains($0.name) }
            if matchingEndpoints.isEmpty { continue }
            let hasAllEndpoints = matchingEndpoints.count == allEndpoints.count
            descriptions.append(
                APIDescription(api: api, endpoints: matchingEndpoints, hasAllEndpoints: hasAllEndpoints))
        }
        return CatalogueDescription(apis: descriptions)
    }

    /// Returns the names of the endpoints that a word of the command line stands for.
    ///
    /// The name of an API or group stands for the endpoints in it. Any other word is a pattern for names, methods,
    /// paths and summaries.
    ///
    /// Only the APIs that the pattern may match are examined: the name of an API spares listing all others.
    ///
    /// - Parameters:
    ///   - word: A pattern, or the name of an API or group.
    ///   - lists: The endpoints of the APIs that have been examined so far. Further ones are added.
    /// - Throws: ``UsageError`` if there are none. `NotAnEnumCase` for an API whose enum implements `Codable` by hand,
    ///   which hides its cases.
    private func endpointNames(matching word: SourcedText, searching lists: inout EndpointLists) throws -> [String] {
        if let subject = apiOrGroup(word.text) {
            let endpoints = try lists.endpoints(of: subject.apis)
            // An API without endpoints is treated like a pattern, so that the message says that nothing matches.
            if !endpoints.isEmpty { return endpoints.map(\.name) }
        }
        let endpoints = try lists.endpoints(of: apis)
        // An empty pattern, from a variable without a value, matches nothing.
        if !word.text.isEmpty {
            let pattern = NamePattern(word.text)
            let matchingEndpoints = endpoints.filter { $0.row.contains(where: pattern.matches) }
            if !matchingEndpoints.isEmpty { return matchingEndpoints.map(\.name) }
        }
        let similarNames = NearestWord.matches(word.text, in: names + endpoints.map(\.name))
        throw UsageError("no endpoint matches \(word.shown)" + NearestWord.question(similarNames), see: "list")
    }
}

/// The endpoints of APIs. Each API is examined when its endpoints are first asked for, because that takes time.
private struct EndpointLists {
    private var endpointsByAPI: [String: [EndpointSummary]] = [:]

    /// Whether the endpoints of an API have been asked for.
    func haveExamined(_ api: CatalogueAPI) -> Bool { endpointsByAPI[api.name] != nil }

    /// Returns the endpoints of an API in the order of the catalogue, and remembers them.
    ///
    /// - Throws: `NotAnEnumCase` for an API whose enum implements `Codable` by hand, which hides its cases.
    mutating func endpoints(of api: CatalogueAPI) throws -> [EndpointSummary] {
        if let endpoints = endpointsByAPI[api.name] { return endpoints }
        let endpoints = try api.summaries()
        endpointsByAPI[api.name] = endpoints
        return endpoints
    }

    /// Returns the endpoints of several APIs, and remembers them.
    mutating func endpoints(of apis: [CatalogueAPI]) throws -> [EndpointSummary] {
        var endpoints: [EndpointSummary] = []
        for api in apis { endpoints += try self.endpoints(of: api) }
        return endpoints
    }
}
