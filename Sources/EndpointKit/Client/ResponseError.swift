import JSONText

/// The reason why a response that has arrived can't be used.
///
///     do {
///         movie = try await client.send(Movies.video(id: 550))
///     } catch ResponseError.status(let error) where error.status == 404 {
///         movie = nil
///     } catch ResponseError.modelMismatch(let mismatch) {
///         report("\(mismatch.path): \(mismatch.problem)")
///     }
///
/// A request that can't be made is a ``RequestError``. A request without a response is a ``TransportError``.
public enum ResponseError: DescribedError, Sendable, Equatable {
    /// The status is not 2xx.
    case status(HTTPStatusError)
    /// The body is not one JSON document.
    case notJSON(JSONSyntaxError)
    /// The body is JSON that does not fit the endpoint's model.
    case modelMismatch(ModelMismatch)
    /// The status is 2xx, and the body says that the call failed: ``Validated/validate()`` of the model threw this.
    case reportedFailure(ReportedFailure)
    /// The body of a successful response is longer than ``Client/maxBodySize``, which is `limit` in bytes.
    case bodyTooLarge(limit: Int)
    /// The response is a page of a list that does not lead to the next page.
    case paging(PagingError)

    /// The problem in one sentence for a person, without a full stop.
    public var description: String {
        switch self {
        case .status(let error): error.description
        case .notJSON(let error): "the response is not JSON: \(error)"
        case .modelMismatch(let error): "the response does not fit \(error.model): \(error)"
        case .reportedFailure(let error): error.description
        case .bodyTooLarge(let limit): BodyTooLarge(limit: limit).description
        case .paging(let error): error.description
        }
    }
}

extension ResponseError {
    /// Creates the error that an app catches for an error of the functions that read responses.
    ///
    /// Returns nil for any other error.
    init?(cause: any Error) {
        switch cause {
        case let error as ResponseError: self = error
        case let error as HTTPStatusError: self = .status(error)
        case let error as JSONSyntaxError: self = .notJSON(error)
        case let error as ModelMismatch: self = .modelMismatch(error)
        case let error as ReportedFailure: self = .reportedFailure(error)
        case let error as BodyTooLarge: self = .bodyTooLarge(limit: error.limit)
        case let error as PagingError: self = .paging(error)
        default: return nil
        }
    }

    /// The error from which ``init(cause:)`` made this one.
    var cause: any Error {
        switch self {
        case .status(let error): error
        case .notJSON(let error): error
        case .modelMismatch(let error): error
        case .reportedFailure(let error): error
        case .bodyTooLarge(let limit): BodyTooLarge(limit: limit)
        case .paging(let error): error
        }
    }
}

/// The server responded with a status other than 2xx.
public struct HTTPStatusError: DescribedError, Sendable, Equatable {
    /// The final response. If its body breaks off, or is longer than 1 MB or ``Client/maxBodySize``, this is its start.
    public let response: Response
    /// The API's own message about the failure, if the body has one.
    public let serverMessage: String?
    /// How the API writes JSON.
    private let coding: Coding

    /// Creates an error for a response, such as in a test of how an app handles one.
    ///
    /// - Parameters:
    ///   - response: A response with a status other than 2xx.
    ///   - serverMessage: The API's own message about the failure.
    ///   - coding: How the API writes JSON.
    public init(response: Response, serverMessage: String? = nil, coding: Coding = Coding()) {
        self.response = response
        self.serverMessage = serverMessage
        self.coding = coding
    }

    /// The status code of the response, such as 404.
    public var status: Int { response.head.status }

    /// Decodes the body as `model`, such as the error model of the API's ``APIInfo``.
    ///
    ///     catch ResponseError.status(let error) {
    ///         let problem = try error.body(as: Problem.self)
    ///
    /// - Throws: ``ResponseError`` if the body is not JSON or does not fit the model.
    public func body<Model: Decodable>(as model: Model.Type = Model.self) throws -> Model {
        do {
            return try coding.decode(model, from: response.body)
        } catch {
            throw ResponseError(cause: error) ?? error
        }
    }

    /// The status and the server's message, such as `404 Not Found: no such pet`.
    public var description: String {
        guard let serverMessage else { return response.head.statusText }
        return "\(response.head.statusText): \(serverMessage)"
    }

    /// Returns whether two errors are about the same response. The coding does not count.
    public static func == (left: HTTPStatusError, right: HTTPStatusError) -> Bool {
        left.response == right.response && left.serverMessage == right.serverMessage
    }
}

/// Converts between the errors of this library's parts and the errors that an app catches.
///
/// The parts throw errors of their own, such as ``MissingCredential``. The public functions of ``Client`` throw
/// ``RequestError``, ``ResponseError`` and ``TransportError``.
package enum PublicError {
    /// Runs an operation, and throws its error as one that an app catches, such as ``RequestError``.
    static func converting<Result>(_ operation: () async throws -> Result) async throws -> Result {
        do {
            return try await operation()
        } catch {
            throw RequestError(cause: error) ?? ResponseError(cause: error) ?? error
        }
    }

    /// Returns the error from which ``converting(_:)`` made `error`; `error` itself if it was not converted.
    package static func cause(of error: any Error) -> any Error {
        switch error {
        case let error as RequestError: error.cause
        case let error as ResponseError: error.cause
        default: error
        }
    }
}
