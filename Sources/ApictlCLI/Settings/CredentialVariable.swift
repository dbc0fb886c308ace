import EndpointKit
import EndpointTools

/// A variable that holds a credential.
struct CredentialVariable {
    let name: String
    /// The APIs, servers and endpoints that need the credential.
    let owners: [String]
    /// The URL of the page where a person gets the credential; nil if none is known.
    let page: String?

    /// Returns the variables that hold credentials of APIs, their servers and their endpoints. Each variable is there
    /// once, in the order of declaration.
    static func all(of apis: [CatalogueAPI]) -> [CredentialVariable] {
        let allUses = apis.flatMap(Self.credentials(of:)).flatMap(Self.variableUses(of:))
        return allUses.map(\.name).withoutRepetitions.map { name in
            let uses = allUses.filter { $0.name == name }
            let owners = uses.map(\.owner).withoutRepetitions
            return CredentialVariable(name: name, owners: owners, page: uses[0].page)
        }
    }

    /// The use of a variable by one credential.
    private struct VariableUse {
        /// The name of the variable.
        let name: String
        /// The API, server or endpoint that needs the credential.
        let owner: String
        /// The URL of the page where a person gets the credential; nil if none is known.
        let page: String?
    }

    /// Returns the variables of all schemes of a credential. A scheme is one of several ways to send it, such as a
    /// header or a query item.
    private static func variableUses(of declared: ConfigurableCredential) -> [VariableUse] {
        declared.credential.alternatives.flatMap { scheme in
            (scheme.variables + scheme.optionalVariables).map { name in
                VariableUse(name: name, owner: declared.owner, page: scheme.source)
            }
        }
    }

    /// Returns the credentials of an API, its servers and its endpoints.
    static func credentials(of api: CatalogueAPI) -> [ConfigurableCredential] {
        // If the endpoints can't be listed, the credentials of the API and its servers are still known.
        credentials(of: api, endpoints: (try? api.declarations()) ?? [])
    }

    /// Returns the credentials of an API, its servers and its endpoints.
    ///
    /// - Parameters:
    ///   - api: The API.
    ///   - endpoints: All endpoints of the API.
    static func credentials(
        of api: CatalogueAPI, endpoints: [EndpointDeclaration]
    ) -> [ConfigurableCredential] {
        let endpointsWithCredentials = endpoints.filter { $0.endpoint.credentials != nil }
        return api.declaredCredentials() + endpointsWithCredentials.flatMap { api.declaredCredentials(of: $0) }
    }
}
