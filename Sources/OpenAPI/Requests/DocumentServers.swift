import EndpointKit

/// The servers of a document or operation that requests can be sent to.
package struct DocumentServers: Sendable, Equatable {
    /// The servers, the default one first. No two of them have the same name.
    package let servers: [Server]
    /// The reasons why further servers can't be used.
    package let problems: [ServerProblem]

    /// Gives each server a name and an absolute URL.
    ///
    /// A server with the description `Staging, for tests` is called `staging`. Without a description, the only server
    /// is called `production`, and several servers are called `server-1`, `server-2` and so on.
    ///
    /// - Parameters:
    ///   - objects: The servers of the document. An empty list stands for `/` (OpenAPI 3.1, section 4.8.1).
    ///   - variables: Values of the servers' variables by name. They replace the defaults.
    ///   - documentURL: The URL of the document. Relative URLs are resolved against it. Nil if the document is a file.
    /// - Throws: ``ServerVariableError`` if no server has a variable of that name, or if no server allows its value.
    package init(
        _ objects: [ServerObject], variables: [String: String] = [:], documentURL: String? = nil
    ) throws(ServerVariableError) {
        try Self.checkVariables(variables, of: objects)
        let declaredServers = objects.isEmpty ? [ServerObject(url: "/")] : objects
        var names = ServerNames(serverCount: declaredServers.count)
        var servers: [Server] = []
        var problems: [ServerProblem] = []
        for object in declaredServers {
            do {
                let url = try Self.absoluteURL(of: object, values: variables, documentURL: documentURL)
                servers.append(Server(names.addName(for: object.summary), url: url))
            } catch {
                problems.append(error)
            }
        }
        self.servers = servers
        self.problems = problems
    }

    /// Checks that at least one server allows each value of a variable.
    ///
    /// - Parameters:
    ///   - values: The values by the names of the variables.
    ///   - objects: The servers of the document.
    /// - Throws: ``ServerVariableError`` if no server has a variable of that name, or if no server allows its value.
    private static func checkVariables(
        _ values: [String: String], of objects: [ServerObject]
    ) throws(ServerVariableError) {
        let declaredVariables = objects.flatMap(\.variables)
        // The order of the names decides which of several errors is thrown, so that it is always the same one.
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            let namesakes = declaredVariables.filter { $0.name == name }
            guard let firstNamesake = namesakes.first else {
                let knownNames = declaredVariables.map(\.name).withoutRepetitions
                throw .unknown(name: name, known: knownNames)
            }
            // An empty list allows any value.
            let isAllowed = namesakes.contains { $0.allowedValues.isEmpty || $0.allowedValues.contains(value) }
            if !isAllowed { throw .value(name: name, value: value, allowed: firstNamesake.allowedValues) }
        }
    }

    /// Returns the absolute URL of a server, with the values of its variables.
    ///
    /// For `/{version}`, the value `v2` of `version`, and a document at `https://shop.example/openapi.json`, the
    /// result is `https://shop.example/v2`.
    ///
    /// - Parameters:
    ///   - object: The server.
    ///   - values: The values by the names of variables. The default replaces a value that the server does not allow.
    ///   - documentURL: The URL of the document; nil if the document is a file.
    /// - Throws: ``ServerProblem`` if a variable has no value, or if the URL is relative to a file, or can't be a base
    ///   URL.
    private static func absoluteURL(
        of object: ServerObject, values: [String: String], documentURL: String?
    ) throws(ServerProblem) -> String {
        guard let text = object.url(with: allowedValues(values, for: object)) else {
            // The error names a described variable that the user has not set. There may be none, because the URL may
            // also contain variables that the document does not describe.
            let unsetVariable = object.variables.first { $0.defaultValue == nil && values[$0.name] == nil }
            throw .noValue(url: object.url, variable: unsetVariable?.name)
        }
        guard let url = resolveServerURL(text, against: documentURL) else { throw .relative(url: text) }
        try validateBaseURL(url)
        return url
    }

    /// Checks that a URL can be the base URL of requests. With any other URL, every request to the server would fail.
    private static func validateBaseURL(_ url: String) throws(ServerProblem) {
        do throws(BaseURL.Problem) {
            _ = try BaseURL(url)
        } catch {
            throw .invalid(url: url, error)
        }
    }

    /// Returns the absolute URL of a server.
    ///
    ///     /v1 in https://shop.example/shop.json       →  https://shop.example/v1
    ///     //shop.example/v1 in a file                 →  https://shop.example/v1
    ///     /v1 in a file                               →  nil
    ///
    /// - Parameters:
    ///   - serverURL: The URL of the server, which may be relative.
    ///   - documentURL: The URL of the document; nil if the document is a file.
    private static func resolveServerURL(_ serverURL: String, against documentURL: String?) -> String? {
        let reference = URIReference(serverURL)
        if reference.scheme != nil { return serverURL }
        if let documentURL, let base = baseReference(documentURL) { return reference.resolved(against: base).text }
        // `//shop.example` has a host and no scheme. With https, credentials stay secret.
        return reference.authority == nil ? nil : "https:" + serverURL
    }

    /// Returns the URL against which the servers of a document are resolved: its URL without user and password.
    ///
    /// - Returns: The URL; nil if the scheme is neither `http` nor `https`.
    private static func baseReference(_ documentURL: String) -> URIReference? {
        var reference = URIReference(documentURL)
        guard let scheme = reference.scheme?.lowercased(), ["http", "https"].contains(scheme) else { return nil }
        // User and password give access to the document. They must not be sent to the servers that it names.
        let userAndHost = reference.authority?.split(separator: "@", omittingEmptySubsequences: false)
        reference.authority = userAndHost?.last.map(String.init)
        return reference
    }

    /// Returns the values without those that a server does not allow for its variables.
    private static func allowedValues(_ values: [String: String], for object: ServerObject) -> [String: String] {
        var allowedValues = values
        for variable in object.variables {
            guard let value = values[variable.name], !variable.allowedValues.isEmpty else { continue }
            if !variable.allowedValues.contains(value) { allowedValues[variable.name] = nil }
        }
        return allowedValues
    }
}

/// The error of a value that a user chose for a variable in the servers' URLs.
package enum ServerVariableError: DescribedError, Sendable, Equatable {
    /// No server has a variable of that name.
    case unknown(name: String, known: [String])
    /// No server allows the value.
    case value(name: String, value: String, allowed: [String])

    package var description: String {
        switch self {
        case .unknown(let name, let known):
            known.isEmpty
                ? "unknown server variable '\(name)': the servers have none"
                : "unknown server variable '\(name)': expected \(known.joined(separator: ", "))"
        case .value(let name, let value, let allowed):
            "server variable '\(name)': expected \(allowed.joined(separator: ", ")), found '\(value)'"
        }
    }
}

/// The reason why a server can't be used.
package enum ServerProblem: DescribedError, Sendable, Equatable {
    /// The URL is relative, and the document has no URL.
    case relative(url: String)
    /// A variable has neither a value nor a default. Its name is nil if the server does not describe it.
    case noValue(url: String, variable: String?)
    /// The URL can't be a base URL.
    case invalid(url: String, BaseURL.Problem)

    package var description: String {
        switch self {
        case .relative(let url):
            "the server '\(url)' is relative to the document, which has no URL: give --base-url URL"
        case .noValue(let url, let variable?):
            "the server '\(url)' needs a value: give --server-variable \(variable)=VALUE, or --base-url URL"
        case .noValue(let url, nil): "the server '\(url)' has an unknown variable: give --base-url URL"
        case .invalid(let url, let problem): "the server '\(url)' is not a base URL (\(problem))"
        }
    }
}

/// Names the servers of a document. No two servers get the same name.
private struct ServerNames {
    /// The number of all servers.
    private let serverCount: Int
    private var uniqueNames = UniqueNames(separator: "-")

    /// Creates the names of a document with a number of servers.
    init(serverCount: Int) { self.serverCount = serverCount }

    /// Adds a server, and returns its name, which no other server has.
    ///
    ///     Staging, for tests                    →  staging, or staging-2 if another server is called staging
    ///     no description, the only server       →  production
    ///     no description, several servers       →  server-1, server-2, …
    ///
    /// - Parameter description: The description of the server; nil if it has none.
    mutating func addName(for description: String?) -> String {
        // A description may be a long sentence, so only its first word becomes the name.
        let firstWord = description?.split(whereSeparator: { $0.isWhitespace }).first ?? ""
        let name = EndpointNames.words(String(firstWord)).joined(separator: "-")
        if !name.isEmpty { return uniqueNames.addName(name) }
        // The only server needs no number.
        if serverCount == 1 { return "production" }
        return "server-\(uniqueNames.addNumbered("server", from: 1))"
    }
}
