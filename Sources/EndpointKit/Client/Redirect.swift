import JSONText

extension Request {
    /// The request that `head` redirects this one to; nil if it is not a redirect (RFC 9110, section 15.4).
    ///
    /// 301 and 302 turn a POST, 303 all but HEAD, into a GET without a body, as every browser does; 307 and 308 keep both. Another
    /// origin is sent only header fields that hold no credential by their name, and nothing that spells a secret. Throws
    /// ``TransportError`` for a redirect that must not be followed.
    func redirected(by head: ResponseHead) throws(TransportError) -> Request? {
        guard [301, 302, 303, 307, 308].contains(head.status), let location = head["Location"], !location.isEmpty
        else { return nil }
        let redactor = Redactor(self)
        let target = try resolve(location, redactor)
        var next = moved(to: target)
        next.verbatimQuery = target.query
        let becomesGet = head.status == 303 ? method != .head : head.status < 303 && method == .post
        if becomesGet {
            next.method = .get
            next.body = nil
            // Headers that describe the body are removed with it (RFC 9110, section 15.4).
            next.headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
        }
        if target.base.origin != base.origin {
            if !secrets.isEmpty, base.scheme == "https", target.base.scheme == "http" {
                throw unsafe("a request with credentials to plain http: \(target.base.text)", redactor)
            }
            next.headers.removeAll { $0.value.holdsSecrets || !Header.isSafeForOtherOrigins($0.name) }
            // The fragment is not sent, but without it a secret may be short of its end.
            if redactor.finds(in: next.contentForOtherOrigin) || redactor.finds(in: location.exactBytes) {
                throw unsafe("a credential to another origin: \(redactor.redact(target.base.text))", redactor)
            }
        }
        return next
    }

    /// The error that this request is redirected so; it ends with what it is redirected to.
    private func unsafe(_ target: String, _ redactor: Redactor) -> TransportError {
        let sentence = "\(redactor.redact(base.text)) redirects \(target)"
        return TransportError(.unsafeRedirect, server: TransportError.Peer(base), detail: sentence)
    }

    /// What goes over the wire of a request that holds no secrets of its own. What stands in a file is the user's own choice.
    private var contentForOtherOrigin: [UInt8] {
        let fields = headers.map { "\n\($0)" }.joined()
        let body = body?.pieces.flatMap { if case .bytes(let bytes) = $0 { bytes } else { [UInt8]() } } ?? []
        return (base.text + path + "?" + (verbatimQuery ?? "") + fields + "\n\n").exactBytes + body
    }

    /// A URL that a server wrote.
    typealias Target = (base: BaseURL, path: String, query: String?)

    /// This request with another URL, as yet without its query.
    func moved(to target: Target) -> Request {
        var next = self
        (next.base, next.path, next.query) = (target.base, target.path, [])
        next.formerSecrets += secrets.filter { !formerSecrets.contains($0) }
        return next
    }

    func resolve(_ location: String, _ redactor: Redactor) throws(TransportError) -> Target {
        let cleaned = LocationText.reference(location)
        guard let own = try? URL(string: revealedURL()), let url = URL(string: cleaned, relativeTo: own)?.absoluteURL,
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: true), let scheme = parts.scheme?.lowercased(),
            BaseURL.authorityProblem(url.absoluteString) == nil, BaseURL.authorityProblem(cleaned) == nil
        else { throw unsafe("to an invalid URL", redactor) }
        guard scheme == "http" || scheme == "https" else {
            throw unsafe("to \(redactor.redact(scheme)):, which is not followed", redactor)
        }
        let port = parts.port.map { ":\($0)" } ?? ""
        do {
            let target = try BaseURL("\(scheme)://\(parts.encodedHost ?? "")\(port)")
            return (
                target, parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath, parts.percentEncodedQuery
            )
        } catch {
            throw unsafe("to an invalid URL", redactor)
        }
    }
}
