import EndpointKit

/// A path with placeholders for values, such as `/movie/{id}/videos` or `/stream/{n}.json`.
struct PathTemplate: Sendable {
    private let segments: [TextPattern]
    /// The names of the values in each segment.
    private let names: [[String]]
    /// The index of a segment such as `{+path}`, which stands for one or more segments.
    private let rest: Int?

    /// Parses a template.
    ///
    /// Text between `{` and `}` is a value's name. An unmatched brace is an ordinary character. A segment `{+name}` may
    /// be several segments of a path, as in RFC 6570. The literal text may be percent-encoded and is compared decoded.
    init(_ text: String) {
        let parts = Self.split(text)
        let parsed = parts.map(Self.parse)
        segments = parsed.map { TextPattern(literals: $0.literals) }
        names = parsed.map(\.names)
        rest = parts.firstIndex { $0.contains("{+") }
    }

    /// Returns the segments of a path, percent-encoded as in a request.
    ///
    /// The path is split byte by byte, because a `/` before a combining mark is no `/` to a Character.
    static func split(_ path: String) -> [Substring] {
        let bytes = path.utf8.first == UInt8(ascii: "/") ? path[...].utf8.dropFirst() : path[...].utf8
        return bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// Returns the segments of a path, decoded once for all templates that they are compared with.
    static func segments(of path: String) -> [[UInt8]] {
        split(path).map { PercentEncoding.decode($0).exactBytes }
    }

    /// Splits a segment of a template into the literals around its values, and the names of the values.
    ///
    ///     n-{id}.json    →    literals: n-, .json    names: id
    ///
    /// There is always one literal more than there are names. A literal may be empty.
    private static func parse(_ text: Substring) -> (literals: [[UInt8]], names: [String]) {
        var literals: [[UInt8]] = []
        var names: [String] = []
        var rest = text
        while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
            let close = rest.utf8[open...].firstIndex(of: UInt8(ascii: "}"))
        {
            literals.append(PercentEncoding.decode(rest[..<open]).exactBytes)
            names.append(String(rest[rest.utf8.index(after: open)..<close]))
            rest = rest[rest.utf8.index(after: close)...]
        }
        literals.append(PercentEncoding.decode(rest).exactBytes)
        return (literals, names)
    }

    /// Returns the decoded values of a path in order, or nil if the path does not match.
    ///
    /// A value is never empty, and only that of a segment such as `{+path}` holds an unencoded `/`.
    func values(in path: [[UInt8]]) -> [String]? {
        let parts = joiningRest(path)
        guard parts.count == segments.count else { return nil }
        var values: [String] = []
        for (segment, part) in zip(segments, parts) {
            guard let found = segment.values(in: part) else { return nil }
            values += found
        }
        return values
    }

    /// Joins the segments of a path that `{+name}` stands for into one.
    private func joiningRest(_ path: [[UInt8]]) -> [[UInt8]] {
        let extra = path.count - segments.count
        guard let rest, extra > 0 else { return path }
        let joined = Array(path[rest...(rest + extra)].joined(separator: [UInt8(ascii: "/")]))
        return path[..<rest] + [joined] + path[(rest + extra + 1)...]
    }

    /// How many segments have no value.
    var fixedCount: Int { segments.count { $0.literals.count == 1 } }

    /// How many bytes of each segment are literal.
    ///
    /// They decide between two templates with equally many fixed segments: the one whose first different number is
    /// larger fits better. A fixed segment has the largest number, and one that stands for several segments the
    /// smallest.
    var literalLengths: [Int] {
        segments.enumerated().map { place, segment in
            if place == rest { return -1 }
            return segment.literals.count == 1 ? .max : segment.literals.reduce(0) { $0 + $1.count }
        }
    }

    /// The values in a path that begins like this template whose names are those of credentials.
    func credentials(in path: [[UInt8]]) -> [String] {
        var found: [String] = []
        for ((segment, names), part) in zip(zip(segments, names), path) {
            guard let values = segment.values(in: part) else { break }
            found += zip(names, values).filter { SecretName.isCredential($0.0) }.map(\.1)
        }
        return found
    }
}

/// Literal texts with a value between each two.
package struct TextPattern: Sendable {
    package let literals: [[UInt8]]

    /// Returns the values in a text, none of them empty, or nil if the text does not match.
    ///
    /// With the literals `n-` and `.json`, the text `n-5.json` has the value `5`.
    ///
    /// Matches from left to right without backtracking: taking each literal at its first occurrence leaves the most for
    /// the literals after it.
    func values(in bytes: [UInt8]) -> [String]? {
        let first = literals[0]
        let last = literals[literals.count - 1]
        if literals.count == 1 { return bytes == first ? [] : nil }
        guard bytes.starts(with: first) else { return nil }
        var rest = bytes.dropFirst(first.count)
        var values: [ArraySlice<UInt8>] = []
        for literal in literals.dropFirst().dropLast() {
            guard !rest.isEmpty else { return nil }
            // A value has at least one byte, so the literal is looked for after it.
            let candidates = rest.dropFirst()
            let start = literal.isEmpty ? candidates.startIndex : candidates.firstRange(of: literal)?.lowerBound
            guard let start else { return nil }
            values.append(rest[..<start])
            rest = rest[(start + literal.count)...]
        }
        guard rest.count > last.count, rest.suffix(last.count).elementsEqual(last) else { return nil }
        values.append(rest.dropLast(last.count))
        return values.map { String(exactBytes: $0) }
    }
}
