import EndpointKit
import JSONText
import OpenAPI

/// The import of an OpenAPI document: its files in Swift, and a report.
///
/// There are four steps, each in a folder of its own:
///
/// 1. `Documents` reads the document.
/// 2. `Description` has what was read as plain values: operations, types, samples and credentials.
/// 3. `Names` gives names to enums, cases, parameters and models.
/// 4. `SwiftText` writes the files.
package struct OpenAPIImport {
    /// An endpoint in the report.
    package struct Endpoint {
        /// The name on the command line.
        package let name: String
        package let method: String
        package let path: String
        /// The enum that the endpoint belongs to.
        package let type: String
        /// Remarks about parts that could not be imported as the document says, for people to look at.
        package let comments: [String]
        /// The arm of the switch, as it stands in the enum.
        package let arm: String
    }

    /// How many properties of models have types.
    package struct PropertyCount {
        package var all = 0
        /// The properties that are any JSON because the document does not describe them.
        package var undescribed = 0
        /// The properties that are any JSON for other reasons.
        package var loose = 0
    }

    /// The name on the command line, before those of the enums.
    package let name: String
    /// The name of the namespace.
    package let type: String
    package let files: [(path: String, text: String)]
    package let endpoints: [Endpoint]
    package let modelNames: [String]
    package let properties: PropertyCount
    package let parameterCount: Int
    /// How many bodies and responses are bytes.
    package let bytesCount: Int
    /// The parts that became `JSONValue`, with their reasons and places in the document.
    package let loose: [(pointer: String, reason: String)]
    package let notes: [String]
    /// The variables of the credentials.
    package let variables: [NeededVariable]

    /// Whether the files contain examples of responses.
    package let hasSamples: Bool

    /// Whether anything became `JSONValue`, bytes or a comment.
    package var isLoose: Bool {
        bytesCount > 0 || properties.loose > 0 || !loose.isEmpty || endpoints.contains { !$0.comments.isEmpty }
    }

    /// The declaration of the list of APIs, which only the file of a namespace has.
    package static let listDeclaration = DocumentFiles.listDeclaration

    /// Imports a document.
    ///
    /// - Parameters:
    ///   - bytes: The text of the document, in JSON or YAML.
    ///   - source: The path of the document, or its URL.
    ///   - choices: The names that people chose, and the operations that are imported.
    ///   - read: Returns the bytes of a file that the document refers to, by its path from the document's directory.
    /// - Throws: ``ImportError`` if the document can't be read, or has no operation that can be read.
    package init(
        _ bytes: [UInt8], name source: String, _ choices: ImportChoices = ImportChoices(),
        read: @escaping @Sendable (String) throws -> [UInt8]
    ) throws {
        let document = try Self.parseDocument(bytes, source: source, readFile: read)
        let description = try DocumentDescription(document, source: source, choices)
        let documentFiles = DocumentFiles(description)
        name = description.name
        type = description.type
        files = documentFiles.files.map { ($0.path, $0.text) }
        endpoints = documentFiles.endpoints.map { endpoint in
            let group = "\(description.name).\(endpoint.group.name)"
            return Endpoint(
                name: "\(group).\(KebabCase.text(endpoint.operation.name))", method: endpoint.operation.method,
                path: endpoint.operation.path, type: endpoint.group.type, comments: endpoint.text.comments,
                arm: endpoint.text.arm(usesReturn: true).printed(indent: 12))
        }
        modelNames = description.models.used.map(\.name)
        properties = Self.countProperties(description.models.used.flatMap(\.fields))
        let operations = description.groups.flatMap(\.operations)
        parameterCount = operations.reduce(0) { $0 + $1.parameterCount }
        bytesCount = operations.reduce(0) { $0 + $1.bytesCount }
        hasSamples = documentFiles.hasSamples
        loose = description.loose
        notes = description.notes + documentFiles.notes + Self.notes(on: operations)
        variables = Self.variables(of: description.credentials, operations)
    }

    /// Returns the variables of the shared credentials, and of those of the operations, each one once.
    private static func variables(
        of sharedCredentials: [Credential], _ operations: [ImportedOperation]
    ) -> [NeededVariable] {
        var variables: [NeededVariable] = []
        variables.add(sharedCredentials)
        // Most operations have the same credentials, so each list of credentials is added once.
        for credentials in operations.map(\.credentials).withoutRepetitions { variables.add(credentials) }
        return variables
    }

    /// Parses a document in JSON or YAML.
    ///
    /// - Parameters:
    ///   - bytes: The text of the document.
    ///   - source: The path of the document, or its URL.
    ///   - readFile: Returns the bytes of a file that the document refers to, by its path.
    /// - Throws: ``ImportError`` if the text is neither JSON nor YAML, or no OpenAPI document.
    private static func parseDocument(
        _ bytes: [UInt8], source: String, readFile: @escaping @Sendable (_ path: String) throws -> [UInt8]
    ) throws -> OpenAPIDocument {
        do {
            let sourceDocument = try SourceDocument(bytes, name: source)
            return try OpenAPIDocument(sourceDocument, name: source) { path in
                try SourceDocument(readFile(path), name: path)
            }
        } catch let error where error is OpenAPIError || error is UnreadableDocument {
            throw ImportError("\(error)")
        }
    }

    /// Returns how many properties there are, and how many of them are `JSONValue`.
    private static func countProperties(_ fields: [InferredModel.Property]) -> PropertyCount {
        var count = PropertyCount()
        for field in fields {
            count.all += 1
            guard let reason = field.type.reasonForJSON else { continue }
            if reason == SchemaTypes.undescribed { count.undescribed += 1 } else { count.loose += 1 }
        }
        return count
    }

    /// Returns notes about what the generated endpoints do in another way than the document says.
    private static func notes(on operations: [ImportedOperation]) -> [String] {
        let hasCookies = operations.contains { operation in
            operation.credentials.count { $0.alternatives[0].placement == .cookie } > 1
        }
        return hasCookies ? ["several cookies are sent in a line of their own each"] : []
    }
}
