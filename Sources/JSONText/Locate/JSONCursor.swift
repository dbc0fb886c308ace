/// A place in JSON text that is known to be valid; on text that is not, it stops somewhere, but always stops.
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

    /// Goes from an object to the value of its first member called `key`. False if this is no object or has no such member.
    mutating func enterMember(_ key: String) -> Bool {
        guard take(UInt8(ascii: "{")) else { return false }
        repeat {
            guard let quoted = skipKey() else { return false }
            let name = bytes[quoted].dropFirst().dropLast().withUnsafeBytes { JSONUnquoting.text($0) }
            if name == key { return true }
        } while skipValue() != nil && take(UInt8(ascii: ","))
        return false
    }

    /// Goes from an array to its element at `position`. False if this is no array or has no such element.
    mutating func enterElement(_ position: Int) -> Bool {
        guard position >= 0, take(UInt8(ascii: "[")) else { return false }
        for _ in 0..<position {
            guard skipValue() != nil, take(UInt8(ascii: ",")) else { return false }
        }
        return true
    }

    /// Skips the value that starts here, white space before it aside, and returns where it stands.
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

    /// Skips a key and the colon after it, and returns where the key stands, quotes included.
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

    /// Skips the string that starts here and returns where it stands, quotes included.
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

    /// Skips `byte`, white space before it aside; false if something else stands there.
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
