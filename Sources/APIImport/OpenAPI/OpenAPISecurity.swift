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
            ([prefix] + words.dropFirst(words.first == "x" ? 1 : 0).map { $0.uppercased() }).joined(separator: "_")
        }
        func made(_ start: String, _ words: String...) -> DeclaredCredential {
            let variable = variable(words.flatMap { SwiftNames.words($0) })
            return DeclaredCredential(text: "\(start)variable: \"\(variable)\")", variables: [variable])
        }
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
            let variables = [variable(["user"]), variable(["password"])]
            return DeclaredCredential(
                text: ".basic(user: \"\(variables[0])\", password: \"\(variables[1])\")", variables: variables)
        case "http" where kind.isSameName(as: "bearer"): return made(".bearer(", "token")
        case "http": return made(".header(\"Authorization\", prefix: \"\(kind.prefix(12)) \", ", "token")
        case "oauth2", "openIdConnect": return made(".bearer(", "access_token")
        case "apiKey" where SwiftLiteral.string(key).count <= 40:
            switch place {
            case "header": return made(".header(\"\(key)\", ", key)
            case "query": return made(".query(\(SwiftLiteral.string(key)), ", key)
            case "cookie": return made(".header(\"Cookie\", prefix: \"\(key)=\", ", key)
            default: return nil
            }
        default: return nil
        }
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
