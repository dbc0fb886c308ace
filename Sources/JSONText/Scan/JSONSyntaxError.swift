/// An error in JSON text: where it is and what was expected; also of a text that is too deep, or more than the one document that it must be.
public struct JSONSyntaxError: DescribedError, Equatable, Sendable {
    /// The number of bytes before the error, including a byte order mark.
    package let offset: Int
    /// The line, from 1; lines end with LF.
    package let line: Int
    /// The column in Unicode scalars, not bytes, from 1.
    package let column: Int
    /// What was expected there, such as `a value`.
    package let expected: String
    /// What was found there, such as `','`, `byte 0xFF` or `end of input`; never a raw control byte.
    package let found: String

    /// `expected a value, found ','`
    package var problem: String { "expected \(expected), found \(found)" }

    /// `line 3, column 7: expected a value, found ','`
    public var description: String { "line \(line), column \(column): \(problem)" }

    /// How a byte is named in a message.
    static func name(of byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "'"): "\"'\""
        case 0x20...0x7E: "'\(Unicode.Scalar(byte))'"
        default: "byte 0x" + String(decoding: Hexadecimal.escape(UInt32(byte)).suffix(2), as: UTF8.self)
        }
    }
}

/// An error whose description is what Foundation shows of it too, as its `localizedDescription`.
public protocol DescribedError: LocalizedError, CustomStringConvertible {}

extension DescribedError {
    public var errorDescription: String? { description }
}
