import EndpointKit
import EndpointTools

/// A credential that an API declares.
struct ConfigurableCredential {
    let credential: Credential
    /// The API, server or endpoint that needs the credential: `movies`, `movies on staging`, `movies.rate`.
    let owner: String
    /// The server that has it instead of the API's own; nil for all others.
    var server: String?
}

extension CatalogueAPI {
    /// The name, and what the API is.
    var title: String { name + (summary.isEmpty ? "" : ": " + summary) }

    /// The credentials of `endpoint`, or of the API with those that its servers have instead.
    func declaredCredentials(of endpoint: EndpointDeclaration? = nil) -> [ConfigurableCredential] {
        if let endpoint, let own = endpoint.endpoint.credentials {
            return own.map { ConfigurableCredential(credential: $0, owner: endpoint.name) }
        }
        return credentials.map { ConfigurableCredential(credential: $0, owner: name) }
            + servers.flatMap { server in
                (server.credentials ?? []).map {
                    ConfigurableCredential(credential: $0, owner: "\(name) on \(server.name)", server: server.name)
                }
            }
    }
}

extension Credential.Scheme {
    /// The scheme in a few words: `query api_key from TMDB_API_KEY`.
    var sentence: String {
        shownPlace + " from " + variables.joined(separator: " and ")
    }

    private var shownPlace: String {
        if httpScheme == "basic" { return "basic authentication" }
        switch placement {
        case .query: return "query \(name)"
        case .header: return "header \(name): \(prefix)…"
        case .cookie: return "cookie \(name)"
        }
    }
}
