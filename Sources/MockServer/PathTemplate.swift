import EndpointKit

/// A path with places for values, such as `/movie/{id}/videos` or `/stream/{n}.json`.
public struct PathTemplate: Sendable, Hashable, CustomStringConvertible {
    /// The template as written.
    public let text: String
    private let segments: [Segment]

    /// Reads a template. What stands between `{` and `}` is a value's name; a brace without its other is an ordinary letter.
    ///
    /// The literal text may be percent-encoded; it is compared decoded.
    public init(_ text: String) {
        self.text = text
        segments = Self.split(text).map(Segment.init)
    }

    public var description: String { text }

    /// Whether the path, percent-encoded as in a request, is one of this template's. A value is never empty and never holds
    /// a `/` that is not encoded.
    public func matches(_ path: String) -> Bool {
        let parts = Self.split(path)
        return parts.count == segments.count
            && zip(segments, parts).allSatisfy { $0.matches(PercentEncoding.decode($1).exactBytes[...]) }
    }

    /// Whether this template says more than the other: at the first segment that differs, more of it is literal.
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

    /// One segment: literal texts with a value between each two. One literal alone is a segment without a value.
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

        /// How much of it is literal; a segment without a value is more than any other.
        var literalLength: Int { literals.count == 1 ? .max : literals.reduce(0) { $0 + $1.count } }

        /// Matches from left to right and never goes back: taking each literal as early as it comes leaves the most for the
        /// others.
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
