/// A credential that is added to requests. Its secret comes from an environment variable, never from the command line.
///
///     credentials: [.query("api_key", variable: "TMDB_API_KEY").or(.bearer(variable: "TMDB_ACCESS_TOKEN"))]
///
/// Every credential in a list is applied. A credential may have several alternatives. The first one whose variables are
/// all set is used.
public struct Credential: Sendable, Hashable {
    /// One way to add a credential to a request: a query item, a header, a cookie or a signature.
    package struct Scheme: Sendable, Hashable {
        /// The part of a request that holds the credential.
        package enum Placement: Sendable, Hashable {
            /// A query item.
            case query
            /// A header.
            case header
            /// A cookie in the header `Cookie` (RFC 6265, section 4.2).
            case cookie
            /// Headers and query items that a signer computes when the request is sent.
            case signature([SignedPart])
        }

        /// The part of the request that holds the credential.
        package let placement: Placement
        /// The name of the query item, header, cookie or signer.
        package let name: String
        /// The text before the secret in a header, such as `Bearer `.
        package let prefix: String
        /// The variables that must be set: the one of the secret, or the two of user and password in the Basic scheme
        /// (RFC 7617).
        package let variables: [String]
        /// The page where a person gets the secret; nil if the API does not name one.
        package let source: String?
        /// The signer of a signature; nil for any other placement.
        package var signer: AnySigner?

        /// The variables of a signer that are used if they are set. Other schemes have none.
        package var optionalVariables: [String] { signer?.signer.optionalVariables ?? [] }

        /// Whether the scheme is HTTP's Basic authentication, whose secrets are a user and a password (RFC 7617).
        private var isBasic: Bool { signer == nil && variables.count == 2 }

        /// The auth scheme of `Authorization`, `bearer` or `basic`; nil for any other header, and for query items.
        package var httpScheme: String? {
            if signer != nil { return nil }
            if isBasic { return "basic" }
            let isBearer = sets(header: "Authorization") && prefix == "Bearer "
            return isBearer ? "bearer" : nil
        }

        /// The names that `--auth` accepts: `bearer`, `basic`, the name of the query item, header or signer, or one of
        /// its variables.
        package var names: [String] { [httpScheme ?? name] + variables }

        /// Returns whether one of ``names`` is `otherName`, ignoring case.
        package func isNamed(_ otherName: String) -> Bool { names.contains { $0.isSameName(as: otherName) } }

        /// Returns whether all variables have a value. An empty value counts as not set.
        ///
        /// - Parameter variableValue: Returns the value of a variable.
        func isSet(_ variableValue: (String) -> String?) -> Bool {
            variables.allSatisfy { variable in
                guard let value = variableValue(variable) else { return false }
                return !value.isEmpty
            }
        }
    }

    /// The possible schemes, in order of preference.
    package private(set) var alternatives: [Scheme]
    /// Whether the request may be sent without this credential.
    package private(set) var isOptional = false

    /// The variables of all alternatives.
    fileprivate var variables: [String] { alternatives.flatMap(\.variables) }

    private init(_ scheme: Scheme) { alternatives = [scheme] }

    /// Returns a credential that is a query item.
    ///
    /// - Parameters:
    ///   - name: The name of the query item.
    ///   - variable: The environment variable that holds its value.
    ///   - helpURL: The page where a person gets the value.
    public static func query(_ name: String, variable: String, helpURL: String? = nil) -> Credential {
        Credential(Scheme(placement: .query, name: name, prefix: "", variables: [variable], source: helpURL))
    }

    /// Returns a credential that is a header.
    ///
    /// - Parameters:
    ///   - name: The name of the header.
    ///   - prefix: The text before the secret. No space is added between them.
    ///   - variable: The environment variable that holds the secret.
    ///   - helpURL: The page where a person gets the secret.
    public static func header(
        _ name: String, prefix: String = "", variable: String, helpURL: String? = nil
    ) -> Credential {
        Credential(Scheme(placement: .header, name: name, prefix: prefix, variables: [variable], source: helpURL))
    }

    /// Returns a credential that is a cookie, which joins other cookies of the request (RFC 6265, section 4.2).
    ///
    /// - Parameters:
    ///   - name: The name of the cookie.
    ///   - variable: The environment variable that holds its value.
    package static func cookie(_ name: String, variable: String) -> Credential {
        Credential(Scheme(placement: .cookie, name: name, prefix: "", variables: [variable], source: nil))
    }

    /// Returns a credential that is the header `Authorization: Bearer …` (RFC 6750, section 2.1).
    ///
    /// - Parameters:
    ///   - variable: The environment variable that holds the token.
    ///   - helpURL: The page where a person gets the token.
    public static func bearer(variable: String, helpURL: String? = nil) -> Credential {
        .header("Authorization", prefix: "Bearer ", variable: variable, helpURL: helpURL)
    }

    /// Returns a credential that is the header `Authorization: Basic …` (RFC 7617).
    ///
    /// - Parameters:
    ///   - userVariable: The environment variable that holds the user's name.
    ///   - passwordVariable: The environment variable that holds the password.
    ///   - helpURL: The page where a person gets both.
    public static func basic(userVariable: String, passwordVariable: String, helpURL: String? = nil) -> Credential {
        let variables = [userVariable, passwordVariable]
        return Credential(
            Scheme(placement: .header, name: "Authorization", prefix: "Basic ", variables: variables, source: helpURL))
    }

    /// Returns a credential that is a signature, which is computed each time that a request is sent.
    ///
    ///     credentials: [.signed(by: .awsSigV4(region: "eu-central-1", service: "s3"))]
    ///
    /// - Parameters:
    ///   - signer: Computes the signature. It names the variables of its secrets.
    ///   - helpURL: The page where a person gets the secrets.
    public static func signed(by signer: some Signer, helpURL: String? = nil) -> Credential {
        let anySigner = AnySigner(signer)
        return Credential(
            Scheme(
                placement: .signature(anySigner.parts), name: signer.name, prefix: "", variables: signer.variables,
                source: helpURL, signer: anySigner))
    }

    /// Returns a credential with the alternatives of this one and of `other`.
    ///
    ///     .query("api_key", variable: "TMDB_API_KEY").or(.bearer(variable: "TMDB_ACCESS_TOKEN"))
    ///
    /// A request is sent with this credential if its variables are set, and otherwise with `other`. The result is
    /// optional only if this credential is.
    public func or(_ other: Credential) -> Credential {
        var combinedCredential = self
        combinedCredential.alternatives += other.alternatives
        return combinedCredential
    }

    /// The credential as an optional one: a request is sent without it if its variables are not set.
    public var optional: Credential {
        var optionalCredential = self
        optionalCredential.isOptional = true
        return optionalCredential
    }
}

extension Credential {
    /// The way to proceed if the variables of a required credential are not set.
    package enum MissingPolicy: Sendable, Hashable {
        /// ``MissingCredential`` is thrown.
        case fail
        /// The first alternative is used with a secret that has no value, which is enough to show the request.
        case placeholder
    }

    /// Returns the way to send the credential: the first alternative whose variables are all set.
    ///
    /// - Parameters:
    ///   - variables: Returns the value of a variable.
    ///   - missingPolicy: What to do if no alternative is set and the credential is required.
    /// - Returns: The alternative; nil if none is set and the credential is optional.
    /// - Throws: ``MissingCredential`` if a required credential is not set, unless `missingPolicy` says otherwise.
    func chooseScheme(
        variables: (String) -> String?, ifMissing missingPolicy: MissingPolicy
    ) throws(MissingCredential) -> Scheme? {
        if let scheme = alternatives.first(where: { $0.isSet(variables) }) { return scheme }
        if isOptional { return nil }
        if missingPolicy == .placeholder { return alternatives.first }
        throw MissingCredential(alternatives: alternatives.map(\.variables), sources: alternatives.map(\.source))
    }

    /// Returns this credential with only the alternatives that have a name such as `bearer`, as `--auth bearer` asks
    /// for.
    ///
    /// The result is required, even if this credential is optional: one of these alternatives must be set.
    ///
    /// - Parameter name: One of ``Scheme/names``.
    /// - Returns: The credential; nil if no alternative has the name.
    func requiringAlternative(named name: String) -> Credential? {
        let namedAlternatives = alternatives.filter { $0.isNamed(name) }
        if namedAlternatives.isEmpty { return nil }
        var requiredCredential = self
        requiredCredential.alternatives = namedAlternatives
        requiredCredential.isOptional = false
        return requiredCredential
    }
}

extension Request {
    /// Returns hints for a person whose request is not allowed: which credentials it had, and which it lacked.
    ///
    /// - Parameter credentials: The credentials that the request may have had.
    /// - Returns: Sentences such as `The request was sent without TMDB_API_KEY.`
    package func credentialHints(_ credentials: [Credential]) -> [String] {
        var hints: [String] = []
        let sentVariables = usedVariables
        if !sentVariables.isEmpty {
            hints.append("The request was sent with \(sentVariables.joined(separator: " and ")).")
        }
        for credential in credentials where credential.isOptional {
            let isSent = credential.alternatives.contains { scheme in
                scheme.variables.allSatisfy(sentVariables.contains)
            }
            if isSent { continue }
            hints.append("The request was sent without \(credential.variables.joined(separator: " or ")).")
        }
        return hints
    }
}

extension Credential.Scheme {
    /// The headers and query items that the scheme sets. A cookie sets the header `Cookie`.
    package var parts: [SignedPart] {
        switch placement {
        case .query: [.query(name)]
        case .header: [.header(name)]
        case .cookie: [.header("Cookie")]
        case .signature(let parts): parts
        }
    }

    /// Returns whether the scheme sets the header `name`. A cookie sets the header `Cookie`.
    package func sets(header name: String) -> Bool {
        parts.contains { part in
            if case .header(let header) = part { header.isSameName(as: name) } else { false }
        }
    }

    /// Returns whether the scheme sets the query item `name`.
    package func sets(query name: String) -> Bool { parts.contains(.query(name)) }

    /// Adds the credential to `request`: as a header such as `Authorization: Bearer …`, as a query item, as a cookie,
    /// or as a signer, which signs the request when it is sent.
    ///
    /// A credential whose variable is not set is added too. The request can't be sent then, but it can be shown.
    ///
    /// - Parameters:
    ///   - request: The request. It has no credential of the same name yet.
    ///   - options: Where the values of variables come from.
    func addCredential(to request: inout Request, options: RequestOptions) {
        switch placement {
        case .query:
            request.query.append(QueryItem(name, prefixAndSecret(from: options)))
        case .header:
            request.headers.append(HTTPField(name, prefixAndSecret(from: options)))
        case .cookie:
            request.addCookie(name, value: prefixAndSecret(from: options))
        case .signature:
            guard let signer else { return }
            let secrets = (variables + optionalVariables).map { variable in options.secret(of: variable) }
            request.addSigner(RequestSigner(signer: signer, secrets: secrets))
        }
    }

    /// Returns the value of the header, query item or cookie: the prefix and the secret, such as `Bearer …`.
    ///
    /// Precondition: The scheme is no signature, which has no such value.
    ///
    /// - Parameter options: Where the values of variables come from.
    private func prefixAndSecret(from options: RequestOptions) -> SensitiveText {
        let secrets = variables.map { variable in options.secret(of: variable) }
        var pieces: [SensitiveText.Piece] = []
        if !prefix.isEmpty { pieces.append(.text(prefix)) }
        if isBasic {
            pieces.append(.basic(user: secrets[0], password: secrets[1]))
        } else {
            pieces.append(.secret(secrets[0]))
        }
        return SensitiveText(pieces)
    }
}

extension RequestOptions {
    /// Returns the secret of an environment variable. An empty variable counts as not set.
    fileprivate func secret(of variable: String) -> Secret {
        if let source = sources(variable) { return Secret(variable: variable, value: nil, source: source) }
        let value = variables(variable)
        let isEmpty = value?.isEmpty == true
        return Secret(variable: variable, value: isEmpty ? nil : value)
    }
}

extension Request {
    /// Adds a signer, which signs after the signers that the request has already.
    fileprivate mutating func addSigner(_ signer: RequestSigner) {
        var newSigning = signing ?? RequestSigning()
        newSigning.signers.append(signer)
        signing = newSigning
    }

    /// Adds a cookie to the header `Cookie`: `theme=dark; session=…` (RFC 6265, section 4.2.1).
    ///
    /// The other cookies of the header, which the caller gave as plain text, become secrets too. A header without
    /// secrets would be redacted as a whole. This one has a secret, so only its secret pieces are redacted.
    fileprivate mutating func addCookie(_ name: String, value: SensitiveText) {
        guard let index = headers.firstIndex(where: { $0.isNamed("Cookie") }) else {
            headers.append(HTTPField("Cookie", SensitiveText([.text("\(name)=")] + value.pieces)))
            return
        }
        let otherCookies = headers[index].content.asSecret
        headers[index].content = SensitiveText(otherCookies.pieces + [.text("; \(name)=")] + value.pieces)
    }
}
