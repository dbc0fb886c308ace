import EndpointKit
import EndpointTools
import JSONText

/// Writes APIs as an OpenAPI document, version 3.1.
///
/// The document does not depend on environment variables, settings or the time, so equal APIs give equal bytes.
///
/// An API may be declared in Swift or in a document. An API of a document keeps its names: a document that is written
/// from it has the same endpoints, parameters and variables.
package struct DocumentWriter {
    private let apis: [DocumentedAPI]
    /// The component names of the models of endpoints in Swift.
    private let names: ComponentNames
    /// The schemas that operations of documents refer to. The list grows while operations are written.
    private var copiedSchemas: CopiedSchemas
    /// The security schemes that requirements refer to. The table grows while operations are written.
    private var securitySchemes = SecuritySchemeTable()
    /// The names of the variables in each path that was written. The key is the path without names, such as
    /// `/pets/{}`.
    private var pathNames: [String: [String]] = [:]

    /// Returns an OpenAPI document that describes some APIs.
    ///
    /// - Parameters:
    ///   - apis: The APIs in the order of the document.
    ///   - title: The title of a document of several APIs. The document of one API has the title of the API.
    package static func document(_ apis: [DocumentedAPI], title: String) -> JSONValue {
        var writer = DocumentWriter(apis)
        return writer.document(title: title).json
    }

    /// Creates a writer, and gives the models of all APIs their names.
    private init(_ apis: [DocumentedAPI]) {
        self.apis = apis
        let endpoints = apis.flatMap(\.probedEndpoints)
        // The models of responses come first, so that the models of requests are numbered if names are equal.
        let successes = endpoints.map { ComponentNames.Source($0.responseShape, of: $0.api, use: .response) }
        let failures = endpoints.map { ComponentNames.Source($0.errorShape, of: $0.api, use: .response) }
        let requests = endpoints.flatMap { endpoint in
            let shapes = [endpoint.parameterShape, endpoint.bodyShape]
            return shapes.map { ComponentNames.Source($0, of: endpoint.api, use: .request) }
        }
        names = ComponentNames(successes + failures + requests, of: endpoints.map(\.declaration))
        copiedSchemas = CopiedSchemas(besides: names.entries.map(\.name))
        for catalogue in apis.compactMap(\.catalogue) { copiedSchemas.reserveNames(of: catalogue.document) }
    }

    /// The API of the document if it is the only one; nil for a document of several APIs.
    private var onlyAPI: DocumentedAPI? { apis.count == 1 ? apis[0] : nil }

    // MARK: The document

    /// Returns the whole document.
    ///
    /// Paths and requirements add the schemas and security schemes that they need, so components come last.
    private mutating func document(title: String) -> WrittenDocument {
        let paths = writePaths()
        let security = onlyAPI?.catalogue.map { addRequirements($0.security, of: $0) }
        let schemas = names.schemas + copiedSchemas.copyPendingComponents()
        return WrittenDocument(
            info: info(title: title), servers: onlyAPI.map(Self.sharedServers), security: security, tags: tags,
            paths: paths, schemas: schemas.sorted { $0.0 < $1.0 }, securitySchemes: securitySchemes.schemes)
    }

    /// Returns the title, version and descriptions of the document.
    private func info(title: String) -> InfoObject {
        guard let api = onlyAPI else { return InfoObject(title: title) }
        guard let info = api.catalogue?.document.info else {
            return InfoObject(title: api.api.name, summary: Self.nonEmpty(api.api.summary))
        }
        return InfoObject(
            title: info.title ?? api.api.name, summary: info.summary, description: info.description,
            version: info.version)
    }

    /// The tags of the document: the tags of its only API if that is declared in a document, or else one for each API.
    private var tags: [TagObject] {
        if let catalogue = onlyAPI?.catalogue { return catalogue.document.tags.withoutRepetitions(of: \.name) }
        return apis.map { TagObject(name: $0.api.name, summary: Self.nonEmpty($0.api.summary)) }
    }

    /// Returns the servers of an API for the whole document. They apply to all endpoints without servers of their own.
    private static func sharedServers(_ api: DocumentedAPI) -> [ServerObject] {
        if api.catalogue != nil { return api.servers.map(ServerObject.init) }
        let endpointWithSharedServers = api.probedEndpoints.first { !$0.hasServerOfItsOwn }
        return endpointWithSharedServers?.servers.map(ServerObject.init) ?? []
    }

    /// Returns the paths with their operations, in the order of the APIs.
    ///
    /// The schemas and security schemes that the operations refer to are added to the document.
    ///
    /// Endpoints with the same method and path, even of different APIs, are merged into one operation, because a
    /// document can't have two.
    private mutating func writePaths() -> [WrittenPath] {
        var operations: [WrittenOperation] = []
        for api in apis {
            switch api.endpoints {
            case .probed(let endpoints):
                for endpoint in endpoints { operations.append(writeOperation(for: endpoint)) }
            case .declared(let namedOperations, let catalogue):
                for operation in namedOperations {
                    operations.append(copyOperation(operation, of: catalogue, serversOfAPI: api.servers))
                }
            }
        }
        return operations.grouped(by: \.path).map { path, operationsOfPath in
            let operationsByMethod = operationsOfPath.grouped(by: \.method)
            return WrittenPath(
                template: path, operations: operationsByMethod.map { WrittenOperation.merge($0.elements) })
        }
    }

    // MARK: Endpoints in Swift

    /// Returns the operation of an endpoint that is declared in Swift, and adds its security schemes to the document.
    ///
    /// `/pets/{id}` and `/pets/{name}` are the same path in OpenAPI (OpenAPI 3.1, section 4.8.8). The variables get
    /// the names that they have in the first endpoint with the path, which are stored for the endpoints after it.
    private mutating func writeOperation(for endpoint: DocumentedEndpoint) -> WrittenOperation {
        let declaredNames = endpoint.pathNames
        // Both paths are `/pets/{}` without names.
        let pathWithoutNames = endpoint.path([])
        let sharedNames = pathNames[pathWithoutNames] ?? declaredNames
        pathNames[pathWithoutNames] = sharedNames
        let content = EndpointContent(endpoint, names: names)
        let fields = EndpointFields(endpoint, writer: names.writer(of: endpoint.api, use: .request))
        // The servers of the only API apply to the whole document.
        let hasServers = onlyAPI == nil || endpoint.hasServerOfItsOwn
        let operation = WrittenOperation(
            path: endpoint.path(sharedNames), method: endpoint.endpoint.method.rawValue,
            operationID: endpoint.declaration.name, summary: endpoint.endpoint.summary, tags: [endpoint.api.name],
            endpoints: [endpoint.declaration.name],
            servers: hasServers ? endpoint.servers.map(ServerObject.init) : nil, parameters: fields.parameters,
            body: content.body, responses: content.responses, security: addRequirements(of: endpoint),
            pages: content.pages)
        let newNames = Dictionary(zip(declaredNames, sharedNames), uniquingKeysWith: { first, _ in first })
        return operation.renamingPathParameters(newNames)
    }

    /// Returns the alternatives of credentials that an endpoint needs on any of its servers, without repetitions.
    ///
    /// The security schemes of the credentials are added to the document.
    private mutating func addRequirements(of endpoint: DocumentedEndpoint) -> [SecurityRequirement] {
        // An endpoint without servers may need a credential too.
        let servers: [Server?] = endpoint.servers.isEmpty ? [nil] : endpoint.servers
        let requirements = servers.flatMap { server in
            let credentials = endpoint.api.requestBuilder.credentials(of: endpoint.endpoint, on: server)
            return securitySchemes.addRequirements(credentials, of: endpoint.api)
        }
        return requirements.withoutRepetitions
    }

    // MARK: Operations of documents

    /// Returns the copy of an operation that is declared in a document.
    ///
    /// The schemas and security schemes of the operation are added to the written document.
    ///
    /// In a document of several APIs, the operation has its full name, such as `shop.find`, and the tag of its API.
    ///
    /// - Parameters:
    ///   - namedOperation: The operation, with the name of its endpoint in the API.
    ///   - catalogue: The API of the operation.
    ///   - serversOfAPI: The servers of the API.
    private mutating func copyOperation(
        _ namedOperation: OperationIndex.NamedOperation, of catalogue: DocumentCatalogue, serversOfAPI: [Server]
    ) -> WrittenOperation {
        let summary = namedOperation.summary
        let operation = catalogue.document.operation(summary)
        let copy = OperationCopy(operation, of: catalogue.document)
        let endpointName = catalogue.name + "." + namedOperation.name
        let isOnlyAPI = onlyAPI != nil
        var servers = catalogue.servers(of: operation)?.servers
        // The servers of the only API apply to the whole document. In a document of several APIs, each operation lists
        // the servers of its API.
        if servers == nil, !isOnlyAPI { servers = serversOfAPI }
        return WrittenOperation(
            path: summary.path, method: summary.method,
            operationID: isOnlyAPI ? summary.operationID : endpointName, summary: summary.summary,
            description: operation.description, isDeprecated: summary.isDeprecated,
            tags: isOnlyAPI ? summary.tags : [catalogue.name], endpoints: [endpointName],
            servers: servers?.map(ServerObject.init),
            parameters: copy.copyParameters(addingSchemasTo: &copiedSchemas),
            body: copy.copyBody(addingSchemasTo: &copiedSchemas),
            responses: copy.copyResponses(addingSchemasTo: &copiedSchemas),
            security: addRequirements(operation.security.parts, of: catalogue))
    }

    /// Returns the requirements of a document with the names that their schemes have in the written document.
    ///
    /// The schemes are added to the written document.
    ///
    /// In a document of several APIs, the scheme `key` of `shop` is called `shop.key`. A requirement with a scheme
    /// that its document does not describe is left out.
    private mutating func addRequirements(
        _ requirements: [SecurityRequirement], of catalogue: DocumentCatalogue
    ) -> [SecurityRequirement] {
        let prefix = onlyAPI == nil ? catalogue.name + "." : ""
        return requirements.compactMap { securitySchemes.copyRequirement($0, of: catalogue, prefix: prefix) }
    }

    /// Returns the text, or nil if it is empty.
    private static func nonEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }
}

extension ServerObject {
    /// Creates the Server Object of a server. Its description is the server's name, which ``DocumentServers`` reads.
    fileprivate init(_ server: Server) { self.init(url: server.url, summary: server.name) }
}

extension InfoObject {
    /// Creates the information about an API for a document that is written.
    fileprivate init(
        title: String, summary: String? = nil, description: String? = nil, version: String? = nil
    ) {
        self.title = title
        self.summary = summary
        self.description = description
        self.version = version
    }
}
