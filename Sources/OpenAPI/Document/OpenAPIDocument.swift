import EndpointTools
import JSONText

/// An OpenAPI document of any version.
///
/// Each access to a property reads the part of the document again.
package final class OpenAPIDocument: Sendable {
    /// Follows references in the document.
    let references: ReferenceResolver
    /// The version of OpenAPI. It reads the parts that differ between the versions.
    let version: any DocumentVersion
    /// Reads schemas, and stores the results.
    let schemas: SchemaLibrary

    /// Creates the typed view of a document. Its parts are read later, when they are needed.
    ///
    /// - Parameters:
    ///   - document: The parsed text.
    ///   - name: The path or URL of the document.
    ///   - loadFile: Loads and parses a file that the document refers to. The argument is a path inside of the
    ///     document's directory, or a URL on the server of a document that was loaded with HTTP.
    /// - Throws: ``OpenAPIError`` if the document is not an object, has an unknown version, or has no paths.
    package init(
        _ document: SourceDocument, name: String, loadFile: @escaping @Sendable (String) throws -> SourceDocument
    ) throws(OpenAPIError) {
        references = ReferenceResolver(document, name: name, load: loadFile)
        let root = references.root
        do throws(PartFailure) {
            version = try DocumentVersions.version(of: root)
            try Self.checkPaths(root)
        } catch {
            throw references.error(error, at: root)
        }
        schemas = SchemaLibrary(references, dialect: version.dialect)
    }

    /// Checks that a document has an object `paths`. Without it, there is nothing to call.
    ///
    /// - Throws: ``PartFailure`` if the object is missing. A document with nothing but webhooks gets an error of its
    ///   own.
    private static func checkPaths(_ root: JSONValue) throws(PartFailure) {
        let paths = root["paths"]
        let hasNoPaths = paths == nil || paths?.members?.isEmpty == true
        if hasNoPaths, let webhooks = root["webhooks"], webhooks.members?.isEmpty == false {
            // A document of OpenAPI 3.1 may describe webhooks alone (OpenAPI 3.1, section 4.8.1).
            throw PartFailure(
                at: webhooks, expected: "a document with 'paths'",
                found: "only webhooks, which are requests that the API's provider sends, so there is nothing to call")
        }
        guard let paths else { throw PartFailure(at: root, expected: "a document with 'paths'", found: "none") }
        guard paths.kind == .object else { throw PartFailure(foundValue: paths, expected: "an object of paths") }
    }

    /// The value of the whole document.
    private var root: JSONValue { references.root }

    /// The title and version of the API.
    package var info: InfoObject { InfoObject(root["info"]) }

    /// The tags with a description. Operations may have further tags. A tag without a name is left out.
    package var tags: [TagObject] {
        let tags = root["tags"]?.elements ?? []
        return tags.compactMap { tag in
            guard let name = tag["name"]?.string else { return nil }
            return TagObject(name: name, summary: tag["description"]?.string)
        }
    }

    /// The servers of the whole document; empty if it declares none.
    package var servers: ReadParts<ServerObject> {
        version.readServers(of: root, references: references) ?? ReadParts()
    }

    /// The security schemes in the order of the document, and the errors of schemes that can't be read.
    package var securitySchemes: ReadParts<SecuritySchemeObject> {
        var schemes = ReadParts<SecuritySchemeObject>()
        for (name, value) in version.securitySchemes(of: root)?.members ?? [] {
            schemes.append(from: value, references: references) { () throws(PartFailure) in
                let scheme = try references.resolveObject(value)
                return SecuritySchemeObject(
                    name: name, summary: scheme["description"]?.string,
                    kind: try version.readSecurityKind(scheme, references: references))
            }
        }
        return schemes
    }

    /// The alternatives of credentials for operations without `security` of their own; empty if these need none.
    package var security: ReadParts<SecurityRequirement> {
        guard let security = root["security"] else { return ReadParts() }
        return SecurityRequirement.readAlternatives(security, references: references)
    }

    // MARK: Operations

    /// Returns the summaries of all operations in the order of the document.
    ///
    /// A path or operation that is not an object becomes an error. All others are returned nevertheless.
    package func operations() -> ReadParts<OperationSummary> {
        var operations = ReadParts<OperationSummary>()
        // Members with this prefix are extensions (OpenAPI 3.1, section 4.9).
        for (path, value) in root["paths"]?.members ?? [] where !path.hasPrefix("x-") {
            do throws(PartFailure) {
                appendOperations(of: try pathItem(value, path: path), at: path, to: &operations)
            } catch {
                operations.append(error, at: value, references: references)
            }
        }
        return operations
    }

    /// Returns the Path Item Object of a path, with references followed.
    ///
    /// - Throws: ``PartFailure`` if the path does not start with a slash, or if the value is not an object.
    private func pathItem(_ value: JSONValue, path: String) throws(PartFailure) -> JSONValue {
        guard path.hasPrefix("/") else {
            throw PartFailure(at: value, expected: "a path that starts with '/'", found: "'\(path)'")
        }
        return try references.resolveObject(value)
    }

    /// Appends the operations of a path to a list. An operation that is not an object becomes an error.
    ///
    /// - Parameters:
    ///   - pathItem: The Path Item Object of the path, with references followed.
    ///   - path: The path, such as `/pets/{id}`.
    ///   - operations: The operations and the errors are appended to it.
    private func appendOperations(
        of pathItem: JSONValue, at path: String, to operations: inout ReadParts<OperationSummary>
    ) {
        for (method, value) in operationsByMethod(of: pathItem) {
            operations.append(from: value, references: references) { () throws(PartFailure) in
                guard value.kind == .object else {
                    throw PartFailure(foundValue: value, expected: "an operation, which is an object")
                }
                return OperationSummary(method: method, path: path, value: value, pathItem: pathItem)
            }
        }
    }

    /// Returns the methods of a path in capitals, with their Operation Objects, in the order of the document.
    ///
    /// The keys of a Path Item Object are methods such as `get`, and other members such as `parameters`.
    private func operationsByMethod(of pathItem: JSONValue) -> [(method: String, value: JSONValue)] {
        var operations: [(method: String, value: JSONValue)] = []
        for (key, value) in pathItem.members ?? [] {
            if version.methods.contains(key) {
                operations.append((key.uppercased(), value))
            } else if key.hasPrefix("x-"), value["x-apictl-endpoints"] != nil {
                // apictl itself writes methods that OpenAPI 3.1 does not have in this way, such as `x-purge`.
                operations.append((key.dropFirst(2).uppercased(), value))
            } else if key == version.additionalOperationsKey {
                // The keys of `additionalOperations` (OpenAPI 3.2) are methods in capitals.
                for (method, operation) in value.members ?? [] { operations.append((method, operation)) }
            }
        }
        return operations
    }

    /// Returns the whole operation of a summary. Its parts are read when they are needed.
    package func operation(_ summary: OperationSummary) -> OperationObject { OperationObject(summary, in: self) }

    /// Returns the shape of a schema, with notes about the parts that it leaves out.
    ///
    /// - Parameters:
    ///   - schema: A schema of the document, such as ``MediaTypeObject/schema``.
    ///   - direction: Whether the values are sent or received. Members that are `readOnly` are not sent, and members
    ///     that are `writeOnly` are not received.
    package func shape(of schema: BodySchema, direction: SchemaDirection) -> SchemaShape {
        schemas.shape(of: schema, direction: direction)
    }
}
