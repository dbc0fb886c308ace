#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Endpoint {
    /// The path of an endpoint, written as an interpolated string.
    ///
    ///     .get("/movie/\(id)/videos", …)
    ///
    /// An interpolated value is percent-encoded completely, so it can neither end its segment nor start a query. With
    /// `\(rest: path)`, each `/` in the value starts another segment. Literals and values are kept apart, from which the template
    /// `/movie/{id}/videos` is made.
    public struct Path: Sendable, Hashable, ExpressibleByStringInterpolation {
        /// A literal or a parameter's value.
        package enum Piece: Sendable, Hashable {
            /// Literal text, sent as written.
            case literal(String)
            /// A parameter's text, not yet percent-encoded.
            case value(String)
            /// A parameter's text that may be several segments.
            case rest(String)
            /// A date, whose text depends on the API's ``Coding``.
            case date(Date)
        }

        /// The pieces in order.
        package internal(set) var pieces: [Piece]

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
            public mutating func appendInterpolation(_ value: some ScalarParameter) {
                if let date = value as? Date {
                    pieces.append(.date(date))
                } else {
                    pieces.append(.value(value.parameterText))
                }
            }

            /// Adds a parameter's text that may be several segments: a `/` in it is sent as it is, everything else percent-encoded.
            public mutating func appendInterpolation(rest value: String) { pieces.append(.rest(value)) }
        }

        /// A value that would change which resource the path names, or literal text that is not a path.
        public struct InvalidValue: Error, Sendable, Equatable {
            /// What is wrong.
            public enum Reason: Sendable, Equatable {
                /// It is empty, which would name another resource.
                case empty
                /// The literal text has a character that is not allowed in a path (RFC 3986, section 3.3).
                case invalidCharacter
                /// The segment would be `.` or `..`, which clients and servers remove even if encoded (RFC 3986, section 5.2.4).
                case dotSegment
            }

            /// The text, not percent-encoded; the last value if the segment has several.
            public let value: String
            /// What is wrong with it.
            public let reason: Reason
        }

        /// The path as it is sent. Throws ``InvalidValue``.
        package func encoded() throws(InvalidValue) -> String {
            var result = ""
            var segment = ""
            var value: String?
            func append(_ parts: [Substring], encoding: Bool) throws(InvalidValue) {
                for (index, part) in parts.enumerated() {
                    if index > 0 {
                        try Self.check(segment, value)
                        result += segment + "/"
                        segment = ""
                        value = nil
                    }
                    segment += encoding ? PercentEncoding.encode(String(part)) : String(part)
                    if encoding { value = String(part) }
                }
            }
            for piece in pieces {
                switch piece {
                case .date(let date):
                    try append([Coding().text(of: date)[...]], encoding: true)
                case .value(let text):
                    if text.isEmpty { throw InvalidValue(value: text, reason: .empty) }
                    try append([text[...]], encoding: true)
                case .rest(let text):
                    if text.isEmpty { throw InvalidValue(value: text, reason: .empty) }
                    try append(Self.segments(text), encoding: true)
                case .literal(let text):
                    guard text.utf8.allSatisfy(Self.isPathByte) else {
                        throw InvalidValue(value: text, reason: .invalidCharacter)
                    }
                    try append(Self.segments(text), encoding: false)
                }
            }
            try Self.check(segment, value)
            result += segment
            return result.isEmpty || result.hasPrefix("/") ? result : "/" + result
        }

        /// Split byte by byte: a `/` before a combining mark is no `/` to a Character.
        private static func segments(_ text: String) -> [Substring] {
            text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
        }

        /// Whether `byte` is allowed in an encoded path (RFC 3986, section 3.3).
        private static func isPathByte(_ byte: UInt8) -> Bool {
            byte.isLetterOrDigit || "-._~!$&'()*+,;=:@/%".utf8.contains(byte)
        }

        private static func check(_ segment: String, _ value: String?) throws(InvalidValue) {
            guard let value else { return }
            if segment == "." || segment == ".." { throw InvalidValue(value: value, reason: .dotSegment) }
        }
    }
}
