import EndpointKit

/// The servers of a document or operation that requests can be sent to.
package struct DocumentServers: Sendable, Equatable {
    /// The servers, the default one first. Their names are all different.
    package let servers: [Server]
    /// The servers that can't be used, and are left out.
    package let problems: [ServerProblem]

    /// Gives each server a name and an absolute URL.
    ///
    /// The name is the first word of the description in kebab case. Without a description, the only server is called
    /// `production`, and several servers are called `server-1`, `server-2` and so on.
    ///
    /// - Parameters:
    ///   - objects: The servers of the document. If it has none, its server is `/` (OpenAPI 3.1, section 4.8.1).
    ///   - variables: Values of the servers' variables, which replace the defaults.
    ///   - documentURL: The URL of the document, to which relative URLs are resolved; nil if it is a file.
    /// - Throws: ``ServerVariableError`` if a value is not allowed, or if no server has a variable of that name.
    package init(
        _ objects: [ServerObject], variables: [String: String] = [:], documentURL: String? = nil
    ) throws(ServerVariableError) {
        try Self.check(variables, objects)
        let objects = objects.isEmpty ? [ServerObject(url: "/")] : objects
        var names = ServerNames(serverCount: objects.count)
        var servers: [Server] = []
        var problems: [ServerProblem] = []
        for object in objects {
            do {
                let url = try Self.url(object, variables, documentURL)
                // A server that can't be used is left out, and takes no name.
                servers.append(Server(names.name(object.summary), url: url))
            } catch {
                problems.append(error)
            }
        }
        self.servers = servers
        self.problems = problems
    }

    /// Checks the values that the caller gives for variables of servers.
    ///
    /// - Parameters:
    ///   - values: The values by the names of the variables.
    ///   - objects: The servers of the document.
    /// - Throws: ``ServerVariableError`` if no server has a variable of that name, or if none allows the value. The
    ///   first error in the order of the names is thrown.
    private static func check(
        _ values: [String: String], _ objects: [ServerObject]
    ) throws(ServerVariableError) {
        let declared = objects.flatMap(\.variables)
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            let variables = declared.filter { $0.name == name }
            guard let first = variables.first else {
                let knownNames = declared.map(\.name).grouped { $0 }.map(\.key)
                throw .unknown(name: name, known: knownNames)
            }
            // Servers may allow different values. One that allows the value is enough.
            let isAllowed = variables.contains { $0.allowedValues.isEmpty || $0.allowedValues.contains(value) }
            if !isAllowed { throw .value(name: name, value: value, allowed: first.allowedValues) }
        }
    }

    /// Returns the absolute URL of a server, with the values of its variables.
    ///
    /// - Parameters:
    ///   - object: The server.
    ///   - values: The values by the names of variables. Values that the server does not allow are ignored.
    ///   - documentURL: The URL of the document, to which a relative URL is resolved; nil if the document is a file.
    /// - Throws: ``ServerProblem`` if a variable has no value, if the URL stays relative, or if it is no base URL.
    private static func url(
        _ object: ServerObject, _ values: [String: String], _ documentURL: String?
    ) throws(ServerProblem) -> String {
        guard let text = object.url(with: allowedValues(values, object)) else {
            // A variable that the URL names and the document does not describe is not among these. The message has no
            // name then.
            let missing = object.variables.first { $0.defaultValue == nil && values[$0.name] == nil }
            throw .noValue(url: object.url, variable: missing?.name)
        }
        guard let url = absoluteURL(text, documentURL) else { throw .relative(url: text) }
        // The check keeps a server out whose URL would make every request fail.
        do throws(BaseURL.Problem) {
            _ = try BaseURL(url)
        } catch {
            throw .invalid(url: url, error)
        }
        return url
    }

    /// Returns the absolute URL of a server: `https://shop.example/v1` for `/v1` in `https://shop.example/shop.json`.
    ///
    /// - Parameters:
    ///   - text: The URL of the server, which may be relative.
    ///   - documentURL: The URL of the document; nil if the document is a file.
    /// - Returns: The URL; nil if it is relative to a document without a URL.
    private static func absoluteURL(_ text: String, _ documentURL: String?) -> String? {
        let reference = URIReference(text)
        if reference.scheme != nil { return text }
        if let documentURL, let base = baseReference(documentURL) { return reference.resolved(against: base).text }
        // A URL such as `//example.com` lacks the scheme alone, and https keeps credentials secret.
        return reference.authority == nil ? nil : "https:" + text
    }

    /// Returns the URL of a document without user and password; nil if the document was not loaded with HTTP.
    private static func baseReference(_ documentURL: String) -> URIReference? {
        var reference = URIReference(documentURL)
        guard let scheme = reference.scheme?.lowercased(), ["http", "https"].contains(scheme) else { return nil }
        // The user of the document's URL is a credential for the document, and is not sent to its servers.
        let userAndHost = reference.authority?.split(separator: "@", omittingEmptySubsequences: false)
        reference.authority = userAndHost?.last.map(String.init)
        return reference
    }

    /// Returns the values that a server allows for its variables. The defaults count for the others.
    private static func allowedValues(_ values: [String: String], _ object: ServerObject) -> [String: String] {
        var result = values
        for variable in object.variables {
            guard let value = values[variable.name], !variable.allowedValues.isEmpty else { continue }
            if !variable.allowedValues.contains(value) { result[variable.name] = nil }
        }
        return result
    }
}

/// A value for a variable of servers that can't be used.
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
    /// The URL is no base URL.
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

/// Gives servers names that are all different.
private struct ServerNames {
    /// The number of all servers.
    private let serverCount: Int
    private var uniqueNames = UniqueNames(separator: "-")

    /// Starts without any names given.
    init(serverCount: Int) { self.serverCount = serverCount }

    /// Returns a new name for a server with a description.
    ///
    ///     "Staging, for tests"      staging, or staging-2 if another server is called staging
    ///     no description            production for the only server, else server-1, server-2, …
    mutating func name(_ description: String?) -> String {
        let firstWord = description?.split(whereSeparator: { $0.isWhitespace }).first ?? ""
        let name = EndpointNames.words(String(firstWord)).joined(separator: "-")
        if !name.isEmpty { return uniqueNames.name(name) }
        if serverCount == 1 { return "production" }
        return "server-\(uniqueNames.nextNumber(for: "server", from: 1))"
    }
}
