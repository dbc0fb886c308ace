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

    /// Returns the words of an operation's short name: `["find", "all"]` for `Pets_FindAll` in the group `pets`.
    static func words(of operation: Subject) -> [String] {
        guard let identifierWords = identifierWords(of: operation) else { return pathWords(of: operation) }
        let wordsWithoutGroup = withoutGroup(identifierWords, group: operation.group)
        return wordsWithoutGroup.isEmpty ? identifierWords : wordsWithoutGroup
    }

    /// Returns the words of an operation's long name, which is used if another operation has the same short name.
    ///
    /// It has all words of the identifier: `pets find all`. Without an identifier, it has the variables of the path:
    /// `get host by id` for `GET /hosts/{id}`.
    static func longWords(of operation: Subject) -> [String] {
        if let identifierWords = identifierWords(of: operation) { return identifierWords }
        let pathWords = pathWords(of: operation)
        let variableWords = OperationPath.variables(in: operation.path).flatMap { SwiftNames.words($0) }
        return variableWords.isEmpty ? pathWords : pathWords + ["by"] + variableWords
    }

    // MARK: Identifiers

    /// Returns the words of an operation's identifier, without the method and path that frameworks append to it.
    ///
    /// `read_users_me_users_me_get` of `GET /users/me` → `read users me`
    ///
    /// - Returns: The words; nil if there is no identifier, or if it only repeats method and path.
    private static func identifierWords(of operation: Subject) -> [String]? {
        guard let id = operation.id else { return nil }
        let words = SwiftNames.words(id)
        if words.isEmpty || repeatsPath(id, of: operation) { return nil }
        let wordsWithoutPath = withoutEnding(fastAPIEnding(operation), of: words)
        return wordsWithoutPath ?? withoutSpringEnding(words, method: operation.method)
    }

    /// Whether an identifier has the same letters as method and path: `getApiPets` of `GET /api/pets`.
    ///
    /// It may leave out versions and the word `api`, and with them the variables: `getPets`.
    private static func repeatsPath(_ id: String, of operation: Subject) -> Bool {
        let identifierLetters = letters(id)
        let segments = ImportedPath.segments(of: operation.path)
        let variants = [segments, OperationPath.fixedSegments(of: operation.path), withoutVersion(segments)]
        return variants.contains { identifierLetters == letters(operation.method + $0.joined()) }
    }

    /// Returns the ASCII letters and digits of a text in lower case: `GET/api/pets` → `getapipets`.
    private static func letters(_ text: String) -> String {
        String(text.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
    }

    /// Returns the ending that FastAPI gives to an identifier: the words of the path, followed by the method.
    ///
    /// `GET /users/me` → `["users", "me", "get"]`
    private static func fastAPIEnding(_ operation: Subject) -> [String] {
        let pathWords = ImportedPath.segments(of: operation.path).flatMap { SwiftNames.words($0) }
        return pathWords + [operation.method.lowercased()]
    }

    /// Returns the words of an identifier without the ending that Spring gives to it.
    ///
    /// `getPetUsingGET` and `getPetUsingGET_1` → `get pet`
    private static func withoutSpringEnding(_ words: [String], method: String) -> [String] {
        var unnumberedWords = words
        if let last = words.last, Int(last) != nil { unnumberedWords.removeLast() }
        return withoutEnding(["using", method.lowercased()], of: unnumberedWords) ?? words
    }

    /// Returns words without an ending; nil if they don't have it, or if nothing would be left.
    private static func withoutEnding(_ ending: [String], of words: [String]) -> [String]? {
        guard words.count > ending.count, words.suffix(ending.count) == ending[...] else { return nil }
        return Array(words.dropLast(ending.count))
    }

    /// Returns words without the first occurrence of the group's words, in the singular or the plural.
    ///
    /// `["create", "pet", "toy"]` in the group `["pets"]` → `["create", "toy"]`
    private static func withoutGroup(_ words: [String], group: [String]) -> [String] {
        if group.isEmpty { return words }
        let singularGroup = SwiftNames.singular(group)
        for start in words.indices where start + group.count <= words.count {
            let range = start..<(start + group.count)
            let isGroup = SwiftNames.singular(Array(words[range])) == singularGroup
            if isGroup { return Array(words[..<range.lowerBound] + words[range.upperBound...]) }
        }
        return words
    }

    // MARK: Paths

    /// Returns the segments of a path without versions and the word `api`: `api`, `v1`, `{id}` → `{id}`.
    private static func withoutVersion(_ segments: [String]) -> [String] {
        segments.filter { segment in
            let isVariable = !OperationPath.variables(in: segment).isEmpty
            return isVariable || !OperationPath.isVersionOrAPI(segment)
        }
    }

    /// Returns a verb for the method, followed by the words of the path without its version, variables and group.
    ///
    /// | In the group `pets` | Words |
    /// |---|---|
    /// | `GET /pets` | `list` |
    /// | `GET /pets/{id}` | `get` |
    /// | `GET /pets/{id}/toys` | `list toys` |
    /// | `GET /pets/{id}/status` | `get status`: a last word in the singular is no list |
    /// | `POST /pets` | `create` |
    /// | `POST /pets/{id}` | `update` |
    /// | `POST /pets/{id}/feed` | `feed`: a last word in the singular is an action |
    /// | `POST /pets/search/all` | `search all`: the path has a verb of its own |
    ///
    /// - Parameter operation: The operation, with the words of the group that its case belongs to.
    private static func pathWords(of operation: Subject) -> [String] {
        let segments = withoutVersion(ImportedPath.segments(of: operation.path))
        let segmentWords = fixedSegmentWords(of: segments, withoutGroup: operation.group)
        let words = Array(segmentWords.joined())
        // DELETE always gets the verb of its method: `DELETE /pets/archive/all` makes `delete archive all`.
        let beginsWithVerb = words.count > 1 && verbs.contains(words[0])
        if beginsWithVerb, operation.method != "DELETE" { return words }
        // A path that ends with a variable is about a single resource, as `/pets/{id}`.
        let lastSegment = segments.last ?? ""
        let isSingleResource = !OperationPath.variables(in: lastSegment).isEmpty
        let noun = isSingleResource ? SwiftNames.singular(words) : words
        switch operation.method {
        case "GET" where isSingleResource:
            return ["get"] + noun
        case "GET":
            return [isSingular(words) ? "get" : "list"] + words
        case "POST" where !isSingleResource:
            // The only segment of a path is what the request creates: `POST /order` makes `create order`.
            let action = segments.count > 1 ? actionWords(segmentWords) : nil
            return action ?? ["create"] + SwiftNames.singular(words)
        case "POST", "PUT", "PATCH":
            return ["update"] + noun
        default:
            return [operation.method.lowercased()] + noun
        }
    }

    /// Returns the words of each fixed segment, which has no variable. A first segment that names the group is left
    /// out.
    ///
    /// `pets`, `{id}`, `toy-boxes` in the group `["pets"]` → `[["toy", "boxes"]]`
    private static func fixedSegmentWords(of segments: [String], withoutGroup group: [String]) -> [[String]] {
        let beginsWithGroup = segments.first.map { SwiftNames.words($0) == group } ?? false
        let remainingSegments = beginsWithGroup ? segments[1...] : segments[...]
        let fixedSegments = remainingSegments.filter { OperationPath.variables(in: $0).isEmpty }
        return fixedSegments.map { SwiftNames.words($0) }.filter { !$0.isEmpty }
    }

    /// Returns the words of a path whose last segment is an action, with the action in front.
    ///
    /// `POST /repos/{id}/merge` → `merge repos`
    ///
    /// - Parameter segmentWords: The words of each segment without a variable.
    /// - Returns: The words; nil if there are none, or if the last segment is a plural: a list to which the request
    ///   adds.
    private static func actionWords(_ segmentWords: [[String]]) -> [String]? {
        guard let action = segmentWords.last, isSingular(action) else { return nil }
        return action + segmentWords.dropLast().joined()
    }

    /// Whether words are a noun in the singular: `["status"]`, but neither `["pets"]` nor `[]`.
    private static func isSingular(_ words: [String]) -> Bool { !words.isEmpty && SwiftNames.singular(words) == words }
}

/// The segments and variables of a path such as `/pets/{id}`.
enum OperationPath {
    /// Returns the fixed segments of a path, without versions and the word `api`: `/api/v1/pets/{id}` → `pets`.
    static func fixedSegments(of path: String) -> [String] {
        ImportedPath.segments(of: path).filter { variables(in: $0).isEmpty && !isVersionOrAPI($0) }
    }

    /// Whether a segment says nothing about the resource: a version such as `v1`, or the word `api`.
    fileprivate static func isVersionOrAPI(_ segment: String) -> Bool {
        let words = SwiftNames.words(segment)
        return ImportedPath.isVersion(words) || words.joined() == "api"
    }

    /// Returns the fixed texts of a path and the names between braces, in their order.
    ///
    /// `/pets/{id}` → the text `/pets/`, the variable `id`, and an empty text. A `{` without a `}` stays text.
    static func pieces(of path: String) -> [EndpointText.Piece] {
        let textsAfterOpenBraces = path.parts(at: "{")
        var pieces: [EndpointText.Piece] = [(text: textsAfterOpenBraces[0], isVariable: false)]
        for text in textsAfterOpenBraces.dropFirst() {
            let textsAroundCloseBraces = text.parts(at: "}")
            if textsAroundCloseBraces.count == 1 {
                pieces.append((text: "{" + text, isVariable: false))
            } else {
                let fixedText = textsAroundCloseBraces.dropFirst().joined(separator: "}")
                pieces.append((text: textsAroundCloseBraces[0], isVariable: true))
                pieces.append((text: fixedText, isVariable: false))
            }
        }
        return pieces
    }

    /// Returns the names between braces in a path.
    static func variables(in path: String) -> [String] { pieces(of: path).filter(\.isVariable).map(\.text) }
}

/// The name of an API that a document describes.
struct DocumentName {
    /// The name of the namespace, such as `GitHub`.
    let type: String
    /// The name on the command line, such as `github`.
    let name: String

    /// Words of a title that say nothing about the API.
    private static let noiseWords: Set = [
        "api", "apis", "rest", "restful", "http", "web", "openapi", "swagger", "specification", "spec", "the", "for",
        "reference", "documentation", "public", "service",
    ]
    /// The most words of a title that become a name.
    private static let maxWords = 3

    /// Makes the names of an API from a name that people chose, or else from the title of its document.
    ///
    /// `GitHub v3 REST API` → the type `GitHub`, and `github` on the command line. Without any usable word, the API is
    /// called `Imported`.
    ///
    /// - Parameters:
    ///   - chosen: The name that people chose, all words of which are kept; nil if they chose none.
    ///   - title: The title of the document; nil if it has none.
    init(chosen: String?, title: String?) {
        let allWords = (chosen ?? title ?? "").split { !$0.isLetter && !$0.isNumber }
        // Letters of scripts other than Latin can't be part of the name.
        var words = allWords.filter { !SwiftNames.words($0).isEmpty }
        if chosen == nil { words = Array(words.filter(Self.isDistinctive).prefix(Self.maxWords)) }
        if words.isEmpty { words = ["imported"] }
        type = SwiftNames.typeName(words.flatMap { SwiftNames.words($0) })
        name = words.map { SwiftNames.words($0).joined() }.joined(separator: "-")
    }

    /// Whether a word tells the API from others: it is neither a version such as `v3` nor noise such as `REST`.
    private static func isDistinctive(_ word: Substring) -> Bool {
        let isVersion = word.lowercased().drop { $0 == "v" }.allSatisfy(\.isNumber)
        return !isVersion && !noiseWords.contains(word.lowercased())
    }
}
