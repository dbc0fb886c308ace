import EndpointKit
import EndpointTools
import JSONText
import OpenAPI

/// Writes a catalogue as an OpenAPI document; see `DocumentWriter`.
enum OpenAPIWriter {
    /// Returns the OpenAPI document of a catalogue.
    ///
    /// - Parameters:
    ///   - catalogue: The APIs with the endpoints that are written.
    ///   - tool: The name of the tool, which becomes the title of a document of several APIs.
    ///   - server: The name of the only server to write; nil for all.
    /// - Throws: ``UsageError`` if no API has the server, and `NotAnEnumCase` for an API whose enum implements
    ///   `Codable` by hand, which hides its cases.
    static func document(
        _ catalogue: CatalogueDescription, tool: String, server: SourcedText?
    ) throws -> JSONValue {
        let servers = try catalogue.servers(named: server)
        let apis = try zip(catalogue.apis, servers).map { try documentedAPI($0, servers: $1) }
        return DocumentWriter.document(apis, title: tool)
    }

    /// Returns an API with all that the document says about it.
    ///
    /// - Parameters:
    ///   - apiDescription: The API with the endpoints that are written.
    ///   - servers: The servers that are written.
    private static func documentedAPI(_ apiDescription: APIDescription, servers: [Server]) throws -> DocumentedAPI {
        let api = apiDescription.api
        let endpointNames = Set(apiDescription.endpoints.map(\.name))
        // An API that comes from an OpenAPI document has all of this in its document.
        if let apiOfDocument = DocumentedAPI(declared: api, endpoints: endpointNames, servers: servers) {
            return apiOfDocument
        }
        // The endpoints of an API in Swift must be examined for their parameters and responses.
        let endpoints = try apiDescription.details()
        let parameterShapes = try api.parameterShapes(of: endpoints.map(\.declaration))
        let documentedEndpoints = zip(endpoints, parameterShapes).map { endpoint, parameterShape in
            DocumentedEndpoint(
                endpoint.declaration, places: endpoint.places, parameterShape: parameterShape,
                responses: (success: endpoint.responseShape, failure: endpoint.errorShape), servers: servers,
                remarks: endpoint.wholeParameterRemarks)
        }
        return DocumentedAPI(api, endpoints: documentedEndpoints, servers: servers)
    }
}

extension EndpointDescription {
    /// The remarks about whole parameters, by the parameters' Swift names. Remarks about fields of structures are left
    /// out, because OpenAPI describes a parameter as a whole.
    fileprivate var wholeParameterRemarks: [String: String] {
        var remarksByName: [String: String] = [:]
        for parameter in parameters {
            let isWholeParameter = parameter.names.count == 1
            if isWholeParameter, !parameter.remarks.isEmpty { remarksByName[parameter.names[0]] = parameter.remarks }
        }
        return remarksByName
    }
}
