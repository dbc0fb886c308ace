import JSONText

/// A version of OpenAPI. It reads the parts of a document that differ between the versions.
protocol DocumentVersion: Sendable {
    /// The keys of a Path Item Object that are methods, such as `get`.
    var methods: Set<String> { get }
    /// The key of a Path Item Object with operations for all other methods; nil if the version has no such key.
    var additionalOperationsKey: String? { get }
    /// The keywords of schemas whose meaning differs between the versions.
    var dialect: SchemaDialect { get }

    /// Returns the servers that are declared in an operation, a path item, or the whole document.
    ///
    /// - Parameters:
    ///   - value: An operation, a path item, or the whole document.
    ///   - references: Resolves references, and gives access to the whole document.
    /// - Returns: The servers; nil if `value` declares none.
    func readServers(of value: JSONValue, references: ReferenceResolver) -> ReadParts<ServerObject>?

    /// Returns the object with the security schemes by their names; nil if the document has none.
    func securitySchemes(of root: JSONValue) -> JSONValue?

    /// Reads the type of a security scheme.
    ///
    /// - Parameters:
    ///   - scheme: A Security Scheme Object without `$ref`.
    ///   - references: Resolves the references of the document.
    /// - Throws: ``PartFailure`` if the type is unknown, or if the scheme lacks a member that its type requires.
    func readSecurityKind(_ scheme: JSONValue, references: ReferenceResolver) throws(PartFailure)
        -> SecuritySchemeObject.Kind

    /// Reads a parameter.
    ///
    /// - Parameters:
    ///   - object: A Parameter Object without `$ref`.
    ///   - references: Resolves the references of the document.
    /// - Returns: The parameter; nil if it describes the body, as some parameters of Swagger 2.0 do.
    /// - Throws: ``PartFailure`` for a parameter without a name or location, or with an unknown style.
    func readParameter(_ object: JSONValue, references: ReferenceResolver) throws(PartFailure) -> ParameterObject?

    /// Reads the body of an operation's requests.
    ///
    /// - Parameters:
    ///   - operation: The Operation Object.
    ///   - parameters: The Parameter Objects of the operation, without `$ref`. In Swagger 2.0, they describe the body.
    ///   - references: Resolves the references of the document.
    /// - Returns: The body; nil if requests have no body.
    /// - Throws: ``PartFailure`` for a body that can't be read.
    func readRequestBody(of operation: JSONValue, parameters: [JSONValue], references: ReferenceResolver)
        throws(PartFailure) -> RequestBodyObject?

    /// Reads the body of a response in each of its media types.
    ///
    /// - Parameters:
    ///   - response: A Response Object without `$ref`.
    ///   - operation: The Operation Object with the response. In Swagger 2.0, it has the media types.
    ///   - references: Resolves the references of the document.
    /// - Throws: ``PartFailure`` for a body that can't be read.
    func readContent(of response: JSONValue, operation: JSONValue, references: ReferenceResolver)
        throws(PartFailure) -> [MediaTypeObject]
}

/// The rules for schemas that differ between the versions of OpenAPI.
struct SchemaDialect: Sendable {
    /// The keywords that allow null if their value is true, such as `nullable`.
    let nullableKeys: Set<String>
    /// Whether a schema may have other keywords beside `$ref`. Before OpenAPI 3.1 they are ignored.
    let hasReferenceSiblings: Bool
}

/// Finds the version of a document.
enum DocumentVersions {
    /// Returns the version of OpenAPI that a document names.
    ///
    ///     {"openapi": "3.1.1"}    →  OpenAPI 3.1
    ///     {"swagger": "2.0"}      →  Swagger 2.0
    ///
    /// - Throws: ``PartFailure`` if the document is not an object, or does not name a known version.
    static func version(of root: JSONValue) throws(PartFailure) -> any DocumentVersion {
        guard root.kind == .object else {
            throw PartFailure(foundValue: root, expected: "an OpenAPI document, which is an object")
        }
        let expected = "version 3.0, 3.1 or 3.2 in 'openapi', or 2.0 in 'swagger'"
        let openAPIValue = root["openapi"]
        guard let value = openAPIValue ?? root["swagger"] else {
            throw PartFailure(at: root, expected: expected, found: "neither")
        }
        // A version without quotes in YAML is a number: `swagger: 2.0`.
        let text = value.string ?? value.description
        let version = text.split(separator: ".").prefix(2).joined(separator: ".")
        let isOpenAPI3 = openAPIValue != nil
        switch (isOpenAPI3, version) {
        case (true, "3.0"): return OpenAPI30()
        case (true, "3.1"): return OpenAPI31()
        case (true, "3.2"): return OpenAPI32()
        case (false, "2.0"), (false, "2"): return Swagger2()
        default: throw PartFailure(foundValue: value, expected: expected)
        }
    }
}
