import EndpointKit
import MockServer
import Synchronization

/// Waits at an address of this machine for the browser that the server of a login sends back. The HTTP server of `mock`
/// listens there.
final class RedirectReceiver: Sendable {
    /// The address to which the server sends the browser.
    let redirect: String
    private let server: MockServer
    private let requests: RedirectRequests
    private let answers: AsyncStream<RedirectAnswer>

    /// Starts a server at the address to which the login's server sends the browser.
    ///
    /// - Parameters:
    ///   - registeredRedirect: The address that is registered for the client. Nil stands for any port of 127.0.0.1.
    ///   - api: The name of the API, for messages.
    /// - Throws: ``UsageError`` for an address that is not at this machine, and `MockServerError`.
    init(registeredRedirect: String?, api: String) throws {
        var registeredURL: BaseURL?
        if let registeredRedirect { registeredURL = try Self.loopbackURL(registeredRedirect, api: api) }
        let (answers, continuation) = AsyncStream.makeStream(of: RedirectAnswer.self)
        let requests = RedirectRequests(path: registeredURL?.path ?? "", answers: continuation)
        // `localhost` is served at 127.0.0.1.
        let host = registeredURL?.host == "::1" ? "::1" : "127.0.0.1"
        let port = Self.port(of: registeredURL)
        server = try MockServer(host: host, port: port, recording: false) { requests.respond(to: $0) }
        redirect = registeredRedirect ?? server.baseURL + "/"
        self.requests = requests
        self.answers = answers
    }

    /// Returns the port to listen on: that of the registered address, or 0, which stands for any free one.
    private static func port(of registeredURL: BaseURL?) -> UInt16 {
        guard let registeredURL else { return 0 }
        // 80 is the port of an http URL without one.
        return UInt16(clamping: registeredURL.port ?? 80)
    }

    /// Returns the URL of a redirect that this process can receive.
    ///
    /// - Throws: ``UsageError`` for an address that is not at this machine.
    private static func loopbackURL(_ text: String, api: String) throws(UsageError) -> BaseURL {
        guard let url = try? BaseURL(text), url.scheme == "http", ["127.0.0.1", "localhost", "::1"].contains(url.host)
        else {
            throw UsageError("the redirect of \(api)'s login is no http address of this machine; use --redirect -")
        }
        return url
    }

    /// Sets the state of the request for authorization. From now on, a redirect with this state is the answer.
    func expect(state: String) { requests.expect(state: state) }

    /// Waits for the first answer of the login's server, which comes as a request of the browser.
    ///
    /// - Parameter limit: The longest time to wait.
    /// - Returns: The answer; nil if none came in time.
    /// - Throws: `CancellationError`.
    func waitForAnswer(atMost limit: Duration) async throws -> RedirectAnswer? {
        let timer = Task { [requests] in
            try await Task.sleep(for: limit)
            requests.stopWaiting()
        }
        defer { timer.cancel() }
        for await answer in answers { return answer }
        // The stream ends without an answer after the time limit, and also if this task is cancelled.
        try Task.checkCancellation()
        return nil
    }

    /// Stops to listen.
    func stop() { server.stop() }
}

/// Responds to the requests at the address of a redirect, and passes on the answer of the login's server.
private final class RedirectRequests: Sendable {
    /// The path of the address; `/` for the root.
    private let path: String
    private let answers: AsyncStream<RedirectAnswer>.Continuation
    /// The state that the answer must repeat; nil until a request for authorization exists.
    private let expectedState = Mutex<String?>(nil)

    /// Prepares the responses.
    ///
    /// - Parameters:
    ///   - path: The path of the redirect; empty or `/` for the root.
    ///   - answers: Receives the answer.
    init(path: String, answers: AsyncStream<RedirectAnswer>.Continuation) {
        self.path = path.isEmpty ? "/" : path
        self.answers = answers
    }

    func expect(state: String) { expectedState.withLock { $0 = state } }

    /// Ends the stream of answers, so that nobody waits for one any longer.
    func stopWaiting() { answers.finish() }

    /// Returns the page that the browser shows after the redirect, and passes on the answer in its query to whoever
    /// waits for it.
    ///
    /// A request with a wrong state gets the status 400, and the login goes on: any page that the browser shows can
    /// send one. A request for another path, such as `/favicon.ico`, gets 404.
    func respond(to request: ReceivedRequest) -> MockResponse {
        let pathAndQuery = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard request.method == "GET", String(pathAndQuery[0]) == path else {
            return .text("not found\n", status: 404, fields: [("Connection", "close")])
        }
        let query = pathAndQuery.count > 1 ? String(pathAndQuery[1]) : ""
        guard let state = expectedState.withLock(\.self), let answer = RedirectAnswer(query: query, state: state) else {
            return .text("this is no answer to the login that is going on\n", status: 400)
        }
        answers.yield(answer)
        switch answer {
        case .code: return .text("You are logged in. This page can be closed.\n", fields: [("Connection", "close")])
        case .refused: return .text("The login was refused. This page can be closed.\n", status: 403)
        }
    }
}
