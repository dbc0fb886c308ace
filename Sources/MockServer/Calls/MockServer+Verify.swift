import EndpointKit
import EndpointTools

extension MockServer {
    /// Checks that the requests so far are those for which the test called ``respond(to:with:_:)`` or ``expect(_:)``.
    ///
    /// Call it at the end of a test, with any test framework: the error fails the test and describes each request.
    ///
    ///     try server.respond(to: Pets.get(1), with: .response(503))
    ///     // … the app calls server.baseURL …
    ///     try server.verify()
    ///
    /// A call may come more than once. Requests for the logins of APIs need not be expected.
    ///
    /// - Throws: ``UnmetExpectations`` if a request came that no call expected, or if no request came for a call.
    public func verify() throws(UnmetExpectations) {
        let missing = core.stubs.unusedCommands
        let unexpected = core.unexpectedRequests.map { command(of: $0) }
        if missing.isEmpty, unexpected.isEmpty { return }
        throw UnmetExpectations(missingRequests: missing, unexpectedRequests: unexpected)
    }

    /// Returns the curl command of a request that the server received, without secrets.
    private func command(of received: ReceivedRequest) -> String {
        // The server's own URL is a base URL.
        guard let base = try? BaseURL(baseURL) else { return "\(received.method) \(baseURL)" }
        let request = Request(received, at: base, hiding: core.credentials(in: received))
        return request.withoutHeadersOfClients.curlCommand
    }
}

/// The differences between the requests that a test expected and those that a ``MockServer`` received.
///
///     a request was not expected:
///       curl http://127.0.0.1:8080/pets/2
///     no request came for an expected call:
///       curl http://127.0.0.1:8080/pets/1
///
/// Secrets are replaced by `(redacted)`.
public struct UnmetExpectations: Error, Sendable, Equatable, CustomStringConvertible {
    /// The expected calls for which no request came, as curl commands in the order of the expectations.
    public let missingRequests: [String]
    /// The requests that came and were not expected, as curl commands in the order of their completion.
    public let unexpectedRequests: [String]

    /// The commands in groups, one on each line.
    public var description: String {
        let unexpectedTitle =
            unexpectedRequests.count == 1
            ? "a request was not expected" : "\(unexpectedRequests.count) requests were not expected"
        let missingTitle =
            missingRequests.count == 1
            ? "no request came for an expected call" : "no requests came for \(missingRequests.count) expected calls"
        let groups = [(unexpectedTitle, unexpectedRequests), (missingTitle, missingRequests)]
        return groups.filter { !$0.1.isEmpty }.map { title, commands in
            ([title + ":"] + commands.map { "  " + $0 }).joined(separator: "\n")
        }.joined(separator: "\n")
    }
}

extension MockServer.Core {
    /// The requests that made no expected call, and are not for an endpoint of a login.
    fileprivate var unexpectedRequests: [ReceivedRequest] {
        let logins = logins.withLock(\.self)
        return received.withLock(\.self).filter { record in
            !record.isExpected && logins?.haveEndpoint(for: record.request) != true
        }.map(\.request)
    }

    /// Returns the values of credentials in a request: those that an API of the server or of an expected call declares.
    fileprivate func credentials(in request: ReceivedRequest) -> Set<String> {
        let knownRoutes = routesByAPI.withLock { Array($0.values) } + [servedRoutes.withLock(\.self)].compactMap(\.self)
        var values: Set<String> = []
        for routes in knownRoutes {
            values.formUnion(routes.credentials(in: request.path))
            for scheme in routes.credentialSchemes { values.formUnion(request.values(of: scheme)) }
        }
        return values.subtracting([""])
    }
}

extension CallRoutes {
    /// The schemes of all credentials that the APIs declare.
    fileprivate var credentialSchemes: [Credential.Scheme] {
        mounts.flatMap { mount in
            mount.endpoints.flatMap { mount.api.requestBuilder.allCredentials(of: $0.endpoint) }
        }.flatMap(\.alternatives)
    }
}
