import EndpointKit
import EndpointTools

/// A credential that an API declares, and who needs it.
struct ConfigurableCredential {
    let credential: Credential
    /// The API, server or endpoint that needs the credential: `movies`, `movies on staging`, `movies.rate`.
    let owner: String
    /// The name of the server that has the credential in place of the API's own; nil for all other credentials.
    var server: String?
}

extension CatalogueAPI {
    /// The name, followed by the summary if there is one: `movies: The Movie Database`.
    var title: String { summary.isEmpty ? name : name + ": " + summary }

    /// Returns the credentials that an API or one of its endpoints declares.
    ///
    /// - Parameter endpoint: An endpoint. If it declares credentials of its own, only these are returned.
    /// - Returns: The credentials of the endpoint, or else those of the API and of its servers.
    func declaredCredentials(of endpoint: EndpointDeclaration? = nil) -> [ConfigurableCredential] {
        if let endpoint, let ownCredentials = endpoint.endpoint.credentials {
            return ownCredentials.map { ConfigurableCredential(credential: $0, owner: endpoint.name) }
        }
        var declared = credentials.map { ConfigurableCredential(credential: $0, owner: name) }
        for server in servers {
            for credential in server.credentials ?? [] {
                declared.append(
                    ConfigurableCredential(
                        credential: credential, owner: "\(name) on \(server.name)", server: server.name))
            }
        }
        return declared
    }
}

extension Credential.Scheme {
    /// The scheme in a few words: `query api_key from TMDB_API_KEY`.
    var sentence: String {
        let optional = optionalVariables.isEmpty ? "" : " and, if set, " + optionalVariables.joined(separator: " and ")
        return shownPlace + " from " + variables.joined(separator: " and ") + optional
    }

    /// The part of the request that holds the credential.
    private var shownPlace: String {
        if httpScheme == "basic" { return "basic authentication" }
        switch placement {
        case .query: return "query \(name)"
        case .header: return "header \(name): \(prefix)…"
        case .cookie: return "cookie \(name)"
        case .signature(let parts): return "signature \(name) (\(parts.map(\.name).joined(separator: ", ")))"
        }
    }
}
