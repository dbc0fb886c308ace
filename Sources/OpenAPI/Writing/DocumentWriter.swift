import EndpointKit
import EndpointTools
import JSONText

/// Writes APIs as an OpenAPI document, version 3.1.
///
/// Nothing in the document depends on variables, settings or the time, so equal APIs give equal bytes.
///
/// An API of a document keeps everything that has a name there. A document of this API alone is an API with the same
/// endpoints, parameters and variables again.
package struct DocumentWriter {
    private let apis: [DocumentedAPI]
    /// The names of the models of endpoints in Swift.
    private let names: ComponentNames
    /// The schemas that operations of documents have referred to so far.
    private var copiedSchemas: CopiedSchemas
    /// The security schemes that requirements have named so far.
    private var securitySchemes = SecuritySchemeTable()
    /// The names for the values of a path that is written, by the path without names.
    private var pathNames: [String: [String]] = [:]

    /// Returns the document of APIs.
    ///
    /// - Parameters:
    ///   - apis: The APIs in the order in which they are written.
    ///   - title: The title of a document of several APIs. One API has its own title.
    package static func document(_ apis: [DocumentedAPI], title: String) -> JSONValue {
        var writer = DocumentWriter(apis)
        return writer.document(title: title).json
    }

    /// Names the models of all APIs, because a schema refers to them before they are written.
    private init(_ apis: [DocumentedAPI]) {
        self.apis = apis
        let endpoints = apis.flatMap(\.probedEndpoints)
        // Models that are received get their names first.
        let received = endpoints.map { ComponentNames.Source($0.api, $0.responseShape, .response) }
        let failures = endpoints.map { ComponentNames.Source($0.api, $0.errorShape, .response) }
        let sent = endpoints.flatMap { endpoint in
            [endpoint.parameterShape, endpoint.bodyShape].map { ComponentNames.Source(endpoint.api, $0, .request) }
        }
        names = ComponentNames(received + failures + sent, of: endpoints.map(\.declaration))
        copiedSchemas = CopiedSchemas(besides: names.entries.map(\.name))
        for catalogue in apis.compactMap(\.catalogue) { copiedSchemas.reserveNames(of: catalogue.document) }
    }

    /// The API of a document that has only one.
    private var onlyAPI: DocumentedAPI? { apis.count == 1 ? apis[0] : nil }

    // MARK: The document

    /// Returns the whole document.
    ///
    /// Components are collected last, because paths and requirements add the schemas and schemes that they need.
    private mutating func document(title: String) -> WrittenDocument {
        let paths = paths()
        let security = onlyAPI?.catalogue.map { requirements($0.security, of: $0) }
        let schemas = names.schemas + copiedSchemas.components()
        return WrittenDocument(
            info: info(title: title), servers: onlyAPI.map(Self.sharedServers), security: security, tags: tags,
            paths: paths, schemas: schemas.sorted { $0.0 < $1.0 }, securitySchemes: securitySchemes.schemes)
    }

    /// Returns the title and the descriptions of the document.
    private func info(title: String) -> InfoObject {
        guard let api = onlyAPI else { return InfoObject(title: title) }
        guard let info = api.catalogue?.document.info else {
            return InfoObject(title: api.api.name, summary: Self.nonEmpty(api.api.summary))
        }
        return InfoObject(
            title: info.title ?? api.api.name, summary: info.summary, description: info.description,
            version: info.version)
    }

    /// The tags: those of a document, or else one for each API.
    private var tags: [TagObject] {
        if let catalogue = onlyAPI?.catalogue { return catalogue.document.tags.grouped(by: \.name).map { $1[0] } }
        return apis.map { TagObject(name: $0.api.name, summary: Self.nonEmpty($0.api.summary)) }
    }

    /// Returns the servers that are written once for all endpoints of an API; endpoints with servers of their own name
    /// them.
    private static func sharedServers(_ api: DocumentedAPI) -> [ServerObject] {
        guard api.catalogue == nil else { return api.servers.map(ServerObject.init) }
        return api.probedEndpoints.first { !$0.hasServerOfItsOwn }?.servers.map(ServerObject.init) ?? []
    }

    /// Returns the paths with their operations, in the order in which they first come.
    ///
    /// Operations with the same method and path become one, because a document has room for one. Paths of different
    /// APIs may be equal, too.
    private mutating func paths() -> [WrittenPath] {
        var operations: [WrittenOperation] = []
        for api in apis {
            switch api.endpoints {
            case .probed(let endpoints):
                for endpoint in endpoints { operations.append(operation(endpoint)) }
            case .declared(let declared, let catalogue):
                for operation in declared { operations.append(self.operation(operation, of: catalogue, api.servers)) }
            }
        }
        return operations.grouped(by: \.path).map { path, operations in
            WrittenPath(
                template: path, operations: operations.grouped(by: \.method).map { WrittenOperation.merged($1) })
        }
    }

    // MARK: Endpoints in Swift

    /// Returns the operation of an endpoint in Swift.
    ///
    /// Paths that differ only in the names of their variables are one (OpenAPI 3.1, section 4.8.8). Its variables have
    /// the names that the first endpoint has for them.
    private mutating func operation(_ endpoint: DocumentedEndpoint) -> WrittenOperation {
        let ownNames = endpoint.pathNames
        // The path without names is the key: `/pets/{id}` and `/pets/{name}` are one path.
        let sharedNames = pathNames[endpoint.path([])] ?? ownNames
        pathNames[endpoint.path([])] = sharedNames
        let content = EndpointContent(endpoint, names)
        let fields = EndpointFields(endpoint, names.writer(of: endpoint.api, .request))
        let hasServers = onlyAPI == nil || endpoint.hasServerOfItsOwn
        let operation = WrittenOperation(
            path: endpoint.path(sharedNames), method: endpoint.endpoint.method.rawValue,
            operationID: endpoint.declaration.name, summary: endpoint.endpoint.summary, tags: [endpoint.api.name],
            endpoints: [endpoint.declaration.name],
            servers: hasServers ? endpoint.servers.map(ServerObject.init) : nil, parameters: fields.parameters,
            body: content.body, responses: content.responses, security: security(of: endpoint), pages: content.pages)
        return operation.renamingPathParameters(Dictionary(zip(ownNames, sharedNames)) { first, _ in first })
    }

    /// Returns the alternatives of credentials on any of the servers, each once. An endpoint without servers may still
    /// need a credential.
    private mutating func security(of endpoint: DocumentedEndpoint) -> [SecurityRequirement] {
        let servers: [Server?] = endpoint.servers.isEmpty ? [nil] : endpoint.servers
        let requirements = servers.flatMap { server in
            let credentials = endpoint.api.requestBuilder.credentials(of: endpoint.endpoint, on: server)
            return securitySchemes.requirements(credentials, of: endpoint.api)
        }
        return requirements.grouped { $0 }.map(\.key)
    }

    // MARK: Operations of documents

    /// Returns an operation of a document.
    ///
    /// In a document of several APIs, the operation has its full name and the tag of its API, as those in Swift have.
    ///
    /// - Parameters:
    ///   - named: The operation.
    ///   - catalogue: The API of its document.
    ///   - servers: The servers of the API that are written.
    private mutating func operation(
        _ named: OperationIndex.NamedOperation, of catalogue: DocumentCatalogue, _ servers: [Server]
    ) -> WrittenOperation {
        let operation = catalogue.document.operation(named.summary)
        let copy = OperationCopy(operation, of: catalogue.document)
        let name = catalogue.name + "." + named.name
        let isAlone = onlyAPI != nil
        // In a document of several APIs, each operation has its servers, because the APIs share none.
        let ownServers = catalogue.servers(of: operation)?.servers ?? (isAlone ? nil : servers)
        return WrittenOperation(
            path: named.summary.path, method: named.summary.method,
            operationID: isAlone ? named.summary.operationID : name, summary: named.summary.summary,
            description: operation.description, isDeprecated: named.summary.isDeprecated,
            tags: isAlone ? named.summary.tags : [catalogue.name], endpoints: [name],
            servers: ownServers?.map(ServerObject.init), parameters: copy.parameters(&copiedSchemas),
            body: copy.body(&copiedSchemas), responses: copy.responses(&copiedSchemas),
            security: requirements(operation.security.parts, of: catalogue))
    }

    /// Returns requirements with the names that their schemes have in this document.
    ///
    /// In a document of several APIs, the name of the API goes in front of each scheme. A requirement with a scheme
    /// that its document does not describe is left out.
    private mutating func requirements(
        _ requirements: [SecurityRequirement], of catalogue: DocumentCatalogue
    ) -> [SecurityRequirement] {
        let prefix = onlyAPI == nil ? catalogue.name + "." : ""
        return requirements.compactMap { securitySchemes.requirement($0, of: catalogue, prefix: prefix) }
    }

    /// Returns a text; nil if it is empty, so that the document has no member for it.
    private static func nonEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }
}

extension ServerObject {
    /// Describes a server. Its name becomes the description, from which the name is made again when the document is
    /// read.
    fileprivate init(_ server: Server) { self.init(url: server.url, summary: server.name) }
}

extension InfoObject {
    /// Makes the information about the API of a document that is written.
    fileprivate init(
        title: String, summary: String? = nil, description: String? = nil, version: String? = nil
    ) {
        self.title = title
        self.summary = summary
        self.description = description
        self.version = version
    }
}
