import JSONText

/// Sends the calls of an API and reads the responses.
///
///     let client = Client(transport: URLSessionTransport(), variables: ["TMDB_API_KEY": key])
///     let page: MoviePage = try await client.send(Movies.popular(page: 2))
public struct Client: Sendable {
    /// Sends single requests. Redirects and retries are the client's work.
    public var transport: any Transport
    /// How requests are built: the server, the variables of credentials, extra headers and query items.
    public var options = RequestOptions()
    /// How requests are sent: time limits and the connection.
    public var transfer = TransferOptions()
    /// The greatest number of redirects to follow. One more is an error. With 0, a redirect is returned as the
    /// response.
    public var maxRedirects = 10
    /// The longest body that is read into memory, in bytes.
    public var maxBodySize = Self.defaultMaxBodySize
    /// When a failed request is sent again. By default, it never is.
    public var retry = RetryPolicy()
    /// Code that runs around each attempt, the first one outermost.
    public var interceptors: [Interceptor] = []
    /// Writes what is sent and received, without secrets; nil by default.
    public var log: ClientLog?
    /// The function of ``credentials`` with the values that it has given.
    var credentialCache: CredentialCache?
    /// The generation of ``credentialCache`` when a call began; nil outside a call.
    var credentialGeneration: Int?
    /// Returns the time with which requests are signed.
    package var now: @Sendable () -> Date = { Date() }

    /// The default of ``maxBodySize``, in bytes: 100 MB, which fits into the memory of every device that runs an app.
    package static let defaultMaxBodySize = 100_000_000

    /// Creates a client that sends over `transport` and takes credentials from `variables`.
    ///
    /// - Parameters:
    ///   - transport: Sends the requests.
    ///   - variables: The values of the variables that the API's credentials name.
    public init(transport: any Transport, variables: [String: String] = [:]) {
        self.transport = transport
        options.variables = { variables[$0] }
    }

    /// Returns a client with other options, such as for one call.
    ///
    ///     let page: MoviePage = try await client.with { $0.transfer.maxTime = .seconds(5) }.send(Movies.popular(page: 2))
    ///
    /// - Parameter change: Changes the copy that is returned.
    /// - Throws: The error of `change`.
    public func with(_ change: (inout Client) throws -> Void) rethrows -> Client {
        var changedClient = self
        try change(&changedClient)
        return changedClient
    }

    /// Sends `call` and returns its response, decoded.
    ///
    ///     let page: MoviePage = try await client.send(Movies.popular(page: 2))
    ///     let count = try await client.send(Movies.popular(page: 2), as: MoviePage.self).results.count
    ///
    /// - Parameters:
    ///   - call: The call. It is checked before it is sent: against `model`, and against the rules of its endpoint.
    ///   - model: The model that the endpoint declares, or an `Optional` of it.
    /// - Throws: ``RequestError`` if the request can't be made. ``TransportError`` if there is no response.
    ///   ``ResponseError`` for a status other than 2xx, and for a body that is not what the model expects.
    ///   `CancellationError` if the task is cancelled. An error that a model's own `init(from:)` throws.
    public func send<Model: Decodable & Sendable, Call: API>(
        _ call: Call, as model: Model.Type = Model.self
    ) async throws -> Model {
        try await response(to: call, as: model).body
    }

    /// Sends `call` and checks that the status of its response is 2xx.
    ///
    ///     try await client.send(Shop.remove(1))
    ///
    /// If the endpoint's model is ``Validated``, the body is decoded and may report a failure. The body of any other
    /// successful response is received and discarded: to check it against the model, ask for the model.
    ///
    /// - Throws: ``RequestError``, ``TransportError``, ``ResponseError`` for a status other than 2xx and for a failure
    ///   that the body reports, and `CancellationError`.
    public func send<Call: API>(_ call: Call) async throws {
        try await PublicError.converting {
            let client = forOneCall()
            let endpoint = call.placedEndpoint
            let request = try await client.buildRequest(of: call)
            if endpoint.response.isValidated {
                try await client.sendAndValidate(request, of: call, model: endpoint.response)
            } else {
                try await client.sendAndDiscardBody(request, of: call)
            }
        }
    }

    /// Sends a request of `call`, and decodes the response to find out whether its body reports a failure.
    ///
    /// - Throws: ``ReportedFailure`` if it does, ``HTTPStatusError`` for a status other than 2xx, and the errors of
    ///   sending and decoding.
    private func sendAndValidate<Call: API>(_ request: Request, of call: Call, model: ResponseModel) async throws {
        let limit = decodingLimit(server: request.base)
        let response = try await successfulResponse(to: request, of: call)
        let checkTimeLimit = limit.check()
        let document = try model.document(response.body, response.head, check: checkTimeLimit)
        try model.decode(document, coding: Call.api.coding, check: checkTimeLimit)
    }

    /// Sends a request of `call`, and receives the body of a successful response without keeping it.
    ///
    /// - Throws: ``HTTPStatusError`` for a status other than 2xx, and the errors of sending.
    private func sendAndDiscardBody<Call: API>(_ request: Request, of call: Call) async throws {
        try await authorizedExchange(request, of: call) { streamed in
            if !streamed.head.isSuccess { throw try await readFailure(streamed, of: Call.self) }
            for try await _ in streamed.body {}
        }
    }

    /// Returns the time limit for decoding the response to a request that is about to be sent.
    ///
    /// - Parameter server: The server that the error names if the time has passed.
    func decodingLimit(server: BaseURL) -> DecodingLimit {
        DecodingLimit(maxTime: transfer.maxTime, deadline: transfer.deadline, server: server)
    }

    /// Sends `call` and returns its response: the headers, and the body decoded as `model`.
    ///
    ///     let response: TypedResponse<MoviePage> = try await client.response(to: Movies.popular(page: 2))
    ///     print(response.head["ETag"] ?? "", response.body.results)
    ///
    /// - Parameters:
    ///   - call: The call. It is checked before it is sent: against `model`, and against the rules of its endpoint.
    ///   - model: The model that the endpoint declares, or an `Optional` of it.
    /// - Throws: The errors of ``send(_:as:)``.
    public func response<Model: Decodable & Sendable, Call: API>(
        to call: Call, as model: Model.Type = Model.self
    ) async throws -> TypedResponse<Model> {
        try await PublicError.converting { try await forOneCall().decodedResponse(to: call, as: model) }
    }

    /// Sends `call` and returns its response, as ``response(to:as:)`` does.
    ///
    /// - Throws: The internal errors of this library, which ``PublicError`` converts to those that an app catches.
    private func decodedResponse<Model: Decodable & Sendable, Call: API>(
        to call: Call, as model: Model.Type
    ) async throws -> TypedResponse<Model> {
        let endpoint = call.placedEndpoint
        try endpoint.response.checkModel(model)
        let request = try await buildRequest(of: call)
        let limit = decodingLimit(server: request.base)
        let response = try await successfulResponse(to: request, of: call)
        let body = try decode(response, of: endpoint, as: model, coding: Call.api.coding, check: limit.check())
        return TypedResponse(head: response.head, body: body)
    }

    /// Returns the body of `response` as the endpoint's model.
    ///
    /// The model of an endpoint without a response body is ``EmptyResponse``, and that of a body in any format is
    /// ``RawResponse``. Any other model is decoded from JSON.
    ///
    /// - Parameters:
    ///   - response: A response with a status of success.
    ///   - endpoint: The endpoint of the call.
    ///   - model: The endpoint's model, or an `Optional` of it.
    ///   - coding: How the API writes JSON.
    ///   - check: Called regularly while decoding. An error that it throws stops the decoding.
    /// - Throws: `JSONSyntaxError` or ``ModelMismatch`` if the body is not what the model expects.
    ///   ``ReportedFailure`` if the body itself reports a failure.
    private func decode<Model: Decodable & Sendable>(
        _ response: Response, of endpoint: Endpoint, as model: Model.Type, coding: Coding,
        check: @escaping () throws -> Void
    ) throws -> Model {
        // The caller has checked that `Model` is the endpoint's model or an `Optional` of it, so these casts succeed.
        switch endpoint.response.kind {
        case .empty:
            if let empty = EmptyResponse() as? Model { return empty }
        case .bytes:
            if let raw = RawResponse(bytes: response.body) as? Model { return raw }
        case .json:
            break
        }
        let document = try endpoint.response.document(response.body, response.head, check: check)
        return try endpoint.response.decode(model, from: document, coding: coding, check: check)
    }

    /// Sends `call` and returns its response, whatever the status, with the body as bytes.
    ///
    ///     let response = try await client.rawResponse(to: Movies.popular(page: 2))
    ///     print(response.head.status, response.body.count)
    ///
    /// - Throws: ``RequestError``, ``TransportError``, ``ResponseError/bodyTooLarge(limit:)`` if the body is longer
    ///   than ``maxBodySize``, and `CancellationError`.
    public func rawResponse(to call: some API) async throws -> Response {
        try await PublicError.converting {
            let client = forOneCall()
            return try await client.authorizedExchange(client.buildRequest(of: call), of: call) { streamed in
                try await readWholeResponse(streamed)
            }
        }
    }

    /// Sends a request of `call`, and returns its response if the status is 2xx.
    ///
    /// - Throws: ``HTTPStatusError`` for another status, and the errors of ``exchange(_:mayRetry:consume:)``.
    func successfulResponse<Call: API>(to request: Request, of call: Call) async throws -> Response {
        try await authorizedExchange(request, of: call) { streamed in
            if !streamed.head.isSuccess { throw try await readFailure(streamed, of: Call.self) }
            return try await readWholeResponse(streamed)
        }
    }

    /// The number of bytes that are read of a failed response's body: 1 MB. Messages of APIs are far shorter, and a
    /// server in trouble may send anything.
    private static let maxFailureBodySize = 1_000_000

    /// Reads the body of a response with a status other than 2xx, and returns the error for the response.
    ///
    /// If the body is too long or breaks off, the error contains its start, because the status matters more.
    ///
    /// - Throws: `CancellationError`.
    private func readFailure<Call: API>(
        _ streamed: StreamedResponse, of api: Call.Type
    ) async throws -> HTTPStatusError {
        let bodyStart = try await streamed.body.prefix(upTo: min(maxBodySize, Self.maxFailureBodySize))
        let response = Response(head: streamed.head, body: bodyStart.bytes)
        return HTTPStatusError(
            response: response, serverMessage: api.failureMessage(in: response.body), coding: Call.api.coding)
    }

    /// Reads the whole body of a response into memory.
    ///
    /// - Throws: ``BodyTooLarge`` if it is longer than ``maxBodySize``, and the errors of reading.
    private func readWholeResponse(_ streamed: StreamedResponse) async throws -> Response {
        Response(head: streamed.head, body: try await streamed.wholeBody(limit: maxBodySize))
    }

    /// Sends `call` and returns once the response's headers have arrived, whatever the status. The body is read on
    /// demand.
    ///
    ///     let response = try await client.stream(Movies.poster(id: 550))
    ///     for try await chunk in response.body { try file.write(contentsOf: chunk) }
    ///
    /// - Throws: ``RequestError``, ``TransportError`` and `CancellationError`. So does reading the body.
    public func stream(_ call: some API) async throws -> StreamedResponse {
        try await PublicError.converting {
            let client = forOneCall()
            let request = try await client.buildRequest(of: call)
            return try await client.authorizedExchange(request, of: call) { response in response }
        }
    }

    /// Sends `request`, follows redirects, and returns once the headers of the final response have arrived.
    ///
    /// - Throws: The errors of ``exchange(_:mayRetry:consume:)``.
    package func stream(_ request: Request) async throws -> StreamedResponse {
        try await exchange(request) { response in response }
    }
}

extension ResponseModel {
    /// Checks that a response of this endpoint can be decoded as `model`.
    ///
    /// An optional of the endpoint's model is accepted too, because the model of
    /// `let pet: Pet? = try await client.send(…)` is inferred as `Pet?`.
    ///
    /// - Throws: ``RequestError/wrongModel(declared:given:)`` for any other type.
    func checkModel(_ model: (some Decodable).Type) throws(RequestError) {
        let isDeclaredModel = model == self.model
        let isOptionalOfIt = (model as? any OptionalResponseModel.Type)?.wrapped == self.model
        guard isDeclaredModel || isOptionalOfIt else {
            throw .wrongModel(declared: name, given: TypeName.text(of: model))
        }
    }
}
