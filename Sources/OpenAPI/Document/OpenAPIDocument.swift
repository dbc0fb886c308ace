import EndpointTools
import JSONText

/// An OpenAPI document of any version.
///
/// Each property reads its part of the document when it is asked for, and again each time.
package final class OpenAPIDocument: Sendable {
    /// Follows references in the document.
    let references: ReferenceResolver
    /// Knows where the document's version of OpenAPI has its parts.
    let version: any DocumentVersion
    /// The schemas that have been read.
    let schemas: SchemaLibrary

    /// Makes the typed view of a document. Only its version is read.
    ///
    /// - Parameters:
    ///   - document: The parsed text.
    ///   - name: The path or URL of the document.
    ///   - loadFile: Loads and parses a file that the document refers to. Its argument is the path from the document's
    ///     directory, which never leads out of it. For a document at a URL, it is a URL on the same server.
    /// - Throws: ``OpenAPIError`` if the document is no object, is of an unknown version, or has no paths.
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
        schemas = SchemaLibrary(references, version.dialect)
    }

    /// Checks that a document has an object of paths. Without it, there is nothing to call.
    ///
    /// - Throws: ``PartFailure`` if it has none.
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
        guard paths.kind == .object else { throw PartFailure(paths, expected: "an object of paths") }
    }

    /// The value of the whole document.
    private var root: JSONValue { references.root }

    /// The title and version of the API.
    package var info: InfoObject { InfoObject(root["info"]) }

    /// The tags that the document describes. Operations may have others. A tag without a name is left out.
    package var tags: [TagObject] {
        let tags = root["tags"]?.elements ?? []
        return tags.compactMap { tag in
            guard let name = tag["name"]?.string else { return nil }
            return TagObject(name: name, summary: tag["description"]?.string)
        }
    }

    /// The servers of the whole document; empty if it names none.
    package var servers: ReadParts<ServerObject> { version.servers(of: root, references) ?? ReadParts() }

    /// The security schemes in the order of the document, with the errors of those that can't be read.
    ///
    /// The version knows where they are, and which types there can be.
    package var securitySchemes: ReadParts<SecuritySchemeObject> {
        var schemes = ReadParts<SecuritySchemeObject>()
        for (name, value) in version.securitySchemes(of: root)?.members ?? [] {
            schemes.append(from: value, references) { () throws(PartFailure) in
                let scheme = try references.object(value)
                return SecuritySchemeObject(
                    name: name, summary: scheme["description"]?.string,
                    kind: try version.securityKind(scheme, references))
            }
        }
        return schemes
    }

    /// The alternatives of credentials for operations that name none; empty if these operations need no credential.
    package var security: ReadParts<SecurityRequirement> {
        guard let security = root["security"] else { return ReadParts() }
        return SecurityRequirement.alternatives(security, references)
    }

    // MARK: Operations

    /// Returns all operations in the order of the document, without reading their parts.
    ///
    /// A path or operation that is no object becomes an error, and the others are read all the same.
    package func operations() -> ReadParts<OperationSummary> {
        var operations = ReadParts<OperationSummary>()
        // Members with this prefix are extensions (OpenAPI 3.1, section 4.9).
        for (path, value) in root["paths"]?.members ?? [] where !path.hasPrefix("x-") {
            do throws(PartFailure) {
                append(to: &operations, path, try pathItem(value, path))
            } catch {
                operations.append(error, at: value, references)
            }
        }
        return operations
    }

    /// Returns the Path Item Object of a path, with its reference followed.
    ///
    /// - Throws: ``PartFailure`` if the path does not start with a slash, or if the value is no object.
    private func pathItem(_ value: JSONValue, _ path: String) throws(PartFailure) -> JSONValue {
        guard path.hasPrefix("/") else {
            throw PartFailure(at: value, expected: "a path that starts with '/'", found: "'\(path)'")
        }
        return try references.object(value)
    }

    /// Appends the operations of a path, or errors for those that are no objects.
    ///
    /// - Parameters:
    ///   - operations: The operations of the paths before.
    ///   - path: The path.
    ///   - pathItem: The Path Item Object, whose keys are methods.
    private func append(to operations: inout ReadParts<OperationSummary>, _ path: String, _ pathItem: JSONValue) {
        for (method, value) in methods(of: pathItem) {
            operations.append(from: value, references) { () throws(PartFailure) in
                guard value.kind == .object else {
                    throw PartFailure(value, expected: "an operation, which is an object")
                }
                return OperationSummary(method: method, path: path, value: value, pathItem: pathItem)
            }
        }
    }

    /// Returns the methods of a path as they are sent, with their Operation Objects, in the order of the document.
    ///
    /// Other keys of a path, such as `parameters`, are no methods and are left out.
    private func methods(of pathItem: JSONValue) -> [(method: String, value: JSONValue)] {
        var methods: [(method: String, value: JSONValue)] = []
        for (key, value) in pathItem.members ?? [] {
            if version.methods.contains(key) {
                methods.append((key.uppercased(), value))
            } else if key.hasPrefix("x-"), value["x-apictl-endpoints"] != nil {
                // This is how apictl writes methods that OpenAPI 3.1 does not have.
                methods.append((key.dropFirst(2).uppercased(), value))
            } else if key == version.additionalOperationsKey {
                // The keys of OpenAPI 3.2's `additionalOperations` are methods as they are sent.
                for (method, value) in value.members ?? [] { methods.append((method, value)) }
            }
        }
        return methods
    }

    /// Returns the operation of a summary, whose parts are read when they are asked for.
    package func operation(_ summary: OperationSummary) -> OperationObject { OperationObject(summary, self) }

    /// Returns the shape of a schema, with notes about what could not be understood.
    ///
    /// - Parameters:
    ///   - schema: A schema of the document, as ``MediaTypeObject`` and ``ParameterObject`` give it.
    ///   - direction: Whether the value is sent or received, which decides about `readOnly` and `writeOnly`.
    /// - Returns: The shape. Each model is read once for all shapes of the document.
    package func shape(of schema: BodySchema, _ direction: SchemaDirection) -> SchemaShape {
        schemas.shape(of: schema, direction)
    }
}
