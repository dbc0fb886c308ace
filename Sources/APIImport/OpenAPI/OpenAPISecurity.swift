import EndpointKit
import JSONText

/// Servers and credentials of a document.
struct OpenAPISecurity {
    let document: OpenAPIDocument
    /// The start of the variables' names.
    let prefix: String
    /// Where the document came from.
    let origin: String?
    private let schemes: [String: JSONValue]

    init(_ document: OpenAPIDocument, prefix: String, origin: String?) throws {
        (self.document, self.prefix, self.origin) = (document, prefix, origin)
        let declared = document.root["components"]?["securitySchemes"] ?? document.root["securityDefinitions"]
        schemes = try Dictionary(
            document.members(declared).map { ($0.key, try document.resolved($0.value)) },
            uniquingKeysWith: { one, _ in one })
    }

    /// The list of credentials that requirements ask for; nil if there are no requirements. `problem` is what can't be said.
    func credentials(_ requirements: JSONValue?) throws -> (list: [Credential], problem: String?)? {
        guard let requirements else { return nil }
        let names = try document.elements(requirements).map { try document.members($0).map(\.key) }
        let credentials = names.map { $0.map { name in schemes[name].flatMap { credential(name, $0) } } }
        let alternatives = credentials.filter { !$0.isEmpty && !$0.contains(nil) }.map { $0.compactMap(\.self) }
        let isOptional = names.contains(where: \.isEmpty)
        let unknown = zip(names.joined(), credentials.joined()).first { $1 == nil }?.0
        var problem = unknown.map { "the credential '\($0)' is unknown, and not sent" }
        guard var list = alternatives.first else { return ([], problem) }
        if alternatives.allSatisfy({ $0.count == 1 }) {
            list = [alternatives.joined().grouped(by: \.self).map(\.key).dropFirst().reduce(list[0]) { $0.or($1) }]
        } else if alternatives.count > 1 {
            problem = "of alternative credentials, only the first are used"
        }
        if list.count(where: { $0.alternatives[0].name == "Cookie" }) > 1 {
            problem = "several cookies are sent in a line of their own each"
        }
        return (isOptional ? list.map(\.optional) : list, problem)
    }

    private func credential(_ name: String, _ scheme: JSONValue) -> Credential? {
        func variable(_ text: String) -> String { Credential.variable(prefix, SwiftNames.words(text)) }
        let key = scheme["name"]?.string ?? name
        let kind = scheme["scheme"]?.string ?? "bearer"
        let (type, place) = (scheme["type"]?.string, scheme["in"]?.string)
        // Two keys have a variable each, called like the schemes if the keys are called alike.
        let isShared = schemes.values.contains { other in
            other["name"]?.string.map(variable) == variable(key)
                && [other["name"], other["in"]] != [scheme["name"], scheme["in"]]
        }
        let keyVariable = variable(isShared ? name : key)
        // Other characters are in no header, cookie or scheme, and a longer name takes more than a line.
        let token = type == "http" ? kind : place == "query" ? "" : key
        guard token.utf8.allSatisfy(\.isTokenByte) else { return nil }
        switch (type, type == "http" ? kind.lowercased() : place) {
        case ("basic", _), ("http", "basic"):
            return .basic(user: variable("user"), password: variable("password"))
        case ("http", "bearer"): return .bearer(variable: variable("token"))
        case ("http", _):
            return .header("Authorization", prefix: "\(kind.prefix(12)) ", variable: variable("token"))
        case ("oauth2", _), ("openIdConnect", _): return .bearer(variable: variable("access_token"))
        case ("apiKey", _) where SwiftLiteral.string(key).count > 40: return nil
        case ("apiKey", "cookie"): return .header("Cookie", prefix: "\(key)=", variable: keyVariable)
        case ("apiKey", "header"): return .header(key, variable: keyVariable)
        case ("apiKey", "query"): return .query(key, variable: keyVariable)
        default: return nil
        }
    }

    /// The servers with names as an array literal, the default one first, and what is not as the document says.
    func servers(_ declared: JSONValue?) throws -> (list: SwiftText, problems: [String]) {
        var found: [(name: String, url: String)] = []
        let root = document.root
        if document.isSwagger {
            let path = root["basePath"]?.string ?? ""
            let declared = root["schemes"]?.elements?.compactMap(\.string) ?? ["https"]
            // Credentials are not for a connection that everyone can read.
            let schemes = declared.filter { $0 == "https" } + declared.filter { $0 != "https" }
            found = root["host"]?.string.map { host in schemes.map { ("", "\($0)://\(host)\(path)") } } ?? [("", path)]
        }
        for server in try document.elements(declared).map(document.object) {
            var url = server["url"]?.string ?? ""
            for (name, variable) in try document.members(server["variables"]) {
                url = url.replacingBytes(of: "{\(name)}", with: variable["default"]?.string ?? name)
            }
            found.append((SchemaReader.sentence(server["description"]?.string, longest: 30), url))
        }
        if found.isEmpty { found = [("", "")] }
        var table = NameTable()
        var problems: [String] = []
        let isNamed = found.contains { $0.url.hasPrefix("//") || $0.url.contains("://") }
        var servers: [(name: String, url: String)] = []
        for (index, (name, url)) in found.enumerated() {
            var url = url.hasPrefix("//") ? (origin?.prefix { $0 != "/" } ?? "https:") + url : url
            if !url.contains("://") {
                let problem =
                    isNamed
                    ? "the server '\(url.prefix(60))' has no host: localhost stands for it"
                    : "the document names no server: set it, or give --base-url URL"
                if origin == nil, problems.last != problem { problems.append(problem) }
                url = (origin ?? "http://localhost") + (url.hasPrefix("/") || url.isEmpty ? url : "/" + url)
            }
            while url.hasSuffix("/") { url.removeLast() }
            guard (try? BaseURL(url)) != nil, url.utf8.count < 100 else {
                let reason = url.utf8.count < 100 ? "is not a URL that can be used" : "has a URL of 100 bytes or more"
                problems.append("the server '\(SecretRules.redacted(url).prefix(60))' \(reason), and is left out")
                continue
            }
            let words = SwiftNames.words(name)
            let label =
                words.isEmpty || words.count > 3
                ? index == 0 ? "production" : "server\(index + 1)" : words.joined(separator: "-")
            if !servers.contains(where: { $0.url == url }) { servers.append((table.unique(label), url)) }
        }
        if servers.isEmpty { servers = [("production", "http://localhost")] }
        return (.servers(servers), problems)
    }
}
