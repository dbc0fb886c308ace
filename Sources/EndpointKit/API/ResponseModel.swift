import JSONText

/// What an endpoint responds with: JSON that decodes into a model, no body, or any bytes.
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

    package let model: any (Decodable & Sendable).Type
    /// How the body is read; it follows from the model's type.
    package let kind: Kind
    /// The Swift name of the model. Computed on demand, because type names are slow at run time.
    package var name: String { TypeName.text(of: model) }

    /// A response that decodes into `model`; ``EmptyResponse`` and ``RawResponse`` are not JSON.
    package init(_ model: any (Decodable & Sendable).Type) {
        self.model = model
        kind = model == EmptyResponse.self ? .empty : model == RawResponse.self ? .bytes : .json
    }

    /// A document decoded into the model, which must be JSON, and validated.
    ///
    /// - Parameters:
    ///   - marks: Where to note what has been read.
    ///   - observer: Receives what the model requests of the document.
    ///   - check: Called regularly while decoding; an error it throws stops the decoding.
    ///
    /// Throws ``ModelMismatch``, or ``ReportedFailure`` if the response itself reports a failure.
    @discardableResult
    package func decode(
        _ document: JSONDocument, coding: Coding = Coding(), marks: ReadMarks? = nil,
        observer: (any DecodingObserver)? = nil,
        check: (() throws -> Void)? = nil
    ) throws -> any Decodable & Sendable {
        let value =
            try coding.decode(
                model, from: document, marks: marks, observer: observer, check: check)
            as any Decodable & Sendable
        try (value as? any Validated)?.validate()
        return value
    }

    /// Whether a response is JSON documents on lines of their own, and the model is a list of them.
    package func readsLines(_ head: ResponseHead) -> Bool {
        kind == .json && head.isDocumentStream && model is any ListModel.Type
    }

    /// The JSON document that the model reads: that in `body`, or for a model that is a list, an array of several. Throws `JSONSyntaxError`.
    package func document(
        _ body: [UInt8], _ head: ResponseHead, check: (() throws -> Void)? = nil
    ) throws -> JSONDocument {
        do {
            if !readsLines(head) { return try JSONDocument(body, check: check) }
        } catch is JSONSyntaxError where model is any ListModel.Type {
            // It may be several documents.
        }
        return try JSONDocument.list(of: body, check: check)
    }
}

private protocol ListModel {}

extension Array: ListModel {}

/// The model of an endpoint whose responses have no body.
public struct EmptyResponse: Codable, Sendable, Equatable {}

/// The model of an endpoint whose response is not JSON: text, an image, any bytes.
public struct RawResponse: Codable, Sendable, Equatable {
    /// The whole body.
    public var bytes: [UInt8]
}

/// A model of responses that can report a failure although their HTTP status is a success.
public protocol Validated {
    /// Throws ``ReportedFailure`` if the response says that the call failed.
    func validate() throws(ReportedFailure)
}

/// A failure that the API reports in a response with a successful status.
public struct ReportedFailure: DescribedError, Sendable, Equatable {
    /// The API's own message. It comes from a server: escape it before printing it to a terminal.
    public let message: String

    /// A failure with the message in the response.
    public init(_ message: String) { self.message = message }

    public var description: String { message }
}
