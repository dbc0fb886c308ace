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
    /// out.
    private static let maxCredentials = 16

    /// The security schemes of the document that can't be read.
    package let errors: [OpenAPIError]
    /// The credential of each scheme by its name; nil for a client's certificate, which is no part of a request.
    private let credentials: [String: Credential?]

    /// Reads the security schemes of a document.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - api: The name of the API, with which the names of variables begin.
    package init(_ document: OpenAPIDocument, api: String) {
        let schemes = document.securitySchemes
        errors = schemes.errors
        var names = CredentialVariables(api: api)
        var credentials: [String: Credential?] = [:]
        // In this order, so that the names of variables don't depend on that of the document.
        for scheme in schemes.parts.sorted(by: { $0.name < $1.name }) where credentials[scheme.name] == nil {
            credentials[scheme.name] = .some(Self.credential(scheme, &names))
        }
        self.credentials = credentials
    }

    /// Returns the credential of a scheme; nil if no part of a request holds it.
    private static func credential(_ scheme: SecuritySchemeObject, _ names: inout CredentialVariables) -> Credential? {
        switch scheme.kind {
        case .apiKey(let name, .query): return .query(name, variable: names.variable(scheme.name))
        case .apiKey(let name, .cookie): return .cookie(name, variable: names.variable(scheme.name))
        case .apiKey(let name, _): return .header(name, variable: names.variable(scheme.name))
        case .http("basic"):
            let variables = names.variables(scheme.name, suffixes: ["_USER", "_PASSWORD"])
            return .basic(user: variables[0], password: variables[1])
        case .http("bearer"), .oauth2, .openIDConnect:
            return .bearer(variable: names.variable(scheme.name))
        case .http:
            // Other schemes have parameters (RFC 9110, section 11.4), so the variable holds the whole header.
            return .header("Authorization", variable: names.variable(scheme.name))
        case .mutualTLS: return nil
        }
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
    /// Returns the credentials of an operation.
    ///
    /// OpenAPI lists alternatives, each of which may need several schemes. A list of credentials is the other way
    /// round: all are sent, and each one may have alternatives. So each scheme of an alternative is combined with each
    /// scheme of the others:
    ///
    ///     key, or token             (key or token)
    ///     key and id, or token      (key or token) and (id or token)
    ///
    /// An alternative with an unknown scheme is left out. An alternative without a scheme makes all optional.
    package func credentials(of requirements: [SecurityRequirement]) -> OperationCredentials {
        var result = OperationCredentials()
        var isOptional = false
        var alternatives: [[Credential]] = []
        var known: Set<[Credential]> = []
        var unknown: Set<String> = []
        for requirement in requirements {
            let missing = requirement.schemes.map(\.name).filter { credentials[$0] == nil }
            guard missing.isEmpty else {
                result.unknownSchemes += missing.filter { unknown.insert($0).inserted }
                continue
            }
            let alternative = distinct(requirement.schemes.compactMap { credentials[$0.name] ?? nil })
            if alternative.isEmpty {
                isOptional = true
            } else if alternatives.count < Self.maxAlternatives, known.insert(alternative).inserted {
                alternatives.append(alternative)
            }
        }
        let combined = Self.combined(alternatives)
        result.credentials = isOptional ? combined.map(\.optional) : combined
        return result
    }

    /// Returns the credentials without repetitions.
    private func distinct(_ credentials: [Credential]) -> [Credential] {
        credentials.grouped { $0 }.map(\.key)
    }

    /// Returns credentials of which each has one scheme of every alternative.
    private static func combined(_ alternatives: [[Credential]]) -> [Credential] {
        guard var result = alternatives.first?.prefix(maxCredentials) else { return [] }
        for alternative in alternatives.dropFirst() where result.count * alternative.count <= maxCredentials {
            result = result.flatMap { left in alternative.map { left.or($0) } }[...]
        }
        return Array(result)
    }
}

/// Names for the variables of credentials, each of which is given once.
private struct CredentialVariables {
    private let prefix: String
    private var taken: Set<String> = []
    /// The number that was appended last to each name, so that many equal names are not counted from the start.
    private var numbers: [String: Int] = [:]

    init(api: String) { prefix = Self.capitals(api) }

    /// Returns the variable of a scheme: `SHOP_API_KEY`.
    mutating func variable(_ scheme: String) -> String { variables(scheme, suffixes: [""])[0] }

    /// Returns the variables of a scheme: `SHOP_LOGIN_USER` and `SHOP_LOGIN_PASSWORD`.
    mutating func variables(_ scheme: String, suffixes: [String]) -> [String] {
        let base = [prefix, Self.capitals(scheme)].filter { !$0.isEmpty }.joined(separator: "_")
        var number = numbers[base] ?? 0
        var names: [String]
        repeat {
            number += 1
            let numbered = number == 1 ? base : "\(base)_\(number)"
            names = suffixes.map { numbered + $0 }
        } while !taken.isDisjoint(with: names)
        numbers[base] = number
        taken.formUnion(names)
        return names
    }

    /// Returns the words of a name in capitals with `_` between them. Only letters and digits of ASCII can be part of a
    /// variable's name (POSIX, section 8.1).
    private static func capitals(_ name: String) -> String {
        let words = EndpointNames.words(name).map { word in word.filter { $0.isASCII }.uppercased() }
        let text = words.filter { !$0.isEmpty }.joined(separator: "_")
        return text.first?.isNumber == true ? "_" + text : text
    }
}
