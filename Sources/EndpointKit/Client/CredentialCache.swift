import Locking

/// The values of credential variables that a provider has given, for a client and its copies.
///
/// Values are kept for the origin of each server, so that one server never gets the token of another.
final class CredentialCache: Sendable {
    /// Gives the values of variables for a challenge. It is the function of ``Client/credentials``.
    typealias Provider = @Sendable (CredentialChallenge) async throws -> [String: String]

    /// The values that a call may use at one time.
    struct Snapshot: Sendable {
        /// The values of the variables.
        let values: [String: String]
        /// A number that changes whenever values do.
        let revision: Int
    }

    /// The end of the time in which a call must get its credentials.
    struct WaitLimit: Sendable {
        let deadline: ContinuousClock.Instant
        /// The error at the deadline.
        let error: TransportError
    }

    /// A task that waits for an answer of the provider.
    private struct Waiter {
        /// The number by which the waiter is removed when its task is cancelled or its time is over.
        let number: Int
        let challenge: CredentialChallenge
        /// Is resumed with true after the waiter's own challenge was answered, and with false after another one was.
        let continuation: CheckedContinuation<Bool, any Error>
    }

    /// A call of the provider that is under way, for which tasks wait.
    private struct Inquiry {
        let number: Int
        /// The challenge that the provider gets.
        let challenge: CredentialChallenge
        /// The origin of the server, for which the values are kept.
        let origin: String
        /// The waiting tasks by their numbers.
        var waiters: [Int: Waiter] = [:]

        /// Returns whether a challenge is about one of the variables of this inquiry, for the same server.
        func overlaps(_ otherChallenge: CredentialChallenge, origin otherOrigin: String) -> Bool {
            origin == otherOrigin && !challenge.variables.isDisjoint(with: otherChallenge.variables)
        }
    }

    /// An optional credential of a server for which the provider has no value.
    private struct DeclinedCredential: Hashable {
        let origin: String
        /// Sets of variables, any one of which would be enough.
        let alternatives: [[String]]
    }

    /// The values, and the calls of the provider that are under way. A lock protects them.
    private struct State {
        /// The values of variables by the origin of the server.
        var values: [String: [String: String]] = [:]
        /// The optional credentials for which the provider has no value.
        var declinedCredentials: Set<DeclinedCredential> = []
        /// The calls of the provider that are under way.
        var inquiries: [Inquiry] = []
        /// How often everything was forgotten.
        var generation = 0
        /// How often ``values`` have changed.
        var revision = 0
        /// The last number that was given to an inquiry or a waiter.
        var lastNumber = 0

        /// Returns a number that no inquiry or waiter has had yet.
        mutating func assignNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    /// The caches whose providers the current task was started by.
    @TaskLocal private static var callingCaches: Set<ObjectIdentifier> = []

    /// Gives the values.
    let provider: Provider
    private let state = Lock(State())

    /// Creates an empty cache of the values of `provider`.
    init(_ provider: @escaping Provider) { self.provider = provider }

    /// Whether the current task runs inside the provider. Then it must not wait for the provider.
    var isCalledByProvider: Bool { Self.callingCaches.contains(ObjectIdentifier(self)) }

    // MARK: Values

    /// How often everything was forgotten.
    var generation: Int { state.withLock(\.generation) }

    /// Returns the values that a call may use for a server now.
    ///
    /// - Parameters:
    ///   - origin: The origin of the server.
    ///   - generation: The ``generation`` of the cache when the call began. It changes when everything is forgotten.
    /// - Returns: The values. Nil if everything was forgotten after the call began.
    func snapshot(origin: String, generation: Int) -> Snapshot? {
        state.withLock { state in
            guard state.generation == generation else { return nil }
            return Snapshot(values: state.values[origin] ?? [:], revision: state.revision)
        }
    }

    /// Forgets all values, and resumes all waiting tasks without an answer.
    ///
    /// An inquiry is a call of the provider that is under way. It continues, but its values are not stored. With the
    /// new generation, calls of the client that began before get no values any more.
    func forget() {
        let waiters = state.withLock { state -> [Waiter] in
            let waiters = state.inquiries.flatMap(\.waiters.values)
            state.inquiries = []
            state.values = [:]
            state.declinedCredentials = []
            state.generation += 1
            state.revision += 1
            return waiters
        }
        for waiter in waiters { waiter.continuation.resume(returning: false) }
    }

    // MARK: Optional credentials

    /// Returns whether the provider was asked for an optional credential of a server, and has no value for it.
    func isDeclined(_ alternatives: [[String]], origin: String) -> Bool {
        let credential = DeclinedCredential(origin: origin, alternatives: alternatives)
        return state.withLock { state in state.declinedCredentials.contains(credential) }
    }

    /// Remembers that the provider has no value for an optional credential of a server.
    ///
    /// - Parameters:
    ///   - alternatives: The variables of the credential. Any one of the inner arrays would be enough.
    ///   - origin: The origin of the server.
    ///   - generation: The ``generation`` of the cache when the call began. If everything was forgotten since, nothing
    ///     is remembered.
    func decline(_ alternatives: [[String]], origin: String, generation: Int) {
        state.withLock { state in
            guard state.generation == generation else { return }
            state.declinedCredentials.insert(DeclinedCredential(origin: origin, alternatives: alternatives))
        }
    }

    /// Forgets for which optional credentials of a server the provider has no value, so that it is asked again.
    func forgetDeclined(origin: String) {
        state.withLock { state in
            state.declinedCredentials = state.declinedCredentials.filter { $0.origin != origin }
        }
    }

    // MARK: Asking

    /// Calls the provider, or waits for the call that is under way for the same challenge.
    ///
    /// If the call that is under way is for another challenge about one of the same variables, only waits for its end.
    ///
    /// - Parameters:
    ///   - challenge: The variables that need values, and the reason.
    ///   - origin: The origin of the server.
    ///   - revision: The ``Snapshot/revision`` of the values that the challenge is about. If the values have changed
    ///     since, the provider is not called.
    ///   - limit: When to stop waiting; nil is no limit. The provider itself continues.
    /// - Returns: Whether the challenge was answered. If not, the values may have changed otherwise.
    /// - Throws: The error of the provider or of `limit`. `CancellationError` at once if the task is cancelled.
    func ask(
        _ challenge: CredentialChallenge, origin: String, revision: Int, limit: WaitLimit?
    ) async throws -> Bool {
        let waiterNumber = state.withLock { $0.assignNumber() }
        let timer = limit.map { limit in startTimer(of: waiterNumber, limit: limit) }
        defer { timer?.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiter = Waiter(number: waiterNumber, challenge: challenge, continuation: continuation)
                startWait(of: waiter, origin: origin, revision: revision, limit: limit)
            }
        } onCancel: {
            endWait(of: waiterNumber, throwing: CancellationError())
        }
    }

    /// Starts a task that ends the wait of another task at the deadline of `limit`, unless it is cancelled before.
    private func startTimer(of waiterNumber: Int, limit: WaitLimit) -> Task<Void, any Error> {
        Task {
            try await Task.sleep(until: limit.deadline, clock: .continuous)
            endWait(of: waiterNumber, throwing: limit.error)
        }
    }

    /// How an attempt to wait for the provider went.
    private enum WaitOutcome {
        /// The waiter was added to an inquiry, which will resume it.
        case waiting
        /// The values have changed, so that the provider may not be needed.
        case outdated
        /// The task is cancelled, or its time is over.
        case failed(any Error)
    }

    /// Lets a waiting task wait for a call of the provider, or resumes it at once if it need not or must not wait.
    ///
    /// It need not wait if the values have changed since it decided to ask. It is then resumed with false.
    ///
    /// - Parameters:
    ///   - waiter: The task, and the challenge that it puts.
    ///   - origin: The origin of the server.
    ///   - revision: The revision of the values when the task decided to ask.
    ///   - limit: When the wait must end; nil is no limit.
    private func startWait(of waiter: Waiter, origin: String, revision: Int, limit: WaitLimit?) {
        let outcome = state.withLock { state -> WaitOutcome in
            // The lock makes sure that no end is missed: a task that is cancelled later, or whose time ends later, finds
            // its waiter in an inquiry.
            if Task.isCancelled { return .failed(CancellationError()) }
            if let limit, limit.deadline <= .now { return .failed(limit.error) }
            if state.revision != revision { return .outdated }
            joinOrStartInquiry(waiter, origin: origin, state: &state)
            return .waiting
        }
        switch outcome {
        case .waiting: break
        case .failed(let error): waiter.continuation.resume(throwing: error)
        case .outdated: waiter.continuation.resume(returning: false)
        }
    }

    /// Lets a waiting task wait for a call of the provider.
    ///
    /// An inquiry is a call of the provider that is under way. If one for the same server is about one of the variables
    /// that the task needs, the task is added to it. Otherwise a new inquiry with the task's challenge is added to
    /// `state`, and the provider is called in the background.
    ///
    /// The caller holds the lock of `state`. The background task needs that lock only at its end, and so does not wait
    /// for the caller.
    ///
    /// - Parameters:
    ///   - waiter: The waiting task. Its challenge has the variables that it needs.
    ///   - origin: The origin of the server.
    ///   - state: The state with the inquiries.
    private func joinOrStartInquiry(_ waiter: Waiter, origin: String, state: inout State) {
        let indexOfInquiry = state.inquiries.firstIndex { $0.overlaps(waiter.challenge, origin: origin) }
        if let indexOfInquiry {
            state.inquiries[indexOfInquiry].waiters[waiter.number] = waiter
            return
        }
        let inquiry = Inquiry(
            number: state.assignNumber(), challenge: waiter.challenge, origin: origin,
            waiters: [waiter.number: waiter])
        state.inquiries.append(inquiry)
        Task { await makeInquiry(inquiry) }
    }

    /// Ends the wait of one task with an error. Does nothing if the task does not wait any more.
    ///
    /// The inquiry for which the task waited continues, because its values are worth keeping.
    private func endWait(of waiterNumber: Int, throwing error: any Error) {
        let waiter = state.withLock { state -> Waiter? in
            for index in state.inquiries.indices {
                if let waiter = state.inquiries[index].waiters.removeValue(forKey: waiterNumber) { return waiter }
            }
            return nil
        }
        waiter?.continuation.resume(throwing: error)
    }

    /// Calls the provider with the challenge of an inquiry, keeps the values, and resumes the waiting tasks.
    private func makeInquiry(_ inquiry: Inquiry) async {
        let answer: Result<[String: String], any Error>
        do {
            answer = .success(try await callProvider(with: inquiry.challenge))
        } catch {
            answer = .failure(error)
        }
        for waiter in endInquiry(inquiry, answer: answer) {
            guard waiter.challenge == inquiry.challenge else {
                // Another challenge was answered. The task decides whether it still needs values.
                waiter.continuation.resume(returning: false)
                continue
            }
            switch answer {
            case .success: waiter.continuation.resume(returning: true)
            case .failure(let error): waiter.continuation.resume(throwing: error)
            }
        }
    }

    /// Calls the provider, and returns its values for the variables of the challenge.
    ///
    /// While the provider runs, ``isCalledByProvider`` is true for the calls that it makes with the same client.
    private func callProvider(with challenge: CredentialChallenge) async throws -> [String: String] {
        let callingCaches = Self.callingCaches.union([ObjectIdentifier(self)])
        return try await Self.$callingCaches.withValue(callingCaches) { try await provider(challenge) }
    }

    /// Removes an inquiry that was answered, and keeps the values of the answer.
    ///
    /// - Returns: The waiting tasks to resume. None if everything was forgotten while the inquiry was under way. Then
    ///   the values are not kept.
    private func endInquiry(_ inquiry: Inquiry, answer: Result<[String: String], any Error>) -> [Waiter] {
        state.withLock { state in
            guard let index = state.inquiries.firstIndex(where: { $0.number == inquiry.number }) else { return [] }
            let waiters = Array(state.inquiries[index].waiters.values)
            state.inquiries.remove(at: index)
            // A task that decided to ask before this answer has to look at the values again.
            state.revision += 1
            if case .success(let values) = answer {
                state.values[inquiry.origin, default: [:]].merge(values) { _, newValue in newValue }
            }
            return waiters
        }
    }
}
