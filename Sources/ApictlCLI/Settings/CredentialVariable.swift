import EndpointKit
import EndpointTools

/// A variable that holds a credential.
struct CredentialVariable {
    let name: String
    /// The APIs, servers and endpoints that need the credential.
    let owners: [String]
    /// The page where a person gets it; nil if none is known.
    let page: String?

    /// The variables of `apis`, their servers and their endpoints, each once, in the order of declaration.
    static func all(of apis: [CatalogueAPI]) -> [CredentialVariable] {
        let uses = apis.flatMap(credentials).flatMap { declared in
            declared.credential.alternatives.flatMap { scheme in
                scheme.variables.map { ($0, declared.owner, scheme.source) }
            }
        }
        return uses.map(\.0).withoutRepetitions.map { name in
            let own = uses.filter { $0.0 == name }
            return CredentialVariable(name: name, owners: own.map(\.1).withoutRepetitions, page: own[0].2)
        }
    }

    /// The credentials of `api`, its servers and its endpoints.
    static func credentials(of api: CatalogueAPI) -> [ConfigurableCredential] {
        credentials(of: api, (try? api.declarations()) ?? [])
    }

    /// The credentials of `api`, its servers and `declarations`, which are its endpoints.
    static func credentials(
        of api: CatalogueAPI, _ declarations: [EndpointDeclaration]
    ) -> [ConfigurableCredential] {
        let endpoints = declarations.filter { $0.endpoint.credentials != nil }
        return api.declaredCredentials() + endpoints.flatMap { api.declaredCredentials(of: $0) }
    }
}

extension Sequence where Element: Hashable {
    /// The elements, each where it is first.
    var withoutRepetitions: [Element] {
        var known: Set<Element> = []
        return filter { known.insert($0).inserted }
    }
}
