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
    /// - Throws: ``UsageError`` if no API has the server, and `NotAnEnumCase` for an API with a handwritten `Codable`.
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
    ///   - described: The API with the endpoints that are written.
    ///   - servers: The servers that are written.
    private static func documentedAPI(_ described: APIDescription, servers: [Server]) throws -> DocumentedAPI {
        let api = described.api
        let names = Set(described.endpoints.map(\.name))
        // An API that comes from an OpenAPI document has all of this in its document.
        if let declared = DocumentedAPI(declared: api, endpoints: names, servers: servers) { return declared }
        // The endpoints of an API in Swift must be examined for their parameters and responses.
        let descriptions = try described.details()
        let parameterShapes = try api.parameterShapes(of: descriptions.map(\.declaration))
        let endpoints = zip(descriptions, parameterShapes).map { description, parameterShape in
            DocumentedEndpoint(
                description.declaration, places: description.places, parameterShape: parameterShape,
                responses: (success: description.responseShape, failure: description.errorShape), servers: servers,
                remarks: description.wholeParameterRemarks)
        }
        return DocumentedAPI(api, endpoints: endpoints, servers: servers)
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
