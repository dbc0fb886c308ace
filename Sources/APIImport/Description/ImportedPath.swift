import EndpointKit
import JSONText

/// The path of recorded or typed requests, with parameters in place of segments such as identifiers.
struct ImportedPath {
    /// The segments: fixed ones as they are sent, and names of parameters.
    let segments: [EndpointText.Piece]

    /// The number of segments that are looked at for identifiers. A case with more parameters would not compile fast.
    private static let mostIdentifiers = 60

    /// Finds the template of a path: `/users/42/posts` → `/users/{userID}/posts`.
    ///
    /// These segments are parameters, named after the segment before them:
    ///
    /// - integers, except for a version such as the 3 in `/3/movie`
    /// - UUIDs, ULIDs and long hexadecimal numbers
    /// - secrets
    /// - segments in which the path differs from `others`
    ///
    /// A variable of the shell is a parameter too, named after the variable.
    ///
    /// - Parameters:
    ///   - path: The path, percent-encoded.
    ///   - others: The segments of other paths of the same endpoint.
    ///   - isSecret: Returns whether a segment is or has a secret.
    init(_ path: String, others: [[String]] = [], isSecret: (String) -> Bool = SecretRules.findsSecret) {
        let encodedSegments = Self.segments(of: path)
        let varyingIndices = Self.varyingSegments(of: encodedSegments, among: others)
        var segments: [EndpointText.Piece] = []
        // The words of the nearest fixed segment before; nil if it is one such as `api`, which names nothing.
        var precedingWords: [String]?
        for (index, encodedSegment) in encodedSegments.enumerated() {
            let text = PercentEncoding.decode(encodedSegment)
            let isVarying = varyingIndices.contains(index)
            let looksLikeIdentifier = isVarying || Self.isIdentifier(text, isNamed: precedingWords != nil)
            let isIdentifier = looksLikeIdentifier && index < Self.mostIdentifiers
            let parameterWords = Self.parameterWords(
                of: text, after: precedingWords, isIdentifier: isIdentifier, isSecret: isSecret)
            if let parameterWords {
                segments.append((text: SwiftNames.memberName(parameterWords), isVariable: true))
            } else {
                segments.append((text: encodedSegment, isVariable: false))
                precedingWords = Self.nameWords(of: text)
            }
        }
        self.segments = segments
    }

    /// Returns the words of a fixed segment after which a parameter can be named; nil if it is one such as `api`.
    private static func nameWords(of segment: String) -> [String]? {
        let words = SwiftNames.words(segment)
        let saysNothing = words.isEmpty || ["api", "rest", "version"].contains(words.joined())
        return saysNothing ? nil : words
    }

    /// Returns the words for the name of a parameter: `["user", "id"]` for `42` after `users`.
    ///
    /// - Parameters:
    ///   - segment: The segment, decoded.
    ///   - precedingWords: The words of the fixed segment before it; nil if there is none, or one such as `api`.
    ///   - isIdentifier: Whether the segment is an identifier such as `42`, or differs in other paths of the endpoint.
    ///   - isSecret: Returns whether a segment is or has a secret.
    /// - Returns: The words; nil if the segment is no parameter.
    private static func parameterWords(
        of segment: String, after precedingWords: [String]?, isIdentifier: Bool, isSecret: (String) -> Bool
    ) -> [String]? {
        if let variable = ImportedRequest.variables(in: segment).first { return SwiftNames.words(variable) }
        let wordsWithID = SwiftNames.singular(precedingWords ?? []) + ["id"]
        if isIdentifier { return wordsWithID }
        guard isSecret(segment) else { return nil }
        // If the segment before has a digit, it may belong to the secret. Code must not have it as a name.
        let canNameSecret = precedingWords.map { !$0.joined().contains(where: \.isNumber) } ?? false
        return canNameSecret ? wordsWithID : ["token"]
    }

    /// Returns the indices of the segments in which a path differs from others of the same length.
    ///
    /// | Paths | Result |
    /// |---|---|
    /// | `/users/ann` and `/users/bob` | the index 1: they begin with the same name |
    /// | `/v1/pets` and `/v2/pets` | the index 0: a version may differ anywhere |
    /// | `/pets` and `/tags` | none: these are two endpoints |
    ///
    /// - Parameters:
    ///   - segments: The segments of the path.
    ///   - otherPaths: The segments of each other path.
    /// - Returns: The indices; empty if the paths are equal, have different lengths, or are different endpoints.
    private static func varyingSegments(of segments: [String], among otherPaths: [[String]]) -> Set<Int> {
        let haveEqualLength = otherPaths.allSatisfy { $0.count == segments.count }
        if !haveEqualLength { return [] }
        let varyingIndices = segments.indices.filter { index in
            otherPaths.contains { $0[index] != segments[index] }
        }
        guard let firstIndex = varyingIndices.first else { return [] }
        let beginsWithSameName = segments[..<firstIndex].map(SwiftNames.words).contains { words in
            let saysNothing = isVersion(words) || ["api", "rest"].contains(words.joined())
            return !saysNothing
        }
        let isVersionVarying = isVersion(SwiftNames.words(segments[firstIndex]))
        return beginsWithSameName || isVersionVarying ? Set(varyingIndices) : []
    }

    /// Reads a template as people write it: `/users/{login}`.
    init(written text: String) {
        segments = Self.segments(of: text).map { segment in
            let isVariable = segment.hasPrefix("{") && segment.hasSuffix("}")
            let name = SwiftNames.memberName(SwiftNames.words(segment))
            return (text: isVariable ? name : segment, isVariable: isVariable)
        }
    }

    /// Returns the segments of a path that are the secret of a webhook: whoever knows it may post to the webhook.
    ///
    /// `/api/webhooks/1234/Gk3xTq9LmN0pQrSt` → `Gk3xTq9LmN0pQrSt`
    static func webhookKeys(_ path: String) -> [String] {
        let segments = segments(of: path)
        let nameIndex = segments.firstIndex { ["webhook", "webhooks"].contains(SwiftNames.words($0).last) }
        guard let nameIndex else { return [] }
        return segments[(nameIndex + 1)...].filter(isWebhookKey)
    }

    /// Whether a segment is a long text of letters and digits, and no UUID, which names a customer or a channel.
    private static func isWebhookKey(_ segment: String) -> Bool {
        let isUUID = segment.split(separator: "-").map(\.utf8.count) == [8, 4, 4, 4, 12]
        let bytes = segment.utf8
        // The keys of Slack and Discord are longer. A shorter text may be a word with a number.
        let minLength = 16
        guard bytes.count >= minLength, !isUUID, bytes.contains(where: \.isDigit) else { return false }
        return bytes.allSatisfy { $0.isLetterOrDigit || "-_".utf8.contains($0) }
    }

    /// Returns the segments of a path: `/users/42` → `users`, `42`.
    static func segments(of path: String) -> [String] {
        Array(path.parts(at: "/").dropFirst())
    }

    /// Returns the values of the parameters in a path, decoded: `["42"]` for `/users/42` and `/users/{userID}`.
    ///
    /// - Returns: The values; nil if the path does not fit the template.
    func values(in path: String) -> [String]? {
        let encodedSegments = Self.segments(of: path)
        guard encodedSegments.count == segments.count else { return nil }
        var values: [String] = []
        for (segment, encodedSegment) in zip(segments, encodedSegments) {
            if segment.isVariable {
                values.append(PercentEncoding.decode(encodedSegment))
            } else if segment.text != encodedSegment {
                return nil
            }
        }
        return values
    }

    /// Whether a path has the form of this template.
    func fits(_ path: String) -> Bool { values(in: path) != nil }

    /// Whether these are the words of a version, such as `v3` or `2026-01`.
    static func isVersion(_ words: [String]) -> Bool {
        words.count <= 2 && words.joined().drop { $0 == "v" }.allSatisfy(\.isNumber)
    }

    /// The fewest digits of a hexadecimal number that is an identifier. A shorter one may be a word, such as `cafe`.
    private static let minHexadecimalLength = 16

    /// Whether a segment is made by a program: an integer, a UUID, a ULID or a long hexadecimal number.
    ///
    /// Two such texts with `@` between them are an identifier too. An integer before `.json` is not, because it may be
    /// the name of a file.
    ///
    /// - Parameters:
    ///   - segment: The segment, which may end with `.json`.
    ///   - isNamed: Whether a name is before the segment. An integer without one is a version, as in `/3/movie`.
    private static func isIdentifier(_ segment: String, isNamed: Bool) -> Bool {
        let partsAroundSign = segment.parts(at: "@")
        if partsAroundSign.count == 2 { return partsAroundSign.allSatisfy { isIdentifier($0, isNamed: isNamed) } }
        let ending = ".json"
        let hasEnding = segment.hasSuffix(ending)
        let text = hasEnding ? segment.dropLast(ending.count) : segment[...]
        let bytes = text.utf8
        if bytes.allSatisfy(\.isDigit) { return isNamed && !hasEnding && !segment.isEmpty }
        // Letters without a digit may be a word.
        if bytes.allSatisfy(Hexadecimal.isDigit) {
            return bytes.count >= minHexadecimalLength && bytes.contains(where: \.isDigit)
        }
        return isUUID(text) || isULID(text)
    }

    /// Whether a text is a UUID in its usual form (RFC 9562, section 4).
    private static func isUUID(_ text: Substring) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return false }
        return groups.joined().utf8.allSatisfy(Hexadecimal.isDigit)
    }

    /// Whether a text is a ULID: 26 characters of Crockford's base 32, of which the first one is at most 7.
    private static func isULID(_ text: Substring) -> Bool {
        let bytes = text.utf8
        guard bytes.count == 26, let first = bytes.first else { return false }
        guard first.isDigit, first <= UInt8(ascii: "7") else { return false }
        return bytes.allSatisfy { $0.isLetterOrDigit && !"ILOUilou".utf8.contains($0) }
    }

    /// The words of the last two fixed segments that say what the path is about.
    ///
    /// `/api/v2/users/{userID}/posts` → `["user"]`, `["posts"]`. A segment before a parameter is in the singular.
    var words: [[String]] {
        var wordsOfSegments: [[String]] = []
        for (index, segment) in segments.enumerated() where !segment.isVariable {
            // An ending such as `.json` says nothing about the subject.
            let stem = segment.text.split(separator: ".").first.map(String.init) ?? ""
            let words = SwiftNames.words(PercentEncoding.decode(stem))
            if words.isEmpty || Self.isVersion(words) { continue }
            if ["api", "rest", "json"].contains(words.joined()) { continue }
            let isBeforeParameter = index + 1 < segments.count && segments[index + 1].isVariable
            wordsOfSegments.append(isBeforeParameter ? SwiftNames.singular(words) : words)
        }
        return wordsOfSegments.suffix(2)
    }

    /// The subject of the responses, after which their model is named: `movie` for `/movie/{id}`.
    var subject: String {
        let words = words.last ?? ["response"]
        let isSingleResource = segments.last?.isVariable == true
        let noun = isSingleResource ? SwiftNames.singular(words) : words
        return noun.joined(separator: "_")
    }

    /// Returns the name of the enum case for a method with this path.
    ///
    /// | Request | Name |
    /// |---|---|
    /// | `GET /movie/{id}/videos` | `movieVideos` |
    /// | `POST /users` | `createUser` |
    /// | `POST /login` | `login`: a word in the singular is an action |
    /// | `DELETE /users/{id}` | `deleteUser` |
    /// | `GET /` | `root` |
    func caseName(_ method: String) -> String {
        let pathWords = words.flatMap { $0 }
        let singularWords = SwiftNames.singular(pathWords)
        let endsWithVariable = segments.last?.isVariable == true
        let noun = endsWithVariable ? singularWords : pathWords
        let verbs = ["PUT": "update", "PATCH": "update", "DELETE": "delete", "HEAD": "head", "OPTIONS": "options"]
        if let verb = verbs[method] { return SwiftNames.memberName([verb] + noun) }
        let isPlural = noun != singularWords
        if method == "POST", isPlural { return SwiftNames.memberName(["create"] + singularWords) }
        if !noun.isEmpty { return SwiftNames.memberName(noun) }
        // The path is `/`, or has only variables.
        return method == "GET" ? "root" : method.lowercased()
    }

    /// The template as people write it: `/movie/{movieID}`.
    var template: String {
        segments.map { segment in segment.isVariable ? "/{\(segment.text)}" : "/" + segment.text }.joined()
    }

    /// The fixed texts of the path, and the indices of the segments that are parameters: `/movie`, `/`, the variable
    /// `1`.
    var pieces: [EndpointText.Piece] {
        var pieces: [EndpointText.Piece] = []
        for (index, segment) in segments.enumerated() {
            if segment.isVariable {
                pieces.append(("/", false))
                pieces.append(("\(index)", true))
            } else {
                pieces.append(("/" + segment.text, false))
            }
        }
        return pieces
    }
}

extension StringProtocol {
    /// Returns the parts between an ASCII character: `a/b` → `a`, `b`.
    ///
    /// The text is split as bytes. A combining mark after the separator would make another `Character` of it.
    func parts(at separator: Unicode.Scalar) -> [String] {
        utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
