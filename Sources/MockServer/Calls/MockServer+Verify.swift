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
        let missingRequests = core.stubs.unusedCommands
        let unexpectedRequests = core.unexpectedRequests.map { curlCommand(of: $0) }
        if missingRequests.isEmpty, unexpectedRequests.isEmpty { return }
        throw UnmetExpectations(missingRequests: missingRequests, unexpectedRequests: unexpectedRequests)
    }

    /// Returns the curl command of a request that the server received, without secrets.
    private func curlCommand(of received: ReceivedRequest) -> String {
        // The server's own URL is always a base URL, so the text after `else` is never used.
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

    /// The commands, one on each line, under a title for unexpected and one for missing requests.
    public var description: String {
        var lines: [String] = []
        switch unexpectedRequests.count {
        case 0: break
        case 1: lines.append("a request was not expected:")
        case let count: lines.append("\(count) requests were not expected:")
        }
        lines += unexpectedRequests.map { command in "  " + command }
        switch missingRequests.count {
        case 0: break
        case 1: lines.append("no request came for an expected call:")
        case let count: lines.append("no requests came for \(count) expected calls:")
        }
        lines += missingRequests.map { command in "  " + command }
        return lines.joined(separator: "\n")
    }
}

extension MockServer.Core {
    /// The recorded requests that made no expected call, and are not for an endpoint of a login.
    fileprivate var unexpectedRequests: [ReceivedRequest] {
        let logins = logins.withLock(\.self)
        var unexpectedRequests: [ReceivedRequest] = []
        for record in records.withLock(\.self) where !record.isExpected {
            let isForLogin = logins?.hasEndpoint(for: record.request) == true
            if !isForLogin { unexpectedRequests.append(record.request) }
        }
        return unexpectedRequests
    }

    /// Returns the values of credentials in a request: those that an API of the server or of an expected call declares.
    fileprivate func credentials(in request: ReceivedRequest) -> Set<String> {
        var allRoutes = routesByAPI.withLock { Array($0.values) }
        if let servedRoutes = servedRoutes.withLock(\.self) { allRoutes.append(servedRoutes) }
        var values: Set<String> = []
        for routes in allRoutes {
            values.formUnion(routes.credentials(in: request.path))
            for scheme in routes.credentialSchemes { values.formUnion(request.values(of: scheme)) }
        }
        // A credential that was sent empty is no secret.
        values.remove("")
        return values
    }
}

extension CallRoutes {
    /// The schemes of all credentials that the APIs declare.
    fileprivate var credentialSchemes: [Credential.Scheme] {
        var schemes: [Credential.Scheme] = []
        for mount in mounts {
            for route in mount.endpoints {
                let credentials = mount.api.requestBuilder.allCredentials(of: route.endpoint)
                schemes += credentials.flatMap(\.alternatives)
            }
        }
        return schemes
    }
}
