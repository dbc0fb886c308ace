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

    /// The values that the client keeps now; nil if they were forgotten after the call began.
    private var snapshot: CredentialCache.Snapshot? { cache.snapshot(origin: server.origin, generation: generation) }

    // MARK: Missing values

    /// Asks the provider for the values of a required credential that is not set.
    ///
    /// - Parameter alternatives: The credential's variables, such as `[["TOKEN"], ["USER", "PASSWORD"]]`. Any one of the
    ///   inner arrays is enough.
    /// - Throws: The error of the provider, and those of waiting for it.
    func askForRequired(_ alternatives: [[String]]) async throws {
        let challenge = makeChallenge(forMissing: alternatives)
        try await askProvider(challenge, while: { options in !options.isSet(alternatives) })
    }

    /// Asks the provider for the values of an optional credential.
    ///
    /// The provider is not asked if the values are set, if the caller sends the credential's header or query item, or
    /// if the provider had no values when it was asked before.
    ///
    /// - Throws: The error of the provider, and those of waiting for it.
    func askForOptional(_ credential: Credential) async throws {
        let alternatives = credential.variablesOfAlternatives
        let isReplacedByCaller = credential.alternatives.contains(where: options.replaces)
        if isReplacedByCaller { return }
        let isNeeded: (RequestOptions) -> Bool = { options in
            !options.isSet(alternatives) && !cache.isDeclined(alternatives, origin: server.origin)
        }
        guard isNeeded(completedOptions), !cache.isCalledByProvider else { return }
        try await askProvider(makeChallenge(forMissing: alternatives), while: isNeeded)
        rememberIfDeclined(credential)
    }

    /// Remembers that the provider has no values for an optional credential, if it has none.
    ///
    /// Precondition: The provider has just been asked for the credential.
    private func rememberIfDeclined(_ credential: Credential) {
        let alternatives = credential.variablesOfAlternatives
        if completedOptions.isSet(alternatives) { return }
        cache.decline(alternatives, origin: server.origin, generation: generation)
    }

    /// Returns the challenge for variables that are not set.
    ///
    /// - Parameter alternatives: The credential's variables, such as `[["TOKEN"], ["USER", "PASSWORD"]]`. Any one of the
    ///   inner arrays is enough.
    private func makeChallenge(forMissing alternatives: [[String]]) -> CredentialChallenge {
        CredentialChallenge(reason: .missing, api: api, server: server.text, alternatives: alternatives)
    }

    // MARK: Rejected values

    /// Asks the provider for other values of credentials after the server has responded with the status 401.
    ///
    /// This includes optional credentials that the provider had no values for when it was asked before.
    ///
    /// - Parameters:
    ///   - credentials: The credentials that such a request may have.
    ///   - request: The request that was sent.
    /// - Returns: Whether there are other values now than those of `request`.
    /// - Throws: The error of the provider, and those of waiting for it.
    func renew(_ credentials: [Credential], of request: Request) async throws -> Bool {
        let alternatives = credentials.flatMap(\.variablesOfAlternatives).filter { !$0.isEmpty }
        if alternatives.isEmpty { return false }
        let sentValues = request.valuesOfVariables
        cache.forgetDeclined(origin: server.origin)
        // The provider need not be asked if another request has renewed the credentials while this one was under way.
        try await askProvider(
            makeChallenge(forRejected: alternatives, sentValues: sentValues),
            while: { options in !options.hasOtherValues(of: credentials, than: sentValues) })
        // `askProvider` asks nobody in a call that the provider itself makes, so nothing was declined.
        if !cache.isCalledByProvider {
            for credential in credentials where credential.isOptional { rememberIfDeclined(credential) }
        }
        // Once the values were forgotten, the next ones may be those of another person.
        let areValuesForgotten = snapshot == nil
        if areValuesForgotten { return false }
        return completedOptions.hasOtherValues(of: credentials, than: sentValues)
    }

    /// Returns the challenge after a response with the status 401.
    ///
    /// - Parameters:
    ///   - alternatives: The credential's variables, such as `[["TOKEN"], ["USER", "PASSWORD"]]`. Any one of the
    ///     inner arrays is enough.
    ///   - sentValues: The values of the rejected request, by their variables.
    private func makeChallenge(
        forRejected alternatives: [[String]], sentValues: [String: String]
    ) -> CredentialChallenge {
        let credentialVariables = Set(alternatives.joined())
        let rejectedValues = sentValues.filter { credentialVariables.contains($0.key) }
        return CredentialChallenge(
            reason: rejectedValues.isEmpty ? .missing : .rejected, api: api, server: server.text,
            alternatives: alternatives, rejectedValues: rejectedValues)
    }

    // MARK: Asking

    /// Asks the app's provider for credentials by a challenge. If another call is asking it already, this call waits
    /// for the answer to that.
    ///
    /// If the client's credentials change before the challenge is answered, `isNeeded` decides whether it is put again.
    /// A call that the provider itself makes does not ask, because it would wait for itself.
    ///
    /// - Parameters:
    ///   - challenge: The challenge. It is answered at most once.
    ///   - isNeeded: Returns whether values are still needed with the current options.
    /// - Throws: The error of the provider. ``TransportError`` when the time of the call is over, and
    ///   `CancellationError`.
    private func askProvider(
        _ challenge: CredentialChallenge, while isNeeded: (RequestOptions) -> Bool
    ) async throws {
        if cache.isCalledByProvider { return }
        // The snapshot holds the client's credentials. It becomes nil if the app forgets them, as after a logout. The
        // next ones may be those of another person, so this call does not ask for them.
        while let snapshot, isNeeded(options.completed(with: snapshot.values)) {
            let isAnswered = try await cache.ask(
                challenge, origin: server.origin, revision: snapshot.revision, limit: waitLimit)
            if isAnswered { return }
        }
    }

    /// The time at which the call stops waiting for credentials, and the error then; nil if the call has no time limit.
    private var waitLimit: CredentialCache.WaitLimit? {
        guard let deadline = transfer.deadline else { return nil }
        let error = TransportError(
            .timedOut(.whole(transfer.maxTime)), phase: .preparing, server: TransportError.Peer(server),
            detail: "waiting for credentials")
        return CredentialCache.WaitLimit(deadline: deadline, error: error)
    }
}

extension Request {
    /// The values of this request's secrets, by the variables that they come from.
    fileprivate var valuesOfVariables: [String: String] {
        var values: [String: String] = [:]
        for secret in secrets {
            if let variable = secret.variable { values[variable] = secret.reveal() }
        }
        return values
    }
}

extension Credential {
    /// The variables of each alternative, such as `[["TOKEN"], ["USER", "PASSWORD"]]`.
    fileprivate var variablesOfAlternatives: [[String]] { alternatives.map(\.variables) }
}

extension RequestOptions {
    /// Returns these options with variables that have `values`, or else the values that they have now.
    fileprivate func completed(with values: [String: String]) -> RequestOptions {
        var completedOptions = self
        completedOptions.variables = { [variables] name in values[name] ?? variables(name) }
        return completedOptions
    }

    /// Returns whether all variables of one alternative have a value. An empty value counts as not set.
    fileprivate func isSet(_ alternatives: [[String]]) -> Bool { firstSetAlternative(of: alternatives) != nil }

    /// Returns the variables of the first alternative that is set completely; nil if there is none.
    private func firstSetAlternative(of alternatives: [[String]]) -> [String]? {
        alternatives.first { variables in
            variables.allSatisfy { variable in self.variables(variable)?.isEmpty == false }
        }
    }

    /// Returns whether one of the credentials has another value now than in a request that was sent.
    ///
    /// - Parameters:
    ///   - credentials: The credentials that such a request may have.
    ///   - sentValues: The values of the request, by their variables.
    fileprivate func hasOtherValues(of credentials: [Credential], than sentValues: [String: String]) -> Bool {
        credentials.contains { credential in
            // A request is made with the first alternative that is set completely.
            guard let usedVariables = firstSetAlternative(of: credential.variablesOfAlternatives) else { return false }
            return usedVariables.contains { variable in variables(variable) != sentValues[variable] }
        }
    }
}
