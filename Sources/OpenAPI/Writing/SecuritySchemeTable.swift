import EndpointKit
import EndpointTools

/// The security schemes of a document that is written, each with a name of its own.
struct SecuritySchemeTable {
    private var schemesByName: [String: WrittenSecurityScheme] = [:]

    /// The schemes in the order of their names.
    var schemes: [WrittenSecurityScheme] { schemesByName.sorted { $0.key < $1.key }.map(\.value) }

    /// Returns the alternatives to sign a request, the preferred one first, and adds their schemes.
    ///
    /// All credentials of a list are sent, and each one may have alternatives. OpenAPI lists alternatives, each of
    /// which may need several schemes. So each alternative of a credential is combined with those of the others:
    ///
    ///     (key or token) and id     key and id, or token and id
    ///
    /// - Parameters:
    ///   - credentials: The credentials of the request.
    ///   - api: The API of the request, with whose name those of the schemes begin.
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

    /// Adds a scheme and returns its name. The name ends in a number if another scheme has it already.
    private mutating func add(_ scheme: Credential.Scheme, of api: CatalogueAPI) -> String {
        let baseName = ModelShape.writtenName("\(api.name).\(scheme.names[0])")
        var name = baseName
        var number = 1
        while let other = schemesByName[name], other != WrittenSecurityScheme(scheme, name: name) {
            number += 1
            name = "\(baseName)-\(number)"
        }
        schemesByName[name] = WrittenSecurityScheme(scheme, name: name)
        return name
    }
}

extension WrittenSecurityScheme {
    /// Describes the scheme of a credential.
    fileprivate init(_ scheme: Credential.Scheme, name: String) {
        let kind: SecuritySchemeObject.Kind
        if let httpScheme = scheme.httpScheme {
            kind = .http(scheme: httpScheme)
        } else {
            kind = .apiKey(name: scheme.name, location: ParameterObject.Location(scheme.placement))
        }
        object = SecuritySchemeObject(name: name, summary: scheme.source.map { "Get it at \($0)" }, kind: kind)
        prefix = scheme.prefix
        variables = scheme.variables
    }
}

extension ParameterObject.Location {
    /// The place of a credential.
    fileprivate init(_ placement: Credential.Scheme.Placement) {
        switch placement {
        case .query: self = .query
        case .header: self = .header
        case .cookie: self = .cookie
        }
    }
}
