import EndpointKit

/// A path with placeholders for values, such as `/movie/{id}/videos` or `/stream/{n}.json`.
public struct PathTemplate: Sendable, Hashable, CustomStringConvertible {
    /// The template as written.
    public let text: String
    private let segments: [Segment]

    /// Parses a template. Text between `{` and `}` is a value's name; an unmatched brace is an ordinary character.
    ///
    /// The literal text may be percent-encoded; it is compared decoded.
    public init(_ text: String) {
        self.text = text
        segments = Self.split(text).map(Segment.init)
    }

    public var description: String { text }

    /// Whether a path, percent-encoded as in a request, matches. A value is never empty and never holds an unencoded `/`.
    public func matches(_ path: String) -> Bool {
        let parts = Self.split(path)
        return parts.count == segments.count
            && zip(segments, parts).allSatisfy { $0.matches(PercentEncoding.decode($1).exactBytes[...]) }
    }

    /// Whether more of this template's first differing segment is literal.
    func isMoreSpecific(than other: PathTemplate) -> Bool {
        for (mine, others) in zip(segments, other.segments) where mine.literalLength != others.literalLength {
            return mine.literalLength > others.literalLength
        }
        return false
    }

    /// Split byte by byte: a `/` before a combining mark is no `/` to a Character.
    private static func split(_ path: String) -> [Substring] {
        path[...].utf8.dropFirst(path.utf8.first == UInt8(ascii: "/") ? 1 : 0)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// A segment: literal texts with a value between each two. A single literal is a segment without a value.
    private struct Segment: Hashable {
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

        /// Matches from left to right without backtracking: taking each literal at its first occurrence leaves the most for the rest.
        func matches(_ bytes: ArraySlice<UInt8>) -> Bool {
            guard literals.count > 1 else { return bytes.elementsEqual(literals[0]) }
            let last = literals[literals.count - 1]
            guard bytes.starts(with: literals[0]) else { return false }
            var rest = bytes.dropFirst(literals[0].count)
            for literal in literals[1..<(literals.count - 1)] {
                guard let end = Self.end(of: literal, in: rest.dropFirst()), !rest.isEmpty else { return false }
                rest = rest[end...]
            }
            return rest.count > last.count && rest.suffix(last.count).elementsEqual(last)
        }

        private static func end(of literal: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
            var rest = bytes
            while rest.count >= literal.count {
                if rest.starts(with: literal) { return rest.startIndex + literal.count }
                rest = rest.dropFirst()
            }
            return nil
        }
    }
}
