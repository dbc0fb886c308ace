extension Client {
    /// Gives the values of credential variables when a request needs them. Nil by default.
    ///
    ///     client.credentials = { challenge in
    ///         let token = try await session.token(refresh: challenge.reason == .rejected)
    ///         return ["TMDB_ACCESS_TOKEN": token]
    ///     }
    ///
    /// The function is called before the first request that needs a variable which is not set. For an optional
    /// credential, `[:]` means that requests go without it. The function is called again after a response with the
    /// status 401. If it then returns other values, the request is sent once more with them. If not, the 401 is the
    /// response.
    ///
    /// The client and its copies keep the values until ``forgetCredentials()``, for the origin of the server that they
    /// were asked for. They take precedence over ``RequestOptions/variables``. Requests that need the same variables at
    /// the same time share one call of the function. It goes on if their tasks are cancelled or their time is over,
    /// and its values are kept. Calls about the same variables for different reasons follow one another.
    ///
    /// The function may send calls with the same client. They use the values that there are: for them it is not called.
    public var credentials: (@Sendable (CredentialChallenge) async throws -> [String: String])? {
        get { credentialCache?.provider }
        set { credentialCache = newValue.map { CredentialCache($0) } }
    }

    /// Forgets the values that ``credentials`` has given, such as when a person logs in or out.
    ///
    /// This also counts for copies of the client. Calls that are under way get no other values. A value that
    /// ``credentials`` is about to return is not kept.
    public func forgetCredentials() { credentialCache?.forget() }

    /// Returns a copy of this client for one call.
    ///
    /// All exchanges of the copy end at the same time, after ``TransferOptions/maxTime`` from now. They have the
    /// credentials of the same person: if ``forgetCredentials()`` is called meanwhile, they get no other values.
    func forOneCall() -> Client {
        var client = self
        if client.transfer.deadline == nil, let maxTime = transfer.maxTime {
            client.transfer.deadline = .now + maxTime.clamped
        }
        client.credentialGeneration = credentialCache?.generation
        return client
    }

    /// Builds the request of `call`. If values of credentials are not set, asks ``credentials`` for them.
    ///
    /// - Throws: The errors of building a request, and those of ``credentials``.
    func buildRequest<Call: API>(of call: Call) async throws -> Request {
        let endpoint = call.placedEndpoint
        try call.checkRules(endpoint)
        let builder = Call.requestBuilder
        guard let credentialCache else { return try builder.request(endpoint, options) }
        let callCredentials = try makeCallCredentials(of: endpoint, builder: builder, cache: credentialCache)
        for credential in builder.credentials(of: endpoint, at: options.base) where credential.isOptional {
            try await callCredentials.askForOptional(credential)
        }
        // An endpoint may need several credentials. Each is asked for once.
        var askedAlternatives: Set<[[String]]> = []
        while true {
            do {
                return try builder.request(endpoint, callCredentials.completedOptions)
            } catch let missing as MissingCredential {
                let isAskedFirstTime = askedAlternatives.insert(missing.alternatives).inserted
                if !isAskedFirstTime { throw missing }
                try await callCredentials.askForRequired(missing.alternatives)
            }
        }
    }

    /// Prepares the credentials of one call of an endpoint.
    ///
    /// - Throws: ``RequestError`` if the server's URL is not valid.
    private func makeCallCredentials(
        of endpoint: Endpoint, builder: RequestBuilder, cache: CredentialCache
    ) throws(RequestError) -> CallCredentials {
        CallCredentials(
            cache: cache, generation: credentialGeneration ?? cache.generation, api: builder.apiName,
            server: try builder.baseURL(of: endpoint, options: options), options: options, transfer: transfer)
    }

    /// The outcome of a request that may be sent a second time with other credentials.
    private enum AuthorizedOutcome<Result> {
        /// The final response has been read.
        case finished(Result)
        /// The server has rejected the credentials, and there are other values now.
        case renewed
        /// The credentials can't be renewed.
        case failed(any Error)
    }

    /// Sends a request of `call`, and passes the final response to `consume`.
    ///
    /// After a response with the status 401, ``credentials`` is asked for other values, with which the request is sent
    /// once more.
    ///
    /// - Throws: The errors of ``exchange(_:mayRetry:consume:)`` and of ``credentials``.
    func authorizedExchange<Call: API, Result>(
        _ request: Request, of call: Call, consume: (StreamedResponse) async throws -> Result
    ) async throws -> Result {
        guard let credentialCache else { return try await exchange(request, consume: consume) }
        let outcome: AuthorizedOutcome<Result> = try await exchange(request) { response in
            if response.head.status == 401 {
                do {
                    let isRenewed = try await renewCredentials(of: request, call: call, cache: credentialCache)
                    if isRenewed { return .renewed }
                } catch {
                    // The exchange would retry some errors if they were thrown here.
                    return .failed(error)
                }
            }
            return .finished(try await consume(response))
        }
        switch outcome {
        case .finished(let result): return result
        case .failed(let error): throw error
        case .renewed:
            let renewedRequest = try await buildRequest(of: call)
            return try await exchange(request.updatingCredentials(from: renewedRequest), consume: consume)
        }
    }

    /// Asks ``credentials`` for other values than those of a request that the server has rejected.
    ///
    /// - Returns: Whether there are other values now.
    /// - Throws: The errors of ``credentials``, and of waiting for it.
    private func renewCredentials<Call: API>(
        of request: Request, call: Call, cache: CredentialCache
    ) async throws -> Bool {
        let builder = Call.requestBuilder
        let endpoint = call.placedEndpoint
        let callCredentials = try makeCallCredentials(of: endpoint, builder: builder, cache: cache)
        return try await callCredentials.renew(builder.credentials(of: endpoint, at: options.base), of: request)
    }
}

extension Request {
    /// Returns this request with the credentials of another request, or this request itself if the other one goes to
    /// another origin.
    ///
    /// - Parameter renewedRequest: A request of the same call, with current credentials.
    func updatingCredentials(from renewedRequest: Request) -> Request {
        guard base.origin == renewedRequest.base.origin else { return self }
        var updatedRequest = self
        updatedRequest.headers = renewedRequest.headers
        updatedRequest.signing = renewedRequest.signing
        for item in renewedRequest.query where item.content.holdsSecrets { updatedRequest.replaceQueryItem(item) }
        return updatedRequest
    }
}
