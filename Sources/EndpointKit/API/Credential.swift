/// A credential that is added to requests; its secret comes from an environment variable, never from the command line.
///
///     credentials: [.query("api_key", variable: "TMDB_API_KEY").or(.bearer(variable: "TMDB_ACCESS_TOKEN"))]
///
/// Every credential in a list is applied. Of its alternatives, the first whose variables are all set is used.
public struct Credential: Sendable, Hashable {
    /// One way to add a credential to a request: a query item, a header, a cookie or a signature.
    package struct Scheme: Sendable, Hashable {
        /// The part of a request that holds the credential.
        package enum Placement: Sendable, Hashable {
            case query, header, cookie
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

        /// The variables that are used if they are set. Only signers have them.
        package var optionalVariables: [String] { signer?.signer.optionalVariables ?? [] }

        /// The auth scheme of `Authorization`, `bearer` or `basic`; nil for any other header, and for query items.
        package var httpScheme: String? {
            if signer != nil { return nil }
            if variables.count == 2 { return "basic" }
            let isBearer = sets(header: "Authorization") && prefix == "Bearer "
            return isBearer ? "bearer" : nil
        }

        /// The names that `--auth` accepts: `bearer`, `basic`, the name of the query item, header or signer, or one of
        /// its variables.
        package var names: [String] { [httpScheme ?? name] + variables }

        /// Whether one of its names is `name`.
        package func isNamed(_ name: String) -> Bool { names.contains { $0.isSameName(as: name) } }

        /// Whether all variables have a value. An empty one counts as not set.
        ///
        /// - Parameter value: Returns the value of a variable.
        func isSet(_ value: (String) -> String?) -> Bool {
            variables.allSatisfy { variable in
                guard let value = value(variable) else { return false }
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

    /// Returns this credential, or `other` if the variables of this one are not set. The result is optional only if
    /// this one is.
    public func or(_ other: Credential) -> Credential {
        var both = self
        both.alternatives += other.alternatives
        return both
    }

    /// This credential if its variable is set, otherwise none.
    public var optional: Credential {
        var optional = self
        optional.isOptional = true
        return optional
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

    /// Chooses the scheme to use.
    ///
    /// - Parameters:
    ///   - variables: Returns the value of a variable.
    ///   - missing: What to do if no alternative is set and the credential is required.
    /// - Returns: The first alternative that is set. Nil if none is and the credential is optional.
    /// - Throws: ``MissingCredential`` if a required credential is not set, unless `missing` says otherwise.
    func scheme(
        variables: (String) -> String?, missing: MissingPolicy
    ) throws(MissingCredential) -> Scheme? {
        if let scheme = alternatives.first(where: { $0.isSet(variables) }) { return scheme }
        if isOptional { return nil }
        if missing == .placeholder { return alternatives.first }
        throw MissingCredential(alternatives: alternatives.map(\.variables), sources: alternatives.map(\.source))
    }

    /// Returns this credential with only the alternatives of one name, of which one must then be set.
    ///
    /// - Parameter name: One of ``Scheme/names``.
    /// - Returns: The credential. Nil if no alternative has the name.
    func choosing(_ name: String) -> Credential? {
        let chosen = alternatives.filter { $0.isNamed(name) }
        guard !chosen.isEmpty else { return nil }
        var required = self
        required.alternatives = chosen
        required.isOptional = false
        return required
    }
}

extension Request {
    /// Returns hints for a person whose request is not allowed: which credentials it had, and which it lacked.
    ///
    /// - Parameter credentials: The credentials that the request may have had.
    /// - Returns: Sentences such as `The request was sent without TMDB_API_KEY.`
    package func credentialHints(_ credentials: [Credential]) -> [String] {
        var hints: [String] = []
        let variables = usedVariables
        if !variables.isEmpty { hints.append("The request was sent with \(variables.joined(separator: " and ")).") }
        for credential in credentials where credential.isOptional {
            let isUsed = credential.alternatives.contains { $0.variables.allSatisfy(variables.contains) }
            if isUsed { continue }
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

    /// Whether the scheme sets the header of that name. A cookie sets the header `Cookie`.
    package func sets(header name: String) -> Bool {
        parts.contains { part in
            if case .header(let header) = part { header.isSameName(as: name) } else { false }
        }
    }

    /// Whether the scheme sets the query item of that name.
    package func sets(query name: String) -> Bool { parts.contains(.query(name)) }

    /// Adds the credential to `request`, as a header such as `Authorization: Bearer …`, as a query item or as a cookie.
    /// A signer is kept with the request until it is sent.
    ///
    /// A credential whose variable is not set is added too. The request can't be sent then, but it can be shown.
    ///
    /// - Parameters:
    ///   - request: The request, which has no credential of that name yet.
    ///   - options: Where the values of variables come from.
    func sign(_ request: inout Request, _ options: RequestOptions) {
        if let signer {
            let secrets = (variables + optionalVariables).map { Self.secret(of: $0, options) }
            request.add(RequestSigner(signer: signer, secrets: secrets))
            return
        }
        let secrets = variables.map { Self.secret(of: $0, options) }
        var pieces: [SensitiveText.Piece] = []
        if !prefix.isEmpty { pieces.append(.text(prefix)) }
        let isUserAndPassword = secrets.count == 2
        if isUserAndPassword {
            pieces.append(.basic(user: secrets[0], password: secrets[1]))
        } else {
            pieces.append(.secret(secrets[0]))
        }
        let value = SensitiveText(pieces)
        switch placement {
        case .query: request.query.append(QueryItem(name, value))
        case .header: request.headers.append(HTTPField(name, value))
        case .cookie: request.add(cookie: name, value)
        case .signature: break
        }
    }

    /// Returns the secret of an environment variable. An empty variable counts as not set.
    private static func secret(of variable: String, _ options: RequestOptions) -> Secret {
        if let source = options.sources(variable) { return Secret(variable: variable, value: nil, source: source) }
        let value = options.variables(variable)
        return Secret(variable: variable, value: value == "" ? nil : value)
    }
}

extension Request {
    /// Adds a signer, which signs after those that are there.
    fileprivate mutating func add(_ signer: RequestSigner) {
        var signing = self.signing ?? RequestSigning()
        signing.signers.append(signer)
        self.signing = signing
    }

    /// Adds a cookie to the header `Cookie`: `theme=dark; session=…` (RFC 6265, section 4.2.1).
    ///
    /// The cookies that are there become secrets, because only their own pieces would be redacted otherwise.
    fileprivate mutating func add(cookie name: String, _ value: SensitiveText) {
        guard let index = headers.firstIndex(where: { $0.isNamed("Cookie") }) else {
            headers.append(HTTPField("Cookie", SensitiveText([.text("\(name)=")] + value.pieces)))
            return
        }
        let others = headers[index].content.asSecret
        headers[index].content = SensitiveText(others.pieces + [.text("; \(name)=")] + value.pieces)
    }
}
