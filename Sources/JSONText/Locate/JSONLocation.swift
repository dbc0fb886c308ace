/// Where a value stands in JSON text, and what it is.
public struct JSONLocation: Equatable, Sendable {
    /// What kind of JSON value it is; the description is how a message names it.
    public enum Kind: String, Sendable, CustomStringConvertible {
        case object
        case array
        case string
        /// A number without fraction and exponent.
        case integer = "integer number"
        /// A number with a fraction or an exponent, even if its value is whole.
        case fraction = "fractional number"
        case boolean
        case null

        public var description: String { rawValue }
    }

    /// Bytes before the value.
    public let offset: Int
    /// Lines are ended by LF; the first is 1.
    public let line: Int
    /// Unicode scalars from the start of the line; the first is 1. A byte order mark does not count.
    public let column: Int
    /// What kind of value it is, told by its first byte and for a number by its form.
    public let kind: Kind
    /// The value as it stands in the text; `{…}` or `[…]` for containers. Beyond 80 characters it is cut, with a `…` at
    /// its end. Not safe for a terminal as it is: see ``TerminalText``.
    public let text: String

    static let longestText = 80

    init?(of range: Range<Int>, in bytes: [UInt8]) {
        guard let (kind, text) = Self.value(of: range, in: bytes) else { return nil }
        offset = range.lowerBound
        (line, column) = JSONLocator.position(of: offset, in: bytes)
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
    /// 3 if the text starts with a byte order mark, else 0.
    var startOfText: Int { starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }
}
