import EndpointKit
import EndpointTools

/// A path with placeholders for values, such as `/movie/{id}/videos` or `/stream/{n}.json`.
struct PathTemplate: Sendable {
    /// The pattern of each segment.
    private let segments: [TextPattern]
    /// The names of the values in each segment.
    private let valueNames: [[String]]
    /// The index of a segment such as `{+path}`, which stands for one or more segments; nil if there is none.
    private let multiSegmentIndex: Int?

    /// Parses a template.
    ///
    /// Text between `{` and `}` is a value's name. An unmatched brace is an ordinary character. A segment `{+name}` may
    /// be several segments of a path, as in RFC 6570. The literal text may be percent-encoded and is compared decoded.
    init(_ text: String) {
        let segmentTexts = Self.split(text)
        let parsedSegments = segmentTexts.map(Self.parseSegment)
        segments = parsedSegments.map { TextPattern(literals: $0.literals) }
        valueNames = parsedSegments.map(\.names)
        multiSegmentIndex = segmentTexts.firstIndex { $0.contains("{+") }
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
    private static func parseSegment(_ segment: Substring) -> (literals: [[UInt8]], names: [String]) {
        var literals: [[UInt8]] = []
        var names: [String] = []
        var unparsedText = segment.utf8
        while let openingBrace = unparsedText.firstIndex(of: UInt8(ascii: "{")),
            let closingBrace = unparsedText[openingBrace...].firstIndex(of: UInt8(ascii: "}"))
        {
            let literal = Substring(unparsedText[..<openingBrace])
            literals.append(PercentEncoding.decode(literal).exactBytes)
            let name = unparsedText[openingBrace..<closingBrace].dropFirst()
            names.append(String(Substring(name)))
            unparsedText = unparsedText[closingBrace...].dropFirst()
        }
        literals.append(PercentEncoding.decode(Substring(unparsedText)).exactBytes)
        return (literals, names)
    }

    /// Returns the values of a path in order: `7` for `/movie/7/videos` and the template `/movie/{id}/videos`.
    ///
    /// A value is never empty, and only that of a segment such as `{+path}` holds an unencoded `/`.
    ///
    /// - Parameter path: The segments of the path, decoded.
    /// - Returns: The values, decoded; nil if the path does not match.
    func values(in path: [[UInt8]]) -> [String]? {
        let pathSegments = joiningMultiSegment(path)
        guard pathSegments.count == segments.count else { return nil }
        var values: [String] = []
        for (pattern, pathSegment) in zip(segments, pathSegments) {
            guard let segmentValues = pattern.values(in: pathSegment) else { return nil }
            values += segmentValues
        }
        return values
    }

    /// Returns the segments of a path. Those that the segment `{+name}` of the template stands for are joined into one.
    ///
    /// For the template `/files/{+path}`, the path `/files/a/b` has the segments `files` and `a/b`.
    private func joiningMultiSegment(_ path: [[UInt8]]) -> [[UInt8]] {
        let extraCount = path.count - segments.count
        guard let multiSegmentIndex, extraCount > 0 else { return path }
        let lastIndex = multiSegmentIndex + extraCount
        let joinedSegment = Array(path[multiSegmentIndex...lastIndex].joined(separator: [UInt8(ascii: "/")]))
        return path[..<multiSegmentIndex] + [joinedSegment] + path[(lastIndex + 1)...]
    }

    /// Returns whether a segment has no value: `movie` in `/movie/{id}`.
    private static func isFixed(_ segment: TextPattern) -> Bool { segment.literals.count == 1 }

    /// The number of segments that have no value.
    var fixedCount: Int { segments.count(where: Self.isFixed) }

    /// The number of literal bytes of each segment.
    ///
    /// They decide between two templates with equally many fixed segments: the one whose first different number is
    /// larger fits better. A fixed segment has the largest number, and one that stands for several segments the
    /// smallest.
    var literalLengths: [Int] {
        segments.enumerated().map { index, segment in
            if index == multiSegmentIndex { return -1 }
            return Self.isFixed(segment) ? .max : segment.literals.joined().count
        }
    }

    /// Returns the credentials in a path: `1:a` in `/bot1:a/other` for the template `/bot{token}/{id}`.
    ///
    /// A value is a credential if its name in the template says so. The path need not match completely: the search ends
    /// at the first segment that does not match.
    func credentials(in path: [[UInt8]]) -> [String] {
        var credentials: [String] = []
        for (index, pathSegment) in path.enumerated() where index < segments.count {
            guard let values = segments[index].values(in: pathSegment) else { break }
            for (name, value) in zip(valueNames[index], values) where SecretName.isCredential(name) {
                credentials.append(value)
            }
        }
        return credentials
    }
}
