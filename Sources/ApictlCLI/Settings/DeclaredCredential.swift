import EndpointKit

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
