import EndpointKit
import JSONText

/// Names for the operations of a document, as cases of an enum.
///
/// A name consists of the words of the operation's identifier without those that other parts say already:
///
///     read_users_me_users_me_get    GET /users/me, tag users       readMe
///     getPetUsingGET                GET /pets/{id}, tag pets       get
///     Pets_FindAll                  GET /pets, tag Pets            findAll
///
/// Without an identifier, or with one that only repeats method and path, the name is a verb with the words of the path:
/// `list`, `get`, `createToy`.
enum OperationNames {
    /// The parts of an operation that its name is made of.
    struct Subject {
        let id: String?
        let method: String
        let path: String
        /// The words of the enum that has the case.
        let group: [String]
    }

    /// Words that paths use in place of a method. A name that begins with one needs no other verb.
    private static let verbs: Set<String> = [
        "add", "approve", "archive", "assign", "cancel", "check", "clear", "close", "complete", "confirm", "copy",
        "count", "create", "delete", "disable", "download", "enable", "export", "fetch", "find", "get", "import",
        "list", "login", "logout", "lookup", "merge", "move", "patch", "publish", "query", "read", "refresh",
        "register", "remove", "rename", "replace", "reset", "restart", "restore", "resume", "revoke", "run", "search",
        "send", "set", "start", "stop", "submit", "suspend", "sync", "test", "update", "upload", "validate", "verify",
    ]

    /// Returns the words of a short name.
    static func words(of operation: Subject) -> [String] {
        guard let id = identifierWords(of: operation) else { return pathWords(of: operation) }
        let rest = withoutGroup(id, operation.group)
        return rest.isEmpty ? id : rest
    }

    /// Returns the words of a name that differs from those of operations with the same short name: all words of the
    /// identifier, or the path with its variables, as in `getHostByID`.
    static func longWords(of operation: Subject) -> [String] {
        if let id = identifierWords(of: operation) { return id }
        let variables = OperationPath.variables(operation.path).flatMap { SwiftNames.words($0) }
        let short = pathWords(of: operation)
        return variables.isEmpty ? short : short + ["by"] + variables
    }

    // MARK: Identifiers

    /// Returns the words of an operation's identifier, without method and path at its end.
    ///
    /// - Returns: Nil if there is no identifier, or if nothing but method and path is in it.
    private static func identifierWords(of operation: Subject) -> [String]? {
        guard let id = operation.id else { return nil }
        let all = SwiftNames.words(id)
        if all.isEmpty || repeatsPath(id, operation) { return nil }
        for ending in endings(operation) where all.count > ending.count && all.suffix(ending.count) == ending[...] {
            return Array(all.dropLast(ending.count))
        }
        return withoutSpringEnding(all, operation.method)
    }

    /// Whether an identifier has the same letters as method and path, such as `getApiPets` of `GET /api/pets`.
    private static func repeatsPath(_ id: String, _ operation: Subject) -> Bool {
        let identifier = letters(id)
        let segments = ImportedPath.split(operation.path)
        let paths = [segments, OperationPath.fixed(operation.path), shown(segments)]
        return paths.contains { identifier == letters(operation.method + $0.joined()) }
    }

    /// Returns the ASCII letters and digits of a text in lower case: `GET/api/pets` → `getapipets`.
    private static func letters(_ text: String) -> String {
        String(text.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
    }

    /// Returns the endings that FastAPI gives to an identifier: the words of the path, followed by the method.
    ///
    /// `GET /users/me` → `[["users", "me", "get"]]`
    private static func endings(_ operation: Subject) -> [[String]] {
        let segments = ImportedPath.split(operation.path).flatMap { SwiftNames.words($0) }
        return [segments + [operation.method.lowercased()]]
    }

    /// Returns the words of an identifier without the ending that Spring gives to it: `UsingGET`, or `UsingGET_1`.
    private static func withoutSpringEnding(_ words: [String], _ method: String) -> [String] {
        let plain = words.last.map { Int($0) != nil } == true ? Array(words.dropLast()) : words
        let ending = ["using", method.lowercased()]
        return plain.count > 2 && plain.suffix(2) == ending[...] ? Array(plain.dropLast(2)) : words
    }

    /// Returns words without the first occurrence of the group's words, in the singular or the plural.
    ///
    /// `["create", "pet", "toy"]` in the group `["pets"]` → `["create", "toy"]`
    private static func withoutGroup(_ words: [String], _ group: [String]) -> [String] {
        let group = SwiftNames.singular(group)
        guard !group.isEmpty else { return words }
        for start in words.indices where start + group.count <= words.count {
            let end = start + group.count
            guard SwiftNames.singular(Array(words[start..<end])) == group else { continue }
            return Array(words[..<start] + words[end...])
        }
        return words
    }

    // MARK: Paths

    /// Returns the segments of a path without versions and the word `api`: `api`, `v1`, `pets` → `pets`.
    private static func shown(_ segments: [String]) -> [String] {
        segments.filter { !OperationPath.variables($0).isEmpty || OperationPath.fixed("/" + $0).count == 1 }
    }

    /// Returns a verb for the method, followed by the words of the path without its version, variables and group.
    ///
    /// In a group `pets`: `GET /pets` → `list`, `GET /pets/{id}` → `get`, `POST /pets/{id}` → `update`.
    /// If the words begin with a verb of their own, no other is added.
    private static func pathWords(of operation: Subject) -> [String] {
        let segments = shown(ImportedPath.split(operation.path))
        var subject = segments
        if let first = subject.first, SwiftNames.words(first) == operation.group { subject.removeFirst() }
        let isOne = segments.last.map { !OperationPath.variables($0).isEmpty } ?? false
        let fixed = subject.filter { OperationPath.variables($0).isEmpty }.map { SwiftNames.words($0) }
        let words = fixed.flatMap { $0 }
        if let first = words.first, verbs.contains(first), words.count > 1, operation.method != "DELETE" {
            return words
        }
        switch operation.method {
        case "GET":
            if isOne { return ["get"] + SwiftNames.singular(words) }
            let isSingular = !words.isEmpty && SwiftNames.singular(words) == words
            return [isSingular ? "get" : "list"] + words
        case "POST" where isOne, "PUT", "PATCH":
            return ["update"] + (isOne ? SwiftNames.singular(words) : words)
        case "POST":
            // `POST /repos/{id}/merge` is an action with its own verb.
            if let last = fixed.last(where: { !$0.isEmpty }), segments.count > 1, SwiftNames.singular(last) == last {
                return last + fixed.dropLast().flatMap { $0 }
            }
            return ["create"] + SwiftNames.singular(words)
        default:
            return [operation.method.lowercased()] + (isOne ? SwiftNames.singular(words) : words)
        }
    }
}

/// The segments and variables of a path such as `/pets/{id}`.
enum OperationPath {
    /// Returns the fixed segments of a path, without versions and the word `api`.
    static func fixed(_ path: String) -> [String] {
        ImportedPath.split(path).filter { segment in
            let words = SwiftNames.words(segment)
            return variables(segment).isEmpty && !ImportedPath.isVersion(words) && words.joined() != "api"
        }
    }

    /// Returns the fixed texts of a path, and the names between braces.
    ///
    /// `/pets/{id}` → the text `/pets/`, the variable `id`, and an empty text. A `{` without a `}` stays text.
    static func pieces(_ path: String) -> [EndpointText.Piece] {
        let parts = path.parts(at: "{")
        return [(parts[0], false)]
            + parts.dropFirst().flatMap { part -> [EndpointText.Piece] in
                let inner = part.parts(at: "}")
                if inner.count == 1 { return [("{" + part, false)] }
                return [(inner[0], true), (inner.dropFirst().joined(separator: "}"), false)]
            }
    }

    /// Returns the names between braces in a path.
    static func variables(_ path: String) -> [String] { pieces(path).filter(\.isVariable).map(\.text) }
}

/// The name of an API that a document describes.
struct DocumentName {
    /// The name of the namespace, such as `GitHub`.
    let type: String
    /// The name on the command line, such as `github`.
    let name: String

    /// Words of a title that say nothing about the API.
    private static let noise: Set = [
        "api", "apis", "rest", "restful", "http", "web", "openapi", "swagger", "specification", "spec", "the", "for",
        "reference", "documentation", "public", "service",
    ]
    /// The most words of a title that become a name.
    private static let maxWords = 3

    /// Makes the name that people chose, or the one of a document's title: `GitHub` for `GitHub v3 REST API`.
    init(chosen: String?, title: String?) {
        let all = (chosen ?? title ?? "").split { !$0.isLetter && !$0.isNumber }
            .filter { !SwiftNames.words($0).isEmpty }
        let candidates = chosen == nil ? all.filter(Self.isDistinctive).prefix(Self.maxWords) : all[...]
        let words = candidates.isEmpty ? ["imported"] : candidates
        type = SwiftNames.typeName(words.flatMap { SwiftNames.words($0) })
        name = words.map { SwiftNames.words($0).joined() }.joined(separator: "-")
    }

    /// Whether a word tells the API from others: it is neither a version such as `v3` nor noise such as `REST`.
    private static func isDistinctive(_ word: Substring) -> Bool {
        let isVersion = word.lowercased().drop { $0 == "v" }.allSatisfy(\.isNumber)
        return !isVersion && !noise.contains(word.lowercased())
    }
}
