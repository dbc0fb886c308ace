import EndpointKit
import EndpointTools
import JSONText

/// Writes APIs as an OpenAPI document, version 3.1.
///
/// Nothing in the document depends on variables, settings or the time, so equal APIs give equal bytes.
package struct DocumentWriter {
    private let apis: [CatalogueAPI]
    private let endpoints: [DocumentedEndpoint]
    private let names: ComponentNames
    private var securitySchemes = SecuritySchemeTable()

    /// Returns the document of endpoints.
    ///
    /// - Parameters:
    ///   - endpoints: The endpoints in the order of their APIs.
    ///   - apis: The APIs, of which each has a tag.
    ///   - title: The title of a document of several APIs. One API has its own name as the title.
    package static func document(
        _ endpoints: [DocumentedEndpoint], of apis: [CatalogueAPI], title: String
    ) -> JSONValue {
        var writer = DocumentWriter(endpoints, of: apis)
        return writer.document(title: title).json
    }

    private init(_ endpoints: [DocumentedEndpoint], of apis: [CatalogueAPI]) {
        self.endpoints = endpoints
        self.apis = apis
        // Models that are received get their names first.
        let received = endpoints.map { ComponentNames.Source($0.api, $0.responseShape, .response) }
        let failures = endpoints.map { ComponentNames.Source($0.api, $0.errorShape, .response) }
        let sent = endpoints.flatMap { endpoint in
            [endpoint.parameterShape, endpoint.bodyShape].map { ComponentNames.Source(endpoint.api, $0, .request) }
        }
        names = ComponentNames(received + failures + sent, of: endpoints.map(\.declaration))
    }

    private var onlyAPI: CatalogueAPI? { apis.count == 1 ? apis[0] : nil }

    private mutating func document(title: String) -> WrittenDocument {
        let paths = paths()
        let sharedServers = endpoints.first { !$0.hasServerOfItsOwn }?.servers.map(ServerObject.init) ?? []
        return WrittenDocument(
            title: onlyAPI?.name ?? title, summary: onlyAPI.flatMap { Self.nonEmpty($0.summary) },
            servers: onlyAPI == nil ? nil : sharedServers,
            tags: apis.map { TagObject(name: $0.name, summary: Self.nonEmpty($0.summary)) }, paths: paths,
            schemas: names.schemas, securitySchemes: securitySchemes.schemes)
    }

    /// Returns the paths. Those that differ only in the names of their variables are one (OpenAPI 3.1, section 4.8.8).
    private mutating func paths() -> [WrittenPath] {
        endpoints.grouped { $0.path([]) }.map { _, endpoints in
            let pathNames = endpoints[0].pathNames
            let operations = endpoints.map { operation($0, pathNames) }
            return WrittenPath(
                template: endpoints[0].path(pathNames),
                operations: operations.grouped(by: \.method).map { WrittenOperation.merged($1) })
        }
    }

    /// Returns the operation of an endpoint.
    ///
    /// - Parameter pathNames: The names for the values of the path.
    private mutating func operation(_ endpoint: DocumentedEndpoint, _ pathNames: [String]) -> WrittenOperation {
        let content = EndpointContent(endpoint, names)
        let fields = EndpointFields(endpoint, names.writer(of: endpoint.api, .request))
        let hasServers = onlyAPI == nil || endpoint.hasServerOfItsOwn
        let operation = WrittenOperation(
            method: endpoint.endpoint.method.rawValue, operationID: endpoint.declaration.name,
            summary: endpoint.endpoint.summary, tags: [endpoint.api.name], endpoints: [endpoint.declaration.name],
            servers: hasServers ? endpoint.servers.map(ServerObject.init) : nil, parameters: fields.parameters,
            body: content.body, responses: content.responses, security: security(of: endpoint), pages: content.pages)
        let newNames = Dictionary(zip(endpoint.pathNames, pathNames)) { first, _ in first }
        return operation.renamingPathParameters(newNames)
    }

    /// Returns the alternatives of credentials on any of the servers.
    private mutating func security(of endpoint: DocumentedEndpoint) -> [SecurityRequirement] {
        let servers: [Server?] = endpoint.servers.isEmpty ? [nil] : endpoint.servers
        let requirements = servers.flatMap { server in
            let credentials = endpoint.api.requestBuilder.credentials(of: endpoint.endpoint, on: server)
            return securitySchemes.requirements(credentials, of: endpoint.api)
        }
        return requirements.grouped { $0 }.map(\.key)
    }

    private static func nonEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }
}

extension ServerObject {
    /// Describes a server by its name.
    fileprivate init(_ server: Server) { self.init(url: server.url, summary: server.name) }
}
