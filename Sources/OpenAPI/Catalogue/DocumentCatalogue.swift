import EndpointKit
import EndpointTools
import JSONText

/// An API that an OpenAPI document describes.
///
/// Names and summaries are read from an index of the operations. The parts of an operation are read when it is
/// examined.
package struct DocumentCatalogue: CatalogueSource {
    /// The choices of a user for the APIs of documents.
    package struct Options: Sendable {
        /// Values of the variables in the URLs of servers; the defaults count for the others.
        package var serverVariables: [String: String]
        /// The media type of bodies; nil for the one that suits each operation best.
        package var bodyType: String?

        /// Makes the choices of a user. Without arguments, all choices are those of the document.
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
    /// The URL of the document, to which the URLs of servers may be relative; nil for a file.
    let documentURL: String?
    let index: OperationIndex
    /// The alternatives of credentials for all operations that name none.
    let security: [SecurityRequirement]
    /// The servers of the whole document.
    private let servers: DocumentServers
    /// The names of schemes in ``security`` that the document does not describe.
    private let unknownSchemes: [String]

    /// Makes the API of a document.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - name: The name of the API.
    ///   - documentURL: The URL of the document, to which the URLs of servers may be relative; nil for a file.
    ///   - options: The choices of the user.
    /// - Throws: ``ServerVariableError`` if a value for a variable is not allowed, or if no server has the variable.
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
        // Operations without credentials of their own have these.
        let sharedCredentials = credentials.credentials(of: security)
        unknownSchemes = sharedCredentials.unknownSchemes
        requestBuilder = RequestBuilder(
            apiName: name, servers: servers.servers, credentials: sharedCredentials.credentials)
    }

    /// The logins of the document's `oauth2` schemes.
    package var logins: [Login] { credentials.logins }

    /// Returns the name of an API for a text such as a document's title: `pet-store` for `Pet Store`.
    ///
    /// - Returns: The name; nil if the text has no letters or digits of ASCII.
    package static func name(_ text: String) -> String? {
        let words = EndpointNames.words(text).map { word in word.filter(\.isASCII) }
        let name = words.filter { !$0.isEmpty }.joined(separator: "-")
        return name.isEmpty ? nil : name
    }

    /// The title of the document and the first paragraph of its description.
    package var summary: String {
        let info = document.info
        return (info.summary ?? info.title)?.firstParagraph ?? ""
    }

    /// Returns the message in the body of a failed response. A document does not say where it is, so usual members are
    /// tried.
    package func failureMessage(in body: [UInt8]) -> String? { FailedResponseMessage.find(in: body) }

    /// Returns the endpoints by name. The parts of an operation are read when its declaration is asked for.
    package func entries(of api: CatalogueAPI) -> [EndpointEntry] {
        index.operations.map { operation in
            EndpointEntry(api, endpointName: operation.name) { try declaration(of: operation, in: api) }
        }
    }

    /// Returns what a list of endpoints shows. It is known from the index, without the parts of the operations.
    package func summaries(of api: CatalogueAPI) -> [EndpointSummary] {
        index.operations.map { operation in
            EndpointSummary(
                name: name + "." + operation.name, method: operation.summary.method, path: operation.summary.path,
                summary: document.operation(operation.summary).title)
        }
    }

    /// Returns the declarations of all endpoints, for which all parts of all operations are read.
    ///
    /// - Throws: The error of the first operation that can't be declared.
    package func declarations(of api: CatalogueAPI) throws -> [EndpointDeclaration] {
        try index.operations.map { try declaration(of: $0, in: api) }
    }

    /// Returns the declaration of an endpoint, for which the parts of its operation are read.
    private func declaration(of operation: OperationIndex.NamedOperation, in api: CatalogueAPI) throws
        -> EndpointDeclaration
    {
        try DocumentEndpoint(document.operation(operation.summary), of: self).declaration(operation.name, in: api)
    }

    /// Returns the shapes of successful responses. There is no shape of failures, because each operation may have its
    /// own.
    package func responseShapes(of declarations: [EndpointDeclaration]) -> ResponseShapes {
        ResponseShapes(responses: declarations.map(\.responseShape), error: nil)
    }

    /// Returns the shape of an object with the parameters of each endpoint, as the document declares them.
    package func parameterShapes(of declarations: [EndpointDeclaration]) -> [ModelShape] {
        declarations.map(\.declaredParameterShape)
    }

    /// The examples in the order of the operations: each has at most one.
    package func exampleOrder() -> [ExampleNumber] {
        index.operations.map { ExampleNumber(endpointName: $0.name, number: 1) }
    }

    /// Returns sentences about the parts of the whole document that can't be read or are left out.
    package func omissions() -> [String] {
        let errors =
            document.operations().errors + document.servers.errors + document.security.errors + credentials.errors
        return errors.map(\.description) + servers.problemSentences
            + OmissionSentences.unknownSchemes(unknownSchemes)
    }

    /// Returns the lines of values in the text of the document by the offsets of the values.
    package func lines(of offsets: Set<Int>) -> [Int: Int] {
        let sorted = offsets.sorted()
        let places = document.references.places(of: sorted)
        return Dictionary(uniqueKeysWithValues: zip(sorted, places.map(\.line)))
    }

    /// Returns the parts of the document that can't be read or are left out.
    ///
    /// Keywords that are not checked are counted for the whole API, because a large document has thousands of them.
    package func lint() -> [LintFinding] {
        var findings = omissions().map { LintFinding(name: name, problem: $0) }
        var unchecked = UncheckedKeywords()
        for operation in index.operations {
            // A body that can't be of the media type that the user chose is no mistake of the document.
            guard let endpoint = try? DocumentEndpoint(document.operation(operation.summary), of: self) else {
                continue
            }
            let endpointName = name + "." + operation.name
            let schemaNotes = endpoint.schemaNotes.filter { !unchecked.add($0, of: endpointName) }
            let sentences = endpoint.omissionsBesideSchemas + schemaNotes.map(\.sentence)
            findings += sentences.grouped { $0 }.map { LintFinding(name: endpointName, problem: $0.key) }
        }
        return findings + unchecked.sentences.map { LintFinding(name: name, problem: $0) }
    }

    /// Returns the credentials of an operation.
    ///
    /// - Returns: The credentials; nil if they are those of the API, which requests have anyway.
    func credentials(of operation: OperationObject) -> OperationCredentials? {
        let requirements = operation.security.parts
        return requirements == security ? nil : credentials.credentials(of: requirements)
    }

    /// Returns the servers of an operation that has servers of its own.
    ///
    /// - Returns: The servers. Nil if those of the document count, because the operation has none or because none of
    ///   them can be used with the values that the user chose.
    func servers(of operation: OperationObject) -> DocumentServers? {
        guard let objects = operation.ownServers else { return nil }
        // Without a server that can be read, those of the document count.
        if objects.parts.isEmpty, !objects.errors.isEmpty { return nil }
        // The user's values are for all servers together. One for a variable that these servers lack would be an error.
        let known = Set(objects.parts.flatMap(\.variables).map(\.name))
        let variables = options.serverVariables.filter { known.contains($0.key) }
        // The value may be meant for the servers of the document. If these servers do not allow it, they are not used.
        return try? DocumentServers(objects.parts, variables: variables, documentURL: documentURL)
    }
}
