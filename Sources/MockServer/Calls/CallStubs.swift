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
    let curl: String
    /// The chosen responses; none for the one that the server gives anyway.
    let responses: [MockResponse]
    /// Whether a request is one for the call.
    let matches: @Sendable (ReceivedRequest) -> Bool
    /// How many requests for the call have come.
    var requestCount = 0

    /// The response to the next request, nil for the one that the server gives anyway. After the last one of several,
    /// that one is repeated.
    var nextResponse: MockResponse? {
        responses.isEmpty ? nil : responses[min(requestCount, responses.count - 1)]
    }
}

/// The calls for which a test chose responses, or that it expects.
final class CallStubs: Sendable {
    /// The stubs, the last one that was added first, because it counts.
    private let stubs = Lock<[CallStub]>([])

    /// Adds a stub. It replaces those for the same call.
    func add(_ stub: CallStub) {
        stubs.withLock { stubs in
            stubs.removeAll { $0.call == stub.call }
            stubs.insert(stub, at: 0)
        }
    }

    /// Counts a request for the call that it makes.
    ///
    /// - Returns: The stub for the call as it was before the request; nil if there is none.
    func count(_ request: ReceivedRequest) -> CallStub? {
        // A copy, so that the connections' threads do not wait for each other while a stub reads a request.
        guard let match = stubs.withLock(\.self).first(where: { $0.matches(request) }) else { return nil }
        return stubs.withLock { stubs in
            guard let index = stubs.firstIndex(where: { $0.call == match.call }) else { return match }
            let stub = stubs[index]
            stubs[index].requestCount += 1
            return stub
        }
    }

    /// The curl commands of the calls that no request made, in the order in which the calls were added.
    var unusedCommands: [String] { stubs.withLock { $0.reversed().filter { $0.requestCount == 0 }.map(\.curl) } }
}
