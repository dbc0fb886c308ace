import EndpointKit

/// An API as `describe` shows it; its JSON form is what `describe API --json` prints.
struct APIDescription: Encodable {
    let version = 1
    let name: String
    let summary: String
    let servers: [EndpointDescription.Server]
    let credentials: [CredentialDescription]
    let endpoints: [EndpointSummary]

    /// Throws `Signature.NotACase`, and as ``Settings`` does.
    init(_ api: any API.Type, _ context: RunContext) throws {
        name = api.name
        summary = api.summary
        servers = api.servers.map { EndpointDescription.Server(name: $0.name, url: $0.url) }
        let variables = try Settings(context).variables(of: api)
        credentials = api.declaredCredentials().map { CredentialDescription($0, isSet: variables.hasValue) }
        endpoints = try EndpointSummary.all(of: api)
    }

    func text(_ api: any API.Type, _ context: RunContext) -> String {
        let table = context.table
        let examples = endpoints.prefix(1).flatMap {
            [["describe \($0.name)"], ["call \(context.registry.trial($0.name))"]]
        }
        return api.title + "\n"
            + table.section("Servers", servers.map { [$0.name, $0.url] })
            + table.section("Credentials", credentials.flatMap(\.rows))
            + table.section("Endpoints", endpoints.map(\.row))
            + table.section("Try", examples.map { ["\(context.tool) \($0[0])"] })
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
            let notes = [states.joined(separator: ", "), alternative.obtain ?? ""]
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
    /// The name, and what the API is.
    static var title: String { name + (summary.isEmpty ? "" : ": " + summary) }

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
    let owners: [String]
    /// The page where a person gets it; nil if none is known.
    let page: String?

    /// The variables of `apis`, their servers and their endpoints, each once, in the order of declaration.
    static func all(of apis: [any API.Type]) -> [CredentialVariable] {
        let uses = apis.flatMap(credentials).flatMap { declared in
            declared.credential.alternatives.flatMap { scheme in
                scheme.variables.map { ($0, declared.owner, declared.credential.source(of: scheme)) }
            }
        }
        return uses.map(\.0).withoutRepetitions.map { name in
            let own = uses.filter { $0.0 == name }
            return CredentialVariable(name: name, owners: own.map(\.1).withoutRepetitions, page: own[0].2)
        }
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

extension Sequence where Element: Hashable {
    /// The elements, each where it is first.
    var withoutRepetitions: [Element] {
        var known: Set<Element> = []
        return filter { known.insert($0).inserted }
    }
}
