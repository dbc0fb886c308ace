extension Endpoint {
    /// The path of an endpoint, written as an interpolated string.
    ///
    ///     .get("/movie/\(id)/videos", …)
    ///
    /// An interpolated value is percent-encoded whole, so it can neither end its segment nor start a query. Literal and value
    /// pieces are kept apart: that is what the template `/movie/{id}/videos` is made from.
    public struct Path: Sendable, Hashable, ExpressibleByStringInterpolation {
        /// A stretch of the path: its own text, or a parameter's.
        public enum Piece: Sendable, Hashable {
            /// Text of the path itself, sent as written.
            case literal(String)
            /// A parameter's text, not yet encoded.
            case value(String)
        }

        /// The pieces in the order they stand.
        public let pieces: [Piece]

        /// A path without parameters; it is sent as written.
        public init(stringLiteral text: String) { pieces = [.literal(text)] }
        /// A path of the text and the values of an interpolated literal.
        public init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

        /// What the compiler collects the pieces of a literal with.
        public struct StringInterpolation: StringInterpolationProtocol {
            var pieces: [Piece] = []

            /// Starts without pieces; the sizes are not made use of.
            public init(literalCapacity: Int, interpolationCount: Int) {}

            /// Adds text of the path itself; an empty one adds no piece.
            public mutating func appendLiteral(_ literal: String) {
                if !literal.isEmpty { pieces.append(.literal(literal)) }
            }

            /// Adds a parameter's text, to be percent-encoded when the path is sent.
            public mutating func appendInterpolation(_ value: some ScalarParameter) {
                pieces.append(.value(value.parameterText))
            }
        }

        /// A value that would change which path is meant.
        public struct InvalidValue: Error, Sendable, Equatable {
            /// What the value would make of its segment.
            public enum Reason: Sendable, Equatable {
                /// The segment would be empty.
                case empty
                /// The segment would be `.` or `..`, which clients and servers resolve, encoded or not (RFC 3986, section 5.2.4).
                case dotSegment
            }

            /// The text of the value, not encoded; of several in the segment the last.
            public let value: String
            /// What it would make of its segment.
            public let reason: Reason
        }

        /// The path as it is sent. Throws ``InvalidValue`` for a segment that a value makes empty, `.` or `..`.
        public func encoded() throws(InvalidValue) -> String {
            var result = ""
            var segment = ""
            var value: String?
            for piece in pieces {
                switch piece {
                case .value(let text):
                    segment += PercentEncoding.encode(text)
                    value = text
                case .literal(let text):
                    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
                    for (index, part) in parts.enumerated() {
                        if index > 0 {
                            try Self.check(segment, value)
                            result += segment + "/"
                            segment = ""
                            value = nil
                        }
                        segment += part
                    }
                }
            }
            try Self.check(segment, value)
            result += segment
            return result.isEmpty || result.hasPrefix("/") ? result : "/" + result
        }

        private static func check(_ segment: String, _ value: String?) throws(InvalidValue) {
            guard let value else { return }
            if segment.isEmpty { throw InvalidValue(value: value, reason: .empty) }
            if segment == "." || segment == ".." { throw InvalidValue(value: value, reason: .dotSegment) }
        }
    }
}
