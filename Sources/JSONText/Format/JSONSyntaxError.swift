/// Where a text stops being JSON, and why.
public struct JSONSyntaxError: Error, Equatable, Sendable {
    /// Bytes before the place, a byte order mark included.
    public let offset: Int
    /// Lines are ended by LF; the first is 1.
    public let line: Int
    /// Unicode scalars, not bytes, from the start of the line; the first is 1.
    public let column: Int
    /// What could have stood there, e.g. `a value`.
    public let expected: String
    /// What stands there, e.g. `','`, `byte 0xFF` or `end of input`; never a raw control byte.
    public let found: String

    /// An error at that place; `offset` counts from 0, `line` and `column` from 1.
    public init(offset: Int, line: Int, column: Int, expected: String, found: String) {
        self.offset = offset
        self.line = line
        self.column = column
        self.expected = expected
        self.found = found
    }

    static let endOfInput = "end of input"

    /// How a byte is named in a message.
    static func name(of byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "'"): "\"'\""
        case 0x20...0x7E: "'\(Unicode.Scalar(byte))'"
        default: "byte 0x" + Hexadecimal.text(UInt32(byte), digits: 2)
        }
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    /// `line 3, column 7: expected a value, found ','`
    public var description: String {
        "line \(line), column \(column): expected \(expected), found \(found)"
    }
}
