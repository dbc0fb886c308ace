import EndpointKit
import EndpointTools
import JSONText

/// Describes the bodies of an endpoint's requests and responses, as an OpenAPI document does.
struct EndpointContent {
    private let endpoint: DocumentedEndpoint
    private let names: ComponentNames

    /// Creates the description of an endpoint's bodies. Their schemas refer to models by `names`.
    init(_ endpoint: DocumentedEndpoint, names: ComponentNames) {
        self.endpoint = endpoint
        self.names = names
    }

    // MARK: Requests

    /// The body of requests; nil if requests have no body.
    var body: WrittenBody? {
        guard let body = endpoint.places.endpoint.body else { return nil }
        let headers = endpoint.api.requestBuilder.fields(of: endpoint.endpoint)
        // A header `Content-Type` of the endpoint or the API replaces the content type of the body.
        let header = headers.first { $0.isNamed("Content-Type") }?.value
        var content = mediaType(of: body, contentType: header ?? body.contentType)
        if endpoint.bindings.bodyFormat == .form || endpoint.bindings.bodyFormat == .multipart {
            let writer = names.writer(of: endpoint.api, use: .request)
            let form = EndpointFields(endpoint, writer: writer).form
            content.schema = form.schema
            content.encodings = form.encodings
        }
        return WrittenBody(isRequired: isBodyRequired, content: [content])
    }

    /// Returns a body with its schema: the schema of the parameters for JSON, a string for text, and none for bytes.
    ///
    /// The schema of a form is missing. The caller adds it.
    private func mediaType(of body: Body, contentType: String) -> WrittenMediaType {
        var schema: JSONValue?
        if endpoint.bindings.bodyFormat == .json {
            let writer = names.writer(of: endpoint.api, use: .request)
            schema = endpoint.bodyShape.map { JSONValue(writer.keywords(of: $0)) }
        } else if case .text = body {
            // An empty text would mean that the request has no body.
            schema = ["type": "string", "minLength": 1]
        }
        return WrittenMediaType(contentType: contentType, schema: schema.map { WrittenSchema($0) })
    }

    /// Whether each request has a body: the body contains a required parameter, or is constant.
    private var isBodyRequired: Bool {
        let boundParameters = endpoint.bindings.bindings.filter { $0.place.part == .body }.map(\.parameter)
        let fields = endpoint.bindings.fields(endpoint.parameterShape).filter { $0.place.part == .body }
        let parameters = boundParameters + fields.flatMap(\.sources)
        return parameters.isEmpty || parameters.contains { !$0.isOptional }
    }

    // MARK: Responses

    /// The responses: a success, and a failure for all other status codes.
    ///
    /// An endpoint in Swift does not declare status codes. The success is 204 if the response has no body, and 200
    /// otherwise.
    var responses: [WrittenResponse] {
        let content = successContent.map { [$0] } ?? []
        let success =
            endpoint.endpoint.respondsWithNoContent
            ? WrittenResponse(status: .code(204), summary: "No content", content: content)
            : WrittenResponse(status: .code(200), summary: "OK", content: content)
        let failure = WrittenResponse(
            status: .fallback, summary: "A failure",
            content: endpoint.errorShape.map { [jsonContent("application/json", shape: $0)] } ?? [])
        return [success, failure]
    }

    /// The body of a successful response; nil if it has no body.
    private var successContent: WrittenMediaType? {
        let sample = endpoint.endpoint.sample
        switch endpoint.endpoint.response.kind {
        case .empty:
            return nil
        case .bytes:
            // An empty content type in a sample means that the response has no body.
            let isEmpty = sample?.contentType == ""
            return isEmpty ? nil : WrittenMediaType(contentType: "*/*")
        case .json:
            // OpenAPI names a media type without parameters such as `charset`.
            let mediaType = sample?.contentType.prefix { $0 != ";" }.lowercased()
            var content = jsonContent(mediaType ?? "application/json", shape: endpoint.responseShape)
            if let example = sample.flatMap(Self.example) {
                content.examples = [WrittenExample(name: endpoint.declaration.name, value: example)]
            }
            return content
        }
    }

    /// Returns a response body in JSON. Without a shape, its schema allows any JSON.
    private func jsonContent(_ contentType: String, shape: ModelShape?) -> WrittenMediaType {
        let writer = names.writer(of: endpoint.api, use: .response)
        let schema = shape.map { writer.schema($0.root) } ?? [:]
        return WrittenMediaType(contentType: contentType, schema: WrittenSchema(schema))
    }

    /// Returns the JSON value of a sample, with secrets removed; nil if the sample is not JSON.
    private static func example(_ sample: Sample) -> JSONValue? {
        try? JSONValue(text: SecretRules.redacted(sample.bytes, contentType: sample.contentType))
    }

    /// The value of the extension `x-apictl-pages`; nil if a response is not a page.
    ///
    ///     {"by": "number", "parameter": "page", "items": "items"}
    ///
    /// `by` is the way in which pages are requested, `items` is the member of a page that holds the items, and all
    /// other members are the settings of `by`.
    var pages: JSONValue? {
        guard let pages = endpoint.endpoint.pages else { return nil }
        let scheme = try? JSONValue(text: Coding().encode(pages.scheme))
        let members = scheme?.members?.map { ($0.key, $0.value) } ?? []
        return JSONValue([("by", JSONValue(pages.way.rawValue))] + members + [("items", JSONValue(pages.items))])
    }
}
