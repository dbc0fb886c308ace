import JSONText

/// The type of an endpoint's responses: JSON that decodes into a model, no body, or any bytes.
package struct ResponseModel: Sendable {
    /// How the body is read.
    package enum Kind: Sendable, Equatable {
        /// JSON, decoded into the model.
        case json
        /// The body is ignored: the model is ``EmptyResponse``.
        case empty
        /// The body is kept as bytes: the model is ``RawResponse``.
        case bytes
    }

    /// The type that the endpoint declares.
    package let model: any (Decodable & Sendable).Type
    /// How the body is read. It follows from the model's type.
    package let kind: Kind
    /// The Swift name of the model. It is computed on demand, because the names of types are slow to get.
    package var name: String { TypeName.text(of: model) }

    /// Creates a response that decodes into `model`. ``EmptyResponse`` and ``RawResponse`` are not JSON.
    package init(_ model: any (Decodable & Sendable).Type) {
        self.model = model
        if model == EmptyResponse.self {
            kind = .empty
        } else if model == RawResponse.self {
            kind = .bytes
        } else {
            kind = .json
        }
    }

    /// Whether the model is ``Validated``: a successful response must be decoded to find out whether it reports a
    /// failure.
    var isValidated: Bool {
        guard kind == .json else { return false }
        let wrappedModel = (model as? any OptionalResponseModel.Type)?.wrapped
        return (wrappedModel ?? model) is any Validated.Type
    }

    /// Whether a response without a body is allowed, because the model is an `Optional`. Its value is nil then.
    package var acceptsNoBody: Bool { model is any OptionalResponseModel.Type }

    /// Decodes a document as the model, and validates it.
    ///
    /// Precondition: ``kind`` is ``Kind/json``.
    ///
    /// - Parameters:
    ///   - document: The parsed body of the response.
    ///   - coding: How the API writes JSON.
    ///   - marks: Collects which values of the document the model reads, so that unread ones can be reported.
    ///   - observer: Is notified of the keys and types that the model asks for.
    ///   - check: Called regularly while decoding. An error that it throws stops the decoding.
    /// - Returns: The model's value.
    /// - Throws: ``ModelMismatch``, or ``ReportedFailure`` if the response itself reports a failure.
    @discardableResult
    package func decode(
        _ document: JSONDocument, coding: Coding = Coding(), marks: ReadMarks? = nil,
        observer: (any DecodingObserver)? = nil,
        check: (() throws -> Void)? = nil
    ) throws -> any Decodable & Sendable {
        let decodedModel: any Decodable & Sendable = try coding.decode(
            model, from: document, marks: marks, observer: observer, check: check)
        try (decodedModel as? any Validated)?.validate()
        return decodedModel
    }

    /// Decodes a document as a model, and validates it.
    ///
    /// - Parameters:
    ///   - model: The endpoint's model, or an `Optional` of it.
    ///   - document: The parsed body of the response.
    ///   - coding: How the API writes JSON.
    ///   - check: Called regularly while decoding. An error that it throws stops the decoding.
    /// - Throws: ``ModelMismatch``, or ``ReportedFailure`` if the response itself reports a failure.
    func decode<Model: Decodable & Sendable>(
        _ model: Model.Type, from document: JSONDocument, coding: Coding, check: @escaping () throws -> Void
    ) throws -> Model {
        let decodedModel = try coding.decode(model, from: document, check: check)
        try (decodedModel as? any Validated)?.validate()
        return decodedModel
    }

    /// Returns whether a response is a stream of JSON documents, one on each line, and the model is a list of them.
    package func readsLines(_ head: ResponseHead) -> Bool {
        kind == .json && head.isDocumentStream && model is any ListModel.Type
    }

    /// Returns the JSON document that the model reads.
    ///
    /// For a model that is a list, several documents in the body become one array. For an optional model, a response
    /// without a body is null. A body in an encoding that the head declares, or in UTF-16 with a byte order mark, is
    /// converted to UTF-8.
    ///
    /// - Parameters:
    ///   - body: The body of the response.
    ///   - head: The head of the response, whose content type may announce several documents.
    ///   - check: Called regularly. An error that it throws stops the reading.
    /// - Throws: `JSONSyntaxError` if the body is not JSON.
    package func document(
        _ body: [UInt8], _ head: ResponseHead, check: (() throws -> Void)? = nil
    ) throws -> JSONDocument {
        let text = Self.convertedToUTF8(body, head: head)
        if text.isEmpty, acceptsNoBody { return try JSONDocument(Array("null".utf8), check: check) }
        // The response is a stream with a document on each line.
        if readsLines(head) { return try JSONDocument.list(of: text, check: check) }
        do {
            return try JSONDocument(text, check: check)
        } catch is JSONSyntaxError where model is any ListModel.Type {
            // Some servers send several documents without announcing them in the content type.
            return try JSONDocument.list(of: text, check: check)
        }
    }
}

extension ResponseModel {
    /// Returns a body in UTF-8, from the encoding that its head or its byte order mark declares.
    fileprivate static func convertedToUTF8(_ body: [UInt8], head: ResponseHead) -> [UInt8] {
        guard let encoding = CharacterEncoding(contentType: head["Content-Type"], start: body) else { return body }
        var converter = UTF8Converter(encoding)
        return converter.convert(body) + converter.finish()
    }
}

/// A model that is a list.
private protocol ListModel {}

extension Array: ListModel {}

/// A model that is an `Optional`.
protocol OptionalResponseModel {
    /// The type of the optional's value: `Pet` for `Pet?`.
    static var wrapped: Any.Type { get }
}

extension Optional: OptionalResponseModel {
    static var wrapped: Any.Type { Wrapped.self }
}

/// The model of an endpoint whose responses have no body.
public struct EmptyResponse: Codable, Sendable, Equatable {
    /// Creates a response without a body.
    public init() {}
}

/// The model of an endpoint whose response is not JSON: text, an image, any bytes.
public struct RawResponse: Codable, Sendable, Equatable {
    /// The whole body.
    public var bytes: [UInt8]
    /// The whole body as `Data`, such as for `UIImage(data:)`.
    public var data: Data { Data(bytes) }

    /// Creates a response of bytes.
    public init(bytes: [UInt8]) { self.bytes = bytes }
}

/// A model of responses that can report a failure although their HTTP status is a success.
public protocol Validated {
    /// Checks that the response reports a success.
    ///
    /// - Throws: ``ReportedFailure`` if the response says that the call failed.
    func validate() throws(ReportedFailure)
}

/// A failure that the API reports in a response with a successful status.
public struct ReportedFailure: DescribedError, Sendable, Equatable {
    /// The API's own message. It comes from a server: escape it before printing it to a terminal.
    public let message: String

    /// Creates a failure with the message in the response.
    public init(_ message: String) { self.message = message }

    /// The message.
    public var description: String { message }
}
