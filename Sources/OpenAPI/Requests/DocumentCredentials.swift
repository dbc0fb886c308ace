import EndpointKit
import JSONText

/// The credentials that the security schemes of a document describe.
///
/// The secret of a scheme comes from an environment variable with the name of the API and of the scheme. For the
/// scheme `api_key` of `shop`, the variable is `SHOP_API_KEY`.
package struct DocumentCredentials: Sendable {
    /// The most alternatives of an operation. Further ones are left out. People choose one of a few.
    private static let maxAlternatives = 100
    /// The most credentials that a request sends. An alternative that would need more is left out. Two alternatives of
    /// four schemes each need 16 credentials.
    private static let maxCredentials = 16

    /// The security schemes of the document that can't be read.
    package let errors: [OpenAPIError]
    /// How a client proves its identity with a security scheme.
    private enum SchemeCredential {
        /// A part of the request, such as a header, holds the secret.
        case credential(Credential)
        /// The scheme is mutual TLS: the certificate of the client belongs to the connection.
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
    ///   - api: The name of the API. The names of all variables begin with it.
    package init(_ document: OpenAPIDocument, api: String) {
        let schemes = document.securitySchemes
        errors = schemes.errors
        var variables = CredentialVariables(api: api)
        var credentials: [String: SchemeCredential] = [:]
        // Schemes with the same variable are numbered. Their names are sorted, so that the numbers do not depend on
        // the order of the document.
        for scheme in schemes.parts.sorted(by: { $0.name < $1.name }) where credentials[scheme.name] == nil {
            if let credential = Self.makeCredential(of: scheme, addingVariablesTo: &variables) {
                credentials[scheme.name] = .credential(credential)
            } else {
                credentials[scheme.name] = .outsideOfRequest
            }
        }
        self.credentials = credentials
        self.schemes = Dictionary(schemes.parts.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Returns the credential of a scheme: the part of a request that holds the secret, and the secret's variable.
    ///
    ///     apiKey in query, name key       →  the query item `key`
    ///     http, scheme basic              →  `Authorization: Basic …`, with a user and a password
    ///     http, scheme bearer; oauth2     →  `Authorization: Bearer …`
    ///
    /// - Parameters:
    ///   - scheme: The scheme.
    ///   - variables: The variables of other schemes. The variables of this scheme are added.
    /// - Returns: The credential; nil for mutual TLS, because the certificate is not a part of the request.
    private static func makeCredential(
        of scheme: SecuritySchemeObject, addingVariablesTo variables: inout CredentialVariables
    ) -> Credential? {
        switch scheme.kind {
        case .apiKey(let keyName, .query):
            return .query(keyName, variable: variables.addVariable(forScheme: scheme.name))
        case .apiKey(let keyName, .cookie):
            return .cookie(keyName, variable: variables.addVariable(forScheme: scheme.name))
        // OpenAPI has keys in queries, cookies and headers, so this is a header.
        case .apiKey(let keyName, _):
            return .header(keyName, variable: variables.addVariable(forScheme: scheme.name))
        case .http("basic"):
            let (user, password) = variables.addUserAndPassword(forScheme: scheme.name)
            return .basic(userVariable: user, passwordVariable: password)
        case .http("bearer"), .oauth2, .openIDConnect:
            return .bearer(variable: variables.addVariable(forScheme: scheme.name))
        case .http:
            // Schemes such as `digest` have parameters (RFC 9110, section 11.4). The variable holds the whole header.
            return .header("Authorization", variable: variables.addVariable(forScheme: scheme.name))
        case .mutualTLS: return nil
        }
    }
}

extension DocumentCredentials {
    /// Returns the security scheme with a name; nil if the document has no such scheme, or if it can't be read.
    func scheme(_ name: String) -> SecuritySchemeObject? { schemes[name] }

    /// The credentials of all schemes in the document, in the order of the schemes' names.
    package var all: [Credential] {
        credentials.sorted { $0.key < $1.key }.compactMap { _, scheme in
            if case .credential(let credential) = scheme { credential } else { nil }
        }
    }

    /// Returns the variables that hold the secret of a scheme, such as `SHOP_LOGIN_USER` and `SHOP_LOGIN_PASSWORD`.
    ///
    /// - Parameter scheme: The name of the scheme.
    /// - Returns: The variables; empty for mutual TLS, and for a scheme that the document does not describe.
    func variables(of scheme: String) -> [String] {
        guard case .credential(let credential)? = credentials[scheme] else { return [] }
        return credential.alternatives.flatMap(\.variables)
    }
}

// MARK: Logins

extension DocumentCredentials {
    /// The logins of the document's `oauth2` schemes: one for each scheme with a flow that the command line can use.
    ///
    /// For the scheme `auth` of `shop`, the token is in the variable `SHOP_AUTH`. A login takes the client from
    /// `SHOP_AUTH_CLIENT_ID` and `SHOP_AUTH_CLIENT_SECRET`.
    package var logins: [Login] {
        schemes.values.sorted { $0.name < $1.name }.compactMap { scheme in
            guard case .oauth2(let flows) = scheme.kind, let variable = variables(of: scheme.name).first else {
                return nil
            }
            return Self.login(tokenVariable: variable, flows: flows)
        }
    }

    /// Returns the login of an `oauth2` scheme.
    ///
    /// A flow in which a person logs in is preferred, because its token has the person's rights. The implicit and
    /// password flows are obsolete (RFC 9700, section 2), and are ignored.
    ///
    /// - Parameters:
    ///   - variable: The variable of the token, such as `SHOP_AUTH`.
    ///   - flows: The OAuth flows of the scheme.
    /// - Returns: The login; nil without a flow that can be used, or without an absolute URL for its tokens.
    private static func login(tokenVariable variable: String, flows: [SecuritySchemeObject.Flow]) -> Login? {
        let browserFlow = flows.first { $0.name == "authorizationCode" }
        let deviceFlow = flows.first { $0.name == "deviceAuthorization" }
        let clientFlow = flows.first { $0.name == "clientCredentials" }
        guard let flow = browserFlow ?? deviceFlow ?? clientFlow, let tokenURL = flow.tokenURL else { return nil }
        let isAbsolute = (try? BaseURL(tokenURL)) != nil
        guard isAbsolute else { return nil }
        let endpoints = OAuthLogin.Endpoints(
            token: tokenURL, device: deviceFlow?.deviceAuthorizationURL, authorize: browserFlow?.authorizationURL)
        let client = OAuthClient(
            identifier: .variable(variable + "_CLIENT_ID"), secretVariable: variable + "_CLIENT_SECRET",
            needsSecret: flow.name == "clientCredentials")
        return Login(variable: variable, OAuthLogin(endpoints: endpoints, client: client, scopes: flow.scopes))
    }
}

// MARK: Requirements

/// The credentials that an operation needs.
package struct OperationCredentials: Sendable, Equatable {
    /// The credentials. A request sends all of them. Each credential may have alternatives, of which it sends one.
    package var credentials: [Credential] = []
    /// The names of required schemes that the document does not describe, in the order of the requirements.
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
    /// Some alternatives are left out: those with a scheme that the document does not describe, and those beyond
    /// ``maxAlternatives``.
    ///
    /// - Parameter requirements: The alternatives of the operation. If one of them needs nothing in the request, all
    ///   credentials are optional.
    /// - Returns: The credentials, and the names of the schemes that the document does not describe.
    package func credentials(of requirements: [SecurityRequirement]) -> OperationCredentials {
        let unknownSchemes = requirements.flatMap { schemesWithoutDescription(in: $0) }
        let knownRequirements = requirements.filter { schemesWithoutDescription(in: $0).isEmpty }
        let alternatives = knownRequirements.map { credentialsSent(for: $0) }
        let distinctAlternatives = alternatives.filter { !$0.isEmpty }.withoutRepetitions
        let credentials = Self.combineAlternatives(Array(distinctAlternatives.prefix(Self.maxAlternatives)))
        let isOptional = alternatives.contains { $0.isEmpty }
        return OperationCredentials(
            credentials: isOptional ? credentials.map(\.optional) : credentials,
            unknownSchemes: unknownSchemes.withoutRepetitions)
    }

    /// Returns the names of the schemes that a requirement mentions and the document does not describe.
    private func schemesWithoutDescription(in requirement: SecurityRequirement) -> [String] {
        requirement.schemes.map(\.name).filter { credentials[$0] == nil }
    }

    /// Returns the credentials that a request needs for one alternative, in the order of its schemes.
    ///
    /// The result is empty for an alternative without schemes, and for mutual TLS alone.
    private func credentialsSent(for requirement: SecurityRequirement) -> [Credential] {
        let sentCredentials = requirement.schemes.compactMap { scheme -> Credential? in
            guard case .credential(let credential)? = credentials[scheme.name] else { return nil }
            return credential
        }
        return sentCredentials.withoutRepetitions
    }

    /// Combines alternatives into one list of credentials that are all sent.
    ///
    /// The alternatives `key and id` and `token` become `(key or token) and (id or token)`. A user who has only the
    /// token meets both conditions with it. This is the distributive law of `and` and `or`.
    ///
    /// - Parameter alternatives: The credentials of each alternative. An alternative is left out if the result would
    ///   have more than ``maxCredentials`` credentials.
    private static func combineAlternatives(_ alternatives: [[Credential]]) -> [Credential] {
        guard let firstAlternative = alternatives.first else { return [] }
        var combination = Array(firstAlternative.prefix(maxCredentials))
        for alternative in alternatives.dropFirst() where combination.count * alternative.count <= maxCredentials {
            combination = combination.flatMap { credential in alternative.map { credential.or($0) } }
        }
        return combination
    }
}

/// Names the environment variables of credentials. No two schemes get the same variable.
private struct CredentialVariables {
    private static let userSuffix = "_USER"
    private static let passwordSuffix = "_PASSWORD"

    /// The name of the API in capitals, such as `SHOP`.
    private let prefix: String
    /// The variables that schemes have.
    private var reservedVariables: Set<String> = []
    /// The last number that was appended to each name. The search for a free number goes on from there: counting from
    /// 1 would take too long in a document with thousands of equal names.
    private var lastNumbers: [String: Int] = [:]

    /// Creates an empty list of variables.
    ///
    /// - Parameter api: The name of the API. All variables begin with it.
    init(api: String) { prefix = Self.capitals(api) }

    /// Adds a variable for a scheme: `SHOP_API_KEY` for `api_key`, or `SHOP_API_KEY_2` if another scheme has the
    /// first.
    mutating func addVariable(forScheme scheme: String) -> String {
        reserveVariables(forScheme: scheme, suffixes: [""])
    }

    /// Adds the two variables of a scheme: `SHOP_LOGIN_USER` and `SHOP_LOGIN_PASSWORD` for `login`.
    mutating func addUserAndPassword(forScheme scheme: String) -> (user: String, password: String) {
        let commonName = reserveVariables(forScheme: scheme, suffixes: [Self.userSuffix, Self.passwordSuffix])
        return (user: commonName + Self.userSuffix, password: commonName + Self.passwordSuffix)
    }

    /// Reserves the variables of a scheme, which consist of a common name and different suffixes.
    ///
    /// Either all of the variables get a number or none, so that a user recognises the variables of one scheme. No
    /// other scheme gets the reserved variables.
    ///
    /// - Parameters:
    ///   - scheme: The name of the scheme.
    ///   - suffixes: The ends of the variables, such as `_USER` and `_PASSWORD`.
    /// - Returns: The common name. It ends with a number if another scheme has one of the variables: `SHOP_LOGIN_2`
    ///   for `SHOP_LOGIN_2_USER`.
    private mutating func reserveVariables(forScheme scheme: String, suffixes: [String]) -> String {
        // A name without ASCII letters and digits has no words.
        let words = [prefix, Self.capitals(scheme)].filter { !$0.isEmpty }
        let unnumberedName = words.joined(separator: "_")
        var number = lastNumbers[unnumberedName] ?? 0
        while true {
            number += 1
            let commonName = number == 1 ? unnumberedName : "\(unnumberedName)_\(number)"
            let variables = suffixes.map { commonName + $0 }
            let areUnused = reservedVariables.isDisjoint(with: variables)
            if areUnused {
                reservedVariables.formUnion(variables)
                lastNumbers[unnumberedName] = number
                return commonName
            }
        }
    }

    /// Returns the words of a name in capitals with `_` between them.
    ///
    ///     apiKey     →  API_KEY
    ///     2factor    →  _2_FACTOR
    ///
    /// The name of a variable has only ASCII letters, digits and `_`, and does not begin with a digit (POSIX, section
    /// 8.1).
    private static func capitals(_ name: String) -> String {
        let words = EndpointNames.words(name).map { word in word.filter { $0.isASCII }.uppercased() }
        let text = words.filter { !$0.isEmpty }.joined(separator: "_")
        return text.first?.isNumber == true ? "_" + text : text
    }
}
