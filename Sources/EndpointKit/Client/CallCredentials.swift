/// The values of credential variables for one call: those that a client keeps, and those that its provider gives.
struct CallCredentials: Sendable {
    let cache: CredentialCache
    /// The generation of the cache when the call began. Values of a later one may be those of another person.
    let generation: Int
    /// The name of the API that is called.
    let api: String
    /// The server that is called.
    let server: BaseURL
    /// The options of the client.
    let options: RequestOptions
    /// The time limit of the call.
    let transfer: TransferOptions

    /// The options of the client, with variables that have the values of the provider, or else those of the options.
    var completedOptions: RequestOptions { options.completed(with: snapshot?.values ?? [:]) }

    /// The values that the client keeps; nil if they were forgotten after the call began.
    private var snapshot: CredentialCache.Snapshot? { cache.snapshot(server.origin, generation: generation) }

    // MARK: Missing values

    /// Asks for the values of a required credential.
    ///
    /// - Throws: The error of the provider, and those of waiting for it.
    func ask(forMissing alternatives: [[String]]) async throws {
        try await ask(challenge(forMissing: alternatives)) { !$0.isSet(alternatives) }
    }

    /// Asks for the values of an optional credential, unless it is known that there are none.
    ///
    /// - Throws: The error of the provider, and those of waiting for it.
    func complete(optional credential: Credential) async throws {
        let alternatives = credential.variablesOfAlternatives
        // The caller sets the header or query item of the credential.
        if credential.alternatives.contains(where: options.replaces) { return }
        let isNeeded: (RequestOptions) -> Bool = { options in
            !options.isSet(alternatives) && !cache.isDeclined(alternatives, server.origin)
        }
        guard isNeeded(completedOptions), !cache.isCalledByProvider else { return }
        try await ask(challenge(forMissing: alternatives), while: isNeeded)
        rememberWhetherDeclined(credential)
    }

    /// Remembers that the provider was asked for an optional credential, and has no value for it.
    private func rememberWhetherDeclined(_ credential: Credential) {
        let alternatives = credential.variablesOfAlternatives
        if completedOptions.isSet(alternatives) { return }
        cache.decline(alternatives, server.origin, generation: generation)
    }

    /// Returns the challenge for variables of which none has a value.
    private func challenge(forMissing alternatives: [[String]]) -> CredentialChallenge {
        CredentialChallenge(reason: .missing, api: api, server: server.text, alternatives: alternatives)
    }

    // MARK: Rejected values

    /// Gets other values for credentials after the server has responded with 401.
    ///
    /// - Parameters:
    ///   - credentials: The credentials that such a request may have.
    ///   - request: The request that was sent.
    /// - Returns: Whether there are other values than those of `request`.
    /// - Throws: The error of the provider, and those of waiting for it.
    func renew(_ credentials: [Credential], of request: Request) async throws -> Bool {
        let alternatives = credentials.flatMap(\.variablesOfAlternatives).filter { !$0.isEmpty }
        if alternatives.isEmpty { return false }
        var usedValues: [String: String] = [:]
        for secret in request.secrets {
            if let variable = secret.variable { usedValues[variable] = secret.reveal() }
        }
        let variables = Set(alternatives.joined())
        let rejectedValues = usedValues.filter { variables.contains($0.key) }
        let challenge = CredentialChallenge(
            reason: rejectedValues.isEmpty ? .missing : .rejected, api: api, server: server.text,
            alternatives: alternatives, rejectedValues: rejectedValues)
        cache.forgetDeclined(server.origin)
        // Another request may have renewed the credentials while this one was under way.
        try await ask(challenge) { !$0.hasOtherValues(of: credentials, than: usedValues) }
        if !cache.isCalledByProvider { credentials.filter(\.isOptional).forEach(rememberWhetherDeclined) }
        return snapshot != nil && completedOptions.hasOtherValues(of: credentials, than: usedValues)
    }

    // MARK: Asking

    /// Puts a challenge to the provider, once.
    ///
    /// A call of the client that the provider itself makes does not ask, because it would wait for itself.
    ///
    /// - Parameters:
    ///   - challenge: The challenge.
    ///   - isNeeded: Whether values are still needed with the current options. Other calls may get them too.
    /// - Throws: The error of the provider. ``TransportError`` when the time of the call is over, and
    ///   `CancellationError`.
    private func ask(
        _ challenge: CredentialChallenge, while isNeeded: (RequestOptions) -> Bool
    ) async throws {
        if cache.isCalledByProvider { return }
        while let snapshot, isNeeded(options.completed(with: snapshot.values)) {
            let isAnswered = try await cache.ask(
                challenge, origin: server.origin, revision: snapshot.revision, limit: limit)
            if isAnswered { return }
        }
    }

    /// The end of the call's time; nil if it has no limit.
    private var limit: CredentialCache.Limit? {
        guard let deadline = transfer.deadline else { return nil }
        let error = TransportError(
            .timedOut(.whole(transfer.maxTime)), phase: .preparing, server: TransportError.Peer(server),
            detail: "waiting for credentials")
        return CredentialCache.Limit(deadline: deadline, error: error)
    }
}

extension Credential {
    /// The variables of each alternative.
    fileprivate var variablesOfAlternatives: [[String]] { alternatives.map(\.variables) }
}

extension RequestOptions {
    /// Returns options whose variables have the given values, or else those of these options.
    fileprivate func completed(with values: [String: String]) -> RequestOptions {
        var completed = self
        completed.variables = { [variables] name in values[name] ?? variables(name) }
        return completed
    }

    /// Whether all variables of one of the sets have a value. An empty one counts as not set.
    fileprivate func isSet(_ alternatives: [[String]]) -> Bool { firstSet(of: alternatives) != nil }

    /// Returns the first set whose variables all have a value; nil if there is none.
    private func firstSet(of alternatives: [[String]]) -> [String]? {
        alternatives.first { variables in variables.allSatisfy { self.variables($0)?.isEmpty == false } }
    }

    /// Whether one of the credentials has another value now than in a request.
    ///
    /// - Parameters:
    ///   - credentials: The credentials that such a request may have.
    ///   - usedValues: The values of the request, by their variables.
    fileprivate func hasOtherValues(of credentials: [Credential], than usedValues: [String: String]) -> Bool {
        credentials.contains { credential in
            // The first alternative that is complete is the one that a request is made with.
            let chosen = firstSet(of: credential.variablesOfAlternatives)
            return chosen?.contains { self.variables($0) != usedValues[$0] } ?? false
        }
    }
}
