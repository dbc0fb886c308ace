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
    /// - Throws: ``UsageError`` if no API has the server, and `NotAnEnumCase`.
    static func document(
        _ catalogue: CatalogueDescription, tool: String, server: SourcedText?
    ) throws -> JSONValue {
        let servers = try catalogue.servers(named: server)
        let apis = try zip(catalogue.apis, servers).map { try documentedAPI($0, $1) }
        return DocumentWriter.document(apis, title: tool)
    }

    /// Returns an API with all that the document says about it.
    ///
    /// - Parameters:
    ///   - api: The API with the endpoints that are written.
    ///   - servers: The servers that are written.
    private static func documentedAPI(_ api: APIDescription, _ servers: [Server]) throws -> DocumentedAPI {
        let names = Set(api.endpoints.map(\.name))
        // An API that comes from an OpenAPI document has all of this in its document.
        if let declared = DocumentedAPI(declared: api.api, endpoints: names, servers: servers) { return declared }
        // The endpoints of an API in Swift must be examined for their parameters and responses.
        let descriptions = try api.details()
        let shapes = try api.api.parameterShapes(of: descriptions.map(\.declaration))
        let endpoints = zip(descriptions, shapes).map { description, shape in
            DocumentedEndpoint(
                description.declaration, places: description.places, parameterShape: shape,
                responses: (success: description.responseShape, failure: description.errorShape), servers: servers,
                remarks: description.remarks)
        }
        return DocumentedAPI(api.api, endpoints: endpoints, servers: servers)
    }
}

extension EndpointDescription {
    /// The remarks about whole parameters, by the parameters' Swift names. Remarks about fields of structures are left
    /// out, because OpenAPI describes a parameter as a whole.
    fileprivate var remarks: [String: String] {
        var remarks: [String: String] = [:]
        for parameter in parameters where parameter.names.count == 1 && !parameter.remarks.isEmpty {
            remarks[parameter.names[0]] = parameter.remarks
        }
        return remarks
    }
}

extension Collection {
    /// The collection itself; nil if it is empty.
    var nonEmpty: Self? { isEmpty ? nil : self }
}
