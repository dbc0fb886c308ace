import EndpointKit

/// A path with placeholders for values, such as `/movie/{id}/videos` or `/stream/{n}.json`.
package struct PathTemplate: Sendable {
    private let segments: [Segment]
    /// The place of a segment such as `{+path}`, which stands for one or more.
    private let rest: Int?

    /// Parses a template. Text between `{` and `}` is a value's name; an unmatched brace is an ordinary character. A segment `{+name}` may be
    /// several segments of a path, as in RFC 6570.
    ///
    /// The literal text may be percent-encoded; it is compared decoded.
    package init(_ text: String) {
        let parts = PathSegments.split(text)
        segments = parts.map(Segment.init)
        rest = parts.firstIndex { $0.contains("{+") }
    }

    /// Whether a path matches. A value is never empty and never holds an unencoded `/`.
    func matches(_ path: PathSegments) -> Bool { values(in: path) != nil }

    /// The decoded values of a path, in order; nil if the path does not match.
    func values(in path: PathSegments) -> [String]? {
        guard let parts = aligned(path) else { return nil }
        var values: [String] = []
        for (segment, part) in zip(segments, parts) {
            guard let found = segment.values(in: part[...]) else { return nil }
            values += found.map { String(exactBytes: $0) }
        }
        return values
    }

    /// The parts of a path, one for each segment; nil if there are too few or too many.
    private func aligned(_ path: PathSegments) -> [[UInt8]]? {
        let extra = path.parts.count - segments.count
        guard let rest, extra > 0 else { return extra == 0 ? path.parts : nil }
        let several = path.parts[rest...(rest + extra)].joined(separator: [UInt8(ascii: "/")])
        return path.parts[..<rest] + [Array(several)] + path.parts[(rest + extra + 1)...]
    }

    /// Whether more of this template's first differing segment is literal.
    func isMoreSpecific(than other: PathTemplate) -> Bool {
        for (mine, others) in zip(segments, other.segments) where mine.literalLength != others.literalLength {
            return mine.literalLength > others.literalLength
        }
        return false
    }

    /// A segment: literal texts with a value between each two. A single literal is a segment without a value.
    private struct Segment: Sendable {
        let literals: [[UInt8]]

        init(_ text: Substring) {
            var literals: [[UInt8]] = []
            var rest = text
            while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
                let close = rest.utf8[open...].firstIndex(of: UInt8(ascii: "}"))
            {
                literals.append(PercentEncoding.decode(rest[..<open]).exactBytes)
                rest = rest[rest.utf8.index(after: close)...]
            }
            literals.append(PercentEncoding.decode(rest).exactBytes)
            self.literals = literals
        }

        /// The length of its literal text; a segment without a value ranks above any other.
        var literalLength: Int { literals.count == 1 ? .max : literals.reduce(0) { $0 + $1.count } }

        /// The values in a segment of a path; nil if it does not match.
        ///
        /// Matches from left to right without backtracking: taking each literal at its first occurrence leaves the most for the rest.
        func values(in bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
            guard literals.count > 1 else { return bytes.elementsEqual(literals[0]) ? [] : nil }
            let last = literals[literals.count - 1]
            guard bytes.starts(with: literals[0]) else { return nil }
            var rest = bytes.dropFirst(literals[0].count)
            var values: [ArraySlice<UInt8>] = []
            for literal in literals[1..<(literals.count - 1)] {
                guard !rest.isEmpty, let start = Self.start(of: literal, in: rest.dropFirst()) else { return nil }
                values.append(rest[..<start])
                rest = rest[(start + literal.count)...]
            }
            guard rest.count > last.count, rest.suffix(last.count).elementsEqual(last) else { return nil }
            return values + [rest.dropLast(last.count)]
        }

        private static func start(of literal: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
            var rest = bytes
            while rest.count >= literal.count {
                if rest.starts(with: literal) { return rest.startIndex }
                rest = rest.dropFirst()
            }
            return nil
        }
    }
}

/// The segments of a path, decoded once for all templates that it is compared with.
package struct PathSegments: Sendable {
    package let parts: [[UInt8]]

    /// The segments of a path, percent-encoded as in a request.
    package init(_ path: String) {
        parts = Self.split(path).map { part in
            // Most segments are plain; 0xF4 may start a byte that is not UTF-8.
            part.utf8.contains { $0 == UInt8(ascii: "%") || $0 == 0xF4 }
                ? PercentEncoding.decode(part).exactBytes : Array(part.utf8)
        }
    }

    /// Split byte by byte: a `/` before a combining mark is no `/` to a Character.
    static func split(_ path: String) -> [Substring] {
        path[...].utf8.dropFirst(path.utf8.first == UInt8(ascii: "/") ? 1 : 0)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
    }
}
