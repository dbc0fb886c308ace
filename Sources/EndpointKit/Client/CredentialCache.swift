import Locking

/// The values of credential variables that a provider has given, for a client and its copies.
///
/// Values are kept for the origin of each server, so that one server never gets the token of another.
final class CredentialCache: Sendable {
    typealias Provider = @Sendable (CredentialChallenge) async throws -> [String: String]

    /// The values that a call may use at one time.
    struct Snapshot: Sendable {
        /// The values of the variables.
        let values: [String: String]
        /// A number that changes whenever values do.
        let revision: Int
    }

    /// The end of the time in which a call must get its credentials.
    struct Limit: Sendable {
        let deadline: ContinuousClock.Instant
        /// The error at the deadline.
        let error: TransportError
    }

    /// A task that waits for a call of the provider.
    private struct Waiter {
        /// Is resumed with true after the waiter's own challenge was answered, and with false after another one was.
        let continuation: CheckedContinuation<Bool, any Error>
        let challenge: CredentialChallenge
    }

    /// A call of the provider, for which tasks wait.
    private struct Inquiry {
        let number: Int
        let challenge: CredentialChallenge
        /// The origin of the server, for which the values are kept.
        let origin: String
        /// The waiting tasks by their numbers.
        var waiters: [Int: Waiter] = [:]

        /// Whether a challenge is about one of the variables of this call.
        func overlaps(_ other: CredentialChallenge, _ otherOrigin: String) -> Bool {
            origin == otherOrigin && !challenge.variables.isDisjoint(with: other.variables)
        }
    }

    /// An optional credential of a server for which the provider has no value.
    private struct DeclinedCredential: Hashable {
        let origin: String
        let alternatives: [[String]]
    }

    private struct State {
        /// The values of variables by the origin of the server.
        var values: [String: [String: String]] = [:]
        var declined: Set<DeclinedCredential> = []
        /// The calls under way.
        var inquiries: [Inquiry] = []
        /// How often everything was forgotten.
        var generation = 0
        /// How often ``values`` have changed.
        var revision = 0
        /// The last number that was given to an inquiry or a waiter.
        var lastNumber = 0

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    /// The caches whose providers the current task is part of.
    @TaskLocal private static var running: Set<ObjectIdentifier> = []

    let provider: Provider
    private let state = Lock(State())

    init(_ provider: @escaping Provider) { self.provider = provider }

    /// Whether the current task is a call of the provider, which must not wait for itself.
    var isCalledByProvider: Bool { Self.running.contains(ObjectIdentifier(self)) }

    // MARK: Values

    /// How often everything was forgotten.
    var generation: Int { state.withLock(\.generation) }

    /// Returns the values for a server.
    ///
    /// - Parameters:
    ///   - origin: The origin of the server.
    ///   - generation: The generation of the call that uses them.
    /// - Returns: The values. Nil if everything was forgotten after the call began.
    func snapshot(_ origin: String, generation: Int) -> Snapshot? {
        state.withLock { state in
            guard state.generation == generation else { return nil }
            return Snapshot(values: state.values[origin] ?? [:], revision: state.revision)
        }
    }

    /// Forgets all values. Calls of the provider that are under way go on, but their values are not stored.
    func forget() {
        let waiters = state.withLock { state -> [Waiter] in
            let waiters = state.inquiries.flatMap(\.waiters.values)
            state.generation += 1
            state.revision += 1
            state.values = [:]
            state.declined = []
            state.inquiries = []
            return waiters
        }
        for waiter in waiters { waiter.continuation.resume(returning: false) }
    }

    // MARK: Optional credentials

    /// Whether the provider has no value for an optional credential of a server.
    func isDeclined(_ alternatives: [[String]], _ origin: String) -> Bool {
        state.withLock { $0.declined.contains(DeclinedCredential(origin: origin, alternatives: alternatives)) }
    }

    /// Remembers that the provider has no value for an optional credential of a server.
    func decline(_ alternatives: [[String]], _ origin: String, generation: Int) {
        state.withLock { state in
            guard state.generation == generation else { return }
            state.declined.insert(DeclinedCredential(origin: origin, alternatives: alternatives))
        }
    }

    /// Forgets which optional credentials of a server the provider has no value for.
    func forgetDeclined(_ origin: String) {
        state.withLock { state in state.declined = state.declined.filter { $0.origin != origin } }
    }

    // MARK: Asking

    /// Calls the provider, or waits for the call that is under way for the same challenge.
    ///
    /// A call for another challenge with one of the same variables ends first.
    ///
    /// - Parameters:
    ///   - challenge: The challenge.
    ///   - origin: The origin of the server.
    ///   - revision: The revision of the values that the challenge is about.
    ///   - limit: When to stop waiting; nil is no limit. The provider itself goes on.
    /// - Returns: Whether the challenge was answered. If not, the values may have changed otherwise.
    /// - Throws: The error of the provider. `CancellationError` at once if the task is cancelled.
    func ask(
        _ challenge: CredentialChallenge, origin: String, revision: Int, limit: Limit?
    ) async throws -> Bool {
        let number = state.withLock { $0.nextNumber() }
        let timer = limit.map { limit in
            Task {
                try await Task.sleep(until: limit.deadline, clock: .continuous)
                leave(number, with: limit.error)
            }
        }
        defer { timer?.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiter = Waiter(continuation: continuation, challenge: challenge)
                join(waiter, number, origin: origin, revision: revision, limit: limit)
            }
        } onCancel: {
            leave(number, with: CancellationError())
        }
    }

    /// How an attempt to wait for a call of the provider went.
    private enum JoinOutcome {
        case waiting
        /// The values have changed, so that the provider may not be needed.
        case outdated
        case failed(any Error)
    }

    /// Adds a waiter to a call that is under way, or starts a call.
    private func join(_ waiter: Waiter, _ number: Int, origin: String, revision: Int, limit: Limit?) {
        let outcome = state.withLock { state -> JoinOutcome in
            // The lock makes sure that a task which is cancelled later finds its waiter, and so does the timer.
            if Task.isCancelled { return .failed(CancellationError()) }
            if let limit, limit.deadline <= .now { return .failed(limit.error) }
            if state.revision != revision { return .outdated }
            if let index = state.inquiries.firstIndex(where: { $0.overlaps(waiter.challenge, origin) }) {
                state.inquiries[index].waiters[number] = waiter
                return .waiting
            }
            let inquiry = Inquiry(
                number: state.nextNumber(), challenge: waiter.challenge, origin: origin, waiters: [number: waiter])
            state.inquiries.append(inquiry)
            Task { await self.run(inquiry) }
            return .waiting
        }
        switch outcome {
        case .waiting: break
        case .failed(let error): waiter.continuation.resume(throwing: error)
        case .outdated: waiter.continuation.resume(returning: false)
        }
    }

    /// Ends the wait of one task. The call for which it waits goes on, because its values are worth keeping.
    private func leave(_ number: Int, with error: any Error) {
        let waiter = state.withLock { state -> Waiter? in
            for index in state.inquiries.indices {
                if let waiter = state.inquiries[index].waiters.removeValue(forKey: number) { return waiter }
            }
            return nil
        }
        waiter?.continuation.resume(throwing: error)
    }

    /// Calls the provider, keeps its values, and resumes the waiters.
    private func run(_ inquiry: Inquiry) async {
        let outcome: Result<[String: String], any Error>
        do {
            let running = Self.running.union([ObjectIdentifier(self)])
            outcome = .success(try await Self.$running.withValue(running) { try await provider(inquiry.challenge) })
        } catch {
            outcome = .failure(error)
        }
        let waiters = state.withLock { state -> [Waiter] in
            // The call may have been forgotten while it was under way.
            guard let index = state.inquiries.firstIndex(where: { $0.number == inquiry.number }) else { return [] }
            let waiters = Array(state.inquiries[index].waiters.values)
            state.inquiries.remove(at: index)
            state.revision += 1
            if case .success(let values) = outcome {
                state.values[inquiry.origin, default: [:]].merge(values) { $1 }
            }
            return waiters
        }
        for waiter in waiters {
            if waiter.challenge == inquiry.challenge {
                waiter.continuation.resume(with: outcome.map { _ in true })
            } else {
                waiter.continuation.resume(returning: false)
            }
        }
    }
}
