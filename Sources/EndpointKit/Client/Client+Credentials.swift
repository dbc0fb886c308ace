/// A request needs values of credential variables that a client does not have.
public struct CredentialChallenge: Sendable, Hashable {
    /// The reason why values are asked for.
    public enum Reason: Sendable, Hashable {
        /// The variables of a required credential are not set, and nothing has been sent.
        case missing
        /// The server responded with the status 401 (RFC 9110, section 15.5.2).
        case rejected
    }

    /// The reason why values are asked for.
    public let reason: Reason
    /// The name of the API that is called.
    public let api: String
    /// Sets of variables, any one of which is enough: `[["TOKEN"], ["USER", "PASSWORD"]]`.
    public let alternatives: [[String]]
}

extension Client {
    /// Gives the values of credential variables when a request needs them; nil by default.
    ///
    ///     client.credentials = { challenge in
    ///         let token = try await session.token(refresh: challenge.reason == .rejected)
    ///         return ["TMDB_ACCESS_TOKEN": token]
    ///     }
    ///
    /// The function is called before the first request that needs a variable which is not set. It is called again after
    /// a response with the status 401. If it then returns other values, the request is sent once more with them. If not,
    /// the 401 is the response.
    ///
    /// Values are kept by the client and its copies, and take precedence over ``RequestOptions/variables``. Requests
    /// that need the same variables at the same time share one call of the function. It is cancelled when all of their
    /// tasks are.
    public var credentials: (@Sendable (CredentialChallenge) async throws -> [String: String])? {
        get { credentialCache?.provider }
        set { credentialCache = newValue.map { CredentialCache($0) } }
    }

    /// Returns the request of `call`. Values of credentials that are not set come from ``credentials``.
    ///
    /// - Throws: The errors of building a request, and those of ``credentials``.
    func request<Call: API>(of call: Call) async throws -> Request {
        let endpoint = call.placedEndpoint
        try call.checkRules(endpoint)
        let builder = Call.requestBuilder
        guard let credentialCache else { return try builder.request(endpoint, options) }
        var askedAlternatives: Set<[[String]]> = []
        while true {
            do {
                return try builder.request(endpoint, credentialCache.completing(options))
            } catch let missing as MissingCredential where askedAlternatives.insert(missing.alternatives).inserted {
                // An endpoint may need several credentials. Each is asked for once.
                try await credentialCache.ask(
                    CredentialChallenge(
                        reason: .missing, api: builder.apiName, alternatives: missing.alternatives))
            }
        }
    }

    /// The outcome of a request that may be sent a second time with other credentials.
    private enum AuthorizedOutcome<Result> {
        case finished(Result)
        /// The server has rejected the credentials, and there are other values now.
        case renewed
        /// The credentials can't be renewed. The error is kept out of the exchange, which would retry some errors.
        case failed(any Error)
    }

    /// Sends `request`, which is one of `call`, and passes the final response to `consume`.
    ///
    /// After a 401, ``credentials`` is asked for other values, with which the request is sent once more.
    ///
    /// - Throws: The errors of ``exchange(_:mayRetry:consume:)`` and of ``credentials``.
    func authorizedExchange<Call: API, Result>(
        _ request: Request, of call: Call, consume: (StreamedResponse) async throws -> Result
    ) async throws -> Result {
        guard let credentialCache else { return try await exchange(request, consume: consume) }
        let outcome: AuthorizedOutcome<Result> = try await exchange(request) { streamed in
            if streamed.head.status == 401 {
                do {
                    if try await renewCredentials(of: request, call, in: credentialCache) { return .renewed }
                } catch {
                    return .failed(error)
                }
            }
            return .finished(try await consume(streamed))
        }
        switch outcome {
        case .finished(let result): return result
        case .failed(let error): throw error
        case .renewed:
            let fresh = try await self.request(of: call)
            return try await exchange(request.updatingCredentials(from: fresh), consume: consume)
        }
    }

    /// Gets other values for the credentials of a request that the server has rejected.
    ///
    /// - Returns: Whether there are other values than those of `request`.
    private func renewCredentials<Call: API>(
        of request: Request, _ call: Call, in cache: CredentialCache
    ) async throws -> Bool {
        let builder = Call.requestBuilder
        let credentials = builder.credentials(of: call.placedEndpoint, at: options.base)
        let alternatives = credentials.flatMap(\.alternatives).map(\.variables).filter { !$0.isEmpty }
        if alternatives.isEmpty { return false }
        // Another request may have renewed the credentials while this one was under way.
        if cache.isOutdated(request, credentials, options) { return true }
        try await cache.ask(CredentialChallenge(reason: .rejected, api: builder.apiName, alternatives: alternatives))
        return cache.isOutdated(request, credentials, options)
    }
}

extension Request {
    /// Returns this request with the credentials of another request to the same origin.
    ///
    /// - Parameter fresh: A request of the same call, with current credentials.
    func updatingCredentials(from fresh: Request) -> Request {
        guard base.origin == fresh.base.origin else { return self }
        var updated = self
        updated.headers = fresh.headers
        updated.signing = fresh.signing
        for item in fresh.query where item.content.holdsSecrets { updated.replaceQueryItem(item) }
        return updated
    }
}
