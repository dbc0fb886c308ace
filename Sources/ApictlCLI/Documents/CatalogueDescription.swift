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
    /// - Throws: ``UsageError`` for a pattern that matches nothing. `NotAnEnumCase` for an API with a handwritten
    ///   `Codable`.
    func description(matching patterns: [SourcedText] = []) throws -> CatalogueDescription {
        let searchedAPIs = patterns.isEmpty ? apisWithoutNames : apis
        var descriptions = try searchedAPIs.map { APIDescription(api: $0, endpoints: try $0.summaries()) }
        if !patterns.isEmpty {
            let names = Set(try patterns.flatMap { try endpointNames(matching: $0, in: descriptions) })
            descriptions = descriptions.map { $0.keepingEndpoints(named: names) }
        }
        return CatalogueDescription(apis: descriptions.filter { !$0.endpoints.isEmpty })
    }

    /// Returns the names of the endpoints that a word of the command line stands for.
    ///
    /// The name of an API or group stands for the endpoints in it. Any other word is a pattern for names, methods,
    /// paths and summaries.
    ///
    /// - Parameters:
    ///   - word: A pattern, or the name of an API or group.
    ///   - descriptions: All APIs with their endpoints.
    /// - Throws: ``UsageError`` if there are none. It names similar names.
    private func endpointNames(
        matching word: SourcedText, in descriptions: [APIDescription]
    ) throws(UsageError) -> [String] {
        if let subject = apiOrGroup(word.text) {
            let apiNames = Set(subject.apis.map(\.name))
            let endpoints = descriptions.filter { apiNames.contains($0.api.name) }.flatMap(\.endpoints)
            // An API without endpoints is treated like a pattern, so that the message says that nothing matches.
            if !endpoints.isEmpty { return endpoints.map(\.name) }
        }
        let endpoints = descriptions.flatMap(\.endpoints)
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
