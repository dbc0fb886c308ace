import JSONText

/// The parts of a URL that a server wrote in a `Location` or `Link` field or in a page.
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
    /// Another origin is sent only header fields whose names hold no credential, and nothing that spells a secret.
    ///
    /// - Parameter head: The head of the response to this request.
    /// - Returns: The next request. Nil if the response is not a redirect.
    /// - Throws: ``TransportError`` for a redirect that must not be followed.
    func redirected(by head: ResponseHead) throws(TransportError) -> Request? {
        guard let location = head.redirectLocation else { return nil }
        let redactor = Redactor(self)
        let target = try resolve(location, redactor)
        var next = moved(to: target)
        next.verbatimQuery = target.query
        if becomesGet(afterStatus: head.status) { next.becomeGetWithoutBody() }
        if target.base.origin != base.origin {
            next.headers.removeAll { $0.value.holdsSecrets || !Header.isSafeForOtherOrigins($0.name) }
            try checkOtherOrigin(of: next, location: location, redactor)
        }
        return next
    }

    /// Whether a redirect with this status turns this request into a GET.
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
    /// - Parameters:
    ///   - next: The redirected request, from which the header fields with credentials have been removed.
    ///   - location: The `Location` field as the server wrote it.
    ///   - redactor: Knows the secrets of this request.
    /// - Throws: ``TransportError`` if `next` would send a secret, or if a request with secrets would leave TLS.
    private func checkOtherOrigin(
        of next: Request, location: String, _ redactor: Redactor
    ) throws(TransportError) {
        let leavesTLS = base.scheme == "https" && next.base.scheme == "http"
        if leavesTLS, !secrets.isEmpty {
            throw unsafeRedirect("a request with credentials to plain http: \(next.base.text)", redactor)
        }
        // A fragment is not sent. It is searched too, because a secret may go on in it.
        if redactor.finds(in: next.contentForOtherOrigin) || redactor.finds(in: location.exactBytes) {
            throw unsafeRedirect("a credential to another origin: \(redactor.redact(next.base.text))", redactor)
        }
    }

    /// Returns the error for a redirect that must not be followed.
    ///
    /// - Parameter target: The end of the sentence `https://a.example redirects …`, such as `to an invalid URL`.
    private func unsafeRedirect(_ target: String, _ redactor: Redactor) -> TransportError {
        let sentence = "\(redactor.redact(base.text)) redirects \(target)"
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

    /// Returns this request with another URL, but without its query.
    ///
    /// The secrets that are not sent any more are still redacted.
    func moved(to target: RedirectTarget) -> Request {
        var next = self
        next.base = target.base
        next.path = target.path
        next.query = []
        next.formerSecrets += secrets.filter { !formerSecrets.contains($0) }
        return next
    }

    /// Resolves a URI reference of a response against the URL of this request (RFC 3986, section 5).
    ///
    /// - Parameters:
    ///   - reference: An absolute URL, or one such as `/login` or `?page=2`.
    ///   - redactor: Knows the secrets of this request, which the reference may repeat.
    /// - Throws: ``TransportError`` if the reference is invalid, or leads to a scheme other than `http` and `https`.
    func resolve(_ reference: String, _ redactor: Redactor) throws(TransportError) -> RedirectTarget {
        guard let url = absoluteURL(of: reference), let scheme = url.scheme?.lowercased() else {
            throw unsafeRedirect("to an invalid URL", redactor)
        }
        guard scheme == "http" || scheme == "https" else {
            throw unsafeRedirect("to \(redactor.redact(scheme)):, which is not followed", redactor)
        }
        let host = url.encodedHost ?? ""
        let port = url.port.map { ":\($0)" } ?? ""
        guard let base = try? BaseURL("\(scheme)://\(host)\(port)") else {
            throw unsafeRedirect("to an invalid URL", redactor)
        }
        let path = url.percentEncodedPath
        return RedirectTarget(base: base, path: path.isEmpty ? "/" : path, query: url.percentEncodedQuery)
    }

    /// Returns the absolute URL of a URI reference, or nil if it is invalid.
    private func absoluteURL(of reference: String) -> URLComponents? {
        let encodedReference = LocationText.reference(reference)
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
    fileprivate var redirectLocation: String? {
        guard [301, 302, 303, 307, 308].contains(status), let location = self["Location"] else { return nil }
        return location.isEmpty ? nil : location
    }
}
