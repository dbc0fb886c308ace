import EndpointKit

/// A server by its name, or its base URL.
struct NamedServer: Sendable, Equatable {
    let word: Word
    var isURL = false

    var text: String { word.text }
}

/// The server of a call that something chooses, by name or URL.
struct ServerChoice {
    let text: String
    let isURL: Bool
    /// What chooses it: an option, a variable or a file.
    let source: String
    /// The error that starts with the source and its position and ends with a problem.
    private let error: (_ problem: String) -> UsageError
    private let api: any API.Type

    /// The first of these that is set: `--base-url`, `--env`, `APICTL_<API>_URL`, `APICTL_<API>_ENV`, `APICTL_ENV`, the configuration file. Nil
    /// if nothing is, which means the API's first server.
    init?(_ api: any API.Type, _ options: CallOptions, _ settings: Settings, _ context: RunContext) {
        let (names, environment) = (context.variableNames, context.environment)
        let configured = settings.configuration?.settings(of: api)?.server
        let named = options.servers.last
        let choices: [(text: String?, isURL: Bool, source: String)] = [
            (named?.text, named?.isURL == true, named?.isURL == true ? "--base-url" : "--env"),
            (environment.value(names.url(of: api)), true, names.url(of: api)),
            (environment.value(names.server(of: api)), false, names.server(of: api)),
            (environment.value(names.server), false, names.server),
            (configured, configured?.contains("://") == true, settings.configuration?.path ?? ""),
        ]
        guard let choice = choices.first(where: { $0.text != nil }) else { return nil }
        (text, isURL, source, self.api) = (choice.text ?? "", choice.isURL, choice.source, api)
        // Nothing comes before what is named.
        let place = source + Word.at(named?.word.position)
        let configuration = source == settings.configuration?.path ? settings.configuration : nil
        error = { configuration?.error("server" + $0, api, "server") ?? UsageError(place + $0) }
    }

    /// The server's base URL. Throws ``UsageError`` and `RequestProblem`.
    func base() throws -> BaseURL {
        if !isURL, let server = api.servers.first(where: { $0.name == text }) { return try server.base() }
        if !isURL {
            let names = api.servers.map(\.name)
            let problem = "\(api.name) has no server '\(text)', only \(names.joined(separator: ", "))"
            throw error(": \(problem)" + Nearest.question(text, in: names))
        }
        do {
            return try BaseURL(text)
        } catch let problem {
            // The value of a variable, a user name and a query may be secret and are not shown.
            guard source.hasPrefix("--"), !text.contains("@") else { throw error(" \(problem.sentence(""))") }
            let shown = text.firstIndex { $0 == "?" || $0 == "#" }.map { text[...$0] + "…" } ?? text[...]
            throw error(": '\(shown)' \(problem.sentence(String(shown)))")
        }
    }
}

extension BaseURL.Problem {
    /// What is wrong, as the rest of a sentence that starts with the URL.
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

extension ProcessEnvironment {
    /// The bytes that `word` refers to or consists of, and their name in messages.
    ///
    /// `owner` is the option or parameter, for messages; that input is too long ends with `advice`. Throws ``UsageError`` and ``FileError``.
    func bytes(_ word: Word, of owner: String, advice: String = "") throws -> (bytes: [UInt8], source: String) {
        func readAll(_ input: any ByteInput, _ name: String) throws -> ([UInt8], String) {
            (try input.readAll(name: name, advice: advice, until: deadline), name)
        }
        if word.isStdin { return try readAll(stdin, "stdin") }
        guard let file = try file(word, of: owner) else { return (word.text.exactBytes, "the JSON given") }
        return try readAll(files.open(file), file)
    }

    /// The body for the value of `--body`; a regular file is read while it is sent. Throws ``UsageError`` and ``FileError``.
    ///
    /// If `isRead` is false, stdin and pipes are not read: something else will do that.
    func body(_ word: Word, isRead: Bool) throws -> RequestBody {
        if word.isStdin, !isRead { return RequestBody([]) }
        if !word.isStdin, let file = try file(word, of: "--body"), !isRead || !files.isStream(file) {
            return RequestBody([.file(path: file)])
        }
        let advice = "; put it into a file and use --body @FILE"
        return RequestBody(bytes: try bytes(word, of: "--body", advice: advice).bytes)
    }

    private func file(_ word: Word, of owner: String) throws(UsageError) -> String? {
        guard let file = word.file else { return nil }
        if file.isEmpty {
            throw .unusableValue(option: owner, problem: "expected a file name after '@'", position: word.position)
        }
        return file
    }
}

extension CallOptions {
    /// The headers and query items to add to a request. Throws ``UsageError``.
    func additions() throws(UsageError) -> RequestOptions {
        var additions = RequestOptions()
        for word in headers { try additions.add(header: word) }
        for word in query { additions.query.append(try QueryItem(argument: word)) }
        return additions
    }
}

extension RequestOptions {
    /// Adds the value of `-H`: `Name: value` adds a header, `Name:` removes one, `Name;` sends it empty, as in curl. Throws ``UsageError``.
    mutating func add(header word: Word) throws(UsageError) {
        func invalid(_ name: String, _ problem: String, got: String = "in") -> UsageError {
            if word.position == 0 { return .invalidHeader(name: name, problem: problem) }
            return .unusableValue(option: "--header", problem: "\(problem), \(got) '\(name)'", position: word.position)
        }
        // Unicode scalars, because a value may start with a combining mark, which makes one character with the colon.
        let scalars = word.text.unicodeScalars
        guard let end = scalars.firstIndex(where: { $0 == ":" || $0 == ";" }), end > scalars.startIndex else {
            throw invalid(word.start, "expected 'Name: value'", got: "got")
        }
        let name = String(scalars[..<end])
        let rest = scalars[end...].dropFirst()
        let value = String(rest.drop { $0 == " " || $0 == "\t" })
        let isEmpty = scalars[end] == ";"
        if isEmpty, !rest.isEmpty {
            throw invalid(name, "expected 'Name: value', or 'Name;' for an empty one", got: "got")
        }
        do {
            let header = try Header(name, value).checked()
            if value.isEmpty, !isEmpty { withheldHeaders.append(name) } else { headers.append(header) }
        } catch {
            throw invalid(name, error.aboutHeader)
        }
    }
}

extension QueryItem {
    /// The item of `--query NAME=VALUE`. Throws ``UsageError``.
    init(argument word: Word) throws(UsageError) {
        let text = word.text
        guard let equals = text.unicodeScalars.firstIndex(of: "="), equals != text.startIndex else {
            throw .invalidValue(option: "--query", value: word.start, expected: "NAME=VALUE", position: word.position)
        }
        self.init(String(text[..<equals]), String(text.unicodeScalars[equals...].dropFirst()))
    }
}
