import JSONText

/// A call was sent with another model than its endpoint declares.
package struct WrongModel: DescribedError, Sendable, Equatable {
    /// The Swift name of the endpoint's model.
    let declared: String
    /// The Swift name of the model that was asked for.
    let given: String

    package var description: String { "the endpoint returns \(declared), not \(given)" }
}

/// The server responded with a status other than 2xx.
public struct HTTPStatusError: DescribedError, Sendable, Equatable {
    /// The final response, with its whole body.
    public let response: Response
    /// The API's own message about the failure, if the body has one.
    public let serverMessage: String?

    /// Decodes the body as `model`, such as the error model of ``APIInfo``.
    ///
    /// - Throws: The errors of `Coding.decode`.
    public func body<Model: Decodable>(as model: Model.Type, coding: Coding = Coding()) throws -> Model {
        try coding.decode(model, from: response.body)
    }

    public var description: String {
        guard let serverMessage else { return response.head.statusText }
        return "\(response.head.statusText): \(serverMessage)"
    }
}
