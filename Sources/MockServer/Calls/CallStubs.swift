import Locking

/// A call for which a test chose responses, or that it expects.
struct CallStub: Sendable {
    /// Identifies the call: its API, and its JSON. Two calls with the same values are the same.
    struct Call: Sendable, Equatable {
        let api: ObjectIdentifier
        let json: [UInt8]
    }

    let call: Call
    /// The curl command of a request for the call, without secrets.
    let curlCommand: String
    /// The chosen responses. If there are none, the server responds as it would without the stub.
    let responses: [MockResponse]
    /// Returns whether a request makes the call.
    let matches: @Sendable (ReceivedRequest) -> Bool
    /// The number of requests for the call so far.
    var requestCount = 0

    /// The response to the next request. The last one of the chosen responses is repeated. Nil if the server responds
    /// as it would without the stub.
    var nextResponse: MockResponse? {
        requestCount < responses.count ? responses[requestCount] : responses.last
    }
}

/// The calls for which a test chose responses, or that it expects.
final class CallStubs: Sendable {
    /// The stubs from the newest to the oldest. If a request matches several, the newest one counts.
    private let stubs = Lock<[CallStub]>([])

    /// Adds a stub. It replaces the stub for the same call.
    func add(_ stub: CallStub) {
        stubs.withLock { stubs in
            stubs.removeAll { $0.call == stub.call }
            stubs.insert(stub, at: 0)
        }
    }

    /// Counts a request for the stubbed call that it makes.
    ///
    /// - Returns: The stub for the call as it was before the request; nil if there is none.
    func countRequest(_ request: ReceivedRequest) -> CallStub? {
        // A copy, so that the connections' threads do not wait for each other while a stub reads a request.
        let currentStubs = stubs.withLock(\.self)
        guard let matchingStub = currentStubs.first(where: { $0.matches(request) }) else { return nil }
        return stubs.withLock { stubs in
            // The stub may have been replaced since the copy was made, so it is looked for by its call.
            guard let index = stubs.firstIndex(where: { $0.call == matchingStub.call }) else { return matchingStub }
            let stubBeforeRequest = stubs[index]
            stubs[index].requestCount += 1
            return stubBeforeRequest
        }
    }

    /// The curl commands of the calls that no request made, in the order in which the calls were added.
    var unusedCommands: [String] {
        stubs.withLock { stubs in
            let unusedStubs = stubs.reversed().filter { $0.requestCount == 0 }
            return unusedStubs.map(\.curlCommand)
        }
    }
}
