import EndpointKit
import EndpointTools

/// A server by its name, or its base URL.
struct CallServerName: Sendable, Equatable {
    let word: CommandLineWord
    var isURL = false

    var text: String { word.text }
}

/// The server of a call that something chooses, by name or URL.
struct CallServerChoice {
    /// The option, variable or setting that chooses a server.
    enum Source {
        case option(String, position: Int)
        case variable(String)
        case configuration(SettingPlace)
    }

    let text: String
    let isURL: Bool
    private let source: Source
    private let api: CatalogueAPI

    /// The source as a listing shows it: an option, a variable, or a place in a file.
    var sourceText: String {
        switch source {
        case .option(let name, _), .variable(let name): name
        case .configuration(let place): place.location.description
        }
    }

    /// Chooses the first of these that is set: `--base-url` or `--env`, `APICTL_<API>_URL`, `APICTL_<API>_ENV`,
    /// `APICTL_ENV`, the configuration. Nil if none is set, which means the API's first server.
    init?(_ api: CatalogueAPI, _ options: CallOptions, _ settings: Settings, _ context: CommandContext) {
        let (names, environment) = (context.variableNames, context.environment)
        self.api = api
        if let server = options.servers.last {
            text = server.text
            isURL = server.isURL
            source = .option(server.isURL ? "--base-url" : "--env", position: server.word.position)
        } else if let url = environment.value(names.url(of: api)) {
            text = url
            isURL = true
            source = .variable(names.url(of: api))
        } else if let name = [names.server(of: api), names.server].first(where: environment.isSet) {
            text = environment.value(name) ?? ""
            isURL = false
            source = .variable(name)
        } else if let server = settings.configuration?.settings(of: api).server {
            switch server.value {
            case .name(let name):
                text = name
                isURL = false
            case .url(let base):
                text = base.text
                isURL = true
            }
            source = .configuration(server.place)
        } else {
            return nil
        }
    }

    /// Returns the server's base URL.
    ///
    /// - Throws: ``UsageError`` and `RequestProblem`.
    func base() throws -> BaseURL {
        guard isURL else {
            if let server = api.servers.first(where: { $0.name == text }) { return try server.base() }
            let names = api.servers.map(\.name)
            let problem = "\(api.name) has no server '\(text)', only \(names.joined(separator: ", "))"
            throw error(": ", problem + NearestWord.question(text, in: names))
        }
        do {
            return try BaseURL(text)
        } catch let problem {
            // The value of a variable, a user name and a query may be secret and are not shown.
            guard case .option = source, !text.contains("@") else { throw error(" ", problem.sentence("")) }
            let shown = text.firstIndex { $0 == "?" || $0 == "#" }.map { text[...$0] + "…" } ?? text[...]
            throw error(": ", "'\(shown)' \(problem.sentence(String(shown)))")
        }
    }

    /// Returns the error that the server is wrong.
    ///
    /// - Parameter separator: The text between the name of an option or variable and the problem.
    private func error(_ separator: String, _ problem: String) -> UsageError {
        switch source {
        case .option(let name, let position): UsageError(name + CommandLineWord.at(position) + separator + problem)
        case .variable(let name): UsageError(name + separator + problem)
        case .configuration(let place): place.error(problem)
        }
    }
}

extension BaseURL.Problem {
    /// The problem as the rest of a sentence that starts with the URL.
    func sentence(_ text: String) -> String {
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
        case .credentials: "holds credentials; they would show in process lists and logs"
        }
    }
}
