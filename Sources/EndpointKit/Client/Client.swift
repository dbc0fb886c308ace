/// Sends the calls of an API and reads the responses.
///
///     let client = Client(transport: URLSessionTransport(), variables: ["TMDB_API_KEY": key])
///     let page = try await client.send(Movies.popular(page: 2), as: MoviePage.self)
public struct Client: Sendable {
    /// What sends each request, one at a time; redirects and retries are the client's.
    public var transport: any Transport
    /// How requests are built: the server, the credentials' variables, additions.
    public var request: RequestOptions
    /// How they are sent.
    public var transfer: TransferOptions
    /// How many redirects are followed; one more is an error. With 0 a redirect is the response.
    public var maxRedirects: Int
    /// The longest body that is read as a whole, in bytes.
    public var maxBodySize: Int
    /// When a request is sent again; never unless set.
    public var retry: RetryPolicy

    /// A client that sends over `transport`: 10 redirects, bodies of up to 100 MB, no retries unless said otherwise.
    public init(
        transport: any Transport, request: RequestOptions = RequestOptions(),
        transfer: TransferOptions = TransferOptions(), maxRedirects: Int = 10, maxBodySize: Int = 100_000_000,
        retry: RetryPolicy = RetryPolicy()
    ) {
        self.transport = transport
        self.request = request
        self.transfer = transfer
        self.maxRedirects = maxRedirects
        self.maxBodySize = maxBodySize
        self.retry = retry
    }

    /// A client whose credentials come from `variables`.
    public init(transport: any Transport, variables: [String: String]) {
        self.init(transport: transport, request: RequestOptions(variables: { variables[$0] }))
    }

    /// Sends `call` and returns its response, decoded.
    ///
    /// Throws ``HTTPStatusError`` for a status other than 2xx, `JSONSyntaxError`, ``ModelMismatch`` or
    /// ``ReportedFailure`` for a response that is not what the model expects, ``TransportError``, and what
    /// building the request throws.
    public func send<Model: Decodable & Sendable, Call: API>(_ call: Call, as model: Model.Type) async throws -> Model {
        let request = try call.request(request)
        let limit = DecodingLimit(maxTime: transfer.maxTime, server: request.base)
        let response = try await send(request)
        guard response.head.isSuccess else { throw HTTPStatusError(response) }
        if model == EmptyResponse.self, let empty = EmptyResponse() as? Model { return empty }
        if model == RawResponse.self, let raw = RawResponse(bytes: response.body) as? Model { return raw }
        let value = try Call.coding.decode(model, from: response.body, check: limit.check())
        try (value as? any Validated)?.validate()
        return value
    }

    /// Sends `call` and returns its response, whatever the status, with the body as bytes.
    ///
    /// Throws ``BodyTooLarge`` if the body is longer than ``maxBodySize``, ``TransportError``, and what building
    /// the request throws.
    public func send(_ call: some API) async throws -> Response {
        try await send(call.request(request))
    }

    private func send(_ request: Request) async throws -> Response {
        try await exchange(request) { streamed in
            Response(head: streamed.head, body: try await streamed.body.collect(limit: maxBodySize))
        }
    }

    /// Sends `call` and returns with the head of its response, whatever the status; the body is read on demand.
    ///
    /// Throws what ``exchange(_:mayRetry:consume:)`` does, and what building the request throws.
    public func stream(_ call: some API) async throws -> StreamedResponse {
        try await stream(call.request(request))
    }

    /// Sends `request`, follows redirects, and returns with the head of the final response.
    ///
    /// Throws what ``exchange(_:mayRetry:consume:)`` does.
    public func stream(_ request: Request) async throws -> StreamedResponse {
        try await exchange(request) { $0 }
    }

    /// Sends `request`, follows redirects, passes the final response to `consume`, and repeats that as ``retry`` says.
    ///
    /// A ``TransportError`` from `consume` counts as a failed attempt too. `mayRetry` is asked last, before an attempt that is otherwise
    /// allowed: false once part of the response has been passed on and can't be taken back.
    /// ``TransferOptions/maxTime`` bounds all attempts and waits together.
    ///
    /// Throws what the last attempt did: what the transport or `consume` throws, ``TransportError`` for a redirect
    /// that is not followed; and `CancellationError`, in a wait too.
    public func exchange<Result>(
        _ request: Request, mayRetry: () -> Bool = { true }, consume: (StreamedResponse) async throws -> Result
    ) async throws -> Result {
        let deadline = transfer.maxTime.map { ContinuousClock.now + $0 }
        var retries = 0
        var isRefused = false
        /// The wait before the next attempt; nil if there is none.
        func wait(after reason: String, _ head: ResponseHead? = nil) -> Duration? {
            // Refused once is final: the same response may fail again while it is consumed.
            guard retries < retry.count, !isRefused else { return nil }
            let next = retry.retry(retries + 1, reason: reason, head: head)
            if let refusal = refusal(of: next, request.method, deadline, mayRetry) {
                isRefused = true
                retry.onRefusal?(refusal)
                return nil
            }
            retries += 1
            retry.onRetry?(next)
            return next.wait
        }
        while true {
            let pause: Duration
            // A response to be retried is released before the wait, and its connection with it.
            do {
                let response = try await follow(request, deadline)
                let head = response.head
                guard RetryPolicy.mayPass(head.status), let wait = wait(after: head.statusText, head) else {
                    return try await consume(response)
                }
                pause = wait
            } catch let error as TransportError where RetryPolicy.mayPass(error) {
                guard let wait = wait(after: error.message) else { throw error }
                pause = wait
            }
            try await Task.sleep(for: pause)
        }
    }

    /// Why `next` must not be made; nil if it may.
    private func refusal(
        of next: RetryPolicy.Retry, _ method: HTTPMethod, _ deadline: ContinuousClock.Instant?, _ mayRetry: () -> Bool
    ) -> RetryPolicy.Refusal? {
        if !retry.allows(method) { return .unsafeMethod(method) }
        if let longest = retry.longestWait, next.wait > longest { return .tooLong(next) }
        // An attempt with no time left would only hide what went wrong.
        if let deadline, ContinuousClock.now + next.wait >= deadline { return .noTime(next) }
        return mayRetry() ? nil : .passedOn
    }

    /// Sends `request` and follows redirects to the final response.
    private func follow(_ request: Request, _ deadline: ContinuousClock.Instant?) async throws -> StreamedResponse {
        var request = request
        var chain = [request.redactedURL]
        var transfer = transfer
        let first = request.base.origin
        let redactor = Redactor(request)
        while true {
            // What proves who the user is belongs to the server that was asked.
            transfer.connection =
                request.base.origin == first ? self.transfer.connection : self.transfer.connection.anonymous
            if let deadline {
                transfer.maxTime = deadline - .now
                guard deadline > .now else {
                    let count = chain.count - 1
                    throw TransportError(
                        .timedOut(.whole(self.transfer.maxTime)), phase: .redirecting,
                        server: TransportError.Peer(request.base),
                        detail: "after \(count) redirect\(count == 1 ? "" : "s")")
                }
            }
            let response = try await transport.send(request, options: transfer)
            guard maxRedirects > 0, let next = try request.redirected(by: response.head) else { return response }
            guard chain.count <= maxRedirects else {
                chain.append(next.redactedURL)
                // One round of a loop is enough.
                let second = chain.indices.first { chain[..<$0].contains(chain[$0]) }
                throw TransportError(
                    .tooManyRedirects(
                        limit: maxRedirects,
                        chain: chain[...(second ?? chain.endIndex - 1)].map { redactor.redact($0) }),
                    server: TransportError.Peer(next.base))
            }
            chain.append(next.redactedURL)
            request = next
        }
    }
}

/// The server responded with a status other than 2xx.
public struct HTTPStatusError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The final response, with its whole body.
    public let response: Response
    /// What the API says about it in its own words, if the body does.
    public let words: String?

    /// The error for `response`, whatever its status.
    public init(_ response: Response) {
        self.response = response
        words = ErrorWords.find(in: response.body)
    }

    public var description: String {
        words.map { "\(response.head.statusText): \($0)" } ?? response.head.statusText
    }
}
