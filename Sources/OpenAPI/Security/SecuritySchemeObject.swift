import JSONText

/// A way to authenticate (OpenAPI 3.1, section 4.8.27).
package struct SecuritySchemeObject: Sendable, Equatable {
    /// The name by which requirements refer to the scheme.
    package let name: String
    /// The description of the scheme.
    package let summary: String?
    package let kind: Kind

    /// The type of a security scheme, with the members that the type requires.
    package enum Kind: Sendable, Equatable {
        /// A secret in a header, a cookie, or a query item with this name.
        case apiKey(name: String, location: ParameterObject.Location)
        /// A scheme of the header `Authorization`, such as `basic` or `bearer`. The name is in lower case.
        case http(scheme: String)
        case oauth2([Flow])
        case openIDConnect(url: String)
        /// A certificate of the client (OpenAPI 3.1).
        case mutualTLS
    }

    /// A flow of OAuth 2 (OpenAPI 3.1, section 4.8.29).
    package struct Flow: Sendable, Equatable {
        /// The name in OpenAPI 3: `implicit`, `password`, `clientCredentials`, `authorizationCode`, or
        /// `deviceAuthorization`.
        package let name: String
        package let authorizationURL: String?
        package let tokenURL: String?
        /// The URL of the device authorization endpoint (OpenAPI 3.2).
        package let deviceAuthorizationURL: String?
        /// The names of the scopes, in the order of the document.
        package let scopes: [String]
    }
}

/// The security schemes that a request needs at the same time (OpenAPI 3.1, section 4.8.30).
///
/// A requirement without schemes allows requests without credentials.
package struct SecurityRequirement: Sendable, Hashable {
    package let schemes: [Scheme]

    /// The name of a scheme, with the OAuth scopes that a request needs.
    package struct Scheme: Sendable, Hashable {
        package let name: String
        package let scopes: [String]
    }
}

extension SecurityRequirement {
    /// Reads the value of `security`: a list of alternatives. A request has to meet one of them.
    static func readAlternatives(_ value: JSONValue, references: ReferenceResolver) -> ReadParts<SecurityRequirement> {
        var alternatives = ReadParts<SecurityRequirement>()
        alternatives.append(elementsOf: value, references: references) { element throws(PartFailure) in
            try SecurityRequirement(element)
        }
        return alternatives
    }

    /// Reads a Security Requirement Object.
    ///
    ///     {"api_key": [], "login": ["read", "write"]}    →  api_key without scopes, and login with two scopes
    ///
    /// - Throws: ``PartFailure`` if the value is not an object.
    private init(_ value: JSONValue) throws(PartFailure) {
        guard let members = value.members else {
            throw PartFailure(foundValue: value, expected: "an object with the names of security schemes")
        }
        schemes = members.map { name, scopes in
            Scheme(name: name, scopes: scopes.elements?.compactMap(\.string) ?? [])
        }
    }
}

extension SecuritySchemeObject {
    /// Reads a Security Scheme Object of the type `apiKey`. It is the same in all versions of OpenAPI.
    ///
    /// - Throws: ``PartFailure`` if the scheme has no name, or if `in` is not `query`, `header` or `cookie`.
    static func readAPIKey(_ scheme: JSONValue) throws(PartFailure) -> Kind {
        guard let name = scheme["name"]?.string, !name.isEmpty else {
            throw PartFailure(at: scheme, expected: "an apiKey with a 'name'", found: "none")
        }
        switch scheme["in"]?.string {
        case "query": return .apiKey(name: name, location: .query)
        case "header": return .apiKey(name: name, location: .header)
        case "cookie": return .apiKey(name: name, location: .cookie)
        default: throw PartFailure(foundValue: scheme["in"] ?? scheme, expected: "'in': query, header or cookie")
        }
    }

    /// Reads an OAuth 2 flow. Its members are the same in all versions of OpenAPI.
    ///
    /// - Parameters:
    ///   - name: The name of the flow in OpenAPI 3.
    ///   - value: The object with the URLs and scopes.
    static func readFlow(named name: String, value: JSONValue) -> Flow {
        Flow(
            name: name, authorizationURL: value["authorizationUrl"]?.string, tokenURL: value["tokenUrl"]?.string,
            deviceAuthorizationURL: value["deviceAuthorizationUrl"]?.string,
            scopes: value["scopes"]?.members?.map(\.key) ?? [])
    }
}
