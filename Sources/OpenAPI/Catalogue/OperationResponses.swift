import EndpointKit
import EndpointTools
import JSONText

/// The shapes of an operation's responses, and a sample of a successful response.
struct OperationResponses: Sendable {
    private let responses: [ResponseObject]
    private let document: OpenAPIDocument

    /// Creates the shapes of an operation's responses. Schemas are read when a shape is needed.
    init(_ responses: [ResponseObject], in document: OpenAPIDocument) {
        self.responses = responses
        self.document = document
    }

    /// The response to a successful request: the lowest 2xx code, or else `2XX`, or else `default`.
    private var success: ResponseObject? {
        let codes = responses.filter { response in
            if case .code(let code) = response.status { code / 100 == 2 } else { false }
        }
        return codes.min { $0.status.number < $1.status.number } ?? responses.response(for: 200)
    }

    /// The body of a successful response in its preferred media type, which is JSON if possible.
    var successContent: MediaTypeObject? { success?.content.preferringJSON }

    // MARK: Shapes

    /// The shape of a successful response in JSON; nil if it is not JSON, or has no schema.
    var successShape: ModelShape? {
        guard let content = successContent, MediaTypeName(content.contentType).mayBeJSON else { return nil }
        return shape(of: content)?.modelShape
    }

    /// The shape of a successful response for a comparison with another declaration.
    ///
    ///     application/json with a schema         →  the shape of the schema
    ///     application/json without a schema      →  any JSON
    ///     a sequence of JSON texts               →  a list
    ///     not JSON                               →  nil
    var declaredShape: ModelShape? {
        guard let content = successContent else { return nil }
        let mediaType = MediaTypeName(content.contentType)
        guard mediaType.mayBeJSON || mediaType.isJSONSequence else { return nil }
        guard let shape = shape(of: content)?.modelShape else {
            return mediaType.isJSON ? ModelShape(root: .any, models: []) : nil
        }
        if case .items = content.schema { return ModelShape(root: .array(shape.root), models: shape.models) }
        return shape
    }

    /// Returns the shape that the document describes for a response that was received.
    ///
    /// - Parameter head: The response. Its status and media type select the description. If no description has the
    ///   same media type, the JSON body is selected.
    /// - Returns: The shape; nil if the document does not describe the response, or has no schema for it.
    func shape(of head: ResponseHead) -> SchemaShape? {
        guard let response = responses.response(for: head.status) else { return nil }
        let mediaType = head["Content-Type"].map { MediaTypeName($0) }
        let contentOfSameType = response.content.first {
            MediaTypeName($0.contentType).essence == mediaType?.essence
        }
        guard let content = contentOfSameType ?? response.content.preferringJSON else { return nil }
        return shape(of: content)
    }

    /// Whether the document describes a response with this status, and describes it without a body.
    func describesNoBody(of head: ResponseHead) -> Bool {
        responses.response(for: head.status)?.content.isEmpty == true
    }

    /// The notes about parts of the schema of successful responses that the shape leaves out.
    var schemaNotes: [SchemaNote] { successContent.flatMap { shape(of: $0)?.notes } ?? [] }

    /// Returns the shape of a body in one media type; nil if it has no schema.
    private func shape(of content: MediaTypeObject) -> SchemaShape? {
        content.schema.map { document.shape(of: $0, direction: .response) }
    }

    // MARK: Sample

    /// A sample of a successful response, such as `mock` returns. It is empty if the document describes no success.
    var sample: Sample {
        // An empty content type means that the response has no body.
        guard let success else { return Sample("", status: nil, []) }
        var status: Int?
        if case .code(let code) = success.status { status = code }
        guard let content = successContent else { return Sample("", status: status, []) }
        let mediaType = MediaTypeName(content.contentType)
        // A response can't have a range such as `*/*` as its media type.
        let contentType = mediaType.mayBeJSON && !mediaType.isJSON ? "application/json" : content.contentType
        return Sample(contentType, status: status, sampleBody(of: content, isJSON: mediaType.mayBeJSON))
    }

    /// Returns the body of a sample: the first example that can be used, or else a value made up from the schema.
    ///
    /// An example in JSON can be used if it matches the schema, and one that is written as the text of the body in any
    /// case. Without an example and a schema, a JSON body is `null`, and any other body is empty.
    ///
    /// - Parameters:
    ///   - content: The body in one media type, with its examples and schema.
    ///   - isJSON: Whether the media type is JSON.
    private func sampleBody(of content: MediaTypeObject, isJSON: Bool) -> [UInt8] {
        let shape = shape(of: content)?.modelShape
        for example in content.examples {
            // A serialised example, or an example of text, is the body itself and not a JSON string.
            let isBodyItself = example.isSerialized || !isJSON
            if isBodyItself, let text = example.value.string { return Array(text.utf8) }
            // Without a schema, any example matches.
            if isJSON, shape?.accepts(example.value) ?? true { return Array(example.value.written) }
        }
        guard let shape else { return isJSON ? Array("null".utf8) : [] }
        let value = shape.sampleValue()
        if isJSON { return Array(value.written) }
        return Array((value.string ?? "").utf8)
    }
}

extension ModelShape {
    /// Whether the schema explicitly allows null. A schema that allows any JSON does not.
    var acceptsNull: Bool {
        switch root {
        case .nullable, .null: true
        default: false
        }
    }
}

extension ResponseStatus {
    /// The code, such as 200; 0 for a range of codes and for `default`.
    fileprivate var number: Int { if case .code(let code) = self { code } else { 0 } }
}

extension MediaTypeName {
    /// Whether a body of this media type or range may be JSON.
    fileprivate var mayBeJSON: Bool { isJSON || includesJSON }
}

extension [MediaTypeObject] {
    /// The content that a request prefers: `application/json`, or else another JSON type, or else the first content.
    fileprivate var preferringJSON: MediaTypeObject? {
        first { MediaTypeName($0.contentType).essence == "application/json" }
            ?? first { MediaTypeName($0.contentType).mayBeJSON } ?? first
    }
}
