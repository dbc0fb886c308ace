extension Endpoint {
    /// The path of an endpoint, written as an interpolated string.
    ///
    ///     .get("/movie/\(id)/videos", …)
    ///
    /// An interpolated value is percent-encoded completely, so it can neither end its segment nor start a query. With
    /// `\(rest: path)`, each `/` in the value starts another segment. Literals and values are kept apart, from which the template
    /// `/movie/{id}/videos` is made.
    public struct Path: Sendable, ExpressibleByStringInterpolation {
        /// A literal or a parameter's value.
        package enum Piece: Sendable {
            /// Literal text, sent as written.
            case literal(String)
            /// A parameter.
            case value(any ScalarParameter)
            /// A parameter's text that may be several segments.
            case rest(String)

            /// The text of a parameter, not yet percent-encoded; nil for literal text.
            func value(_ coding: Coding) -> String? {
                switch self {
                case .literal: nil
                case .value(let value): value.parameterText(coding)
                case .rest(let text): text
                }
            }
        }

        package let pieces: [Piece]

        /// The texts of the parameters in it.
        package func values(_ coding: Coding) -> [String] { pieces.compactMap { $0.value(coding) } }

        /// An encoded path, in which the segments that are one of `values` are parameters.
        init(encoded path: String, values: [String]) {
            var pieces: [Piece] = []
            for (index, segment) in Self.segments(path).enumerated() {
                if index > 0 { pieces.append(.literal("/")) }
                let text = PercentEncoding.decode(segment)
                pieces.append(!text.isEmpty && values.contains(text) ? .value(text) : .literal(String(segment)))
            }
            self.pieces = pieces
        }

        /// A path without parameters; it is sent as written.
        public init(stringLiteral text: String) { pieces = [.literal(text)] }
        /// A path from an interpolated string literal.
        public init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

        /// Collects the pieces of an interpolated literal.
        public struct StringInterpolation: StringInterpolationProtocol {
            var pieces: [Piece] = []

            /// Starts without pieces; the arguments are ignored.
            public init(literalCapacity: Int, interpolationCount: Int) {}

            /// Adds literal text; an empty one adds no piece.
            public mutating func appendLiteral(_ literal: String) {
                if !literal.isEmpty { pieces.append(.literal(literal)) }
            }

            /// Adds a parameter's text, which is percent-encoded when the path is sent.
            public mutating func appendInterpolation(_ value: some ScalarParameter) { pieces.append(.value(value)) }

            /// Adds a parameter's text that may be several segments: a `/` in it is sent as it is, everything else percent-encoded.
            public mutating func appendInterpolation(rest value: String) { pieces.append(.rest(value)) }
        }

        /// The path as it is sent by an API with that coding. Throws ``RequestProblem``.
        package func encoded(_ coding: Coding) throws(RequestProblem) -> String {
            var path = ""
            for piece in pieces {
                if case .literal(let text) = piece {
                    guard text.utf8.allSatisfy(Self.isPathByte) else { throw .pathCharacter(text) }
                    path += text
                } else {
                    let value = piece.value(coding) ?? ""
                    if value.isEmpty { throw .emptyValue }
                    var parts = [value[...]]
                    if case .rest = piece { parts = Self.segments(value) }
                    path += parts.map { PercentEncoding.encode(String($0)) }.joined(separator: "/")
                }
            }
            if let dots = Self.segments(path).first(where: { $0 == "." || $0 == ".." }) {
                throw .dotSegment(String(dots))
            }
            return path.isEmpty || path.hasPrefix("/") ? path : "/" + path
        }

        /// Split byte by byte: a `/` before a combining mark is no `/` to a Character.
        private static func segments(_ text: String) -> [Substring] {
            text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
        }

        /// Whether `byte` is allowed in an encoded path (RFC 3986, section 3.3).
        private static func isPathByte(_ byte: UInt8) -> Bool {
            byte.isLetterOrDigit || "-._~!$&'()*+,;=:@/%".utf8.contains(byte)
        }
    }
}
