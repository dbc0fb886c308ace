import EndpointKit

/// A path whose parameters are told from its fixed segments.
struct ImportedPath {
    /// Fixed segments, as they are sent, and names of parameters.
    let segments: [EndpointText.Piece]

    /// The most segments whose looks make them parameters: each of those has a name of its own.
    private static let mostIdentifiers = 60

    /// The template of a path: integers, UUIDs, long hexadecimal numbers, ULIDs and secrets are parameters, named after the segment before. An
    /// integer without one is a version. Segments in which it differs from `others`, of the same endpoint, are parameters too, if a name that is
    /// the same is before them, or the first is a version.
    init(_ path: String, others: [[String]] = [], isSecret: (String) -> Bool = SecretRules.findsSecret) {
        var segments: [EndpointText.Piece] = []
        func add(_ words: [String]) { segments.append((SwiftNames.memberName(words), true)) }
        var name: [String]?
        let parts = Self.split(path)
        let areAlike = others.allSatisfy { $0.count == parts.count }
        var varying = Set(parts.indices.filter { place in areAlike && others.contains { $0[place] != parts[place] } })
        let words = parts.prefix((varying.min() ?? -1) + 1).map(SwiftNames.words)
        let isNamed = words.dropLast().contains { !Self.isVersion($0) && !["api", "rest"].contains($0.joined()) }
        if !isNamed, words.last.map(Self.isVersion) != true { varying = [] }
        for (place, part) in parts.enumerated() {
            let text = PercentEncoding.decode(part)
            if let variable = ImportedRequest.variables(in: text).first {
                add(SwiftNames.words(variable))
            } else if place < Self.mostIdentifiers,
                varying.contains(place) || Self.isIdentifier(text, isNamed: name != nil)
            {
                add((name.map(SwiftNames.singular) ?? []) + ["id"])
            } else if isSecret(text) {
                let before = name.flatMap { $0.joined().contains(where: \.isNumber) ? nil : $0 }
                add(before.map { SwiftNames.singular($0) + ["id"] } ?? ["token"])
            } else {
                segments.append((part, false))
                let words = SwiftNames.words(text)
                name = words.isEmpty || ["api", "rest", "version"].contains(words.joined()) ? nil : words
            }
        }
        self.segments = segments
    }

    /// A template as a person writes it: `/users/{login}`.
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

    static func split(_ path: String) -> [String] {
        Array(path.parts(at: "/").dropFirst())
    }

    /// The values of the parameters, decoded; nil if the path does not fit.
    func values(_ path: String) -> [String]? {
        let parts = Self.split(path)
        let pairs = zip(segments, parts)
        guard parts.count == segments.count, pairs.allSatisfy({ $0.isVariable || $0.text == $1 }) else { return nil }
        return pairs.filter(\.0.isVariable).map { PercentEncoding.decode($1) }
    }

    /// Whether these are the words of `v3` or `2026-01`.
    static func isVersion(_ words: [String]) -> Bool {
        words.count <= 2 && words.joined().drop { $0 == "v" }.allSatisfy(\.isNumber)
    }

    /// Returns whether a segment is made by a program: an integer, a UUID, a ULID, a long hexadecimal number, or two
    /// of them with `@` between them.
    private static func isIdentifier(_ whole: String, isNamed: Bool) -> Bool {
        let parts = whole.parts(at: "@")
        if parts.count == 2 { return parts.allSatisfy { isIdentifier($0, isNamed: isNamed) } }
        let text = whole.hasSuffix(".json") ? whole.dropLast(5) : whole[...]
        let bytes = Array(text.utf8)
        let isHexadecimal = bytes.allSatisfy { $0.isDigit || (0x61...0x66).contains($0 | 0x20) }
        if bytes.allSatisfy(\.isDigit) { return isNamed && !whole.isEmpty && text == whole }
        if isHexadecimal { return bytes.count >= 16 && bytes.contains(where: \.isDigit) }
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        if groups.map(\.utf8.count) == [8, 4, 4, 4, 12] {
            return groups.joined().utf8.allSatisfy { $0.isDigit || (0x61...0x66).contains($0 | 0x20) }
        }
        // ULID: Crockford's base 32
        return bytes.count == 26 && bytes[0] <= UInt8(ascii: "7") && bytes[0].isDigit
            && bytes.allSatisfy { $0.isLetterOrDigit && !"ILOUilou".utf8.contains($0) }
    }

    /// The words of the fixed segments that tell what the path is about: the last two, one of many where a parameter follows.
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

    /// What the responses are about, in the words of their model's name.
    var subject: String {
        let words = words.last ?? ["response"]
        return (segments.last?.isVariable == true ? SwiftNames.singular(words) : words).joined(separator: "_")
    }

    /// `movieVideos` for `GET /movie/{id}/videos`, `createUser` for `POST /users`, `deleteUser` for `DELETE /users/{id}`.
    func caseName(_ method: String) -> String {
        var words = words.flatMap { $0 }
        if segments.last?.isVariable == true { words = SwiftNames.singular(words) }
        let one = SwiftNames.singular(words)
        let verbs = ["PUT": "update", "PATCH": "update", "DELETE": "delete", "HEAD": "head", "OPTIONS": "options"]
        if let verb = verbs[method] { return SwiftNames.memberName([verb] + words) }
        if method == "POST", one != words { return SwiftNames.memberName(["create"] + one) }
        return words.isEmpty ? method == "GET" ? "root" : method.lowercased() : SwiftNames.memberName(words)
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
