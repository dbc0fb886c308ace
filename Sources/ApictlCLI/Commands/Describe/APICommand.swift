import EndpointKit

/// `apictl API` and `describe API`: shows an API's servers, credentials and endpoints.
struct APICommand: Command {
    let api: any API.Type
    let options: DisplayOptions

    var isPaged: Bool { true }

    func run(_ context: RunContext) async throws -> ExitCode {
        let context = try context.configured(runsCommands: false)
        let description = try APIDescription(api, isSet: context.hasValue)
        try options.print(description, or: text(description, context), context.environment)
        return .success
    }

    private func text(_ description: APIDescription, _ context: RunContext) -> String {
        let table = Table(width: context.textWidth)
        var text = description.name + (description.summary.isEmpty ? "" : ": " + description.summary) + "\n"
        text += DescriptionText.section("Servers", table.text(description.servers.map { [$0.name, $0.url] }))
        let credentials = description.credentials.flatMap { credential in
            credential.alternatives.enumerated().map { index, alternative in
                let isOptional = credential.required ? "" : " (optional)"
                let variables = alternative.variables.map { $0.name + ($0.isSet ? " is set" : " is not set") }
                let start = index > 0 ? "or " : credential.server.map { "on \($0): " } ?? ""
                return [
                    start + alternative.sentence + isOptional,
                    variables.joined(separator: ", ") + (alternative.obtain.map { "; see \($0)" } ?? ""),
                ]
            }
        }
        text += DescriptionText.section("Credentials", table.text(credentials))
        let endpoints =
            description.endpoints.map { [$0.name, $0.method, $0.path, $0.summary] }
            + api.rowsWithoutExample(description.endpoints)
        text += DescriptionText.section("Endpoints", table.text(endpoints))
        guard let first = description.endpoints.first?.name else { return text }
        return text
            + DescriptionText.section(
                "Try", "  \(context.tool) describe \(first)\n  \(context.tool) call \(first) --sample\n")
    }
}

extension API {
    /// The credentials of `endpoint`, or of the API, with the names of the servers that have others instead.
    static func declaredCredentials(of endpoint: Endpoint?) -> [(server: String?, credential: Credential)] {
        if let own = endpoint?.credentials { return own.map { (nil, $0) } }
        let others = servers.flatMap { server in (server.credentials ?? []).map { (server.name, $0) } }
        return credentials.map { (nil, $0) } + others.map { ($0, $1) }
    }

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
        credentials = api.declaredCredentials(of: nil).map { server, credential in
            Credential(
                required: !credential.isOptional, server: server,
                alternatives: credential.alternatives.map { scheme in
                    let variables = scheme.variables.map { Variable(name: $0, isSet: isSet($0)) }
                    return Alternative(
                        sentence: scheme.sentence, variables: variables, obtain: credential.source(of: scheme))
                })
        }
        endpoints = try EndpointSummary.all(of: api)
    }
}
