/// The location of a value in JSON text, its kind and its text.
package struct JSONLocation: Equatable, Sendable {
    /// The kind of a JSON value; its description is used in messages.
    package enum Kind: String, Sendable, CustomStringConvertible {
        case object
        case array
        case string
        /// A number without fraction and exponent.
        case integer = "integer number"
        /// A number with a fraction or an exponent, even if its value is whole.
        case fraction = "fractional number"
        case boolean
        case null

        package var description: String { rawValue }
    }

    /// The number of bytes before the value.
    package let offset: Int
    /// The line, from 1; lines end with LF.
    package let line: Int
    /// The column in Unicode scalars, from 1; a byte order mark does not count.
    package let column: Int
    /// The kind of the value, determined by its first byte, and for a number by its form.
    package let kind: Kind
    /// The value's text; `{…}` or `[…]` for containers. It is cut after 80 characters, with a `…` at
    /// its end, and not escaped for a terminal: see ``TerminalText``.
    package let text: String

    static let longestText = 80

    init?(of range: Range<Int>, in bytes: [UInt8]) {
        guard let (kind, text) = Self.value(of: range, in: bytes) else { return nil }
        offset = range.lowerBound
        (line, column) = bytes.position(of: offset)
        (self.kind, self.text) = (kind, text)
    }

    /// ``kind`` and ``text`` of the value in that range, without the time that counting lines takes.
    static func value(of range: Range<Int>, in bytes: [UInt8]) -> (kind: Kind, text: String)? {
        let value = bytes[range]
        return kind(of: value).map { kind in
            switch kind {
            case .object: (kind, "{…}")
            case .array: (kind, "[…]")
            default: (kind, shortened(value))
            }
        }
    }

    private static func kind(of value: ArraySlice<UInt8>) -> Kind? {
        guard let first = value.first else { return nil }
        return switch first {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
        case UInt8(ascii: "n"): .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            value.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") } ? .fraction : .integer
        default: nil
        }
    }

    private static func shortened(_ value: ArraySlice<UInt8>) -> String {
        var count = 0
        for (index, byte) in zip(value.indices, value) where byte & 0xC0 != 0x80 {
            count += 1
            if count > longestText { return String(decoding: value[..<index], as: UTF8.self) + "…" }
        }
        return String(decoding: value, as: UTF8.self)
    }
}

extension [UInt8] {
    /// 3 if the text starts with a byte order mark, otherwise 0.
    var startOfText: Int { starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

    /// The line and column of a byte: lines end with LF, columns are Unicode scalars, both count from 1.
    ///
    /// A byte order mark does not count. An `offset` beyond the text means its end.
    func position(of offset: Int) -> (line: Int, column: Int) {
        var line = 1
        var column = 1
        let start = startOfText
        for byte in self[start..<Swift.max(Swift.min(offset, count), start)] {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return (line, column)
    }
}
