import Locking

/// The values of credential variables that a provider has given, for a client and its copies.
final class CredentialCache: Sendable {
    typealias Provider = @Sendable (CredentialChallenge) async throws -> [String: String]
    private typealias Waiter = CheckedContinuation<Void, any Error>

    /// A call of the provider, for which tasks wait.
    private struct Inquiry {
        let number: Int
        let task: Task<Void, Never>
        /// The waiting tasks by their numbers.
        var waiters: [Int: Waiter] = [:]
    }

    private struct State {
        var values: [String: String] = [:]
        /// The calls under way by the variables that they are about.
        var inquiries: [[[String]]: Inquiry] = [:]
        /// The last number that was given to an inquiry or a waiter.
        var lastNumber = 0

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    let provider: Provider
    private let state = Lock(State())

    init(_ provider: @escaping Provider) { self.provider = provider }

    /// Returns options whose variables have the values of the provider, or else those of `options`.
    func completing(_ options: RequestOptions) -> RequestOptions {
        var completed = options
        completed.variables = { [self] name in value(name) ?? options.variables(name) }
        return completed
    }

    private func value(_ variable: String) -> String? { state.withLock { $0.values[variable] } }

    /// Whether a credential has another value now than the one that a request was made with.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - credentials: The credentials that such a request may have.
    ///   - options: The options that the request was made with.
    func isOutdated(_ request: Request, _ credentials: [Credential], _ options: RequestOptions) -> Bool {
        var usedValues: [String: String] = [:]
        for secret in request.secrets {
            if let variable = secret.variable { usedValues[variable] = secret.reveal() }
        }
        let current = completing(options).variables
        return credentials.contains { credential in
            // The first alternative that is complete is the one that a request is made with.
            let alternatives = credential.alternatives.map(\.variables)
            let chosen = alternatives.first { variables in variables.allSatisfy { current($0)?.isEmpty == false } }
            return chosen?.contains { current($0) != usedValues[$0] } ?? false
        }
    }

    // MARK: Asking

    /// Calls the provider, or waits for the call that is under way for the same variables.
    ///
    /// - Throws: The error of the provider. `CancellationError` at once if the task is cancelled.
    func ask(_ challenge: CredentialChallenge) async throws {
        let number = state.withLock { $0.nextNumber() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in join(challenge, number, waiter) }
        } onCancel: {
            leave(challenge, number)
        }
    }

    /// Adds a waiter to the call about `challenge`, which is started if there is none.
    private func join(_ challenge: CredentialChallenge, _ number: Int, _ waiter: Waiter) {
        let isCancelled = state.withLock { state in
            // The lock makes sure that a task which is cancelled later finds its waiter.
            if Task.isCancelled { return true }
            if state.inquiries[challenge.alternatives] == nil {
                let inquiryNumber = state.nextNumber()
                let task = Task { await self.run(challenge, inquiryNumber) }
                state.inquiries[challenge.alternatives] = Inquiry(number: inquiryNumber, task: task)
            }
            state.inquiries[challenge.alternatives]?.waiters[number] = waiter
            return false
        }
        if isCancelled { waiter.resume(throwing: CancellationError()) }
    }

    /// Removes the waiter of a cancelled task. With the last one, the call ends.
    private func leave(_ challenge: CredentialChallenge, _ number: Int) {
        let (waiter, abandoned) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard var inquiry = state.inquiries[challenge.alternatives],
                let waiter = inquiry.waiters.removeValue(forKey: number)
            else { return (nil, nil) }
            let isAbandoned = inquiry.waiters.isEmpty
            state.inquiries[challenge.alternatives] = isAbandoned ? nil : inquiry
            return (waiter, isAbandoned ? inquiry.task : nil)
        }
        abandoned?.cancel()
        waiter?.resume(throwing: CancellationError())
    }

    /// Calls the provider, keeps its values, and resumes the waiters.
    private func run(_ challenge: CredentialChallenge, _ number: Int) async {
        let outcome: Result<[String: String], any Error>
        do {
            outcome = .success(try await provider(challenge))
        } catch {
            outcome = .failure(error)
        }
        let waiters = state.withLock { state -> [Waiter] in
            // An abandoned call may end after another one has begun.
            guard let inquiry = state.inquiries[challenge.alternatives], inquiry.number == number else { return [] }
            state.inquiries[challenge.alternatives] = nil
            if case .success(let values) = outcome { state.values.merge(values) { $1 } }
            return Array(inquiry.waiters.values)
        }
        for waiter in waiters { waiter.resume(with: outcome.map { _ in }) }
    }
}
