import EndpointKit
import EndpointTools
import JSONText

/// The bodies of an endpoint's requests and responses, as a document describes them.
struct EndpointContent {
    private let endpoint: DocumentedEndpoint
    private let names: ComponentNames

    /// Prepares to describe the bodies of an endpoint, whose schemas name models as `names` does.
    init(_ endpoint: DocumentedEndpoint, _ names: ComponentNames) {
        self.endpoint = endpoint
        self.names = names
    }

    // MARK: Requests

    /// The body of requests; nil if there is none.
    var body: WrittenBody? {
        guard let body = endpoint.places.endpoint.body else { return nil }
        let headers = endpoint.api.requestBuilder.fields(of: endpoint.endpoint)
        // A header of the endpoint or the API may replace the content type of the body.
        let header = headers.first { $0.isNamed("Content-Type") }?.value
        var content = mediaType(of: body, header ?? body.contentType)
        if endpoint.bindings.form == .form || endpoint.bindings.form == .multipart {
            let writer = names.writer(of: endpoint.api, .request)
            let form = EndpointFields(endpoint, writer).form
            // A form has a schema for each field, and the fields may have styles.
            content.schema = form.schema
            content.encodings = form.encodings
        }
        return WrittenBody(isRequired: isBodyRequired, content: [content])
    }

    /// Returns the media type of a body that is no form.
    ///
    /// A body in JSON has the schema of its parameters. A text is not empty, and nothing is known about bytes.
    private func mediaType(of body: Body, _ contentType: String) -> WrittenMediaType {
        var schema: JSONValue?
        if endpoint.bindings.form == .json {
            let writer = names.writer(of: endpoint.api, .request)
            schema = endpoint.bodyShape.map { JSONValue(writer.members($0)) }
        } else if case .text = body {
            // An empty body is none.
            schema = ["type": "string", "minLength": 1]
        }
        return WrittenMediaType(contentType: contentType, schema: schema.map { WrittenSchema($0) })
    }

    /// Whether each request has a body.
    ///
    /// A body that is made of optional parameters alone may be left out. A body without parameters is constant, so each
    /// request has it.
    private var isBodyRequired: Bool {
        let bound = endpoint.bindings.bindings.filter { $0.place.part == .body }.map(\.parameter)
        let fields = endpoint.bindings.fields(endpoint.parameterShape).filter { $0.place.part == .body }
        let parameters = bound + fields.flatMap(\.sources)
        return parameters.isEmpty || parameters.contains { !$0.isOptional }
    }

    // MARK: Responses

    /// The responses: a success, and a failure for all other codes.
    ///
    /// An endpoint declares no status codes. The success is 204 for an endpoint that returns nothing, and else 200.
    var responses: [WrittenResponse] {
        let content = successContent.map { [$0] } ?? []
        let success =
            endpoint.endpoint.isBodiless
            ? WrittenResponse(status: .code(204), summary: "No content", content: content)
            : WrittenResponse(status: .code(200), summary: "OK", content: content)
        let failure = WrittenResponse(
            status: .fallback, summary: "A failure",
            content: endpoint.errorShape.map { [json("application/json", $0)] } ?? [])
        return [success, failure]
    }

    /// The body of a success; nil if there is none.
    private var successContent: WrittenMediaType? {
        let sample = endpoint.endpoint.sample
        switch endpoint.endpoint.response.kind {
        case .empty:
            return nil
        case .bytes:
            // A sample without a content type says that the response has no body.
            let isEmpty = sample?.contentType == ""
            return isEmpty ? nil : WrittenMediaType(contentType: "*/*")
        case .json:
            // Parameters such as `charset` are no part of the key of a media type.
            let type = sample?.contentType.prefix { $0 != ";" }.lowercased()
            var content = json(type ?? "application/json", endpoint.responseShape)
            if let example = sample.flatMap(Self.example) {
                content.examples = [WrittenExample(name: endpoint.declaration.name, value: example)]
            }
            return content
        }
    }

    /// Returns the media type of a response in JSON. Without a shape the body may be anything.
    private func json(_ contentType: String, _ shape: ModelShape?) -> WrittenMediaType {
        let writer = names.writer(of: endpoint.api, .response)
        let schema = shape.map { writer.schema($0.root) } ?? [:]
        return WrittenMediaType(contentType: contentType, schema: WrittenSchema(schema))
    }

    /// Returns the value of a sample without secrets; nil if it is not JSON.
    private static func example(_ sample: Sample) -> JSONValue? {
        try? JSONValue(text: SecretRules.redacted(sample.bytes, contentType: sample.contentType))
    }

    /// The description of pages as the value of the extension `x-apictl-pages`; nil if a response is not a page.
    ///
    /// It has the name of the scheme, its settings, and the member that holds the items:
    ///
    ///     {"by": "number", "parameter": "page", "items": "items"}
    var pages: JSONValue? {
        guard let pages = endpoint.endpoint.pages else { return nil }
        let scheme = try? JSONValue(text: Coding().encode(pages.scheme))
        let members = scheme?.members?.map { ($0.key, $0.value) } ?? []
        return JSONValue([("by", JSONValue(pages.way.rawValue))] + members + [("items", JSONValue(pages.items))])
    }
}
