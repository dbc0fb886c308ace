import EndpointKit
import EndpointTools
import JSONText

/// The bodies of an operation's responses: their shapes, and a sample of a successful one.
struct OperationResponses: Sendable {
    private let responses: [ResponseObject]
    private let document: OpenAPIDocument

    /// Makes the view of an operation's responses. Their schemas are read when a shape is asked for.
    init(_ responses: [ResponseObject], in document: OpenAPIDocument) {
        self.responses = responses
        self.document = document
    }

    /// The response that stands for a success: the one with the lowest code of 2xx, else `2XX`, else the default.
    private var success: ResponseObject? {
        let codes = responses.filter { response in
            if case .code(let code) = response.status { code / 100 == 2 } else { false }
        }
        return codes.min { $0.status.number < $1.status.number } ?? responses.response(for: 200)
    }

    /// The content of a successful response: JSON if there is any.
    var successContent: MediaTypeObject? { success?.content.preferringJSON }

    // MARK: Shapes

    /// The shape of a successful response in JSON; nil if there is none, or if it is not described.
    var successShape: ModelShape? {
        guard let content = successContent, MediaTypeName(content.contentType).mayBeJSON else { return nil }
        return shape(of: content)?.modelShape
    }

    /// The shape of a successful response in JSON, as a comparison of declarations needs it.
    ///
    /// It is any JSON if the response has no schema, and a list for a sequence of JSON texts. It is nil if the response
    /// is not JSON.
    var declaredShape: ModelShape? {
        guard let content = successContent else { return nil }
        let name = MediaTypeName(content.contentType)
        guard name.mayBeJSON || name.isJSONSequence else { return nil }
        guard let shape = shape(of: content)?.modelShape else {
            return name.isJSON ? ModelShape(root: .any, models: []) : nil
        }
        if case .items = content.schema { return ModelShape(root: .array(shape.root), models: shape.models) }
        return shape
    }

    /// Returns the shape of the body of a response that was received, by its status and media type.
    ///
    /// - Returns: The shape; nil if the document does not describe the response, or gives no schema. If it describes no
    ///   body of this media type, the one in JSON counts.
    func shape(of head: ResponseHead) -> SchemaShape? {
        guard let response = responses.response(for: head.status) else { return nil }
        let mediaType = head["Content-Type"].map { MediaTypeName($0) }
        let sameType = response.content.first { MediaTypeName($0.contentType).essence == mediaType?.essence }
        return (sameType ?? response.content.preferringJSON).flatMap { shape(of: $0) }
    }

    /// Returns whether the document describes a response of this status, and no body of it.
    func describesNoBody(of head: ResponseHead) -> Bool {
        responses.response(for: head.status)?.content.isEmpty == true
    }

    /// The parts of the schema of successful responses that its shape does not express.
    var schemaNotes: [SchemaNote] { successContent.flatMap { shape(of: $0)?.notes } ?? [] }

    /// Returns the shape of a content; nil if it has no schema.
    private func shape(of content: MediaTypeObject) -> SchemaShape? {
        content.schema.map { document.shape(of: $0, .response) }
    }

    // MARK: Sample

    /// A successful response: the first example that fits the schema, else a value that is made from the schema. It is
    /// empty if the document describes no success.
    var sample: Sample {
        guard let success else { return Sample("", status: nil, []) }
        var status: Int?
        if case .code(let code) = success.status { status = code }
        guard let content = successContent else { return Sample("", status: status, []) }
        let name = MediaTypeName(content.contentType)
        // A range such as `*/*` is no media type of a response.
        let contentType = name.mayBeJSON && !name.isJSON ? "application/json" : content.contentType
        return Sample(contentType, status: status, body(of: content, isJSON: name.mayBeJSON))
    }

    /// Returns the body of a sample: the first example that fits, else a value that is made from the schema.
    ///
    /// A body in JSON without example and schema is `null`, and any other one is empty.
    ///
    /// - Parameters:
    ///   - content: The content of the response.
    ///   - isJSON: Whether the body is written as JSON.
    private func body(of content: MediaTypeObject, isJSON: Bool) -> [UInt8] {
        let shape = shape(of: content)?.modelShape
        for example in content.examples {
            // A serialised example, or one of a body that is not JSON, is the text of the body itself.
            let isBodyText = example.isSerialized || !isJSON
            if isBodyText, let text = example.value.string { return Array(text.utf8) }
            if isJSON, shape?.accepts(example.value) ?? true { return Array(example.value.written) }
        }
        guard let shape else { return isJSON ? Array("null".utf8) : [] }
        let value = shape.sampleValue()
        if isJSON { return Array(value.written) }
        return Array((value.string ?? "").utf8)
    }
}

extension ModelShape {
    /// Whether the schema names null as a value. A schema that accepts any JSON does not.
    var acceptsNull: Bool {
        switch root {
        case .nullable, .null: true
        default: false
        }
    }
}

extension ResponseStatus {
    /// The number of a code; 0 for a range and the default.
    fileprivate var number: Int { if case .code(let code) = self { code } else { 0 } }
}

extension MediaTypeName {
    /// Whether a body of this media type or range may be JSON.
    fileprivate var mayBeJSON: Bool { isJSON || includesJSON }
}

extension [MediaTypeObject] {
    /// The content in JSON, else the first one. `application/json` goes before other media types in JSON, because it
    /// is what requests ask for.
    fileprivate var preferringJSON: MediaTypeObject? {
        first { MediaTypeName($0.contentType).essence == "application/json" }
            ?? first { MediaTypeName($0.contentType).mayBeJSON } ?? first
    }
}
