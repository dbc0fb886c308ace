import EndpointKit
import JSONText

/// Names of enums and cases.
enum OpenAPINames {
    /// The fixed segments of a path, without versions.
    static func fixed(_ path: String) -> [String] {
        ImportedPath.split(path).filter { segment in
            let words = SwiftNames.words(segment)
            return variables(segment).isEmpty && !ImportedPath.isVersion(words) && words.joined() != "api"
        }
    }

    /// The fixed texts of a path, and the names between braces.
    static func pieces(_ path: String) -> [EndpointText.Piece] {
        let parts = path.parts(at: "{")
        return [(parts[0], false)]
            + parts.dropFirst().flatMap { part -> [EndpointText.Piece] in
                let inner = part.parts(at: "}")
                if inner.count == 1 { return [("{" + part, false)] }
                return [(inner[0], true), (inner.dropFirst().joined(separator: "}"), false)]
            }
    }

    /// The names between braces in a path.
    static func variables(_ path: String) -> [String] { pieces(path).filter(\.isVariable).map(\.text) }

    /// The name of an API, as it is chosen or as its title gives it: `GitHub` and `github` for `GitHub v3 REST API`.
    static func api(_ chosen: String?, title: String?) -> (type: String, name: String) {
        let noise: Set = [
            "api", "apis", "rest", "restful", "http", "web", "openapi", "swagger", "specification", "spec", "the",
            "for",
            "reference", "documentation", "public", "service",
        ]
        let all = (chosen ?? title ?? "").split { !$0.isLetter && !$0.isNumber }
            .filter { !SwiftNames.words($0).isEmpty }
        let isVersion = { (word: Substring) in word.lowercased().drop { $0 == "v" }.allSatisfy(\.isNumber) }
        let told =
            chosen == nil ? all.filter { !noise.contains($0.lowercased()) && !isVersion($0) }.prefix(3) : all[...]
        let words = told.isEmpty ? ["imported"] : told
        return (
            SwiftNames.typeName(words.flatMap { SwiftNames.words($0) }),
            words.map { SwiftNames.words($0).joined() }.joined(separator: "-")
        )
    }

    /// Returns the operations in groups by the first segment or tag of each; a group is an enum of at most ``mostCases``.
    static func groups(_ operations: [OpenAPIOperation]) -> [OpenAPIGroup] {
        var known: Set<[String]> = []
        // `account` and `accounts` are one, unless they have different servers.
        return operations.grouped { SwiftNames.singular($0.group) + [$0.source.servers?.description ?? ""] }
            .flatMap { _, members in
                var words = members.map(\.group).max { $0.joined().count < $1.joined().count } ?? []
                let url = members[0].source.servers?.elements?.first?["url"]?.string ?? ""
                let host = url.split(separator: "/").dropFirst().first?.prefix { $0 != "." } ?? "other"
                while !known.insert(SwiftNames.singular(words)).inserted { words += ["on"] + SwiftNames.words(host) }
                return split(words, members)
            }
    }

    /// The most cases of an enum.
    private static let mostCases = 60
    /// Fewer cases stay with the rest.
    private static let fewestCases = 6

    private static func split(_ words: [String], _ operations: [OpenAPIOperation]) -> [OpenAPIGroup] {
        guard operations.count > mostCases else { return [OpenAPIGroup(words: words, operations: operations)] }
        func second(_ operation: OpenAPIOperation) -> String { fixed(operation.path).dropFirst().first ?? "" }
        let parts = operations.grouped(by: second).filter { !$0.key.isEmpty && $0.elements.count >= fewestCases }
        let own = Set(parts.map(\.key))
        let rest = [(words: words, all: operations.filter { !own.contains(second($0)) })]
        return (rest + parts.map { (words + SwiftNames.words($0.key), $0.elements) }).flatMap { words, all in
            stride(from: 0, to: all.count, by: mostCases).enumerated().map { number, start in
                OpenAPIGroup(
                    words: number == 0 ? words : words + ["\(number + 1)"],
                    operations: Array(all[start...].prefix(mostCases)))
            }
        }
    }

    fileprivate static func caseWords(_ operation: OpenAPIOperation) -> [String] {
        func letters(_ text: String) -> String {
            String(text.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
        }
        let segments = ImportedPath.split(operation.path).filter {
            !variables($0).isEmpty || fixed("/" + $0).count == 1
        }
        guard let id = operation.id, letters(id) != letters(operation.method + segments.joined()) else {
            return derived(operation, segments)
        }
        let words = SwiftNames.words(id)
        let group = SwiftNames.singular(operation.group)
        for start in words.indices where start + group.count <= words.count {
            let end = start + group.count
            guard SwiftNames.singular(Array(words[start..<end])) == group else { continue }
            let rest = Array(words[..<start] + words[end...])
            if !rest.isEmpty { return rest }
        }
        return words
    }

    /// `list`, `get`, `createSource` for what the path is about.
    private static func derived(_ operation: OpenAPIOperation, _ segments: [String]) -> [String] {
        var about = segments
        if let first = about.first, SwiftNames.words(first) == operation.group { about.removeFirst() }
        let isOne = segments.last.map { !variables($0).isEmpty } ?? false
        let fixed = about.filter { variables($0).isEmpty }.map { SwiftNames.words($0) }.filter { !$0.isEmpty }
        var words = fixed.flatMap(\.self)
        let verb: String
        switch operation.method {
        case "GET": verb = isOne || SwiftNames.singular(words) == words && !words.isEmpty ? "get" : "list"
        case "POST" where isOne, "PUT", "PATCH": verb = "update"
        case "POST":
            if let last = fixed.last, segments.count > 1, SwiftNames.singular(last) == last {
                return last + fixed.dropLast().flatMap(\.self)
            }
            verb = "create"
        default: verb = operation.method.lowercased()
        }
        if verb != "list" { words = SwiftNames.singular(words) }
        return [verb] + words
    }
}

/// Operations that are one enum.
struct OpenAPIGroup {
    /// Those of its name.
    var words: [String]
    var operations: [OpenAPIOperation]
    /// The name of the enum.
    var type = ""

    /// The name on the command line, without the API's.
    var name: String { words.joined(separator: "-") }

    /// Names the cases. Names that are chosen, by the operation's identifier or by method and path, come before all others.
    mutating func nameCases(_ choices: ImportChoices) {
        var table = NameTable(Scaffold.reserved.union(["sampleText"]))
        let proposals = operations.map { SwiftNames.memberName(OpenAPINames.caseWords($0)) }
        let counts = Dictionary(proposals.map { ($0, 1) }, uniquingKeysWith: +)
        var derived: [(index: Int, name: String)] = []
        for (index, operation) in operations.enumerated() {
            let chosen = operation.id.flatMap { choices.operationNames[$0] } ?? choices.operationNames[operation.key]
            var name = chosen ?? proposals[index]
            if chosen == nil, counts[name, default: 0] > 1, let id = operation.id {
                name = SwiftNames.memberName(SwiftNames.words(id))
            }
            if Scaffold.reserved.contains(name) { name += SwiftNames.typeName(SwiftNames.singular(operation.group)) }
            if chosen == nil {
                derived.append((index, name))
            } else {
                operations[index].text.name = table.unique(name)
            }
        }
        for (index, name) in derived { operations[index].text.name = table.unique(name) }
    }
}
