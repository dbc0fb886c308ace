import EndpointKit
import EndpointTools

/// An API that is written into a document, with the endpoints that are selected.
package struct DocumentedAPI {
    /// The selected endpoints.
    enum Endpoints {
        /// Endpoints in Swift. Their requests were examined by calling the endpoints with different values.
        case probed([DocumentedEndpoint])
        /// Operations of a document. They are copied.
        case declared([OperationIndex.NamedOperation], DocumentCatalogue)
    }

    let api: CatalogueAPI
    let endpoints: Endpoints
    /// The selected servers.
    let servers: [Server]

    /// Creates an API that is declared in Swift.
    ///
    /// - Parameters:
    ///   - api: The API.
    ///   - endpoints: The selected endpoints.
    ///   - servers: The selected servers.
    package init(_ api: CatalogueAPI, endpoints: [DocumentedEndpoint], servers: [Server]) {
        self.api = api
        self.endpoints = .probed(endpoints)
        self.servers = servers
    }

    /// Creates an API that is declared in a document.
    ///
    /// - Parameters:
    ///   - api: The API.
    ///   - names: The full names of the selected endpoints, such as `shop.find`.
    ///   - servers: The selected servers.
    /// - Returns: The API; nil if it is declared in Swift.
    package init?(declared api: CatalogueAPI, endpoints names: Set<String>, servers: [Server]) {
        guard let catalogue = api.source as? DocumentCatalogue else { return nil }
        let operations = catalogue.index.operations.filter { names.contains(api.name + "." + $0.name) }
        self.api = api
        endpoints = .declared(operations, catalogue)
        self.servers = servers
    }

    /// The endpoints of an API that is declared in Swift; empty for an API of a document.
    var probedEndpoints: [DocumentedEndpoint] { if case .probed(let endpoints) = endpoints { endpoints } else { [] } }

    /// The document of the API; nil if the API is declared in Swift.
    var catalogue: DocumentCatalogue? { if case .declared(_, let catalogue) = endpoints { catalogue } else { nil } }
}
