import EndpointKit

/// The answer that the server of a login sends with the browser (RFC 6749, sections 4.1.2 and 4.1.2.1): the query of
/// the redirect.
enum RedirectAnswer: Sendable, Equatable {
    /// The person has approved the login. The code can be exchanged for a token.
    case code(String)
    /// The server refused the login, with a code such as `access_denied`.
    case refused(code: String, description: String?)

    /// Reads the query of a redirect, such as `code=4/P7q&state=af0if`.
    ///
    /// - Parameters:
    ///   - query: The query without its question mark.
    ///   - state: The text that the answer must repeat from the request, so that no other page can send a code.
    /// - Returns: Nil if the query has another state, or neither a code nor an error.
    init?(query: String, state: String) {
        let items = FormText.items(query)
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        guard value("state") == state else { return nil }
        if let code = value("code"), !code.isEmpty {
            self = .code(code)
        } else if let error = value("error") {
            self = .refused(code: error, description: value("error_description"))
        } else {
            return nil
        }
    }

    /// Reads a redirect that a person pasted: the whole address, or only its query.
    ///
    /// - Returns: Nil if its query is no answer to the request with this state.
    init?(redirect: String, state: String) {
        let address = redirect.prefix { $0 != "#" && $0 != " " }
        let query = address.split(separator: "?", maxSplits: 1).last ?? ""
        self.init(query: String(query), state: state)
    }
}
