import EndpointKit
import JSONText
import Synchronization

/// The calls of tools that have not ended.
///
/// Calls that send no request start at once. Of the calls that send requests, at most ``maxRunning`` run at the same
/// time, in the order in which they came. The others wait until one of these ends.
final class InFlightCalls: Sendable {
    private struct Call {
        /// The id of the request from the client.
        let id: JSONValue
        /// Whether the call sends requests to a server.
        let sendsRequests: Bool
        /// The work of the call.
        let body: @Sendable () async -> Void
        /// The task that runs the body; nil while the call waits.
        var task: Task<Void, Never>?
    }

    /// The most calls that send requests at the same time. Each may have the body of a response in memory.
    private static let maxRunning = 8
    /// The most calls that run or wait, so that a client can't fill the memory with them.
    private static let maxCount = 1000

    /// The calls that run or wait, in the order in which they came.
    private let calls = Mutex<[Call]>([])

    /// Whether no call runs or waits.
    var isEmpty: Bool { calls.withLock(\.isEmpty) }

    /// Adds a call, and starts it in a task of its own as soon as there is room for it.
    ///
    /// - Parameters:
    ///   - id: The id of the request from the client.
    ///   - sendsRequests: Whether the call sends requests to a server. Only such calls may have to wait.
    ///   - body: Makes the call. It must end with ``end(_:send:)``.
    /// - Throws: ``ProtocolError`` if there is a call with the same id, or if there are too many.
    func start(_ id: JSONValue, sendsRequests: Bool, _ body: @escaping @Sendable () async -> Void) throws {
        try changeCalls { calls in
            // A response names its request only by the id, so that two calls with one id could not be told apart.
            if calls.contains(where: { $0.id == id }) {
                throw ProtocolError(code: .invalidRequest, message: "a request with this id is under way")
            }
            if calls.count >= Self.maxCount {
                throw ProtocolError(code: .invalidRequest, message: "\(calls.count) requests are under way")
            }
            calls.append(Call(id: id, sendsRequests: sendsRequests, body: body))
        }
    }

    /// Sends the result of a call and removes the call, which lets the next waiting call start.
    ///
    /// - Parameters:
    ///   - id: The id of the request from the client.
    ///   - send: Sends the result. It is called before the id is free, so that the response to a later request with the
    ///     same id can't come first.
    func end(_ id: JSONValue, send: () -> Void) {
        changeCalls { calls in
            send()
            calls.removeAll { $0.id == id }
        }
    }

    /// Cancels calls. A waiting call is removed. A running call is only told to stop: its body still calls
    /// ``end(_:send:)``.
    ///
    /// - Parameter isIncluded: Returns whether the call of the request with this id is cancelled.
    func cancel(where isIncluded: (_ id: JSONValue) -> Bool) {
        changeCalls { calls in
            for call in calls where isIncluded(call.id) { call.task?.cancel() }
            calls.removeAll { $0.task == nil && isIncluded($0.id) }
        }
    }

    /// Changes the list of calls under its lock, then starts the calls that may run now.
    ///
    /// All changes go through this function, so that a waiting call starts as soon as there is room for it.
    private func changeCalls(_ change: (inout [Call]) throws -> Void) rethrows {
        try calls.withLock { list in
            try change(&list)
            for index in Self.indexesOfRunnableCalls(in: list) where list[index].task == nil {
                list[index].task = Self.startTask(list[index].body)
            }
        }
    }

    /// Returns the indexes of the calls that may run now, including those that run already.
    ///
    /// These are all calls that send no requests, and the first ``maxRunning`` of those that do. Calls are in the order
    /// in which they came, so that the first ones are those that run already and those that have waited longest.
    private static func indexesOfRunnableCalls(in calls: [Call]) -> [Int] {
        let localCalls = calls.indices.filter { !calls[$0].sendsRequests }
        let sendingCalls = calls.indices.filter { calls[$0].sendsRequests }
        return localCalls + sendingCalls.prefix(maxRunning)
    }

    /// Runs the body of a call in a task of its own, on all processors.
    private static func startTask(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        // The executor that the process runs on by default has a single thread.
        Task(executorPreference: globalConcurrentExecutor) { await body() }
    }
}
