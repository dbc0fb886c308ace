import EndpointKit
import MockServer

/// Whether a request has the credentials that its endpoint requires; any value of them is accepted.
struct CredentialCheck {
    private let missing: Credential?

    init(_ credentials: [Credential], in request: ReceivedRequest) {
        missing = credentials.first { credential in
            !credential.isOptional && !credential.alternatives.contains { Self.has($0, request) }
        }
    }

    /// 401 (RFC 9110, section 15.5.2); nil if nothing is missing.
    var refusal: MockReply? {
        guard let missing else { return nil }
        let ways = missing.alternatives.map(\.phrase).joined(separator: ", or ")
        return MockReply(
            401, message: "a credential is missing: \(ways)",
            fields: missing.alternatives.map { ("WWW-Authenticate", "\($0.authenticationScheme) realm=\"mock\"") })
    }

    private static func has(_ scheme: Credential.Scheme, _ request: ReceivedRequest) -> Bool {
        switch scheme {
        case .query(let name, _): request.queryItems.contains { $0.name == name && !$0.value.isEmpty }
        case .header(let name, let prefix, _):
            request.values(of: name).contains { value in
                // The names of schemes are case-insensitive (RFC 9110, section 11.1).
                value.utf8.count > prefix.utf8.count && value.lowercased().hasPrefix(prefix.lowercased())
            }
        case .basic: request.values(of: "Authorization").contains { $0.lowercased().hasPrefix("basic ") }
        }
    }
}

extension Credential.Scheme {
    /// How the credential is sent, without its value.
    fileprivate var phrase: String {
        switch self {
        case .query(let name, _): "query item \(name)"
        case .header(let name, let prefix, _): "header \(name)" + (prefix.isEmpty ? "" : ": \(prefix)…")
        case .basic: "header Authorization: Basic …"
        }
    }

    /// The scheme of a challenge; an API's own has no registered name.
    fileprivate var authenticationScheme: String {
        switch self {
        case .basic: "Basic"
        case .header(let name, let prefix, _) where name.isSameName(as: "Authorization") && !prefix.isEmpty:
            String(prefix.prefix { $0 != " " })
        case .header, .query: "ApiKey"
        }
    }
}
