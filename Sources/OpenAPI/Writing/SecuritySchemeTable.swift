import EndpointKit
import EndpointTools

/// The security schemes of a document that is written, each with a name of its own.
struct SecuritySchemeTable {
    /// The schemes that have been added, by their names.
    private var schemesByName: [String: WrittenSecurityScheme] = [:]

    /// The schemes in the order of their names.
    var schemes: [WrittenSecurityScheme] { schemesByName.sorted { $0.key < $1.key }.map(\.value) }

    /// Returns the alternatives to sign a request, the preferred one first, and adds their schemes.
    ///
    /// A request needs all credentials of an endpoint, and each credential may have alternatives. OpenAPI lists
    /// alternatives, each of which may need several schemes. So each alternative of a credential is combined with each
    /// alternative of the others:
    ///
    ///     (key or token) and id     key and id, or token and id
    ///
    /// A credential that is optional has one more alternative, which needs no scheme.
    ///
    /// - Parameters:
    ///   - credentials: The credentials of the request.
    ///   - api: The API of the request, with whose name those of the schemes begin.
    /// - Returns: The alternatives; empty if the request needs no credential.
    mutating func requirements(_ credentials: [Credential], of api: CatalogueAPI) -> [SecurityRequirement] {
        guard !credentials.isEmpty else { return [] }
        var combinations: [[SecurityRequirement.Scheme]] = [[]]
        for credential in credentials {
            var alternatives = credential.alternatives.map { scheme in
                [SecurityRequirement.Scheme(name: add(scheme, of: api), scopes: [])]
            }
            if credential.isOptional { alternatives.append([]) }
            combinations = combinations.flatMap { combination in alternatives.map { combination + $0 } }
        }
        return combinations.map(SecurityRequirement.init)
    }

    /// Returns a requirement of a document with the names that its schemes have in the written document, and adds the
    /// schemes.
    ///
    /// - Parameters:
    ///   - requirement: The requirement.
    ///   - catalogue: The API of the document.
    ///   - prefix: The text before the names of the schemes, such as `shop.` if other APIs are written too.
    /// - Returns: The requirement; nil if the document does not describe one of the schemes.
    mutating func requirement(
        _ requirement: SecurityRequirement, of catalogue: DocumentCatalogue, prefix: String
    ) -> SecurityRequirement? {
        var schemes: [SecurityRequirement.Scheme] = []
        for scheme in requirement.schemes {
            guard let object = catalogue.credentials.scheme(scheme.name) else { return nil }
            let variables = catalogue.credentials.variables(of: scheme.name)
            let name = add((prefix + scheme.name).componentName) { name in
                WrittenSecurityScheme(object, name: name, variables: variables)
            }
            schemes.append(SecurityRequirement.Scheme(name: name, scopes: scheme.scopes))
        }
        return SecurityRequirement(schemes: schemes)
    }

    /// Adds the scheme of a credential and returns its name, which begins with the name of the API: `shop.basic`.
    private mutating func add(_ scheme: Credential.Scheme, of api: CatalogueAPI) -> String {
        let name = ModelShape.writtenName("\(api.name).\(scheme.names[0])")
        return add(name) { WrittenSecurityScheme(scheme, name: $0) }
    }

    /// Adds a scheme and returns its name.
    ///
    /// An equal scheme that is there already is used again. The name ends in a number if a different scheme has it.
    ///
    /// - Parameters:
    ///   - baseName: The name without a number.
    ///   - makeScheme: Makes the scheme with a name. It is called for each name that is tried, because a scheme holds
    ///     its name.
    private mutating func add(_ baseName: String, _ makeScheme: (String) -> WrittenSecurityScheme) -> String {
        var name = baseName
        var number = 1
        while let other = schemesByName[name], other != makeScheme(name) {
            number += 1
            name = "\(baseName)-\(number)"
        }
        schemesByName[name] = makeScheme(name)
        return name
    }
}

extension WrittenSecurityScheme {
    /// Describes a scheme of a document under another name.
    ///
    /// - Parameters:
    ///   - scheme: The scheme of the document.
    ///   - name: The name in the document that is written.
    ///   - variables: The variables of the environment that hold the credential.
    fileprivate init(_ scheme: SecuritySchemeObject, name: String, variables: [String]) {
        object = SecuritySchemeObject(name: name, summary: scheme.summary, kind: scheme.kind)
        prefix = ""
        self.variables = variables
    }

    /// Describes the scheme of a credential in Swift: a scheme of HTTP such as `bearer`, or else an API key.
    fileprivate init(_ scheme: Credential.Scheme, name: String) {
        let kind: SecuritySchemeObject.Kind
        if let httpScheme = scheme.httpScheme {
            kind = .http(scheme: httpScheme)
        } else {
            let (part, location) = Self.keyPlace(of: scheme)
            kind = .apiKey(name: part, location: location)
        }
        // The description says where people get the credential.
        let obtaining = scheme.source.map { "Get it at \($0)" }
        let summary = [Self.signatureNote(scheme), obtaining].compactMap { $0 }.joined(separator: ". ")
        object = SecuritySchemeObject(name: name, summary: summary.isEmpty ? nil : summary, kind: kind)
        prefix = scheme.prefix
        // A signature is computed from its variables. They do not hold what is sent.
        variables = scheme.signer == nil ? scheme.variables : []
    }

    /// Returns the name and the place of an API key. OpenAPI has no scheme for a signature, which is described as the
    /// last part that the signer sets: for AWS the header `Authorization`, as API Gateway does.
    private static func keyPlace(of scheme: Credential.Scheme) -> (name: String, ParameterObject.Location) {
        switch scheme.placement {
        case .query: return (scheme.name, .query)
        case .header: return (scheme.name, .header)
        case .cookie: return (scheme.name, .cookie)
        case .signature(let parts):
            switch parts.last {
            case .query(let name): return (name, .query)
            case .header(let name): return (name, .header)
            case nil: return ("Authorization", .header)
            }
        }
    }

    /// Returns a sentence that says what a signer computes; nil for a credential that is not a signature.
    private static func signatureNote(_ scheme: Credential.Scheme) -> String? {
        guard case .signature(let parts) = scheme.placement else { return nil }
        let names = parts.map(\.name).joined(separator: ", ")
        let variables = scheme.variables.joined(separator: " and ")
        return "The signature \(scheme.name) (\(names)), computed for each request from \(variables)"
    }
}
