import EndpointKit
import JSONText
import Synchronization

/// The calls of tools that have not ended.
///
/// Calls that send no request run at once. Of those that send requests, only some run at the same time, in the order in
/// which they came; the others wait.
final class InFlightCalls: Sendable {
    private struct Call {
        /// The id of the request from the client.
        let id: JSONValue
        let sendsRequests: Bool
        let body: @Sendable () async -> Void
        /// The task that runs the body; nil while the call waits.
        var task: Task<Void, Never>?
    }

    /// The most calls that send requests at the same time. Each may have the body of a response in memory.
    private static let maxRunning = 8
    /// The most calls that run or wait, so that a client can't fill the memory with them.
    private static let maxCount = 1000

    private let calls = Mutex<[Call]>([])

    var isEmpty: Bool { calls.withLock(\.isEmpty) }

    /// Runs a call, or lets it wait.
    ///
    /// - Parameters:
    ///   - id: The id of the request from the client.
    ///   - sendsRequests: Whether the call sends requests to a server.
    ///   - body: Makes the call. It must end with ``end(_:send:)``.
    /// - Throws: ``ProtocolError`` if there is a call with the same id, or if there are too many.
    func start(_ id: JSONValue, sendsRequests: Bool, _ body: @escaping @Sendable () async -> Void) throws {
        try change { calls in
            let isKnown = calls.contains { $0.id == id }
            guard !isKnown, calls.count < Self.maxCount else {
                let problem = "a request with this id is under way, or \(Self.maxCount) are"
                throw ProtocolError(code: .invalidRequest, message: problem)
            }
            calls.append(Call(id: id, sendsRequests: sendsRequests, body: body))
        }
    }

    /// Ends a call.
    ///
    /// - Parameter send: Sends the result. After that, a request may have the same id.
    func end(_ id: JSONValue, send: () -> Void) {
        change { calls in
            send()
            calls.removeAll { $0.id == id }
        }
    }

    /// Cancels the calls with these ids. Calls that wait are removed, those that run end on their own.
    func cancel(where isIncluded: (_ id: JSONValue) -> Bool) {
        change { calls in
            for call in calls where isIncluded(call.id) { call.task?.cancel() }
            calls.removeAll { $0.task == nil && isIncluded($0.id) }
        }
    }

    /// Changes the list of calls, then starts the calls that may run now.
    private func change(_ body: (inout [Call]) throws -> Void) rethrows {
        try calls.withLock { calls in
            try body(&calls)
            for index in Self.runnable(calls) where calls[index].task == nil {
                calls[index].task = Self.start(calls[index].body)
            }
        }
    }

    /// Returns the indexes of the calls that may run at the same time.
    private static func runnable(_ calls: [Call]) -> [Int] {
        let local = calls.indices.filter { !calls[$0].sendsRequests }
        let sending = calls.indices.filter { calls[$0].sendsRequests }
        return local + sending.prefix(maxRunning)
    }

    /// Runs the body of a call in a task of its own.
    private static func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        // On all processors. The executor of the run itself has a single thread.
        Task(executorPreference: globalConcurrentExecutor) { await body() }
    }
}
