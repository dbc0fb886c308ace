import EndpointKit
import MockServer
import Synchronization

/// The redirect of a browser that a login waits for.
final class ExpectedRedirect: Sendable {
    /// The path of the address; empty or `/` for the root.
    private let path: String
    private let answers: AsyncStream<RedirectAnswer>.Continuation
    private let state = Mutex<String?>(nil)

    init(path: String, _ answers: AsyncStream<RedirectAnswer>.Continuation) {
        self.path = path.isEmpty ? "/" : path
        self.answers = answers
    }

    /// Sets the state of the request whose answer is accepted.
    func set(state: String) { self.state.withLock { $0 = state } }

    /// Ends the wait.
    func finish() { answers.finish() }

    /// Returns the page for a request of the browser.
    ///
    /// A request with a wrong state gets 400, and the login goes on: any page that the browser shows can send one.
    func response(to request: ReceivedRequest) -> MockResponse {
        let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard request.method == "GET", String(parts[0]) == path else {
            return .text("not found\n", status: 404, fields: [("Connection", "close")])
        }
        let query = parts.count > 1 ? String(parts[1]) : ""
        let answer = state.withLock { state in state.flatMap { RedirectAnswer(query: query, state: $0) } }
        guard let answer else {
            return .text("this is no answer to the login that is going on\n", status: 400)
        }
        answers.yield(answer)
        switch answer {
        case .code: return .text("You are logged in. This page can be closed.\n", fields: [("Connection", "close")])
        case .refused: return .text("The login was refused. This page can be closed.\n", status: 403)
        }
    }
}
