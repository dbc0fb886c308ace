import JSONText

/// The signatures that a request gets when it is sent.
package struct RequestSigning: Sendable, Hashable {
    /// The signers in the order they sign. After a redirect to another origin, there are none.
    package var signers: [RequestSigner] = []
    /// The values that the signers have added to requests so far, which are redacted.
    let signedValues = SignedValues()

    /// Whether both sign alike, whatever they have signed so far.
    package static func == (left: RequestSigning, right: RequestSigning) -> Bool { left.signers == right.signers }

    package func hash(into hasher: inout Hasher) { hasher.combine(signers) }
}

/// A signer with the secrets that it signs a request with.
package struct RequestSigner: Sendable, Hashable {
    /// The signer.
    package let signer: AnySigner
    /// The secrets, one for each of the signer's variables. They are not sent.
    package let secrets: [Secret]

    /// The value that stands for a secret which is not set.
    private static let madeUpValue = "secret"

    /// Returns the request with the signature.
    ///
    /// The headers and query items that the signer adds or changes become secrets, so that no output shows them.
    ///
    /// - Throws: ``MissingCredential`` if a secret of the signer or of the request has no value, and the signer's error.
    func signed(_ request: Request, now: Date) throws -> Request {
        var values: [String: String] = [:]
        for secret in secrets {
            let isOptional = signer.signer.optionalVariables.contains { $0 == secret.variable }
            // The signer asks for a secret by its variable, and finds none where an optional one is not set.
            if isOptional, !secret.isSet { continue }
            if let variable = secret.variable { values[variable] = try secret.revealed() }
        }
        var signedRequest = request
        try signer.signer.sign(&signedRequest, secrets: SignerSecrets(values), now: now)
        signedRequest.headers = try signedRequest.headers.map { header in
            request.headers.contains(header) ? header : try HTTPField(header.name, header.content.asSecret).checked()
        }
        signedRequest.query = signedRequest.query.map { item in
            request.query.contains(item) ? item : QueryItem(item.name, item.content.asSecret)
        }
        return signedRequest
    }

    /// Returns the headers and query items that the signer sets in a request, also if secrets have no values.
    ///
    /// - Returns: The parts in the order they are set; none if the signer fails.
    package func signedParts(of request: Request, now: Date) -> [SignedPart] {
        let complete = request.fillingSecrets(with: Self.madeUpValue)
        let made = secrets.map { secret in
            let isOptional = signer.signer.optionalVariables.contains { $0 == secret.variable }
            let value = secret.reveal() ?? (isOptional ? nil : Self.madeUpValue)
            return Secret(variable: secret.variable ?? "", value: value)
        }
        guard let signedRequest = try? RequestSigner(signer: signer, secrets: made).signed(complete, now: now) else {
            return []
        }
        let headers = signedRequest.headers.filter { !complete.headers.contains($0) }
        let items = signedRequest.query.filter { !complete.query.contains($0) }
        return headers.map { .header($0.name) } + items.map { .query($0.name) }
    }

    /// A secret that stands for a part of the signature: one that is not set if one of the signer's secrets is not.
    fileprivate var shownSecret: Secret {
        let required = secrets.filter { secret in
            !signer.signer.optionalVariables.contains { $0 == secret.variable }
        }
        return required.first { !$0.isSet } ?? Secret("")
    }
}

extension Request {
    /// Returns the request as it is sent at a time: with its signatures.
    ///
    /// A ``Client`` signs its requests itself. Use this for a request that is sent in another way.
    ///
    /// - Parameter now: The current time.
    /// - Throws: ``MissingCredential`` if a secret has no value, and the errors of the signers.
    public func signed(now: Date) throws -> Request {
        guard let signing else { return self }
        var request = self
        for signer in signing.signers { request = try signer.signed(request, now: now) }
        var values: Set<String> = []
        for header in request.headers where !headers.contains(header) {
            values.insert(try header.revealedValue())
        }
        for item in request.query where !query.contains(item) { values.insert(try item.content.reveal()) }
        // All copies of the request share this list, so that the redactors that were made of them know the values too.
        signing.signedValues.add(values)
        // The request is signed, so nobody signs it again.
        request.signing?.signers = []
        return request
    }

    /// Returns the request as it may be shown: each part of its signatures is there, and prints as `(redacted)`, or as
    /// `(not set: VARIABLE)` if a secret of the signer is not set.
    ///
    /// - Parameter secret: Returns the secret to show for a part of a signature; nil for the one described above.
    package func showingSignatures(_ secret: (SignedPart) -> Secret? = { _ in nil }) -> Request {
        guard let signing else { return self }
        var request = self
        for signer in signing.signers {
            for part in signer.signedParts(of: request, now: Date()) {
                let value = SensitiveText([.secret(secret(part) ?? signer.shownSecret)])
                switch part {
                case .header(let name): request.setHeader(name, value)
                case .query(let name): request.replaceQueryItem(QueryItem(name, value))
                }
            }
        }
        request.signing?.signers = []
        return request
    }

    /// Returns the request with a value for each secret that has none.
    fileprivate func fillingSecrets(with value: String) -> Request {
        var request = self
        request.headers = headers.map { HTTPField($0.name, $0.content.fillingSecrets(with: value)) }
        request.query = query.map { item in
            item.content.secrets.allSatisfy(\.isSet)
                ? item : QueryItem(item.name, item.content.fillingSecrets(with: value))
        }
        return request
    }
}

extension SensitiveText {
    /// Returns the text with a value for each secret that has none.
    fileprivate func fillingSecrets(with value: String) -> SensitiveText {
        func filled(_ secret: Secret) -> Secret { secret.isSet ? secret : Secret(value) }
        return SensitiveText(
            pieces.map { piece in
                switch piece {
                case .text: piece
                case .secret(let secret): .secret(filled(secret))
                case .basic(let user, let password): .basic(user: filled(user), password: filled(password))
                }
            })
    }
}

// MARK: The parts of a request that a signer reads and sets

extension Request {
    /// The path as it is sent, percent-encoded and with the server's prefix: `/v2/pets/7`.
    public var encodedPath: String {
        let path = base.path + self.path
        return path.isEmpty ? "/" : path
    }

    /// The value of the header `Host` as it is sent: the host, and the port unless it is the scheme's default
    /// (RFC 9110, section 7.2).
    public var host: String {
        let isIPv6 = base.host.contains(":")
        let host = isIPv6 ? "[\(base.host)]" : base.host
        let defaultPort = base.scheme == "https" ? 443 : 80
        guard let port = base.port, port != defaultPort else { return host }
        return "\(host):\(port)"
    }

    /// Returns the query as it is sent, percent-encoded and without its `?`; empty if there is none.
    ///
    /// - Throws: ``MissingCredential`` if a secret has no value.
    public func encodedQuery() throws(MissingCredential) -> String {
        if let verbatimQuery { return verbatimQuery }
        var items: [String] = []
        for item in query { items.append(try item.revealed()) }
        return items.joined(separator: "&")
    }

    /// Returns the items of the query as they are sent, decoded.
    ///
    /// - Throws: ``MissingCredential`` if a secret has no value.
    public func queryItems() throws(MissingCredential) -> [(name: String, value: String)] {
        FormText.items(try encodedQuery()).map { (name: $0.name, value: $0.value) }
    }

    /// Sets a header in place of all those of its name.
    public mutating func setHeader(_ name: String, _ value: String) { setHeader(name, SensitiveText(value)) }

    private mutating func setHeader(_ name: String, _ value: SensitiveText) {
        headers.removeAll { $0.isNamed(name) }
        headers.append(HTTPField(name, value))
    }

    /// Sets a header whose whole value is a secret, in place of all headers of its name.
    ///
    ///     request.setSecretHeader("X-Session", session.token)
    ///
    /// The value is sent, and never shown: logs and errors have `(redacted)` in its place, whatever the name is.
    public mutating func setSecretHeader(_ name: String, _ value: String) {
        setHeader(name, SensitiveText([.secret(Secret(value))]))
    }

    /// Sets a query item in place of all those of its name, at the end of the query.
    public mutating func setQueryItem(_ name: String, _ value: String) { replaceQueryItem(QueryItem(name, value)) }

    /// Sets a query item whose value is a secret, in place of all those of its name, at the end of the query.
    ///
    /// The value is sent, and never shown: logs and errors have `(redacted)` in its place, whatever the name is.
    public mutating func setSecretQueryItem(_ name: String, _ value: String) {
        replaceQueryItem(QueryItem(name, SensitiveText([.secret(Secret(value))])))
    }

    /// Sets a query item in place of all those of its name.
    ///
    /// A query that a server wrote is changed as text, because it may be in any encoding. ``query`` gets the item too,
    /// by which its secret is known.
    mutating func replaceQueryItem(_ item: QueryItem) {
        query.removeAll { $0.name == item.name }
        query.append(item)
        guard let verbatimQuery else { return }
        let others = verbatimQuery.split(separator: "&").filter { FormText.item($0).name != item.name }
        let text = (try? item.revealed()) ?? item.redacted
        self.verbatimQuery = (others + [text[...]]).joined(separator: "&")
    }
}
