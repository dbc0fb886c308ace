import EndpointKit

/// A path whose parameters are told from its fixed segments.
struct ImportedPath {
    /// Fixed segments, as they are sent, and names of parameters.
    let segments: [EndpointText.Piece]

    /// The most segments whose looks make them parameters: each of those has a name of its own.
    private static let mostIdentifiers = 60

    /// Finds the template of a path: `/users/{userID}/posts` for `/users/42/posts`.
    ///
    /// These segments are parameters, named after the segment before them:
    /// - integers; one without a name before it is a version, as in `/3/movie`
    /// - UUIDs, ULIDs and long hexadecimal numbers
    /// - secrets, and variables of the shell, whose names they have
    /// - segments in which the path differs from `others`
    ///
    /// - Parameters:
    ///   - path: The path, percent-encoded.
    ///   - others: The segments of other paths of the same endpoint.
    ///   - isSecret: Returns whether a segment is or has a secret.
    init(_ path: String, others: [[String]] = [], isSecret: (String) -> Bool = SecretRules.findsSecret) {
        let parts = Self.split(path)
        let varying = Self.varyingPlaces(parts, others)
        var segments: [EndpointText.Piece] = []
        var name: [String]?
        for (place, part) in parts.enumerated() {
            let text = PercentEncoding.decode(part)
            let isIdentifier =
                place < Self.mostIdentifiers
                && (varying.contains(place) || Self.isIdentifier(text, isNamed: name != nil))
            if let words = Self.parameter(text, after: name, isIdentifier: isIdentifier, isSecret: isSecret) {
                segments.append((SwiftNames.memberName(words), true))
            } else {
                segments.append((part, false))
                let words = SwiftNames.words(text)
                name = words.isEmpty || ["api", "rest", "version"].contains(words.joined()) ? nil : words
            }
        }
        self.segments = segments
    }

    /// Returns the words for a segment that is a parameter; nil if it is none.
    private static func parameter(
        _ text: String, after name: [String]?, isIdentifier: Bool, isSecret: (String) -> Bool
    ) -> [String]? {
        if let variable = ImportedRequest.variables(in: text).first { return SwiftNames.words(variable) }
        if isIdentifier { return (name.map(SwiftNames.singular) ?? []) + ["id"] }
        guard isSecret(text) else { return nil }
        // A name with a number may be a part of the secret.
        guard let name, !name.joined().contains(where: \.isNumber) else { return ["token"] }
        return SwiftNames.singular(name) + ["id"]
    }

    /// Returns the places of segments in which a path differs from others of the same length.
    ///
    /// Without a name that is the same before them, they rather are different endpoints: `/pets` and `/tags`. A version
    /// may differ: `/v1/pets` and `/v2/pets`.
    private static func varyingPlaces(_ parts: [String], _ others: [[String]]) -> Set<Int> {
        guard others.allSatisfy({ $0.count == parts.count }) else { return [] }
        let varying = Set(parts.indices.filter { place in others.contains { $0[place] != parts[place] } })
        let words = parts.prefix((varying.min() ?? -1) + 1).map(SwiftNames.words)
        let isNamed = words.dropLast().contains { !isVersion($0) && !["api", "rest"].contains($0.joined()) }
        return isNamed || words.last.map(isVersion) == true ? varying : []
    }

    /// Takes a template as a person writes it: `/users/{login}`.
    init(written text: String) {
        segments = Self.split(text).map { part in
            let isVariable = part.hasPrefix("{") && part.hasSuffix("}")
            return (isVariable ? SwiftNames.memberName(SwiftNames.words(part)) : part, isVariable)
        }
    }

    /// Returns the segments of a path that are the secret of a webhook: whoever knows one may post to it.
    ///
    /// They are the long segments of letters and digits after one that is named a webhook. UUIDs name a customer, and are
    /// none.
    static func webhookKeys(_ path: String) -> [String] {
        let parts = split(path)
        let name = parts.firstIndex { ["webhook", "webhooks"].contains(SwiftNames.words($0).last) }
        guard let name else { return [] }
        return parts[(name + 1)...].filter { part in
            let isUUID = part.split(separator: "-").map(\.utf8.count) == [8, 4, 4, 4, 12]
            return part.utf8.count >= 16 && !isUUID && part.utf8.contains(where: \.isDigit)
                && part.utf8.allSatisfy { $0.isLetterOrDigit || "-_".utf8.contains($0) }
        }
    }

    /// Returns the segments of a path: `users`, `42` for `/users/42`.
    static func split(_ path: String) -> [String] {
        Array(path.parts(at: "/").dropFirst())
    }

    /// Returns the values of the parameters in a path, decoded; nil if the path does not fit the template.
    func values(_ path: String) -> [String]? {
        let parts = Self.split(path)
        let pairs = zip(segments, parts)
        guard parts.count == segments.count, pairs.allSatisfy({ $0.isVariable || $0.text == $1 }) else { return nil }
        return pairs.filter(\.0.isVariable).map { PercentEncoding.decode($1) }
    }

    /// Returns whether these are the words of a version, such as `v3` or `2026-01`.
    static func isVersion(_ words: [String]) -> Bool {
        words.count <= 2 && words.joined().drop { $0 == "v" }.allSatisfy(\.isNumber)
    }

    /// The fewest digits of a hexadecimal number that is an identifier. A shorter one may be a word, such as `cafe`.
    private static let minHexadecimalLength = 16

    /// Whether a segment is made by a program: an integer, a UUID, a ULID, a long hexadecimal number, or two of them
    /// with `@` between them.
    ///
    /// - Parameters:
    ///   - segment: The segment, which may end with `.json`.
    ///   - isNamed: Whether a name is before the segment. An integer without one is a version, as in `/3/movie`.
    private static func isIdentifier(_ segment: String, isNamed: Bool) -> Bool {
        let parts = segment.parts(at: "@")
        if parts.count == 2 { return parts.allSatisfy { isIdentifier($0, isNamed: isNamed) } }
        let hasEnding = segment.hasSuffix(".json")
        let text = hasEnding ? segment.dropLast(5) : segment[...]
        let bytes = text.utf8
        if bytes.allSatisfy(\.isDigit) { return isNamed && !hasEnding && !segment.isEmpty }
        if bytes.allSatisfy(isHexadecimalDigit) {
            return bytes.count >= minHexadecimalLength && bytes.contains(where: \.isDigit)
        }
        return isUUID(text) || isULID(text)
    }

    private static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
        // The bit 0x20 tells small letters from capital ones.
        byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    /// Whether a text is a UUID in its usual form (RFC 9562, section 4).
    private static func isUUID(_ text: Substring) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return false }
        return groups.joined().utf8.allSatisfy(isHexadecimalDigit)
    }

    /// Whether a text is a ULID: 26 characters of Crockford's base 32, of which the first one is at most 7.
    private static func isULID(_ text: Substring) -> Bool {
        let bytes = text.utf8
        guard bytes.count == 26, let first = bytes.first else { return false }
        guard first.isDigit, first <= UInt8(ascii: "7") else { return false }
        return bytes.allSatisfy { $0.isLetterOrDigit && !"ILOUilou".utf8.contains($0) }
    }

    /// The words of the fixed segments that tell what the path is about: of `/users/{userID}/posts`, `user` and `posts`.
    ///
    /// They are the last two. The singular stands where a parameter follows.
    var words: [[String]] {
        var found: [[String]] = []
        for (index, (text, isVariable)) in segments.enumerated() where !isVariable {
            let isOne = index + 1 < segments.count && segments[index + 1].isVariable
            // `.json` and the like say nothing.
            let stem = text.split(separator: ".").first.map(String.init) ?? ""
            let words = SwiftNames.words(PercentEncoding.decode(stem))
            if words.isEmpty || Self.isVersion(words) || ["api", "rest", "json"].contains(words.joined()) { continue }
            found.append(isOne ? SwiftNames.singular(words) : words)
        }
        return found.suffix(2)
    }

    /// The subject of the responses, after which their model is named: `movie` for `/movie/{id}`.
    var subject: String {
        let words = words.last ?? ["response"]
        return (segments.last?.isVariable == true ? SwiftNames.singular(words) : words).joined(separator: "_")
    }

    /// Returns the name of the case for a method: `movieVideos` for `GET /movie/{id}/videos`, `createUser` for
    /// `POST /users`, `deleteUser` for `DELETE /users/{id}`.
    func caseName(_ method: String) -> String {
        var words = words.flatMap { $0 }
        if segments.last?.isVariable == true { words = SwiftNames.singular(words) }
        let one = SwiftNames.singular(words)
        let verbs = ["PUT": "update", "PATCH": "update", "DELETE": "delete", "HEAD": "head", "OPTIONS": "options"]
        if let verb = verbs[method] { return SwiftNames.memberName([verb] + words) }
        if method == "POST", one != words { return SwiftNames.memberName(["create"] + one) }
        if !words.isEmpty { return SwiftNames.memberName(words) }
        return method == "GET" ? "root" : method.lowercased()
    }

    /// `/movie/{movieID}`
    var shown: String {
        segments.map { "/" + ($1 ? "{\($0)}" : $0) }.joined()
    }

    /// Fixed texts, and the positions of parameters.
    var pieces: [EndpointText.Piece] {
        segments.enumerated().flatMap { $1.isVariable ? [("/", false), ("\($0)", true)] : [("/" + $1.text, false)] }
    }
}

extension StringProtocol {
    /// The parts between an ASCII character, which a combining mark may follow: to a `Character`, that would be another one.
    func parts(at separator: Unicode.Scalar) -> [String] {
        utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
