import EndpointKit
import EndpointTools

/// An API with those of its endpoints that are written.
package struct DocumentedAPI {
    /// The endpoints of an API, by the source that describes them.
    enum Endpoints {
        /// Endpoints in Swift, whose requests are known from a probe.
        case probed([DocumentedEndpoint])
        /// Operations of a document, which are written as the document declares them.
        case declared([OperationIndex.NamedOperation], DocumentCatalogue)
    }

    let api: CatalogueAPI
    let endpoints: Endpoints
    /// The servers that are written.
    let servers: [Server]

    /// Describes an API in Swift.
    ///
    /// - Parameters:
    ///   - api: The API.
    ///   - endpoints: The endpoints that are written.
    ///   - servers: The servers that are written.
    package init(_ api: CatalogueAPI, endpoints: [DocumentedEndpoint], servers: [Server]) {
        self.api = api
        self.endpoints = .probed(endpoints)
        self.servers = servers
    }

    /// Describes the API of a document.
    ///
    /// - Parameters:
    ///   - api: The API.
    ///   - names: The full names of the endpoints that are written.
    ///   - servers: The servers that are written.
    /// - Returns: Nil if no document describes the API.
    package init?(declared api: CatalogueAPI, endpoints names: Set<String>, servers: [Server]) {
        guard let catalogue = api.source as? DocumentCatalogue else { return nil }
        let operations = catalogue.index.operations.filter { names.contains(api.name + "." + $0.name) }
        self.api = api
        endpoints = .declared(operations, catalogue)
        self.servers = servers
    }

    /// The endpoints in Swift; empty for an API that a document describes.
    var probedEndpoints: [DocumentedEndpoint] { if case .probed(let endpoints) = endpoints { endpoints } else { [] } }

    /// The document of the API; nil if the API is declared in Swift.
    var catalogue: DocumentCatalogue? { if case .declared(_, let catalogue) = endpoints { catalogue } else { nil } }
}
