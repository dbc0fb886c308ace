import JSONText

/// The parts of a URL that a server wrote in a `Location` or `Link` field, or in a page of a list.
struct RedirectTarget {
    /// The server, without a path prefix.
    let base: BaseURL
    /// The path, percent-encoded and with its leading slash.
    let path: String
    /// The query as the server wrote it, without its `?`; nil if there is none.
    let query: String?
}

extension Request {
    /// Returns the request that a response redirects this one to (RFC 9110, section 15.4).
    ///
    /// The new request keeps the method, headers and body of this one, except for two rules:
    /// - Some statuses turn it into a GET without a body, as in every browser.
    /// - If it goes to another origin, it has only headers that can't hold a credential. A URL or body that repeats a
    ///   secret is an error.
    ///
    /// - Parameter head: The head of the response to this request.
    /// - Returns: The next request. Nil if the response is not a redirect.
    /// - Throws: ``TransportError`` for a redirect that must not be followed.
    func redirected(by head: ResponseHead) throws(TransportError) -> Request? {
        guard let location = head.redirectLocation else { return nil }
        let redactor = Redactor(self)
        let target = try resolve(location, redactor: redactor)
        var nextRequest = moved(to: target)
        nextRequest.verbatimQuery = target.query
        if becomesGet(afterStatus: head.status) { nextRequest.becomeGetWithoutBody() }
        if target.base.origin != base.origin {
            try removeCredentials(from: &nextRequest, location: location, redactor: redactor)
        }
        return nextRequest
    }

    /// Removes from a request to another origin all headers that can hold a credential, and the signers. Then checks
    /// that the request holds no secret elsewhere.
    ///
    /// - Parameters:
    ///   - nextRequest: This request with the URL that the server wrote.
    ///   - location: The URL in a header `Location` or `Link`, as the server wrote it.
    ///   - redactor: Finds the secrets of this request in other text.
    /// - Throws: ``TransportError`` if the other origin would still get a credential.
    func removeCredentials(
        from nextRequest: inout Request, location: String, redactor: Redactor
    ) throws(TransportError) {
        nextRequest.headers.removeAll { $0.content.holdsSecrets || !HTTPField.isSafeForOtherOrigins($0.name) }
        nextRequest.signing?.signers = []
        try checkOtherOrigin(of: nextRequest, location: location, redactor: redactor)
    }

    /// Returns whether a redirect with this status turns this request into a GET (RFC 9110, section 15.4).
    ///
    /// A 301 or 302 does so for a POST, and a 303 for everything except HEAD, as in every browser. A 307 or 308 keeps
    /// the method and the body.
    private func becomesGet(afterStatus status: Int) -> Bool {
        switch status {
        case 301, 302: method == .post
        case 303: method != .head
        default: false
        }
    }

    /// Makes this request a GET, without its body and the header fields that describe it (RFC 9110, section 15.4).
    private mutating func becomeGetWithoutBody() {
        method = .get
        body = nil
        headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
    }

    /// Checks that a redirect of this request to another origin gives no credential away.
    ///
    /// Two redirects are refused: one from https to plain http if this request has credentials, and one that sends a
    /// secret in its URL, headers or body, because the server repeated it in `Location` or the body holds it.
    ///
    /// - Parameters:
    ///   - nextRequest: The redirected request, from which the headers with credentials have been removed.
    ///   - location: The `Location` field as the server wrote it.
    ///   - redactor: Finds the secrets of this request in other text.
    /// - Throws: ``TransportError`` for a redirect that is refused.
    private func checkOtherOrigin(
        of nextRequest: Request, location: String, redactor: Redactor
    ) throws(TransportError) {
        let leavesTLS = base.scheme == "https" && nextRequest.base.scheme == "http"
        if leavesTLS, !secrets.isEmpty {
            throw unsafeRedirect(
                "a request with credentials to plain http: \(nextRequest.base.text)", redactor: redactor)
        }
        let sendsSecret = redactor.findsSecret(in: nextRequest.contentForOtherOrigin)
        // `Location` may have a fragment, which is not sent. A secret could begin in the URL and end in there.
        if sendsSecret || redactor.findsSecret(in: location.exactBytes) {
            let server = redactor.redact(nextRequest.base.text)
            throw unsafeRedirect("a credential to another origin: \(server)", redactor: redactor)
        }
    }

    /// Returns the error for a redirect that must not be followed.
    ///
    /// - Parameters:
    ///   - sentenceEnd: The end of the sentence `https://a.example redirects …`, such as `to an invalid URL`.
    ///   - redactor: Removes the secrets of this request from the URL of the server.
    private func unsafeRedirect(_ sentenceEnd: String, redactor: Redactor) -> TransportError {
        let sentence = "\(redactor.redact(base.text)) redirects \(sentenceEnd)"
        return TransportError(.unsafeRedirect, server: TransportError.Peer(base), detail: sentence)
    }

    /// The bytes that this request sends, in which secrets of the redirected request are searched for.
    ///
    /// Files of the body are left out, because the user chose to send them. Precondition: the request holds no secrets
    /// of its own.
    private var contentForOtherOrigin: [UInt8] {
        var content = (base.text + path + "?" + (verbatimQuery ?? "")).exactBytes
        for header in headers { content += "\n\(header)".exactBytes }
        content += "\n\n".utf8
        for piece in body?.pieces ?? [] {
            if case .bytes(let bytes) = piece { content += bytes }
        }
        return content
    }

    /// Returns this request with the server and path of `target`, and without a query.
    ///
    /// The secrets of this request are kept as ``formerSecrets``. They may not be sent any more, but are still
    /// redacted.
    func moved(to target: RedirectTarget) -> Request {
        var movedRequest = self
        movedRequest.base = target.base
        movedRequest.path = target.path
        movedRequest.query = []
        movedRequest.formerSecrets += secrets.filter { !formerSecrets.contains($0) }
        return movedRequest
    }

    /// Resolves a URI reference of a response against the URL of this request (RFC 3986, section 5).
    ///
    ///     /login  in the response to  https://a.example/items?page=1    →    https://a.example/login
    ///
    /// - Parameters:
    ///   - reference: An absolute URL, or a relative reference such as `/login` or `?page=2`.
    ///   - redactor: Removes the secrets of this request from the messages of errors.
    /// - Returns: The parts of the absolute URL.
    /// - Throws: ``TransportError`` if the reference is invalid, or leads to a scheme other than `http` and `https`.
    func resolve(_ reference: String, redactor: Redactor) throws(TransportError) -> RedirectTarget {
        guard let url = absoluteURL(of: reference), let scheme = url.scheme?.lowercased() else {
            throw unsafeRedirect("to an invalid URL", redactor: redactor)
        }
        guard scheme == "http" || scheme == "https" else {
            throw unsafeRedirect("to \(redactor.redact(scheme)):, which is not followed", redactor: redactor)
        }
        var server = "\(scheme)://\(url.encodedHost ?? "")"
        if let port = url.port { server += ":\(port)" }
        guard let base = try? BaseURL(server) else { throw unsafeRedirect("to an invalid URL", redactor: redactor) }
        let path = url.percentEncodedPath.isEmpty ? "/" : url.percentEncodedPath
        return RedirectTarget(base: base, path: path, query: url.percentEncodedQuery)
    }

    /// Returns the absolute URL of a URI reference that a server wrote, such as `/login`; nil if it is invalid.
    private func absoluteURL(of reference: String) -> URLComponents? {
        let encodedReference = RedirectLocation.reference(reference)
        guard let requestURL = try? URL(string: revealedURL()),
            let url = URL(string: encodedReference, relativeTo: requestURL)?.absoluteURL
        else { return nil }
        // Foundation accepts invalid hosts and ports, and may drop them when it resolves the reference.
        guard BaseURL.authorityProblem(encodedReference) == nil,
            BaseURL.authorityProblem(url.absoluteString) == nil
        else { return nil }
        return URLComponents(url: url, resolvingAgainstBaseURL: true)
    }
}

extension ResponseHead {
    /// The `Location` field of a redirect that can be followed; nil for any other response.
    ///
    /// A 300 and a 304 are no redirects to another URL (RFC 9110, section 15.4).
    fileprivate var redirectLocation: String? {
        guard [301, 302, 303, 307, 308].contains(status), let location = self["Location"] else { return nil }
        return location.isEmpty ? nil : location
    }
}
