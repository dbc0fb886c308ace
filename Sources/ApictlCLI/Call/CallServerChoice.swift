import EndpointKit
import EndpointTools

/// The word of `--server` or `--base-url`: the name of a server, or a base URL.
struct CallServerName: Sendable, Equatable {
    let word: SourcedText
    /// Whether the word is a base URL, not the name of a server.
    var isURL = false

    var text: String { word.text }
}

/// The server that an option, a variable or the configuration chooses for a call, by its name or base URL.
struct CallServerChoice {
    private let server: SourcedText
    let isURL: Bool
    private let api: CatalogueAPI

    /// The name or URL.
    var text: String { server.text }

    /// The source as a listing shows it: an option, a variable, or a place in a file.
    var sourceText: String {
        if case .environment(let name) = server.source { return name }
        return server.source.file?.location.description ?? optionName
    }

    private var optionName: String { isURL ? "--base-url" : "--server" }

    /// Chooses the server of an API from the first of these that is set:
    ///
    /// 1. `--base-url` or `--server`
    /// 2. the variables of the API, such as `APICTL_MOVIES_URL` and `APICTL_MOVIES_SERVER`
    /// 3. the variables of its groups
    /// 4. `APICTL_SERVER`
    /// 5. the configuration
    ///
    /// - Parameter optionValue: The value of `--base-url` or `--server`; nil if neither is given.
    /// - Returns: The choice; nil if none is set. Then the API's first server counts.
    init?(_ api: CatalogueAPI, _ optionValue: CallServerName?, _ settings: Settings, _ context: CommandContext) {
        let environment = context.environment
        let variables = context.variableNames.serverVariables(of: api)
        self.api = api
        if let optionValue {
            server = optionValue.word
            isURL = optionValue.isURL
        } else if let variable = variables.first(where: { environment.isSet($0.name) }) {
            server = SourcedText(environment.value(variable.name) ?? "", .environment(variable.name))
            isURL = variable.isURL
        } else if let setting = settings.configuration?.settings(of: api).server {
            let source = ValueSource.configuration(setting.place)
            switch setting.value {
            case .name(let name):
                server = SourcedText(name, source)
                isURL = false
            case .url(let base):
                server = SourcedText(base.text, source)
                isURL = true
            }
        } else {
            return nil
        }
    }

    /// Returns the base URL of the chosen server.
    ///
    /// - Throws: ``UsageError`` for a name that the API has no server of, and for a text that is not a base URL.
    ///   `RequestError` if the API declares a server whose URL is wrong.
    func base() throws -> BaseURL { isURL ? try baseOfURL() : try baseOfServer(named: text) }

    /// Returns the base URL of the API's server with a name.
    ///
    /// - Throws: ``UsageError`` if there is none, with the names that there are. `RequestError` if the API declares a
    ///   server whose URL is wrong.
    private func baseOfServer(named name: String) throws -> BaseURL {
        if let server = api.servers.first(where: { $0.name == name }) { return try server.base() }
        let names = api.servers.map(\.name)
        let problem = "\(api.name) has no server '\(name)', only \(names.joined(separator: ", "))"
        throw wrongServerError(problem + NearestWord.question(name, in: names), after: ": ")
    }

    /// Returns the base URL that was given in place of a name.
    ///
    /// - Throws: ``UsageError`` for a text that is not a base URL. Only a text that was typed is shown, and without its
    ///   query. The URL of a variable, a user name and a query may be secret.
    private func baseOfURL() throws(UsageError) -> BaseURL {
        do {
            return try BaseURL(text)
        } catch let problem {
            let isTyped = server.source.position != nil
            let mayHoldUser = text.contains("@")
            if !isTyped || mayHoldUser { throw wrongServerError(problem.sentence(""), after: " ") }
            var shownURL = text
            if let queryStart = text.firstIndex(where: { $0 == "?" || $0 == "#" }) {
                shownURL = text[...queryStart] + "…"
            }
            throw wrongServerError("'\(shownURL)' \(problem.sentence(shownURL))", after: ": ")
        }
    }

    /// Returns the error that the chosen server is wrong. The message begins with whatever chose the server: an option,
    /// a variable, or a line of a file.
    ///
    /// - Parameters:
    ///   - problem: What is wrong.
    ///   - separator: The text between the name of the option or variable and the problem.
    private func wrongServerError(_ problem: String, after separator: String) -> UsageError {
        switch server.source {
        case .environment(let name): UsageError(name + separator + problem)
        case .configuration(let place), .caseFile(let place): place.error(problem)
        case .argument, .agent, .preset: UsageError(optionName + server.source.suffix + separator + problem)
        }
    }
}

extension BaseURL.Problem {
    /// Returns the problem as the rest of a sentence that starts with the URL: `has no host`.
    ///
    /// - Parameter url: The URL; empty if it may not be shown.
    func sentence(_ url: String) -> String {
        switch self {
        case .notAURL where url.hasPrefix(":"): "has no scheme and no host; did you mean http://localhost\(url)?"
        case .notAURL: "is not a URL such as https://api.example.com"
        case .port: "has a port that is not from 1 to 65535"
        case .address: "has no IPv6 address in its brackets, such as [::1] or [fe80::1%25eth0]"
        case .noHost: "has no host"
        case .scheme where url.isEmpty: "has another scheme; only http and https are supported"
        case .scheme(let scheme) where url.contains("://"):
            "has the scheme \(scheme); only http and https are supported"
        // In `localhost:8080`, what looks like a scheme is the host.
        case .scheme: "has no scheme; did you mean http://\(url)?"
        case .query: "has a query; use --query NAME=VALUE"
        case .fragment: "has a fragment, which is never sent"
        case .internationalHost: "has non-ASCII letters in its host; write it as the DNS does, xn--…"
        case .credentials: "holds credentials; they would show in process lists and logs"
        }
    }
}
