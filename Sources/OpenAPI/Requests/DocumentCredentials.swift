import EndpointKit
import JSONText

/// The credentials of a document's operations.
///
/// The secret of a scheme comes from a variable that is called after the API and the scheme: `SHOP_API_KEY` for the
/// scheme `api_key` of `shop`.
package struct DocumentCredentials: Sendable {
    /// More alternatives than these are left out: a person chooses one of a few.
    private static let maxAlternatives = 100
    /// The most credentials that alternatives of several schemes become. Alternatives that would need more are left
    /// out: two alternatives of four schemes each need 16 credentials.
    private static let maxCredentials = 16

    /// The security schemes of the document that can't be read.
    package let errors: [OpenAPIError]
    /// The way in which a request shows that it may use a scheme.
    private enum SchemeCredential {
        case credential(Credential)
        /// The scheme needs nothing in the request, because a client's certificate belongs to the connection.
        case outsideOfRequest
    }

    /// The credential of each scheme that the document describes, by the name of the scheme.
    private let credentials: [String: SchemeCredential]
    /// The schemes that the document describes, by their names.
    private let schemes: [String: SecuritySchemeObject]

    /// Reads the security schemes of a document.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - api: The name of the API, with which the names of variables begin.
    package init(_ document: OpenAPIDocument, api: String) {
        let schemes = document.securitySchemes
        errors = schemes.errors
        var variables = CredentialVariables(api: api)
        var credentials: [String: SchemeCredential] = [:]
        // Schemes are sorted, so that a variable keeps its name if the document lists them in another order.
        for scheme in schemes.parts.sorted(by: { $0.name < $1.name }) where credentials[scheme.name] == nil {
            let credential = Self.credential(scheme, &variables)
            credentials[scheme.name] = credential.map(SchemeCredential.credential) ?? .outsideOfRequest
        }
        self.credentials = credentials
        self.schemes = Dictionary(schemes.parts.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Returns the credential of a scheme, with a new variable for its secret.
    ///
    /// - Parameters:
    ///   - scheme: The scheme.
    ///   - variables: The variables that other schemes have. Those of this scheme are added.
    /// - Returns: The credential; nil for mutual TLS, whose certificate is no part of a request.
    private static func credential(
        _ scheme: SecuritySchemeObject, _ variables: inout CredentialVariables
    ) -> Credential? {
        switch scheme.kind {
        case .apiKey(let name, .query): return .query(name, variable: variables.variable(scheme.name))
        case .apiKey(let name, .cookie): return .cookie(name, variable: variables.variable(scheme.name))
        // A key in the path does not exist, so all other keys are headers.
        case .apiKey(let name, _): return .header(name, variable: variables.variable(scheme.name))
        case .http("basic"):
            let (user, password) = variables.userAndPassword(scheme.name)
            return .basic(userVariable: user, passwordVariable: password)
        case .http("bearer"), .oauth2, .openIDConnect:
            return .bearer(variable: variables.variable(scheme.name))
        case .http:
            // Other schemes have parameters (RFC 9110, section 11.4), so the variable holds the whole header.
            return .header("Authorization", variable: variables.variable(scheme.name))
        case .mutualTLS: return nil
        }
    }
}

extension DocumentCredentials {
    /// Returns the scheme with a name; nil if the document does not describe it, or if it can't be read.
    func scheme(_ name: String) -> SecuritySchemeObject? { schemes[name] }

    /// The credentials of all schemes that the document describes, in the order of the schemes' names.
    package var all: [Credential] {
        credentials.sorted { $0.key < $1.key }.compactMap { _, scheme in
            if case .credential(let credential) = scheme { credential } else { nil }
        }
    }

    /// Returns the variables that hold the secret of a scheme; empty if the scheme needs nothing in the request, or if
    /// the document does not describe it.
    func variables(of scheme: String) -> [String] {
        guard case .credential(let credential)? = credentials[scheme] else { return [] }
        return credential.alternatives.flatMap(\.variables)
    }
}

// MARK: Logins

extension DocumentCredentials {
    /// The logins of the document's `oauth2` schemes: one for each scheme with a flow that the command line can use.
    ///
    /// The client is that of two variables beside the one of the token: `SHOP_AUTH_CLIENT_ID` and
    /// `SHOP_AUTH_CLIENT_SECRET` for the token `SHOP_AUTH`.
    package var logins: [Login] {
        schemes.values.sorted { $0.name < $1.name }.compactMap { scheme in
            guard case .oauth2(let flows) = scheme.kind, let variable = variables(of: scheme.name).first else {
                return nil
            }
            return Self.login(variable, flows)
        }
    }

    /// Returns the login of a scheme; nil if none of its flows can be used, or if their URLs are no absolute ones.
    ///
    /// A flow with a person is preferred, because its token has the person's rights. The implicit and password flows
    /// are obsolete (RFC 9700, section 2), so they are no logins.
    private static func login(_ variable: String, _ flows: [SecuritySchemeObject.Flow]) -> Login? {
        func flow(_ name: String) -> SecuritySchemeObject.Flow? { flows.first { $0.name == name } }
        let (browser, device) = (flow("authorizationCode"), flow("deviceAuthorization"))
        guard let used = browser ?? device ?? flow("clientCredentials"), let token = used.tokenURL,
            (try? BaseURL(token)) != nil
        else { return nil }
        let endpoints = OAuthLogin.Endpoints(
            token: token, device: device?.deviceAuthorizationURL, authorize: browser?.authorizationURL)
        let client = OAuthClient(
            identifier: .variable(variable + "_CLIENT_ID"), secretVariable: variable + "_CLIENT_SECRET",
            needsSecret: used.name == "clientCredentials")
        return Login(variable: variable, OAuthLogin(endpoints: endpoints, client: client, scopes: used.scopes))
    }
}

// MARK: Requirements

/// The credentials that an operation needs.
package struct OperationCredentials: Sendable, Equatable {
    /// The credentials, which are all sent. Each one may have alternatives.
    package var credentials: [Credential] = []
    /// The names of schemes that the document does not describe, in the order of the requirements.
    package var unknownSchemes: [String] = []
}

extension DocumentCredentials {
    /// Returns the credentials that an operation needs.
    ///
    /// A document lists alternatives, and each alternative may need several schemes. A request has a list of
    /// credentials that are all sent, and each of these may have alternatives:
    ///
    ///     requirements                  credentials
    ///     key, or token                 (key or token)
    ///     key and id, or token          (key or token) and (id or token)
    ///
    /// An alternative is left out if the document does not describe one of its schemes, or if it follows
    /// ``maxAlternatives`` others. All credentials are optional if an alternative needs none in the request: it has no
    /// scheme, or only mutual TLS.
    ///
    /// - Parameter requirements: The alternatives of the operation.
    /// - Returns: The credentials, and the names of the schemes that the document does not describe.
    package func credentials(of requirements: [SecurityRequirement]) -> OperationCredentials {
        var result = OperationCredentials()
        var isOptional = false
        var alternatives: [[Credential]] = []
        var seenAlternatives: Set<[Credential]> = []
        var seenUnknownNames: Set<String> = []
        for requirement in requirements {
            let unknownNames = requirement.schemes.map(\.name).filter { credentials[$0] == nil }
            // A request can't meet an alternative with an unknown scheme. Each name is reported once.
            guard unknownNames.isEmpty else {
                result.unknownSchemes += unknownNames.filter { seenUnknownNames.insert($0).inserted }
                continue
            }
            let alternative = alternative(of: requirement)
            // A request without credentials is allowed, so none of them has to be sent.
            if alternative.isEmpty {
                isOptional = true
            } else if alternatives.count < Self.maxAlternatives, seenAlternatives.insert(alternative).inserted {
                alternatives.append(alternative)
            }
        }
        let combined = Self.combined(alternatives)
        result.credentials = isOptional ? combined.map(\.optional) : combined
        return result
    }

    /// Returns the credentials that a request needs for one alternative, each once, in the order of its schemes.
    ///
    /// A scheme that needs nothing in the request has no credential here.
    private func alternative(of requirement: SecurityRequirement) -> [Credential] {
        let sent = requirement.schemes.compactMap { scheme -> Credential? in
            guard case .credential(let credential)? = credentials[scheme.name] else { return nil }
            return credential
        }
        return sent.grouped { $0 }.map(\.key)
    }

    /// Returns credentials that all are sent, each of which offers one credential of every alternative.
    ///
    /// The alternatives `key and id` and `token` become `(key or token) and (id or token)`: whoever has the token meets
    /// both. An alternative is left out if the result would have more than ``maxCredentials`` credentials.
    private static func combined(_ alternatives: [[Credential]]) -> [Credential] {
        guard let first = alternatives.first else { return [] }
        var result = Array(first.prefix(maxCredentials))
        for alternative in alternatives.dropFirst() where result.count * alternative.count <= maxCredentials {
            result = result.flatMap { credential in alternative.map { credential.or($0) } }
        }
        return result
    }
}

/// Gives the variables of credentials names that are all different.
private struct CredentialVariables {
    private static let userSuffix = "_USER"
    private static let passwordSuffix = "_PASSWORD"

    /// The name of the API in capitals.
    private let prefix: String
    /// The variables that schemes have been given.
    private var taken: Set<String> = []
    /// The number that was appended last to each name, so that many equal names are not counted from the start.
    private var lastNumbers: [String: Int] = [:]

    /// Starts without variables.
    ///
    /// - Parameter api: The name of the API, with which all variables begin.
    init(api: String) { prefix = Self.capitals(api) }

    /// Returns the variable of a scheme: `SHOP_API_KEY`, or `SHOP_API_KEY_2` if another scheme has that variable.
    mutating func variable(_ scheme: String) -> String { base(scheme, suffixes: [""]) }

    /// Returns the two variables of a scheme: `SHOP_LOGIN_USER` and `SHOP_LOGIN_PASSWORD`.
    mutating func userAndPassword(_ scheme: String) -> (user: String, password: String) {
        let base = base(scheme, suffixes: [Self.userSuffix, Self.passwordSuffix])
        return (base + Self.userSuffix, base + Self.passwordSuffix)
    }

    /// Returns a name that becomes a new variable with each of some suffixes, and gives these variables.
    ///
    /// - Parameters:
    ///   - scheme: The name of the scheme.
    ///   - suffixes: The ends of the variables. The number of a repeated name stands before them: `SHOP_LOGIN_2_USER`.
    private mutating func base(_ scheme: String, suffixes: [String]) -> String {
        let words = [prefix, Self.capitals(scheme)].filter { !$0.isEmpty }
        let name = words.joined(separator: "_")
        var number = lastNumbers[name] ?? 0
        while true {
            number += 1
            let base = number == 1 ? name : "\(name)_\(number)"
            let variables = suffixes.map { base + $0 }
            guard taken.isDisjoint(with: variables) else { continue }
            taken.formUnion(variables)
            lastNumbers[name] = number
            return base
        }
    }

    /// Returns the words of a name in capitals with `_` between them: `API_KEY` for `apiKey`.
    ///
    /// The name of a variable has only letters and digits of ASCII, and does not begin with a digit (POSIX, section
    /// 8.1).
    private static func capitals(_ name: String) -> String {
        let words = EndpointNames.words(name).map { word in word.filter { $0.isASCII }.uppercased() }
        let text = words.filter { !$0.isEmpty }.joined(separator: "_")
        return text.first?.isNumber == true ? "_" + text : text
    }
}
