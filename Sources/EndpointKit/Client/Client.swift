import JSONText

/// Sends the calls of an API and reads the responses.
///
///     let client = Client(transport: URLSessionTransport(), variables: ["TMDB_API_KEY": key])
///     let page: MoviePage = try await client.send(Movies.popular(page: 2))
public struct Client: Sendable {
    /// Sends single requests; the client itself follows redirects and retries.
    public var transport: any Transport
    /// How requests are built: the server, the variables of credentials, extra headers and query items.
    public var request = RequestOptions()
    /// How requests are sent: time limits and the connection.
    public var transfer = TransferOptions()
    /// The most redirects to follow; one more is an error. With 0, a redirect is returned as the response.
    public var maxRedirects = 10
    /// The longest body that is read into memory, in bytes.
    public var maxBodySize = Self.defaultMaxBodySize
    /// When a failed request is sent again; never by default.
    public var retry = RetryPolicy()

    /// The longest text that is read into memory unless more is asked for, in bytes.
    package static let defaultMaxBodySize = 100_000_000

    /// A client that sends over `transport` and takes credentials from `variables`.
    public init(transport: any Transport, variables: [String: String] = [:]) {
        self.transport = transport
        request.variables = { variables[$0] }
    }

    /// Sends `call` and returns its response, decoded.
    ///
    /// Throws `WrongModel` unless `model` is the one that the endpoint declares, ``HTTPStatusError`` for a status other than 2xx,
    /// `JSONSyntaxError`, ``ModelMismatch`` or ``ReportedFailure`` for a response that is not what the model expects, ``TransportError``, and
    /// what building the request throws.
    public func send<Model: Decodable & Sendable, Call: API>(
        _ call: Call, as model: Model.Type = Model.self
    ) async throws -> Model {
        try await response(to: call, as: model).body
    }

    /// Sends `call` and returns its response, decoded, with its headers. Throws as ``send(_:as:)`` does.
    public func response<Model: Decodable & Sendable, Call: API>(
        to call: Call, as model: Model.Type
    ) async throws -> TypedResponse<Model> {
        let declared = call.endpoint.response
        // `var pet: Pet?` is assigned a Pet.
        guard declared.model == model || (model as? any OptionalModel.Type)?.wrapped == declared.model else {
            throw WrongModel(declared: declared.name, given: TypeName.text(of: model))
        }
        let request = try call.request(request)
        let limit = DecodingLimit(maxTime: transfer.maxTime, server: request.base)
        let response = try await success(request, of: Call.self)
        func decoded(_ model: Model) -> TypedResponse<Model> { TypedResponse(head: response.head, body: model) }
        if declared.kind == .empty, let empty = EmptyResponse() as? Model { return decoded(empty) }
        if declared.kind == .bytes, let raw = RawResponse(bytes: response.body) as? Model { return decoded(raw) }
        let document = try declared.document(response.body, response.head, check: limit.check())
        let value = try Call.coding.decode(model, from: document, check: limit.check())
        try (value as? any Validated)?.validate()
        return decoded(value)
    }

    /// Sends `call` and returns its response, whatever the status, with the body as bytes.
    ///
    /// Throws ``BodyTooLarge`` if the body is longer than ``maxBodySize``, ``TransportError``, and what building
    /// the request throws.
    public func send(_ call: some API) async throws -> Response {
        try await send(call.request(request))
    }

    /// The response to a request of that API. Throws ``HTTPStatusError`` for a status other than 2xx, and as ``exchange(_:mayRetry:consume:)`` does.
    func success<Call: API>(_ request: Request, of api: Call.Type) async throws -> Response {
        let response = try await send(request)
        guard response.head.isSuccess else {
            throw HTTPStatusError(response: response, serverMessage: api.failureMessage(in: response.body))
        }
        return response
    }

    private func send(_ request: Request) async throws -> Response {
        try await exchange(request) { streamed in
            Response(head: streamed.head, body: try await streamed.wholeBody(limit: maxBodySize))
        }
    }

    /// Sends `call` and returns once the response's headers have arrived, whatever the status; the body is read on demand.
    ///
    /// Throws ``TransportError``, `CancellationError`, and what building the request throws.
    public func stream(_ call: some API) async throws -> StreamedResponse {
        try await stream(call.request(request))
    }

    /// Sends `request`, follows redirects, and returns once the headers of the final response have arrived.
    ///
    /// Throws what ``exchange(_:mayRetry:consume:)`` does.
    package func stream(_ request: Request) async throws -> StreamedResponse {
        try await exchange(request) { $0 }
    }

    /// Sends `request`, follows redirects, passes the final response to `consume`, and retries as ``retry`` says.
    ///
    /// A ``TransportError`` thrown by `consume` counts as a failed attempt too. `mayRetry` is called last, before an attempt that is
    /// otherwise allowed; it returns false once part of the response has been delivered and can't be undone.
    /// ``TransferOptions/maxTime`` limits all attempts and waits together.
    ///
    /// Throws the error of the last attempt: what the transport or `consume` throws, or ``TransportError`` for a redirect
    /// that is not followed. Throws `CancellationError` if the task is cancelled, also between attempts.
    package func exchange<Result>(
        _ request: Request, mayRetry: () -> Bool = { true }, consume: (StreamedResponse) async throws -> Result
    ) async throws -> Result {
        let deadline = transfer.deadline ?? transfer.maxTime.map { ContinuousClock.now + $0.clamped }
        var retries = 0
        var isRefused = false
        /// Whether a server may have processed the last attempt.
        var mayBeProcessed = true
        /// The wait before the next attempt; nil if there is none.
        func wait(after reason: String, _ head: ResponseHead? = nil) -> Duration? {
            // A denial is final: the same response may fail a second time while it is consumed.
            guard retries < retry.count, !isRefused else { return nil }
            let next = retry.retry(retries + 1, reason: reason, head: head)
            if let denial = denial(of: next, mayBeProcessed ? request.method : .get, deadline, mayRetry) {
                isRefused = true
                retry.onDenial?(denial)
                return nil
            }
            retries += 1
            retry.onRetry?(next)
            return next.wait
        }
        while true {
            let pause: Duration
            // The scope releases a response that will be retried, and its connection, before the wait.
            do {
                mayBeProcessed = true
                let response = try await follow(request, deadline) { mayBeProcessed = false }
                let head = response.head
                guard retry.isTransient(head.status), let wait = wait(after: head.statusText, head) else {
                    return try await consume(response)
                }
                pause = wait
            } catch let error as TransportError where RetryPolicy.isTransient(error) {
                guard let wait = wait(after: error.message) else { throw error }
                pause = wait
            }
            try await Task.sleep(for: pause)
        }
    }

    /// Why there must be no `next` attempt; nil if there may be.
    private func denial(
        of next: RetryPolicy.Retry, _ method: HTTPMethod, _ deadline: ContinuousClock.Instant?, _ mayRetry: () -> Bool
    ) -> RetryPolicy.Denial? {
        if !retry.allows(method) { return .unsafeMethod(method) }
        if next.serversDay != nil || next.wait > retry.maxWait ?? next.wait { return .exceedsMaxWait(next) }
        // An attempt without time left would only hide the original failure.
        if let deadline, ContinuousClock.now + next.wait >= deadline { return .exceedsMaxTime(next) }
        return mayRetry() ? nil : .partlyDelivered
    }

    /// Sends `request` and follows redirects to the final response. Calls `onUnsent` before it throws if there was no connection to send it on.
    private func follow(
        _ request: Request, _ deadline: ContinuousClock.Instant?, onUnsent: () -> Void
    ) async throws -> StreamedResponse {
        var chain = [request]
        var transfer = transfer
        transfer.deadline = deadline
        while true {
            let count = chain.count - 1
            let last = chain[count]
            // The client certificate is only for the server that was called.
            transfer.connection =
                last.base.origin == request.base.origin ? self.transfer.connection : self.transfer.connection.anonymous
            // Without a redirect the transport says what the time ran out for.
            if let deadline, deadline <= .now, count > 0 {
                throw TransportError(
                    .timedOut(.whole(transfer.maxTime)), phase: .redirecting,
                    server: TransportError.Peer(last.base),
                    detail: "after \(count) redirect\(count == 1 ? "" : "s")")
            }
            let response: StreamedResponse
            do {
                response = try await transport.send(last, options: transfer)
            } catch let error as TransportError where count == 0 && [.resolving, .connecting].contains(error.phase) {
                onUnsent()
                throw error
            }
            guard maxRedirects > 0, let next = try last.redirected(by: response.head) else { return response }
            chain.append(next)
            guard count < maxRedirects else {
                let redactor = Redactor(request)
                let urls = chain.map { redactor.redact($0.redactedURL) }
                // Of a loop, show one round.
                let second = urls.indices.first { urls[..<$0].contains(urls[$0]) }
                throw TransportError(
                    .tooManyRedirects(limit: maxRedirects, chain: Array(urls[...(second ?? urls.endIndex - 1)])),
                    server: TransportError.Peer(next.base))
            }
        }
    }
}

private protocol OptionalModel {
    static var wrapped: Any.Type { get }
}

extension Optional: OptionalModel {
    static var wrapped: Any.Type { Wrapped.self }
}

/// A call was sent with another model than its endpoint declares.
package struct WrongModel: DescribedError, Sendable, Equatable {
    /// The Swift name of the endpoint's model.
    let declared: String
    /// The Swift name of the other one.
    let given: String

    package var description: String { "the endpoint returns \(declared), not \(given)" }
}

/// The server responded with a status other than 2xx.
public struct HTTPStatusError: DescribedError, Sendable, Equatable {
    /// The final response, with its whole body.
    public let response: Response
    /// The API's own message about the failure, if the body has one.
    public let serverMessage: String?

    /// The body as `model`, such as the API's ``API/errorModel``. Throws as `Coding.decode` does.
    public func body<Model: Decodable>(as model: Model.Type, coding: Coding = Coding()) throws -> Model {
        try coding.decode(model, from: response.body)
    }

    public var description: String {
        serverMessage.map { "\(response.head.statusText): \($0)" } ?? response.head.statusText
    }
}

/// Stops decoding a response once the call's time limit has passed or its task is cancelled.
package struct DecodingLimit: Sendable {
    private let maxTime: Duration?
    private let deadline: ContinuousClock.Instant?
    private let server: TransportError.Peer

    /// A limit of `maxTime` that ends at `deadline`, by default of a call that starts now; nil is no limit.
    package init(maxTime: Duration?, deadline: ContinuousClock.Instant? = nil, server: BaseURL) {
        self.maxTime = maxTime
        self.deadline = deadline ?? maxTime.map { .now + $0.clamped }
        self.server = TransportError.Peer(server)
    }

    /// A function to call regularly while decoding, which starts now. It throws ``TransportError`` after the deadline, and
    /// `CancellationError`.
    ///
    /// Decoding always gets at least a tenth of the limit, even if the transfer used it up.
    package func check() -> () throws -> Void {
        let deadline = deadline.map { deadline in max(deadline, .now + (maxTime ?? .zero) / 10) }
        return {
            try Task.checkCancellation()
            guard let deadline, ContinuousClock.now > deadline else { return }
            throw TransportError(.timedOut(.whole(maxTime)), phase: .decoding, server: server)
        }
    }
}
