import EndpointTools
import JSONText

/// An OpenAPI document of any version, whose parts are read when they are asked for.
package final class OpenAPIDocument: Sendable {
    let references: ReferenceResolver
    let version: any DocumentVersion
    let schemas: SchemaLibrary

    /// Makes the typed view of a document. Only its version is read.
    ///
    /// - Parameters:
    ///   - document: The parsed text.
    ///   - name: The path or URL of the document.
    ///   - loadFile: Loads and parses a file beside the document. It is given the path from the document's directory,
    ///     which never leads out of it. For a document at a URL, it is given a URL on the same server.
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

    /// Checks that a document has an object of paths.
    ///
    /// - Throws: ``PartFailure`` if it has none.
    private static func checkPaths(_ root: JSONValue) throws(PartFailure) {
        guard let paths = root["paths"] else {
            throw PartFailure(at: root, expected: "a document with 'paths'", found: "none")
        }
        guard paths.kind == .object else { throw PartFailure(paths, expected: "an object of paths") }
    }

    private var root: JSONValue { references.root }

    /// The title and version of the API.
    package var info: InfoObject { InfoObject(root["info"]) }

    /// The tags that the document describes. Operations may have others.
    package var tags: [TagObject] {
        (root["tags"]?.elements ?? []).compactMap { tag in
            tag["name"]?.string.map { TagObject(name: $0, summary: tag["description"]?.string) }
        }
    }

    /// The servers of the whole document; empty if it names none.
    package var servers: ReadParts<ServerObject> { version.servers(of: root, references) ?? ReadParts() }

    /// The security schemes, with the errors of those that can't be read.
    package var securitySchemes: ReadParts<SecuritySchemeObject> {
        var schemes = ReadParts<SecuritySchemeObject>()
        for (name, value) in version.securitySchemes(of: root)?.members ?? [] {
            schemes.append(value, references) { () throws(PartFailure) in
                let scheme = try references.object(value)
                return SecuritySchemeObject(
                    name: name, summary: scheme["description"]?.string,
                    kind: try version.securityKind(scheme, references))
            }
        }
        return schemes
    }

    /// The alternatives of credentials for operations that name none.
    package var security: ReadParts<SecurityRequirement> {
        root["security"].map { SecurityRequirement.alternatives($0, references) } ?? ReadParts()
    }

    // MARK: Operations

    /// Returns all operations in the order of the document, without reading their parts.
    package func operations() -> ReadParts<OperationSummary> {
        var operations = ReadParts<OperationSummary>()
        for (path, value) in root["paths"]?.members ?? [] where !path.hasPrefix("x-") {
            operations.append(listAt: value, references) { () throws(PartFailure) in
                guard path.hasPrefix("/") else {
                    throw PartFailure(at: value, expected: "a path that starts with '/'", found: "'\(path)'")
                }
                return self.operations(of: try references.object(value), path)
            }
        }
        return operations
    }

    /// Returns the operations of one path.
    private func operations(of item: JSONValue, _ path: String) -> ReadParts<OperationSummary> {
        var operations = ReadParts<OperationSummary>()
        for (key, value) in item.members ?? [] {
            if version.methods.contains(key) {
                append(key.uppercased(), path, value, item, to: &operations)
            } else if key.hasPrefix("x-"), value["x-apictl-endpoints"] != nil {
                // This is how apictl writes methods that OpenAPI 3.1 does not have.
                append(key.dropFirst(2).uppercased(), path, value, item, to: &operations)
            } else if key == version.additionalOperationsKey {
                for (method, value) in value.members ?? [] { append(method, path, value, item, to: &operations) }
            }
        }
        return operations
    }

    /// Appends an operation, or an error if it is no object.
    private func append(
        _ method: String, _ path: String, _ value: JSONValue, _ item: JSONValue,
        to operations: inout ReadParts<OperationSummary>
    ) {
        operations.append(value, references) { () throws(PartFailure) in
            guard value.kind == .object else { throw PartFailure(value, expected: "an operation, which is an object") }
            return OperationSummary(method: method, path: path, value: value, pathItem: item)
        }
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
