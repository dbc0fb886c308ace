import JSONText

/// A version of OpenAPI, which knows at which places a document has its parts.
///
/// Each version is a small type. Everything that depends on the version of a document is behind this protocol.
protocol DocumentVersion: Sendable {
    /// The keys of a Path Item Object that are methods, in lower case.
    var methods: Set<String> { get }
    /// The key of a Path Item Object whose members are further operations by their methods; nil if there is none.
    var additionalOperationsKey: String? { get }
    /// The meaning of the keywords of schemas that differ between the versions.
    var dialect: SchemaDialect { get }

    /// Returns the servers at an operation, a path item, or the whole document.
    ///
    /// - Parameters:
    ///   - value: An operation, a path item, or the whole document.
    ///   - references: Follows references and knows the whole document.
    /// - Returns: The servers; nil if `value` names none.
    func servers(of value: JSONValue, _ references: ReferenceResolver) -> ReadParts<ServerObject>?

    /// Returns the object that holds the security schemes by their names; nil if the document has none.
    func securitySchemes(of root: JSONValue) -> JSONValue?

    /// Returns the type of a security scheme.
    ///
    /// - Parameters:
    ///   - scheme: A Security Scheme Object without `$ref`.
    ///   - references: Follows references.
    /// - Throws: ``PartFailure`` if the type is unknown, or if the scheme lacks a member that its type needs.
    func securityKind(_ scheme: JSONValue, _ references: ReferenceResolver) throws(PartFailure)
        -> SecuritySchemeObject.Kind

    /// Returns a parameter.
    ///
    /// - Parameters:
    ///   - value: A Parameter Object without `$ref`.
    ///   - references: Follows references.
    /// - Returns: The parameter; nil if it describes the body, as some parameters of Swagger 2.0 do.
    /// - Throws: ``PartFailure`` for a parameter without name or place, or with an unknown style.
    func parameter(_ value: JSONValue, _ references: ReferenceResolver) throws(PartFailure) -> ParameterObject?

    /// Returns the body of a request.
    ///
    /// - Parameters:
    ///   - operation: The Operation Object.
    ///   - parameters: The Parameter Objects of the operation, without `$ref`.
    ///   - references: Follows references.
    /// - Returns: The body; nil if there is none.
    /// - Throws: ``PartFailure`` for a body that can't be read.
    func requestBody(of operation: JSONValue, parameters: [JSONValue], _ references: ReferenceResolver)
        throws(PartFailure) -> RequestBodyObject?

    /// Returns the body of a response in each of its media types.
    ///
    /// - Parameters:
    ///   - response: A Response Object without `$ref`.
    ///   - operation: The operation that has the response.
    ///   - references: Follows references.
    /// - Throws: ``PartFailure`` for a body that can't be read.
    func content(of response: JSONValue, _ operation: JSONValue, _ references: ReferenceResolver)
        throws(PartFailure) -> [MediaTypeObject]
}

/// The meaning of keywords of schemas that depends on the version.
struct SchemaDialect: Sendable {
    /// The keywords that allow null if they are true.
    let nullableKeys: Set<String>
    /// Whether other keywords beside `$ref` count. Before OpenAPI 3.1 they are ignored.
    let hasReferenceSiblings: Bool
}

/// Finds the version of a document.
enum DocumentVersions {
    /// Returns the version of a document, which knows where the parts of the document are.
    ///
    /// The third number of a version does not count: `3.1.1` is read as 3.1.
    ///
    /// - Throws: ``PartFailure`` if the document is no object, names no version, or an unknown one.
    static func version(of root: JSONValue) throws(PartFailure) -> any DocumentVersion {
        guard root.kind == .object else { throw PartFailure(root, expected: "an OpenAPI document, which is an object") }
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
        default: throw PartFailure(value, expected: expected)
        }
    }
}
