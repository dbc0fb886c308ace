/// An error in JSON text: its place, and what was expected there.
///
/// A text is also in error if it is nested too deeply, or if it has several documents where one is expected.
public struct JSONSyntaxError: DescribedError, Equatable, Sendable {
    /// The rule that a text breaks.
    package enum Reason: Sendable {
        /// The text is not JSON.
        case syntax
        /// The text has several documents, or a record separator, where one document is expected.
        case severalDocuments
        /// The text is nested too deeply, or too long.
        case limit
    }

    /// The number of bytes before the error, including a byte order mark.
    public let offset: Int
    /// The line, from 1. Lines end with LF.
    public let line: Int
    /// The column in Unicode scalars, not bytes, from 1.
    public let column: Int
    /// The syntax that was expected there, such as `a value`.
    public let expected: String
    /// The text that was found there, such as `','`, `byte 0xFF` or `end of input`. It never has a raw control byte.
    public let found: String
    package var reason = Reason.syntax

    /// `expected a value, found ','`
    package var problem: String { "expected \(expected), found \(found)" }

    /// `line 3, column 7: expected a value, found ','`
    public var description: String { "line \(line), column \(column): \(problem)" }

    /// Returns the name of a byte in a message: the character in quotes if it is printable ASCII, such as `'x'`, or
    /// else its number, such as `byte 0xFF`.
    static func name(of byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "'"):
            return "\"'\""
        case 0x20...0x7E:
            return "'\(Unicode.Scalar(byte))'"
        default:
            let digits = [Hexadecimal.digit(UInt32(byte >> 4)), Hexadecimal.digit(UInt32(byte))]
            return "byte 0x" + String(decoding: digits, as: UTF8.self)
        }
    }
}
