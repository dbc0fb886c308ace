/// A credential that is added to requests; its secret comes from an environment variable, never from the command line.
///
///     static let credentials: [Credential] = [
///         .query("api_key", variable: "TMDB_API_KEY").or(.bearer(variable: "TMDB_ACCESS_TOKEN"))
///     ]
///
/// Every credential in a list is applied. Of its alternatives, the first whose variables are all set is used.
public struct Credential: Sendable, Hashable {
    /// One way to add a credential to a request: a query item or a header.
    package struct Scheme: Sendable, Hashable {
        package let isQuery: Bool
        /// The name of the query item or header.
        package let name: String
        /// What precedes the secret in a header, such as `Bearer `.
        package let prefix: String
        /// The variables that must be set: that of the secret, or those of user and password of the Basic scheme (RFC 7617).
        package let variables: [String]
        /// The page where a person gets the secret; nil if the API does not name one.
        package let source: String?

        /// The scheme of `Authorization`, `bearer` or `basic`; nil for any other.
        package var httpScheme: String? {
            if variables.count == 2 { return "basic" }
            return !isQuery && name.isSameName(as: "Authorization") && prefix == "Bearer " ? "bearer" : nil
        }

        /// What `--auth` calls it: `bearer`, `basic`, the name of the query item or header, or one of its variables.
        package var names: [String] { [httpScheme ?? name] + variables }

        /// Whether one of its names is `name`.
        package func isNamed(_ name: String) -> Bool { names.contains { $0.isSameName(as: name) } }

        /// Whether all its variables have a value; an empty one counts as not set.
        func isSet(_ variables: (String) -> String?) -> Bool {
            self.variables.allSatisfy { !(variables($0) ?? "").isEmpty }
        }
    }

    /// The possible schemes, in order of preference.
    package private(set) var alternatives: [Scheme]
    /// Whether the request may be sent without this credential.
    package private(set) var isOptional = false

    fileprivate var variables: [String] { alternatives.flatMap(\.variables) }

    private init(_ name: String, prefix: String = "", _ variables: [String], isQuery: Bool = false, _ obtain: String?) {
        alternatives = [Scheme(isQuery: isQuery, name: name, prefix: prefix, variables: variables, source: obtain)]
    }

    /// A query item `name` with the value of `variable`; `obtain` is the page where a person gets it.
    public static func query(_ name: String, variable: String, obtain: String? = nil) -> Credential {
        Credential(name, [variable], isQuery: true, obtain)
    }

    /// A header `name` whose value is `prefix` followed by the value of `variable`; no space is added between them.
    public static func header(
        _ name: String, prefix: String = "", variable: String, obtain: String? = nil
    ) -> Credential {
        Credential(name, prefix: prefix, [variable], obtain)
    }

    /// `Authorization: Bearer …` (RFC 6750, section 2.1).
    public static func bearer(variable: String, obtain: String? = nil) -> Credential {
        .header("Authorization", prefix: "Bearer ", variable: variable, obtain: obtain)
    }

    /// `Authorization: Basic …` (RFC 7617).
    public static func basic(user: String, password: String, obtain: String? = nil) -> Credential {
        Credential("Authorization", prefix: "Basic ", [user, password], obtain)
    }

    /// This credential, or `other` if the variables of this one are not set. It is optional only if this one is.
    public func or(_ other: Credential) -> Credential {
        var both = self
        both.alternatives += other.alternatives
        return both
    }

    /// This credential if its variable is set, otherwise none.
    public var optional: Credential {
        var copy = self
        copy.isOptional = true
        return copy
    }
}

extension Credential {
    /// What to do about a required credential whose variables are not set.
    package enum MissingPolicy: Sendable, Hashable {
        /// ``MissingCredential`` is thrown.
        case fail
        /// The first alternative is used with a secret that has no value, which is enough to show the request.
        case placeholder
    }

    /// The scheme to use, or nil for none.
    func scheme(
        variables: (String) -> String?, missing: MissingPolicy
    ) throws(MissingCredential) -> Scheme? {
        if let scheme = alternatives.first(where: { $0.isSet(variables) }) { return scheme }
        if isOptional { return nil }
        if missing == .placeholder { return alternatives.first }
        throw MissingCredential(alternatives: alternatives.map(\.variables), sources: alternatives.map(\.source))
    }

    /// This credential with the alternative called `name` alone, which must then be set; nil if none is called so.
    func choosing(_ name: String) -> Credential? {
        let chosen = alternatives.filter { $0.isNamed(name) }
        guard !chosen.isEmpty else { return nil }
        var copy = self
        copy.alternatives = chosen
        copy.isOptional = false
        return copy
    }
}

extension API {
    /// The credentials of requests for `endpoint`, which is one of this API's: its own, else those of the server at `base`, else the API's. Nil
    /// is the default server.
    package static func credentials(of endpoint: Endpoint, at base: BaseURL?) -> [Credential] {
        // To parse the URLs takes longer than all else.
        let servers = servers.contains { $0.credentials != nil } ? servers : []
        let server =
            base.map { base in servers.first { (try? $0.base()).map(base.isSame(as:)) ?? false } } ?? servers.first
        return credentials(of: endpoint, on: server)
    }

    /// The same on one of the API's servers; nil if it has none.
    package static func credentials(of endpoint: Endpoint, on server: Server?) -> [Credential] {
        endpoint.credentials ?? server?.credentials ?? credentials
    }

    /// Every credential that a request for `endpoint` may have, on any server.
    package static func allCredentials(of endpoint: Endpoint) -> [Credential] {
        credentials + servers.flatMap { $0.credentials ?? [] } + (endpoint.credentials ?? [])
    }
}

extension Request {
    /// What a person should know whose request, which may have had these credentials, is not allowed.
    package func credentialHints(_ credentials: [Credential]) -> [String] {
        let used = usedVariables
        let optional = credentials.filter { $0.isOptional && !$0.variables.contains(where: used.contains) }
        return (used.isEmpty ? [] : ["The request was sent with \(used.joined(separator: " and "))."])
            + optional.map { "The request was sent without \($0.variables.joined(separator: " or "))." }
    }
}

extension Credential.Scheme {
    /// Whether the scheme sets the header of that name.
    package func sets(header name: String) -> Bool { !isQuery && self.name.isSameName(as: name) }

    /// Whether the scheme sets the query item of that name.
    package func sets(query name: String) -> Bool { isQuery && self.name == name }

    /// Adds the credential to `request`.
    func sign(_ request: inout Request, _ options: RequestOptions) {
        let secrets = variables.map { variable in
            let source = options.sources(variable)
            let value = source == nil ? options.variables(variable) : nil
            return Secret(variable: variable, value: value == "" ? nil : value, source: source)
        }
        let secret: SensitiveText.Piece =
            secrets.count == 2 ? .basic(user: secrets[0], password: secrets[1]) : .secret(secrets[0])
        let value = SensitiveText((prefix.isEmpty ? [] : [.text(prefix)]) + [secret])
        if isQuery {
            request.query.append(QueryItem(name, value))
        } else {
            request.headers.append(Header(name, value))
        }
    }
}
