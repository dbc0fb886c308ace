import EndpointKit
import JSONText
import OpenAPI

/// Requests of operations for tests.
enum Calls {
    private static let builder = RequestBuilder(
        apiName: "shop", servers: [Server("production", url: "https://shop.example")])

    /// Returns the only operation of a document, with the document.
    ///
    /// - Parameters:
    ///   - members: The members of the operation.
    ///   - path: The path.
    ///   - method: The method in lower case.
    ///   - version: The member that names the version.
    ///   - more: Members of the document, each after a comma.
    static func operation(
        _ members: String, path: String = "/x", method: String = "get", version: String = #""openapi": "3.1.0""#,
        more: String = ""
    ) throws -> (OperationObject, OpenAPIDocument) {
        let document = try Documents.document(
            #"{\#(version), "paths": {"\#(path)": {"\#(method)": {\#(members)}}}\#(more)}"#)
        return (document.operation(document.operations().parts[0]), document)
    }

    /// Returns what requests of the only operation of a document are made of.
    static func operationRequest(
        _ members: String, path: String = "/x", method: String = "get", version: String = #""openapi": "3.1.0""#,
        more: String = "", bodyType: String? = nil
    ) throws -> OperationRequest {
        let (operation, document) = try operation(members, path: path, method: method, version: version, more: more)
        return try OperationRequest(operation, in: document, bodyType: bodyType)
    }

    /// Returns the request for values, which are JSON text.
    static func request(
        _ operation: OperationRequest, _ values: String, credentials: [Credential] = [],
        variables: [String: String] = [:]
    ) throws -> Request {
        var endpoint = try operation.endpoint(for: JSONValue(text: Array(values.utf8)))
        endpoint.credentials = credentials
        var options = RequestOptions()
        options.boundary = "x"
        options.variables = { variables[$0] }
        return try builder.request(endpoint, options)
    }

    /// Returns the path and query of a request with one parameter, which is called `color`.
    ///
    /// - Parameters:
    ///   - parameter: The members of the parameter without its name.
    ///   - value: The value as JSON text.
    ///   - path: The path.
    static func url(_ parameter: String, _ value: String, path: String = "/x", version: String = #""openapi": "3.1.0""#)
        throws -> String
    {
        let operation = try operationRequest(
            #""parameters": [{"name": "color", \#(parameter)}]"#, path: path, version: version)
        let request = try request(operation, #"{"color": \#(value)}"#)
        return String(try request.revealedURL().dropFirst("https://shop.example".count))
    }

    /// Returns a header of a request with one parameter, which is called `color`; nil if there is no such header.
    static func header(_ name: String, _ parameter: String, _ value: String) throws -> String? {
        let operation = try operationRequest(#""parameters": [{"name": "color", \#(parameter)}]"#)
        let request = try request(operation, #"{"color": \#(value)}"#)
        return try request.headers.first { $0.isNamed(name) }?.revealedValue()
    }

    /// Returns the content type and the text of a request's body; a file is its path between angle brackets.
    static func body(_ request: Request) -> (contentType: String?, text: String) {
        let texts = (request.body?.pieces ?? []).map { piece in
            switch piece {
            case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
            case .file(let path): "<\(path)>"
            case .stream: "<stream>"
            }
        }
        let contentType = request.headers.first { $0.isNamed("Content-Type") }
        return (contentType?.value, texts.joined())
    }
}
