import EndpointKit

/// An API as `describe` shows it; its JSON form is what `describe API --json` prints.
struct APIDescription: Encodable {
    let version = 1
    let name: String
    let summary: String
    let servers: [EndpointDescription.Server]
    let credentials: [CredentialDescription]
    let endpoints: [EndpointSummary]

    /// `isSet` tells whether an environment variable has a value. Throws `Signature.NotACase`.
    init(_ api: any API.Type, isSet: (String) -> Bool) throws {
        name = api.name
        summary = api.summary
        servers = api.servers.map { EndpointDescription.Server(name: $0.name, url: $0.url) }
        credentials = api.declaredCredentials().map { CredentialDescription($0, isSet: isSet) }
        endpoints = try EndpointSummary.all(of: api)
    }

    func text(_ api: any API.Type, _ context: RunContext) -> String {
        let table = Table(width: context.textWidth)
        let examples = endpoints.first.map { first in
            "  \(context.tool) describe \(first.name)\n  \(context.tool) call \(first.name) --sample\n"
        }
        return name + (summary.isEmpty ? "" : ": " + summary) + "\n"
            + DescriptionText.section("Servers", table.text(servers.map { [$0.name, $0.url] }))
            + DescriptionText.section("Credentials", table.text(credentials.flatMap(\.rows)))
            + DescriptionText.section("Endpoints", table.text(endpoints.map(\.row)))
            + DescriptionText.section("Try", examples ?? "")
    }
}

/// A credential as descriptions show it.
struct CredentialDescription: Encodable {
    struct Alternative: Encodable {
        let sentence: String
        let variables: [Variable]
        /// The page where a person gets it.
        let obtain: String?
    }

    struct Variable: Encodable {
        let name: String
        /// Nil in the description of an endpoint.
        let isSet: Bool?
    }

    let required: Bool
    /// The server that has it instead of the API's own; nil for all others.
    let server: String?
    let alternatives: [Alternative]

    init(_ declared: DeclaredCredential, isSet: (String) -> Bool? = { _ in nil }) {
        let credential = declared.credential
        required = !credential.isOptional
        server = declared.server
        alternatives = credential.alternatives.map { scheme in
            let variables = scheme.variables.map { Variable(name: $0, isSet: isSet($0)) }
            return Alternative(
                sentence: scheme.sentence, variables: variables, obtain: credential.source(of: scheme))
        }
    }

    /// A row for each alternative.
    var rows: [[String]] {
        alternatives.enumerated().map { index, alternative in
            let start = index > 0 ? "or " : server.map { "on \($0): " } ?? ""
            let states = alternative.variables.compactMap { variable in
                variable.isSet.map { variable.name + ($0 ? " is set" : " is not set") }
            }
            let notes = [states.joined(separator: ", "), alternative.obtain.map { "see \($0)" } ?? ""]
            return [
                start + alternative.sentence + (required ? "" : " (optional)"),
                notes.filter { !$0.isEmpty }.joined(separator: "; "),
            ]
        }
    }
}

extension EndpointSummary {
    /// The row of a listing.
    var row: [String] { [name, method, path, summary] }
}

/// A credential that an API declares, what needs it (`movies`, `movies on staging`, `movies.rate`), and the server that has it instead of
/// the API's own; nil for all others.
typealias DeclaredCredential = (credential: Credential, owner: String, server: String?)

extension API {
    /// The credentials of `endpoint`, or of the API with those that its servers have instead.
    static func declaredCredentials(of endpoint: EndpointDeclaration? = nil) -> [DeclaredCredential] {
        if let endpoint, let own = endpoint.endpoint.credentials { return own.map { ($0, endpoint.name, nil) } }
        return credentials.map { ($0, name, nil) }
            + servers.flatMap { server in
                (server.credentials ?? []).map { ($0, "\(name) on \(server.name)", server.name) }
            }
    }
}

/// A variable that holds a credential.
struct CredentialVariable {
    let name: String
    /// What needs it.
    var owners: [String]
    /// The page where a person gets it; nil if none is known.
    let page: String?

    /// The variables of `apis`, their servers and their endpoints, each once, in the order of declaration.
    static func all(of apis: [any API.Type]) -> [CredentialVariable] {
        var found: [CredentialVariable] = []
        for declared in apis.flatMap(credentials) {
            for scheme in declared.credential.alternatives {
                for name in scheme.variables {
                    let page = declared.credential.source(of: scheme)
                    let index = found.firstIndex { $0.name == name } ?? found.endIndex
                    if index == found.endIndex { found.append(CredentialVariable(name: name, owners: [], page: page)) }
                    if !found[index].owners.contains(declared.owner) { found[index].owners.append(declared.owner) }
                }
            }
        }
        return found
    }

    private static func credentials(of api: any API.Type) -> [DeclaredCredential] {
        let endpoints = ((try? EndpointDeclaration.all(of: api)) ?? []).filter { $0.endpoint.credentials != nil }
        return api.declaredCredentials() + endpoints.flatMap { api.declaredCredentials(of: $0) }
    }
}

extension Credential.Scheme {
    /// The scheme in a few words: `query api_key from TMDB_API_KEY`.
    var sentence: String {
        switch self {
        case .query(let name, let variable): "query \(name) from \(variable)"
        case .header(let name, let prefix, let variable): "header \(name): \(prefix)… from \(variable)"
        case .basic(let user, let password): "basic authentication from \(user) and \(password)"
        }
    }
}

/// The pages where a person gets credentials.
enum CredentialPages {
    /// `TMDB_API_KEY or TMDB_ACCESS_TOKEN: https://…` for each page; `variables` are those of the alternatives, `pages` theirs if known.
    static func lines(_ variables: [[String]], _ pages: [String?]) -> [String] {
        var found: [(page: String, names: [String])] = []
        for (variables, page) in zip(variables, pages) {
            guard let page else { continue }
            let name = variables.joined(separator: " and ")
            let index = found.firstIndex { $0.page == page } ?? found.endIndex
            if index == found.endIndex { found.append((page, [])) }
            found[index].names.append(name)
        }
        return found.map { "\($0.names.joined(separator: " or ")): \($0.page)" }
    }
}
