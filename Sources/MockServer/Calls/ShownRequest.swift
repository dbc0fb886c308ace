import EndpointKit

// Requests as messages show them: without secrets, and without what does not belong to the call.

extension Request {
    /// Creates a request like one that a server received.
    ///
    /// - Parameters:
    ///   - received: The request that was received.
    ///   - base: The URL of the server.
    ///   - credentials: The values of credentials in the request, which are replaced by `(redacted)`.
    init(_ received: ReceivedRequest, at base: BaseURL, hiding credentials: Set<String>) {
        var redactor = Redactor()
        redactor.add(credentials)
        let path = received.path == "/" ? "" : received.path
        self.init(HTTPMethod(rawValue: received.method), base, path: redactor.redact(SecretRules.redacted(path)))
        verbatimQuery = received.query.map(redactor.redact)
        headers = received.fields.map { HTTPField($0.name, redactor.redact($0.value)) }
        if !received.body.isEmpty { body = RequestBody(bytes: redactor.redact(body: received.body)) }
    }

    /// This request without the headers that every client adds by itself.
    var withoutHeadersOfClients: Request {
        var request = self
        request.headers.removeAll { header in
            let name = header.name.lowercased()
            return HTTPField.ofConnection.contains(name) || Self.headersOfClients.contains(name)
        }
        return request
    }

    /// The names of headers about the client and what it accepts, in lower case.
    private static let headersOfClients: Set<String> = [
        "accept", "accept-encoding", "accept-language", "host", "user-agent",
    ]
}
