import EndpointKit
import JSONText

/// Servers and credentials of a document.
struct OpenAPISecurity {
    let document: OpenAPIDocument
    /// The start of the variables' names.
    let prefix: String
    private let schemes: [String: JSONValue]

    init(_ document: OpenAPIDocument, prefix: String) throws {
        self.document = document
        self.prefix = prefix
        let declared = document.root["components"]?["securitySchemes"] ?? document.root["securityDefinitions"]
        schemes = try Dictionary(
            document.members(declared).map { ($0.key, try document.resolved($0.value)) },
            uniquingKeysWith: { one, _ in one })
    }

    /// The list of credentials that requirements ask for; nil if there are no requirements. `problem` is what can't be said.
    func credentials(_ requirements: JSONValue?) throws -> (list: [DeclaredCredential], problem: String?)? {
        guard let requirements else { return nil }
        var alternatives: [[DeclaredCredential]] = []
        var isOptional = false
        var unknown: [String] = []
        for requirement in try document.elements(requirements) {
            let names = try document.members(requirement).map(\.key)
            if names.isEmpty { isOptional = true }
            let known = names.compactMap { name in
                schemes[name].flatMap { credential(name, $0) }
                    ?? {
                        unknown.append(name); return nil
                    }()
            }
            if !known.isEmpty, known.count == names.count { alternatives.append(known) }
        }
        var problem = unknown.isEmpty ? nil : "the credential '\(unknown[0])' is unknown, and not sent"
        guard let first = alternatives.first else { return ([], problem) }
        var list = first
        if first.count == 1, alternatives.allSatisfy({ $0.count == 1 }) {
            let all = alternatives.map { $0[0] }.reduce(into: [DeclaredCredential]()) {
                if !$0.contains($1) { $0.append($1) }
            }
            let text = all.dropFirst().reduce(all[0].text) { "\($0).or(\($1.text))" }
            list = [DeclaredCredential(text: text, variables: all.flatMap(\.variables))]
        } else if alternatives.count > 1 {
            problem = "of alternative credentials, only the first are used"
        }
        if isOptional { list = list.map { DeclaredCredential(text: $0.text + ".optional", variables: $0.variables) } }
        return (list, problem)
    }

    private func credential(_ name: String, _ scheme: JSONValue) -> DeclaredCredential? {
        func variable(_ words: [String]) -> String {
            ([prefix] + (words.first == "x" ? words.dropFirst() : words[...]).map { $0.uppercased() }).joined(
                separator: "_")
        }
        func bearer(_ name: String) -> DeclaredCredential {
            DeclaredCredential(text: ".bearer(variable: \"\(variable([name]))\")", variables: [variable([name])])
        }
        let key = scheme["name"]?.string ?? name
        let own = variable(SwiftNames.words(key))
        let literal = SwiftLiteral.string(String(key.prefix(60)))
        // A longer name takes more than a line, and other characters are in no header, cookie or scheme.
        let kind = scheme["scheme"]?.string ?? "bearer"
        if scheme["type"]?.string == "apiKey", literal.count > 40 { return nil }
        let token = scheme["type"]?.string == "http" ? kind : scheme["in"]?.string == "query" ? "" : key
        guard token.utf8.allSatisfy({ $0.isLetterOrDigit || "-_.!#$%&'*+^`|~".utf8.contains($0) }) else { return nil }
        switch (scheme["type"]?.string, scheme["in"]?.string) {
        case ("apiKey"?, "header"?):
            let header = key.isSameName(as: "Authorization")
            let text = ".header(\(literal), variable: \"\(header ? variable(["authorization"]) : own)\")"
            return DeclaredCredential(text: text, variables: [header ? variable(["authorization"]) : own])
        case ("apiKey"?, "query"?):
            return DeclaredCredential(text: ".query(\(literal), variable: \"\(own)\")", variables: [own])
        case ("apiKey"?, "cookie"?):
            let prefix = SwiftLiteral.string(String(key.prefix(60)) + "=")
            return DeclaredCredential(
                text: ".header(\"Cookie\", prefix: \(prefix), variable: \"\(own)\")", variables: [own])
        case ("basic"?, _): return basic(variable)
        case ("http"?, _):
            if kind.isSameName(as: "basic") { return basic(variable) }
            if kind.isSameName(as: "bearer") { return bearer("token") }
            let prefix = SwiftLiteral.string(String(kind.prefix(12)) + " ")
            return DeclaredCredential(
                text: ".header(\"Authorization\", prefix: \(prefix), variable: \"\(variable(["token"]))\")",
                variables: [variable(["token"])])
        case ("oauth2"?, _), ("openIdConnect"?, _): return bearer("access_token")
        default: return nil
        }
    }

    private func basic(_ variable: ([String]) -> String) -> DeclaredCredential {
        let variables = [variable(["user"]), variable(["password"])]
        return DeclaredCredential(
            text: ".basic(user: \"\(variables[0])\", password: \"\(variables[1])\")", variables: variables)
    }

    /// The servers with names, the default one first; `origin` is where the document came from.
    func servers(origin: String?) throws -> (list: [(name: String, url: String)], problem: String?) {
        var found: [(name: String, url: String)] = []
        let root = document.root
        if document.isSwagger {
            let path = root["basePath"]?.string ?? ""
            if let host = root["host"]?.string {
                found = (root["schemes"]?.elements?.compactMap(\.string) ?? ["https"]).map {
                    ("", "\($0)://\(host)\(path)")
                }
            } else {
                found = [("", path)]
            }
        }
        for server in try document.elements(root["servers"]) {
            var url = server["url"]?.string ?? ""
            for (name, variable) in try document.members(server["variables"]) {
                url = url.replacingBytes(of: "{\(name)}", with: variable["default"]?.string ?? name)
            }
            found.append((SchemaReader.sentence(server["description"]?.string, longest: 30), url))
        }
        if found.isEmpty { found = [("", "")] }
        var table = NameTable()
        var problem: String?
        var servers: [(name: String, url: String)] = []
        for (index, (name, url)) in found.enumerated() {
            var url = url
            if !url.contains("://") {
                if origin == nil { problem = "the document names no server: set it, or give --base-url URL" }
                url = (origin ?? "http://localhost") + (url.hasPrefix("/") || url.isEmpty ? url : "/" + url)
            }
            while url.hasSuffix("/") { url.removeLast() }
            guard (try? BaseURL(url)) != nil, url.utf8.count < 100 else {
                problem = "the server '\(url.prefix(60))' is not a URL that can be used, and left out"
                continue
            }
            let words = SwiftNames.words(name)
            let label =
                words.isEmpty || words.count > 3
                ? index == 0 ? "production" : "server\(index + 1)" : words.joined(separator: "-")
            if !servers.contains(where: { $0.url == url }) { servers.append((table.unique(label), url)) }
        }
        return (servers.isEmpty ? [("production", "http://localhost")] : servers, problem)
    }
}
