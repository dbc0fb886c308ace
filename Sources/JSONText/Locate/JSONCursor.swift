/// A position in valid JSON text. On invalid text the result is unspecified, but every method terminates.
struct JSONCursor {
    private let bytes: [UInt8]
    private var index: Int

    init(_ bytes: [UInt8]) { self.init(bytes, at: bytes.startOfText) }

    init(_ bytes: [UInt8], at index: Int) {
        self.bytes = bytes
        self.index = index
    }

    /// Whether nothing but white space follows.
    var isAtEnd: Bool { bytes[index...].allSatisfy { $0 <= 0x20 } }

    /// Moves from an object to the value of its first member `key`. False if this is not an object or has no such member.
    mutating func enterMember(_ key: String) -> Bool {
        guard take(UInt8(ascii: "{")) else { return false }
        repeat {
            guard let quoted = skipKey() else { return false }
            let name = bytes[quoted].dropFirst().dropLast().withUnsafeBytes { JSONUnquoting.text($0) }
            if name == key { return true }
        } while skipValue() != nil && take(UInt8(ascii: ","))
        return false
    }

    /// Moves from an array to its element at `position`. False if this is not an array or has no such element.
    mutating func enterElement(_ position: Int) -> Bool {
        guard position >= 0, take(UInt8(ascii: "[")) else { return false }
        for _ in 0..<position {
            guard skipValue() != nil, take(UInt8(ascii: ",")) else { return false }
        }
        return true
    }

    /// Skips white space and the value after it, and returns the value's range.
    mutating func skipValue() -> Range<Int>? {
        skipWhitespace()
        let start = index
        var depth = 0
        repeat {
            guard index < bytes.count else { return nil }
            switch bytes[index] {
            case UInt8(ascii: "\""):
                guard skipString() != nil else { return nil }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { return nil }
                depth -= 1
                index += 1
            default:
                if depth > 0 { index += 1 } else { skipPlainScalar() }
            }
        } while depth > 0
        return start < index ? start..<index : nil
    }

    /// Skips a key and the colon after it, and returns the key's range, including quotes.
    mutating func skipKey() -> Range<Int>? {
        skipWhitespace()
        guard let quoted = skipString(), take(UInt8(ascii: ":")) else { return nil }
        return quoted
    }

    private mutating func skipPlainScalar() {
        while index < bytes.count {
            switch bytes[index] {
            case 0...0x20, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): return
            default: index += 1
            }
        }
    }

    /// Skips the string that starts here and returns its range, including quotes.
    private mutating func skipString() -> Range<Int>? {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return nil }
        let start = index
        index += 1
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                return start..<index
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        return nil
    }

    /// Skips white space and `byte`; false if something else comes next.
    mutating func take(_ byte: UInt8) -> Bool {
        skipWhitespace()
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipWhitespace() {
        while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
    }
}
