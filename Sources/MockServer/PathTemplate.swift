import EndpointKit

/// A path with placeholders for values, such as `/movie/{id}/videos` or `/stream/{n}.json`.
struct PathTemplate: Sendable {
    private let segments: [TextPattern]
    /// The names of the values in each segment.
    private let names: [[String]]
    /// The place of a segment such as `{+path}`, which stands for one or more.
    private let rest: Int?

    /// Parses a template. Text between `{` and `}` is a value's name; an unmatched brace is an ordinary character. A segment `{+name}` may be
    /// several segments of a path, as in RFC 6570.
    ///
    /// The literal text may be percent-encoded; it is compared decoded.
    init(_ text: String) {
        let parts = Self.split(text)
        let parsed = parts.map(Self.parse)
        segments = parsed.map { TextPattern(literals: $0.literals) }
        names = parsed.map(\.names)
        rest = parts.firstIndex { $0.contains("{+") }
    }

    /// The segments of a path, percent-encoded as in a request; split byte by byte: a `/` before a combining mark is no `/` to a Character.
    static func split(_ path: String) -> [Substring] {
        path[...].utf8.dropFirst(path.utf8.first == UInt8(ascii: "/") ? 1 : 0)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// The same, decoded once for all templates that it is compared with.
    static func segments(of path: String) -> [[UInt8]] { split(path).map { PercentEncoding.decode($0).exactBytes } }

    private static func parse(_ text: Substring) -> (literals: [[UInt8]], names: [String]) {
        var (literals, names): ([[UInt8]], [String]) = ([], [])
        var rest = text
        while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
            let close = rest.utf8[open...].firstIndex(of: UInt8(ascii: "}"))
        {
            literals.append(PercentEncoding.decode(rest[..<open]).exactBytes)
            names.append(String(rest[rest.utf8.index(after: open)..<close]))
            rest = rest[rest.utf8.index(after: close)...]
        }
        return (literals + [PercentEncoding.decode(rest).exactBytes], names)
    }

    /// The decoded values of a path, in order; nil if the path does not match. A value is never empty and never holds an unencoded `/`.
    func values(in path: [[UInt8]]) -> [String]? {
        var parts = path
        let extra = path.count - segments.count
        if let rest, extra > 0 {
            let several = path[rest...(rest + extra)].joined(separator: [UInt8(ascii: "/")])
            parts.replaceSubrange(rest...(rest + extra), with: [Array(several)])
        }
        guard parts.count == segments.count else { return nil }
        var values: [String] = []
        for (segment, part) in zip(segments, parts) {
            guard let found = segment.values(in: part) else { return nil }
            values += found
        }
        return values
    }

    /// How many segments have no value.
    var fixedCount: Int { segments.count { $0.literals.count == 1 } }

    /// How much of each segment is literal: of two templates with as many fixed segments, the one whose first different number is larger fits
    /// better.
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

    /// The values in a text, none of them empty; nil if it does not match.
    ///
    /// Matches from left to right without backtracking: taking each literal at its first occurrence leaves the most for the rest.
    func values(in bytes: [UInt8]) -> [String]? {
        guard literals.count > 1 else { return bytes == literals[0] ? [] : nil }
        let last = literals[literals.count - 1]
        guard bytes.starts(with: literals[0]) else { return nil }
        var rest = bytes.dropFirst(literals[0].count)
        var values: [ArraySlice<UInt8>] = []
        for literal in literals[1..<(literals.count - 1)] {
            let tail = rest.dropFirst()
            let start = literal.isEmpty ? tail.startIndex : tail.firstRange(of: literal)?.lowerBound
            guard !rest.isEmpty, let start else { return nil }
            values.append(rest[..<start])
            rest = rest[(start + literal.count)...]
        }
        guard rest.count > last.count, rest.suffix(last.count).elementsEqual(last) else { return nil }
        return (values + [rest.dropLast(last.count)]).map { String(exactBytes: $0) }
    }
}
