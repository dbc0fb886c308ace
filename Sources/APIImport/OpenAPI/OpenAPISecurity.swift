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
            let known = names.map { name in schemes[name].flatMap { credential(name, $0) } }
            if let index = known.firstIndex(of: nil) {
                unknown.append(names[index])
            } else if !names.isEmpty {
                alternatives.append(known.compactMap(\.self))
            }
        }
        var problem = unknown.isEmpty ? nil : "the credential '\(unknown[0])' is unknown, and not sent"
        guard let first = alternatives.first else { return ([], problem) }
        var list = first
        if first.count == 1, alternatives.allSatisfy({ $0.count == 1 }) {
            let all = alternatives.map { $0[0] }.reduce(into: [DeclaredCredential]()) {
                if !$0.contains($1) { $0.append($1) }
            }
            list = [all[0]]
            for other in all.dropFirst() { list[0].or(other) }
        } else if alternatives.count > 1 {
            problem = "of alternative credentials, only the first are used"
        }
        if isOptional { for index in list.indices { list[index].isOptional = true } }
        return (list, problem)
    }

    private func credential(_ name: String, _ scheme: JSONValue) -> DeclaredCredential? {
        func variable(_ text: String) -> String { DeclaredCredential.variable(prefix, SwiftNames.words(text)) }
        let key = scheme["name"]?.string ?? name
        let kind = scheme["scheme"]?.string ?? "bearer"
        let isHTTP = scheme["type"]?.string == "http"
        let place = scheme["in"]?.string
        // Other characters are in no header, cookie or scheme, and a longer name takes more than a line.
        let token = isHTTP ? kind : place == "query" ? "" : key
        guard token.utf8.allSatisfy({ $0.isLetterOrDigit || "-_.!#$%&'*+^`|~".utf8.contains($0) }) else { return nil }
        switch scheme["type"]?.string {
        case "basic",
            "http" where kind.isSameName(as: "basic") || !isHTTP:
            return DeclaredCredential(user: variable("user"), password: variable("password"))
        case "http" where kind.isSameName(as: "bearer"): return DeclaredCredential(".bearer(", variable("token"))
        case "http":
            return DeclaredCredential(".header(\"Authorization\", prefix: \"\(kind.prefix(12)) \", ", variable("token"))
        case "oauth2", "openIdConnect": return DeclaredCredential(".bearer(", variable("access_token"))
        case "apiKey" where SwiftLiteral.string(key).count <= 40:
            switch place {
            case "header"?, "query"?:
                return DeclaredCredential(".\(place ?? "")(\(SwiftLiteral.string(key)), ", variable(key))
            case "cookie": return DeclaredCredential(".header(\"Cookie\", prefix: \"\(key)=\", ", variable(key))
            default: return nil
            }
        default: return nil
        }
    }

    /// The servers with names as an array literal, the default one first; `origin` is where the document came from.
    func servers(_ declared: JSONValue?, origin: String?) throws -> (list: SwiftText, problem: String?) {
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
        for server in try document.elements(declared) {
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
        if servers.isEmpty { servers = [("production", "http://localhost")] }
        let texts: [SwiftText] = servers.map { server in
            "Server(\(SwiftLiteral.string(server.name)), \(SwiftLiteral.string(server.url)))"
        }
        return (.list("[", texts, "]"), problem)
    }
}
