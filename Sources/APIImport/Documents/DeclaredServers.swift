import EndpointKit
import OpenAPI

/// The servers of a document that Swift can declare.
struct DeclaredServers {
    /// The servers, the default one first.
    private(set) var servers: [(name: String, url: String)] = []
    /// The servers that are left out, with the reasons, in one sentence; nil if there are none.
    private(set) var note: String?

    /// Selects the servers that Swift can declare: those with absolute URLs and without secrets.
    ///
    /// A server is left out if its URL has no host, has a variable without a value, is invalid, or contains a secret.
    /// The reason is added to ``note``. Servers with the same URL are declared once.
    ///
    /// - Parameters:
    ///   - objects: The servers of the document.
    ///   - documentURL: The URL of the document, to which relative URLs are resolved; nil if it is a file.
    init(_ objects: [ServerObject], documentURL: String?) {
        // The initializer throws only for values that the caller gives to variables. There are none.
        guard let documentServers = try? DocumentServers(objects, documentURL: documentURL) else { return }
        var omissions = documentServers.problems.map(Self.reason)
        var names = NameTable()
        var declaredURLs: Set<String> = []
        for server in documentServers.servers {
            let url = Self.withoutLastSlash(server.url)
            if Self.hasSecret(url) {
                omissions.append("'\(SecretRules.redacted(url))' has a secret in it")
            } else if declaredURLs.insert(url).inserted {
                let name = SecretRules.findsSecret(in: server.name) ? "server" : server.name
                servers.append((name: names.unique(name), url: url))
            }
        }
        note = Self.note(on: omissions, documentHasServers: !objects.isEmpty, isAnyDeclared: !servers.isEmpty)
    }

    /// Whether a URL has a secret in it: a text that looks like one, or one that a name such as `api_key` announces.
    private static func hasSecret(_ url: String) -> Bool {
        SecretRules.findsSecret(in: url) || SecretRules.redacted(url) != url
    }

    /// Returns the note about servers that are left out or missing; nil if all of them can be declared.
    ///
    /// - Parameters:
    ///   - omissions: The servers that are left out, with the reasons: `'/v1' has no host`.
    ///   - documentHasServers: Whether the document has a list of servers.
    ///   - isAnyDeclared: Whether at least one server can be declared. Otherwise the note also says what to do.
    private static func note(on omissions: [String], documentHasServers: Bool, isAnyDeclared: Bool) -> String? {
        if !documentHasServers, !isAnyDeclared { return "the document names no server: \(advice)" }
        if omissions.isEmpty { return nil }
        let note = "left out of the servers: \(omissions.joined(separator: "; "))"
        return isAnyDeclared ? note : "\(note): \(advice)"
    }

    /// The advice for people whose document has no server.
    private static let advice = "declare one, or give --base-url URL"

    /// Returns a URL without the slashes at its end: `https://example.com/v1/` → `https://example.com/v1`.
    private static func withoutLastSlash(_ url: String) -> String {
        let bytes = url.utf8
        let end = bytes.lastIndex { $0 != UInt8(ascii: "/") } ?? bytes.startIndex
        return String(Substring(bytes[...end]))
    }

    /// Returns the reason why a server can't be declared: `'/v1' has no host`.
    private static func reason(_ problem: ServerProblem) -> String {
        switch problem {
        case .relative(let url):
            return "'\(SecretRules.redacted(url))' has no host"
        case .noValue(let url, let variable):
            // Without the name of the variable, all variables of the URL may be meant.
            let names = variable.map { [$0] } ?? OperationPath.variables(in: url)
            let list = names.map { "{\($0)}" }.joined(separator: ", ")
            return "'\(SecretRules.redacted(url))' has no default for \(list)"
        case .invalid(let url, let problem):
            return "'\(SecretRules.redacted(url))' is not a base URL (\(problem))"
        }
    }
}
