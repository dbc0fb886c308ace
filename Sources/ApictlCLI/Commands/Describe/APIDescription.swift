import EndpointKit

extension APIDescription {
    func text(_ api: any API.Type, _ context: RunContext) -> String {
        let description = self
        let table = Table(width: context.textWidth)
        let credentials = description.credentials.flatMap { credential in
            credential.alternatives.enumerated().map { index, alternative in
                let start = index > 0 ? "or " : credential.server.map { "on \($0): " } ?? ""
                let variables = alternative.variables.map { $0.name + ($0.isSet ? " is set" : " is not set") }
                return [
                    start + alternative.sentence + (credential.required ? "" : " (optional)"),
                    variables.joined(separator: ", ") + (alternative.obtain.map { "; see \($0)" } ?? ""),
                ]
            }
        }
        let endpoints = description.endpoints.map(\.row) + api.rowsWithoutExample(description.endpoints)
        let examples = description.endpoints.first.map { first in
            "  \(context.tool) describe \(first.name)\n  \(context.tool) call \(first.name) --sample\n"
        }
        return description.name + (description.summary.isEmpty ? "" : ": " + description.summary) + "\n"
            + DescriptionText.section("Servers", table.text(description.servers.map { [$0.name, $0.url] }))
            + DescriptionText.section("Credentials", table.text(credentials))
            + DescriptionText.section("Endpoints", table.text(endpoints))
            + DescriptionText.section("Try", examples ?? "")
    }
}

extension EndpointSummary {
    /// The row of a listing.
    var row: [String] { [name, method, path, summary] }
}

extension API {
    /// The rows of a listing for cases that no example shows, besides those for all `endpoints`.
    static func rowsWithoutExample(_ endpoints: [EndpointSummary]) -> [[String]] {
        casesWithoutExample(besides: endpoints.lazy.map { String($0.name.dropFirst(name.count + 1)) }).map {
            ["\(name).\(KebabCase.text($0))", "", "", "(can't be called: no example)"]
        }
    }
}

/// An API as `describe` shows it; its JSON form is what `describe API --json` prints.
struct APIDescription: Encodable {
    struct Credential: Encodable {
        let required: Bool
        /// The server that has it instead of the API's own; nil for all others.
        let server: String?
        let alternatives: [Alternative]
    }

    struct Alternative: Encodable {
        let sentence: String
        let variables: [Variable]
        /// The page where a person gets it.
        let obtain: String?
    }

    struct Variable: Encodable {
        let name: String
        let isSet: Bool
    }

    let version = 1
    let name: String
    let summary: String
    let servers: [EndpointDescription.Server]
    let credentials: [Credential]
    let endpoints: [EndpointSummary]

    /// `isSet` tells whether an environment variable has a value. Throws `Signature.NotACase`.
    init(_ api: any API.Type, isSet: (String) -> Bool) throws {
        name = api.name
        summary = api.summary
        servers = api.servers.map { EndpointDescription.Server(name: $0.name, url: $0.url) }
        credentials = api.declaredCredentials().map { declared in
            let alternatives = declared.credential.alternatives.map { scheme in
                Alternative(
                    sentence: scheme.sentence, variables: scheme.variables.map { Variable(name: $0, isSet: isSet($0)) },
                    obtain: declared.credential.source(of: scheme))
            }
            return Credential(
                required: !declared.credential.isOptional, server: declared.server, alternatives: alternatives)
        }
        endpoints = try EndpointSummary.all(of: api)
    }
}
