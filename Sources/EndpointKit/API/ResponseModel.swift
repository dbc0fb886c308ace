import JSONText

/// What an endpoint answers: a model that its JSON body decodes into, no body, or bytes of any kind.
public struct ResponseModel: Sendable {
    public enum Kind: Sendable, Equatable {
        case json
        case empty
        case bytes
    }

    public let kind: Kind
    /// The Swift name of the model. It is made when it is asked for: the runtime takes long over it.
    public var name: String { describe() }
    private let describe: @Sendable () -> String
    private let decodeJSON: @Sendable ([UInt8]) throws -> any Codable & Sendable

    public init<Model: Codable & Sendable>(_ model: Model.Type) {
        kind = model == EmptyResponse.self ? .empty : model == RawResponse.self ? .bytes : .json
        describe = { String(describing: model) }
        decodeJSON = { try JSONCoding.decode(model, from: $0) }
    }

    /// The body decoded into the model.
    ///
    /// Throws `JSONSyntaxError`, ``ModelMismatch``, or the ``ReportedFailure`` of a model that says it failed.
    public func decode(_ body: [UInt8]) throws -> any Codable & Sendable {
        switch kind {
        case .empty:
            return EmptyResponse()
        case .bytes:
            return RawResponse(bytes: body)
        case .json:
            let model = try decodeJSON(body)
            try (model as? any Validated)?.validate()
            return model
        }
    }
}

/// The model of an endpoint that answers with no body.
public struct EmptyResponse: Codable, Sendable, Equatable {
    public init() {}
}

/// The model of an endpoint whose answer is not JSON: text, an image, any bytes.
public struct RawResponse: Codable, Sendable, Equatable {
    public var bytes: [UInt8]

    public init(bytes: [UInt8]) { self.bytes = bytes }
}

/// A model that can tell that an answer with a status of success is a failure all the same.
public protocol Validated {
    /// Throws ``ReportedFailure`` where the answer says that the call failed.
    func validate() throws(ReportedFailure)
}

/// The API says in its own words that the call failed.
public struct ReportedFailure: Error, Sendable, Equatable {
    public let message: String

    public init(_ message: String) { self.message = message }
}
