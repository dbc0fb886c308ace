import EndpointKit

/// Chooses the server of a call.
struct ServerResolver {
    let api: any API.Type
    let context: RunContext

    /// The base URL from the first of these that is set: `--base-url`, `--env`, `APICTL_<API>_URL`, `APICTL_<API>_ENV`, `APICTL_ENV`,
    /// the configuration file.
    ///
    /// Nil means the API's default, its first server. Throws ``UsageError`` and `RequestProblem`.
    func base(_ options: CallOptions) throws -> BaseURL? {
        guard let choice = choice(options) else { return nil }
        return try choice.isURL
            ? baseURL(choice.text, source: choice.source) : server(choice.text, source: choice.source)
    }

    /// A server that is chosen, by name or URL, and what chooses it.
    struct Choice {
        let text: String
        let isURL: Bool
        let source: String
    }

    /// What chooses the server; nil if nothing does.
    func choice(_ options: CallOptions) -> Choice? {
        if let url = options.baseURL { return Choice(text: url, isURL: true, source: "--base-url") }
        if let name = options.server { return Choice(text: name, isURL: false, source: "--env") }
        let names = context.variableNames
        if let url = value(names.url(of: api)) { return Choice(text: url, isURL: true, source: names.url(of: api)) }
        for variable in [names.server(of: api), names.server] {
            if let name = value(variable) { return Choice(text: name, isURL: false, source: variable) }
        }
        guard let configuration = context.configuration, let server = configuration.settings(of: api)?.server else {
            return nil
        }
        return Choice(text: server, isURL: server.contains("://"), source: configuration.path)
    }

    private func value(_ variable: String) -> String? { context.environment.value(variable) }

    private func server(_ name: String, source: String) throws -> BaseURL {
        guard let server = api.servers.first(where: { $0.name == name }) else {
            let names = api.servers.map(\.name)
            throw UsageError.unknownServer(
                name, api: api.name, servers: names, source: source, nearest: Nearest.match(name, in: names))
        }
        return try server.base()
    }

    private func baseURL(_ text: String, source: String) throws(UsageError) -> BaseURL {
        do {
            return try BaseURL(text)
        } catch {
            // The value of a variable, a user name and a query may be secret and are not shown.
            let isShown = source.hasPrefix("--") && !text.contains("@")
            let shown = text.firstIndex { $0 == "?" || $0 == "#" }.map { text[...$0] + "…" } ?? text[...]
            let problem = error.sentence(isShown ? String(shown) : "")
            throw .invalidBaseURL(isShown ? String(shown) : nil, problem: problem, source: source)
        }
    }
}

extension BaseURL.Problem {
    /// What is wrong, as the rest of a sentence that starts with the URL.
    fileprivate func sentence(_ text: String) -> String {
        switch self {
        case .notAURL: "is not a URL such as https://api.example.com"
        case .port: "has a port that is not from 1 to 65535"
        case .address: "has no IPv6 address in its brackets, such as [::1] or [fe80::1%25eth0]"
        case .noHost: "has no host"
        case .scheme(let scheme):
            text.isEmpty || text.contains("://")
                ? "has \(text.isEmpty ? "another scheme" : "the scheme \(scheme)"); only http and https are supported"
                : "has no scheme; did you mean http://\(text)?"
        case .query: "has a query; use --query NAME=VALUE"
        case .fragment: "has a fragment, which is never sent"
        case .internationalHost: "has non-ASCII letters in its host; write it as the DNS does, xn--…"
        case .credentials: "the URL holds credentials; they would show in process lists and logs"
        }
    }
}
