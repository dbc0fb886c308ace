import JSONText

/// A way to authenticate (OpenAPI 3.1, section 4.8.27).
package struct SecuritySchemeObject: Sendable, Equatable {
    /// The name by which requirements refer to the scheme.
    package let name: String
    package let summary: String?
    package let kind: Kind

    /// The type of a security scheme with the members that it needs.
    package enum Kind: Sendable, Equatable {
        case apiKey(name: String, location: ParameterObject.Location)
        /// A scheme of the header Authorization in lower case, such as `basic` or `bearer`.
        case http(scheme: String)
        case oauth2([Flow])
        case openIDConnect(url: String)
        /// A client's certificate (OpenAPI 3.1).
        case mutualTLS
    }

    /// A flow of OAuth 2 (OpenAPI 3.1, section 4.8.29).
    package struct Flow: Sendable, Equatable {
        /// The name in OpenAPI 3: `implicit`, `password`, `clientCredentials`, `authorizationCode`, or
        /// `deviceAuthorization`.
        package let name: String
        package let authorizationURL: String?
        package let tokenURL: String?
        package let scopes: [String]
    }
}

/// Security schemes that are needed together (OpenAPI 3.1, section 4.8.30). Without any, the operation needs no
/// credential.
package struct SecurityRequirement: Sendable, Hashable {
    package let schemes: [Scheme]

    /// A scheme with the scopes that are needed.
    package struct Scheme: Sendable, Hashable {
        package let name: String
        package let scopes: [String]
    }

    /// Reads a list of Security Requirement Objects, of which one is enough.
    static func alternatives(
        _ value: JSONValue, _ references: ReferenceResolver
    ) -> ReadParts<SecurityRequirement> {
        var alternatives = ReadParts<SecurityRequirement>()
        alternatives.append(listAt: value, references) { () throws(PartFailure) in
            var list = ReadParts<SecurityRequirement>()
            for element in try references.elements(value) {
                list.append(element, references) { () throws(PartFailure) in try SecurityRequirement(element) }
            }
            return list
        }
        return alternatives
    }
}

extension SecurityRequirement {
    /// Reads a Security Requirement Object.
    ///
    /// - Throws: ``PartFailure`` if it is no object.
    private init(_ value: JSONValue) throws(PartFailure) {
        guard let members = value.members else {
            throw PartFailure(value, expected: "an object with the names of security schemes")
        }
        schemes = members.map { name, scopes in
            Scheme(name: name, scopes: scopes.elements?.compactMap(\.string) ?? [])
        }
    }
}

extension SecuritySchemeObject {
    /// Reads an `apiKey`, which all versions describe alike.
    ///
    /// - Throws: ``PartFailure`` if the scheme lacks its name or place.
    static func apiKey(_ scheme: JSONValue) throws(PartFailure) -> Kind {
        guard let name = scheme["name"]?.string, !name.isEmpty else {
            throw PartFailure(at: scheme, expected: "an apiKey with a 'name'", found: "none")
        }
        guard let place = scheme["in"], let location = place.string.flatMap(ParameterObject.Location.init),
            [.query, .header, .cookie].contains(location)
        else { throw PartFailure(scheme["in"] ?? scheme, expected: "'in': query, header or cookie") }
        return .apiKey(name: name, location: location)
    }

    /// Reads a flow of OAuth 2, which all versions describe alike.
    static func flow(_ name: String, _ value: JSONValue) -> Flow {
        Flow(
            name: name, authorizationURL: value["authorizationUrl"]?.string, tokenURL: value["tokenUrl"]?.string,
            scopes: value["scopes"]?.members?.map(\.key) ?? [])
    }
}
