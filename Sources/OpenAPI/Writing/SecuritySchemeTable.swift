import EndpointKit
import EndpointTools

/// The security schemes of a document that is written. Each scheme has a unique name.
struct SecuritySchemeTable {
    /// The schemes by their names.
    private var schemesByName: [String: WrittenSecurityScheme] = [:]

    /// The schemes in the order of their names.
    var schemes: [WrittenSecurityScheme] { schemesByName.sorted { $0.key < $1.key }.map(\.value) }

    /// Returns the security requirements of a request with credentials, and adds their schemes to the table.
    ///
    /// A request sends all credentials of an endpoint, and each credential may have alternatives. OpenAPI lists
    /// alternatives, and each of them may need several schemes. So the result is the Cartesian product of the
    /// credentials' alternatives:
    ///
    ///     credentials                      requirements
    ///     (key or token) and id            key and id, or token and id
    ///     (key or token), optional         key, or token, or nothing
    ///
    /// - Parameters:
    ///   - credentials: The credentials of the request.
    ///   - api: The API of the request. The names of the schemes begin with its name.
    /// - Returns: The requirements, the preferred one first; empty if the request needs no credential.
    mutating func addRequirements(_ credentials: [Credential], of api: CatalogueAPI) -> [SecurityRequirement] {
        guard !credentials.isEmpty else { return [] }
        // The product starts with one combination without schemes.
        var combinations: [[SecurityRequirement.Scheme]] = [[]]
        for credential in credentials {
            var alternatives = credential.alternatives.map { scheme in
                [SecurityRequirement.Scheme(name: addScheme(of: scheme, api: api), scopes: [])]
            }
            if credential.isOptional { alternatives.append([]) }
            // Each combination of the credentials before is continued with each alternative of this one.
            combinations = combinations.flatMap { combination in alternatives.map { combination + $0 } }
        }
        return combinations.map(SecurityRequirement.init)
    }

    /// Returns a copy of a security requirement, and adds its schemes to the table.
    ///
    /// - Parameters:
    ///   - requirement: The requirement in the document that is read.
    ///   - catalogue: The API of that document.
    ///   - prefix: The text before the names of the schemes, such as `shop.` in a document of several APIs.
    /// - Returns: The requirement; nil if the document does not describe one of the schemes.
    mutating func copyRequirement(
        _ requirement: SecurityRequirement, of catalogue: DocumentCatalogue, prefix: String
    ) -> SecurityRequirement? {
        var schemes: [SecurityRequirement.Scheme] = []
        for scheme in requirement.schemes {
            guard let object = catalogue.credentials.scheme(scheme.name) else { return nil }
            let variables = catalogue.credentials.variables(of: scheme.name)
            let name = addScheme(named: (prefix + scheme.name).componentName) { name in
                WrittenSecurityScheme(object, name: name, variables: variables)
            }
            schemes.append(SecurityRequirement.Scheme(name: name, scopes: scheme.scopes))
        }
        return SecurityRequirement(schemes: schemes)
    }

    /// Adds the scheme of a credential, and returns its name, such as `shop.basic`.
    private mutating func addScheme(of scheme: Credential.Scheme, api: CatalogueAPI) -> String {
        let name = ModelShape.writtenName("\(api.name).\(scheme.names[0])")
        return addScheme(named: name) { WrittenSecurityScheme(scheme, name: $0) }
    }

    /// Adds a scheme, unless the table has an equal one.
    ///
    /// - Parameters:
    ///   - baseName: The name of the scheme. If a different scheme has it, the name gets a number.
    ///   - makeScheme: Returns the scheme with a name, because a scheme contains its name.
    /// - Returns: The name of the scheme, such as `shop.basic` or `shop.basic-2`.
    private mutating func addScheme(named baseName: String, makeScheme: (String) -> WrittenSecurityScheme) -> String {
        var name = baseName
        var number = 1
        // The loop ends at a free name, or at the name of an equal scheme.
        while let other = schemesByName[name], other != makeScheme(name) {
            number += 1
            name = "\(baseName)-\(number)"
        }
        schemesByName[name] = makeScheme(name)
        return name
    }
}

extension WrittenSecurityScheme {
    /// Creates a copy of a document's scheme under another name.
    ///
    /// - Parameters:
    ///   - scheme: The scheme of the document.
    ///   - name: The name in the document that is written.
    ///   - variables: The environment variables that hold the credential.
    fileprivate init(_ scheme: SecuritySchemeObject, name: String, variables: [String]) {
        object = SecuritySchemeObject(name: name, summary: scheme.summary, kind: scheme.kind)
        prefix = ""
        self.variables = variables
    }

    /// Creates the scheme of a credential that is declared in Swift: an HTTP scheme such as `bearer`, or an API key.
    fileprivate init(_ scheme: Credential.Scheme, name: String) {
        let kind: SecuritySchemeObject.Kind
        if let httpScheme = scheme.httpScheme {
            kind = .http(scheme: httpScheme)
        } else {
            kind = Self.apiKey(of: scheme)
        }
        let sourceNote = scheme.source.map { "Get it at \($0)" }
        let notes = [Self.signatureNote(scheme), sourceNote].compactMap(\.self)
        let summary = notes.isEmpty ? nil : notes.joined(separator: ". ")
        object = SecuritySchemeObject(name: name, summary: summary, kind: kind)
        prefix = scheme.prefix
        // The variables of a signature hold keys, from which the signature is computed. They don't hold the signature.
        variables = scheme.signer == nil ? scheme.variables : []
    }

    /// Returns a credential as an API key with a name and a location.
    ///
    /// OpenAPI has no scheme for signatures. A signature is described as an API key in the last part of the request
    /// that the signer sets. For AWS that is the header `Authorization`.
    private static func apiKey(of scheme: Credential.Scheme) -> SecuritySchemeObject.Kind {
        switch scheme.placement {
        case .query: return .apiKey(name: scheme.name, location: .query)
        case .header: return .apiKey(name: scheme.name, location: .header)
        case .cookie: return .apiKey(name: scheme.name, location: .cookie)
        case .signature(let parts):
            switch parts.last {
            case .query(let name): return .apiKey(name: name, location: .query)
            case .header(let name): return .apiKey(name: name, location: .header)
            case nil: return .apiKey(name: "Authorization", location: .header)
            }
        }
    }

    /// Returns a description of a signature; nil for any other credential.
    ///
    ///     The signature sigv4 (Authorization), computed for each request from AWS_ACCESS_KEY_ID and …
    private static func signatureNote(_ scheme: Credential.Scheme) -> String? {
        guard case .signature(let parts) = scheme.placement else { return nil }
        let names = parts.map(\.name).joined(separator: ", ")
        let variables = scheme.variables.joined(separator: " and ")
        return "The signature \(scheme.name) (\(names)), computed for each request from \(variables)"
    }
}
