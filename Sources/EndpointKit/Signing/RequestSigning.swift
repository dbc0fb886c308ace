import JSONText

/// The signatures that a request gets when it is sent.
package struct RequestSigning: Sendable, Hashable {
    /// The signers in the order in which they sign. After a redirect to another origin, there are none.
    package var signers: [RequestSigner] = []
    /// The values that the signers have added to requests so far, which are redacted.
    let signedValues = SignedValues()

    /// Returns whether two requests are signed alike. The values that have been added so far do not count.
    package static func == (left: RequestSigning, right: RequestSigning) -> Bool { left.signers == right.signers }

    /// Hashes the signers.
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

    /// Returns whether the signer can do without a secret.
    private func isOptional(_ secret: Secret) -> Bool {
        guard let variable = secret.variable else { return false }
        return signer.signer.optionalVariables.contains(variable)
    }

    /// Returns the request with the signature.
    ///
    /// The headers and query items that the signer adds or changes become secrets, so that no output shows them.
    ///
    /// - Parameters:
    ///   - request: The request to sign.
    ///   - now: The time of the signature.
    /// - Throws: ``MissingCredential`` if a secret of the signer or of the request has no value, and the signer's
    ///   error.
    func signed(_ request: Request, now: Date) throws -> Request {
        var secretValues: [String: String] = [:]
        for secret in secrets {
            if isOptional(secret), !secret.isSet { continue }
            if let variable = secret.variable { secretValues[variable] = try secret.revealed() }
        }
        var signedRequest = request
        try signer.signer.sign(&signedRequest, secrets: SignerSecrets(secretValues), now: now)
        signedRequest.headers = try signedRequest.headers.map { header in
            let isUnchanged = request.headers.contains(header)
            return isUnchanged ? header : try HTTPField(header.name, header.content.asSecret).checked()
        }
        signedRequest.query = signedRequest.query.map { item in
            let isUnchanged = request.query.contains(item)
            return isUnchanged ? item : QueryItem(item.name, item.content.asSecret)
        }
        return signedRequest
    }

    /// Returns the headers and query items that the signer sets in a request.
    ///
    /// They are found by signing the request. Made-up values stand for secrets without values, except optional ones.
    ///
    /// - Returns: The parts in the order in which they are set; none if the signer fails.
    package func signedParts(of request: Request, now: Date) -> [SignedPart] {
        let completeRequest = request.fillingSecrets(with: Self.madeUpValue)
        let completeSecrets = secrets.map { secret in
            let defaultValue = isOptional(secret) ? nil : Self.madeUpValue
            return Secret(variable: secret.variable ?? "", value: secret.reveal() ?? defaultValue)
        }
        let completeSigner = RequestSigner(signer: signer, secrets: completeSecrets)
        guard let signedRequest = try? completeSigner.signed(completeRequest, now: now) else { return [] }
        let setHeaders = signedRequest.headers.filter { !completeRequest.headers.contains($0) }
        let setItems = signedRequest.query.filter { !completeRequest.query.contains($0) }
        return setHeaders.map { .header($0.name) } + setItems.map { .query($0.name) }
    }

    /// The secret that is shown in place of a part of the signature.
    ///
    /// If a required secret of the signer is not set, it is that one, which prints as `(not set: VARIABLE)`. Otherwise,
    /// it prints as `(redacted)`.
    fileprivate var shownSecret: Secret {
        secrets.first { secret in !secret.isSet && !isOptional(secret) } ?? Secret("")
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
        var signedRequest = self
        for signer in signing.signers { signedRequest = try signer.signed(signedRequest, now: now) }
        var addedValues: Set<String> = []
        for header in signedRequest.headers where !headers.contains(header) {
            addedValues.insert(try header.revealedValue())
        }
        for item in signedRequest.query where !query.contains(item) { addedValues.insert(try item.content.reveal()) }
        // All copies of the request share these values. So the redactors that were made of the copies know them too.
        signing.signedValues.add(addedValues)
        // Without signers, the request is not signed a second time.
        signedRequest.signing?.signers = []
        return signedRequest
    }

    /// Returns the request as it may be shown, with all parts of its signatures.
    ///
    /// A part of a signature is a header or query item that the signer sets. Its value prints as `(redacted)`, or as
    /// `(not set: VARIABLE)` if a secret of the signer is not set.
    ///
    /// - Parameter secretForPart: Returns the secret to show for a part of a signature; nil for the usual one.
    package func showingSignatures(_ secretForPart: (SignedPart) -> Secret? = { _ in nil }) -> Request {
        guard let signing else { return self }
        var shownRequest = self
        for signer in signing.signers {
            for part in signer.signedParts(of: shownRequest, now: Date()) {
                let value = SensitiveText([.secret(secretForPart(part) ?? signer.shownSecret)])
                switch part {
                case .header(let name): shownRequest.setHeader(name, value)
                case .query(let name): shownRequest.replaceQueryItem(QueryItem(name, value))
                }
            }
        }
        shownRequest.signing?.signers = []
        return shownRequest
    }

    /// Returns the request with a value for each secret that has none.
    fileprivate func fillingSecrets(with value: String) -> Request {
        var filledRequest = self
        filledRequest.headers = headers.map { HTTPField($0.name, $0.content.fillingSecrets(with: value)) }
        filledRequest.query = query.map { item in
            // An item without such secrets stays as it is, because it may have an encoding of its own.
            let isComplete = item.content.secrets.allSatisfy(\.isSet)
            return isComplete ? item : QueryItem(item.name, item.content.fillingSecrets(with: value))
        }
        return filledRequest
    }
}

extension SensitiveText {
    /// Returns the text with a value for each secret that has none.
    fileprivate func fillingSecrets(with value: String) -> SensitiveText {
        func filled(_ secret: Secret) -> Secret { secret.isSet ? secret : Secret(value) }
        let filledPieces = pieces.map { piece -> Piece in
            switch piece {
            case .text: piece
            case .secret(let secret): .secret(filled(secret))
            case .basic(let user, let password): .basic(user: filled(user), password: filled(password))
            }
        }
        return SensitiveText(filledPieces)
    }
}

// MARK: The parts of a request that a signer reads and sets

extension Request {
    /// The path as it is sent, percent-encoded and with the server's prefix: `/v2/pets/7`.
    public var encodedPath: String {
        let wholePath = base.path + path
        return wholePath.isEmpty ? "/" : wholePath
    }

    /// The value of the header `Host` as it is sent: the host, and the port unless it is the scheme's default
    /// (RFC 9110, section 7.2).
    public var host: String {
        let isIPv6 = base.host.contains(":")
        let hostName = isIPv6 ? "[\(base.host)]" : base.host
        let defaultPort = base.scheme == "https" ? 443 : 80
        guard let port = base.port, port != defaultPort else { return hostName }
        return "\(hostName):\(port)"
    }

    /// Returns the query as it is sent, percent-encoded and without its `?`; empty if there is none.
    ///
    /// - Throws: ``MissingCredential`` if a secret has no value.
    public func encodedQuery() throws(MissingCredential) -> String {
        if let verbatimQuery { return verbatimQuery }
        var encodedItems: [String] = []
        for item in query { encodedItems.append(try item.revealed()) }
        return encodedItems.joined(separator: "&")
    }

    /// Returns the items of the query as they are sent, decoded.
    ///
    /// - Throws: ``MissingCredential`` if a secret has no value.
    public func queryItems() throws(MissingCredential) -> [(name: String, value: String)] {
        FormText.items(try encodedQuery()).map { (name: $0.name, value: $0.value) }
    }

    /// Sets a header in place of all headers of its name. The value is shown in logs and errors.
    public mutating func setHeader(_ name: String, _ value: String) { setHeader(name, SensitiveText(value)) }

    /// Sets a header in place of all headers of its name.
    private mutating func setHeader(_ name: String, _ value: SensitiveText) {
        headers.removeAll { $0.isNamed(name) }
        headers.append(HTTPField(name, value))
    }

    /// Sets a header whose whole value is a secret, in place of all headers of its name.
    ///
    ///     request.setSecretHeader("X-Session", session.token)
    ///
    /// The value is sent, but never shown: logs and errors have `(redacted)` in its place, whatever the name is.
    public mutating func setSecretHeader(_ name: String, _ value: String) {
        setHeader(name, SensitiveText([.secret(Secret(value))]))
    }

    /// Removes all query items of a name, and adds one at the end of the query.
    ///
    /// The name and value are percent-encoded when the request is sent.
    public mutating func setQueryItem(_ name: String, _ value: String) { replaceQueryItem(QueryItem(name, value)) }

    /// Removes all query items of a name, and adds one with a secret value at the end of the query.
    ///
    /// The value is sent, but never shown: logs and errors have `(redacted)` in its place, whatever the name is.
    public mutating func setSecretQueryItem(_ name: String, _ value: String) {
        replaceQueryItem(QueryItem(name, SensitiveText([.secret(Secret(value))])))
    }

    /// Removes all query items of the name of `item`, and adds `item` at the end of the query.
    ///
    /// A query that a server wrote is changed as text, because it may be in any encoding. The item is added to
    /// ``query`` too, so that its secret is known.
    mutating func replaceQueryItem(_ item: QueryItem) {
        query.removeAll { $0.name == item.name }
        query.append(item)
        guard let verbatimQuery else { return }
        var encodedItems = verbatimQuery.split(separator: "&").map(String.init)
        encodedItems.removeAll { encodedItem in FormText.item(encodedItem[...]).name == item.name }
        encodedItems.append((try? item.revealed()) ?? item.redacted)
        self.verbatimQuery = encodedItems.joined(separator: "&")
    }
}
