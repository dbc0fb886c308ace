import JSONText

/// What an endpoint answers: a model that its JSON body decodes into, no body, or bytes of any kind.
public struct ResponseModel: Sendable {
    /// How the body is read.
    public enum Kind: Sendable, Equatable {
        /// JSON, decoded into the model.
        case json
        /// Not at all: the model is ``EmptyResponse``.
        case empty
        /// As it is: the model is ``RawResponse``.
        case bytes
    }

    /// How the body is read, which the model's type decides.
    public let kind: Kind
    /// The Swift name of the model. It is made when it is asked for: the runtime takes long over it.
    public var name: String { describe() }
    private let describe: @Sendable () -> String
    private let decodeJSON: @Sendable ([UInt8], Coding, (() throws -> Void)?) throws -> any Codable & Sendable
    private let surveyJSON: @Sendable ([UInt8], Coding, (() throws -> Void)?) throws -> Survey
    private let learnShape: @Sendable ([UInt8]?, Coding) -> ModelShape

    /// An answer that is a `Model`; ``EmptyResponse`` and ``RawResponse`` are those of no JSON.
    public init<Model: Codable & Sendable>(_ model: Model.Type) {
        kind = model == EmptyResponse.self ? .empty : model == RawResponse.self ? .bytes : .json
        describe = { TypeName.text(of: model) }
        decodeJSON = { try $1.decode(model, from: $0, check: $2) }
        surveyJSON = { try Survey(of: $0, as: model, coding: $1, check: $2) }
        learnShape = { ModelShape(of: model, sample: $0, coding: $1) }
    }

    /// The body decoded into the model.
    ///
    /// - Parameter check: Called every so often; what it throws stops the decoding.
    ///
    /// Throws `JSONSyntaxError`, ``ModelMismatch``, or the ``ReportedFailure`` of a model that says it failed.
    public func decode(
        _ body: [UInt8], coding: Coding = Coding(), check: (() throws -> Void)? = nil
    ) throws -> any Codable & Sendable {
        switch kind {
        case .empty:
            return EmptyResponse()
        case .bytes:
            return RawResponse(bytes: body)
        case .json:
            let model = try decodeJSON(body, coding, check)
            try (model as? any Validated)?.validate()
            return model
        }
    }

    /// How the body compares with the model; a survey without findings if the model is not JSON.
    ///
    /// Throws `JSONSyntaxError` or `JSONDocumentError` if the body is not one JSON document, what `check` throws, and what the model's own
    /// `init(from:)` throws that is not a `DecodingError`.
    public func survey(
        _ body: [UInt8], coding: Coding = Coding(), check: (() throws -> Void)? = nil
    ) throws -> Survey {
        try kind == .json ? surveyJSON(body, coding, check) : Survey()
    }

    /// What JSON the model reads; nil if it is not JSON. It takes about a millisecond.
    ///
    /// - Parameter sample: A body that fits, for models that refuse made-up values.
    public func shape(sample: [UInt8]? = nil, coding: Coding = Coding()) -> ModelShape? {
        kind == .json ? learnShape(sample, coding) : nil
    }
}

/// The model of an endpoint that answers with no body.
public struct EmptyResponse: Codable, Sendable, Equatable {
    /// The one value there is.
    public init() {}
}

/// The model of an endpoint whose answer is not JSON: text, an image, any bytes.
public struct RawResponse: Codable, Sendable, Equatable {
    /// The whole body.
    public var bytes: [UInt8]

    /// An answer with that body.
    public init(bytes: [UInt8]) { self.bytes = bytes }
}

/// A model that can tell that an answer with a status of success is a failure all the same.
public protocol Validated {
    /// Throws ``ReportedFailure`` where the answer says that the call failed.
    func validate() throws(ReportedFailure)
}

/// The API says in its own words that the call failed.
public struct ReportedFailure: Error, Sendable, Equatable {
    /// The API's own words. They are a server's: not safe for a terminal as they are.
    public let message: String

    /// The failure in the API's own words, as the answer has them.
    public init(_ message: String) { self.message = message }
}
