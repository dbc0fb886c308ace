import EndpointKit
import EndpointTools
import JSONText

/// An API that an OpenAPI document describes.
///
/// Only as much of the document is read as a command needs. A list of endpoints needs names and summaries alone, which
/// are read from an index of the operations. Other commands read the parts of the operations that they show or call.
package struct DocumentCatalogue: CatalogueSource {
    /// The choices that a user makes where a document leaves a choice.
    package struct Options: Sendable {
        /// Values of the variables in the URLs of servers. A variable without a value has its default.
        package var serverVariables: [String: String]
        /// The media type of bodies. Nil chooses one for each operation, preferably JSON.
        package var bodyType: String?

        /// Creates the choices of a user. Without arguments, the document's defaults apply.
        package init(serverVariables: [String: String] = [:], bodyType: String? = nil) {
            self.serverVariables = serverVariables
            self.bodyType = bodyType
        }
    }

    package let name: String
    package let requestBuilder: RequestBuilder
    let document: OpenAPIDocument
    let credentials: DocumentCredentials
    let options: Options
    /// The URL of the document. The URLs of servers may be relative to it. Nil if the document is a file.
    let documentURL: String?
    let index: OperationIndex
    /// The credentials of the whole document. They apply to operations without `security` of their own.
    let security: [SecurityRequirement]
    /// The servers of the whole document.
    private let servers: DocumentServers
    /// The names of schemes in ``security`` that the document does not describe.
    private let unknownSchemes: [String]

    /// Creates the API of a document.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - name: The name of the API, such as `shop`.
    ///   - documentURL: The URL of the document. The URLs of servers may be relative to it. Nil if it is a file.
    ///   - options: The choices of the user.
    /// - Throws: ``ServerVariableError`` if no server has a variable that the user sets, or if none allows its value.
    package init(
        _ document: OpenAPIDocument, name: String, documentURL: String?, options: Options
    ) throws(ServerVariableError) {
        self.document = document
        index = OperationIndex(document)
        self.name = name
        self.documentURL = documentURL
        self.options = options
        credentials = DocumentCredentials(document, api: name)
        security = document.security.parts
        servers = try DocumentServers(
            document.servers.parts, variables: options.serverVariables, documentURL: documentURL)
        let sharedCredentials = credentials.credentials(of: security)
        unknownSchemes = sharedCredentials.unknownSchemes
        requestBuilder = RequestBuilder(
            apiName: name, servers: servers.servers, credentials: sharedCredentials.credentials)
    }

    /// The logins of the document's `oauth2` schemes.
    package var logins: [Login] { credentials.logins }

    /// Returns a text, such as the title of a document, as the name of an API: `pet-store` for `Pet Store`.
    ///
    /// - Returns: The name; nil if the text has no ASCII letters or digits.
    package static func name(_ text: String) -> String? {
        let words = EndpointNames.words(text).map { word in word.filter(\.isASCII) }
        let name = words.filter { !$0.isEmpty }.joined(separator: "-")
        return name.isEmpty ? nil : name
    }

    /// The first paragraph of the document's `summary`, or else of its `title`; empty if it has neither.
    package var summary: String {
        let info = document.info
        return (info.summary ?? info.title)?.firstParagraph ?? ""
    }

    /// Returns the message in the body of a failed response.
    ///
    /// A document does not say which member holds the message. Common ones such as `message` are tried.
    package func failureMessage(in body: [UInt8]) -> String? { FailedResponseMessage.find(in: body) }

    /// Returns an entry for each endpoint. An entry has the name, and reads the operation when its declaration is
    /// needed.
    package func entries(of api: CatalogueAPI) -> [EndpointEntry] {
        index.operations.map { operation in
            EndpointEntry(api, endpointName: operation.name) { try declaration(of: operation, in: api) }
        }
    }

    /// Returns the name, method, path and summary of each endpoint. They are known without reading whole operations.
    package func summaries(of api: CatalogueAPI) -> [EndpointSummary] {
        index.operations.map { operation in
            EndpointSummary(
                name: name + "." + operation.name, method: operation.summary.method, path: operation.summary.path,
                summary: document.operation(operation.summary).title)
        }
    }

    /// Reads all operations, and returns the declarations of their endpoints.
    ///
    /// - Throws: The error of the first operation that can't be declared, such as ``BodyTypeError``.
    package func declarations(of api: CatalogueAPI) throws -> [EndpointDeclaration] {
        try index.operations.map { try declaration(of: $0, in: api) }
    }

    /// Reads an operation, and returns the declaration of its endpoint.
    private func declaration(of operation: OperationIndex.NamedOperation, in api: CatalogueAPI) throws
        -> EndpointDeclaration
    {
        try DocumentEndpoint(document.operation(operation.summary), of: self).declaration(operation.name, in: api)
    }

    /// Returns the shapes of successful responses.
    ///
    /// There is no common shape of failures, because each operation of a document may have its own.
    package func responseShapes(of declarations: [EndpointDeclaration]) -> ResponseShapes {
        ResponseShapes(responses: declarations.map(\.responseShape), error: nil)
    }

    /// Returns a shape for each endpoint: an object with the parameters that the document declares.
    package func parameterShapes(of declarations: [EndpointDeclaration]) -> [ModelShape] {
        declarations.map(\.declaredParameterShape)
    }

    /// Returns the order of all examples. An operation has at most one example, so it is the order of the operations.
    package func exampleOrder() -> [ExampleNumber] {
        index.operations.map { ExampleNumber(endpointName: $0.name, number: 1) }
    }

    /// Returns sentences about the parts of the document that can't be read: paths, servers and security schemes.
    ///
    /// The parts of single operations are not among them.
    package func omissions() -> [String] {
        let errors =
            document.operations().errors + document.servers.errors + document.security.errors + credentials.errors
        return errors.map(\.description) + servers.problemSentences
            + OmissionSentences.unknownSchemes(unknownSchemes)
    }

    /// Returns the line of each value in the text of the document, which may be YAML.
    ///
    /// - Parameter offsets: The offsets of the values in the document as JSON.
    /// - Returns: The lines by the offsets.
    package func lines(of offsets: Set<Int>) -> [Int: Int] {
        let sortedOffsets = offsets.sorted()
        let places = document.references.places(of: sortedOffsets)
        return Dictionary(uniqueKeysWithValues: zip(sortedOffsets, places.map(\.line)))
    }

    /// Returns findings about the parts of the document and of its operations that can't be read or are left out.
    ///
    /// A large document has thousands of keywords that are not checked. They are counted for the whole API.
    package func lint() -> [LintFinding] {
        var findings = omissions().map { LintFinding(name: name, problem: $0) }
        var uncheckedKeywords = UncheckedKeywords()
        for operation in index.operations {
            // The only error is that the body can't have the media type that the user chose. The document is not
            // wrong.
            guard let endpoint = try? DocumentEndpoint(document.operation(operation.summary), of: self) else {
                continue
            }
            let endpointName = name + "." + operation.name
            var sentences = endpoint.omissionsBesideSchemas
            for note in endpoint.schemaNotes {
                if UncheckedKeywords.includes(note) {
                    uncheckedKeywords.count(note, of: endpointName)
                } else {
                    sentences.append(note.sentence)
                }
            }
            let distinctSentences = sentences.withoutRepetitions
            findings += distinctSentences.map { LintFinding(name: endpointName, problem: $0) }
        }
        return findings + uncheckedKeywords.sentences.map { LintFinding(name: name, problem: $0) }
    }

    /// Returns the credentials of an operation.
    ///
    /// - Returns: The credentials; nil if they are the credentials of the whole document.
    func credentials(of operation: OperationObject) -> OperationCredentials? {
        let requirements = operation.security.parts
        return requirements == security ? nil : credentials.credentials(of: requirements)
    }

    /// Returns the servers that an operation has in place of the document's servers.
    ///
    /// - Returns: The servers. Nil if the document's servers apply: the operation has no servers of its own, none of
    ///   them can be read, or none allows a value that the user chose for a variable.
    func servers(of operation: OperationObject) -> DocumentServers? {
        guard let objects = operation.ownServers else { return nil }
        let noneIsReadable = objects.parts.isEmpty && !objects.errors.isEmpty
        if noneIsReadable { return nil }
        // `DocumentServers` refuses unknown variables. The user may have set variables of the document's servers.
        let knownVariables = Set(objects.parts.flatMap(\.variables).map(\.name))
        let variables = options.serverVariables.filter { knownVariables.contains($0.key) }
        return try? DocumentServers(objects.parts, variables: variables, documentURL: documentURL)
    }
}
