extension Endpoint {
    /// The path of an endpoint, written as an interpolated string.
    ///
    ///     .get("/movie/\(id)/videos", …)
    ///
    /// An interpolated value is percent-encoded completely, so it can neither end its segment nor start a query. With
    /// `\(segments: path)`, each `/` in the value starts another segment. Literals and values are kept apart, so that
    /// the template `/movie/{id}/videos` can be shown.
    public struct Path: Sendable, ExpressibleByStringInterpolation {
        /// A literal or a parameter's value.
        package enum Piece: Sendable {
            /// Literal text, sent as written.
            case literal(String)
            /// The value of a parameter, which becomes one segment.
            case value(any ScalarParameter)
            /// The text of a parameter that may become several segments: `a/b`.
            case segments(String)
            /// The text of a parameter that is percent-encoded already, with delimiters that are not: `;color=R,G%20B`.
            case encoded(String)

            /// Returns the text of a parameter, not percent-encoded; nil for literal text.
            ///
            /// - Parameter coding: How the API writes dates.
            func parameterText(_ coding: Coding) -> String? {
                switch self {
                case .literal: nil
                case .value(let value): value.parameterText(coding)
                case .segments(let text): text
                case .encoded(let text): PercentEncoding.decode(text)
                }
            }
        }

        /// The literals and values in order.
        package let pieces: [Piece]

        /// Returns the texts of the path's parameters, not percent-encoded.
        ///
        /// - Parameter coding: How the API writes dates.
        package func values(_ coding: Coding) -> [String] { pieces.compactMap { $0.parameterText(coding) } }

        /// Creates a path of literals and parameters.
        package init(_ pieces: [Piece]) { self.pieces = pieces }

        /// Creates a path from the text of a finished request.
        ///
        /// A segment whose decoded text is that of a parameter becomes the value of a parameter. Any other segment
        /// becomes literal text.
        ///
        /// - Parameters:
        ///   - path: The path, percent-encoded.
        ///   - parameterTexts: The texts of the parameters, not percent-encoded.
        init(encoded path: String, parameterTexts: [String]) {
            var pieces: [Piece] = []
            for (index, segment) in Self.segments(path).enumerated() {
                if index > 0 { pieces.append(.literal("/")) }
                let decodedSegment = PercentEncoding.decode(segment)
                let isParameter = !decodedSegment.isEmpty && parameterTexts.contains(decodedSegment)
                // A value is encoded again when the path is sent. A literal is sent as it is, so it stays encoded.
                pieces.append(isParameter ? .value(decodedSegment) : .literal(String(segment)))
            }
            self.pieces = pieces
        }

        /// Creates a path without parameters, which is sent as written.
        public init(stringLiteral text: String) { pieces = [.literal(text)] }
        /// Creates a path from an interpolated string literal: `"/movie/\(id)/videos"`.
        public init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

        /// Collects the pieces of an interpolated literal.
        public struct StringInterpolation: StringInterpolationProtocol {
            var pieces: [Piece] = []

            /// Starts without pieces. The arguments are ignored.
            public init(literalCapacity: Int, interpolationCount: Int) {}

            /// Adds literal text. An empty literal adds nothing.
            public mutating func appendLiteral(_ literal: String) {
                if !literal.isEmpty { pieces.append(.literal(literal)) }
            }

            /// Adds the value of a parameter, which becomes one segment. It is percent-encoded when the path is sent.
            public mutating func appendInterpolation(_ value: some ScalarParameter) { pieces.append(.value(value)) }

            /// Adds the value of a parameter that may become several segments. When the path is sent, each `/` stays as
            /// it is, and everything else is percent-encoded.
            public mutating func appendInterpolation(segments value: String) { pieces.append(.segments(value)) }
        }

        /// Returns the path as it is sent, percent-encoded and with a leading slash.
        ///
        /// - Parameter coding: How the API writes dates.
        /// - Throws: ``RequestError`` if a literal or value can't be part of a path.
        package func encoded(_ coding: Coding) throws(RequestError) -> String {
            var path = ""
            for piece in pieces { path += try Self.encoded(piece, coding: coding) }
            if let dots = Self.segments(path).first(where: Self.isDotSegment) { throw .dotSegment(String(dots)) }
            let needsSlash = !path.isEmpty && !path.hasPrefix("/")
            return needsSlash ? "/" + path : path
        }

        /// Returns a piece of the path as it is sent.
        ///
        ///     .literal("/pets/")    →    /pets/
        ///     .value("a/b")         →    a%2Fb
        ///     .segments("a b/c")    →    a%20b/c
        ///     .encoded(";x=1,2")    →    ;x=1,2
        ///
        /// - Throws: ``RequestError`` for an empty value, which would name another resource, and for a literal with a
        ///   character that a path must not have (RFC 3986, section 3.3).
        private static func encoded(_ piece: Piece, coding: Coding) throws(RequestError) -> String {
            switch piece {
            case .literal(let text):
                guard text.utf8.allSatisfy(isPathByte) else { throw .invalidPathCharacter(text) }
                return text
            case .value(let value):
                let text = value.parameterText(coding)
                if text.isEmpty { throw .emptyPathValue }
                return PercentEncoding.encode(text)
            case .segments(let text):
                if text.isEmpty { throw .emptyPathValue }
                let encodedSegments = segments(text).map { PercentEncoding.encode(String($0)) }
                return encodedSegments.joined(separator: "/")
            case .encoded(let text):
                if text.isEmpty { throw .emptyPathValue }
                // Unlike a literal, a value must not start another segment.
                guard text.utf8.allSatisfy({ isPathByte($0) && $0 != UInt8(ascii: "/") }) else {
                    throw .invalidPathCharacter(text)
                }
                return text
            }
        }

        /// Returns whether a segment is `.` or `..`, also if its dots are percent-encoded (RFC 3986, section 6.2.2.3).
        private static func isDotSegment(_ segment: Substring) -> Bool {
            // Most segments are longer, and need not be decoded.
            guard segment.utf8.count <= "%2E%2E".utf8.count else { return false }
            return [".", ".."].contains(PercentEncoding.decode(segment))
        }

        /// Returns the segments of a path.
        ///
        /// They are split byte by byte, because a `/` before a combining mark is not the Character `/`.
        private static func segments(_ text: String) -> [Substring] {
            text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
        }

        /// Returns whether `byte` is allowed in a percent-encoded path (RFC 3986, section 3.3).
        private static func isPathByte(_ byte: UInt8) -> Bool {
            byte.isLetterOrDigit || "-._~!$&'()*+,;=:@/%".utf8.contains(byte)
        }
    }
}
