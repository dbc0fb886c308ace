/// The text that the inside of a JSON string stands for.
enum JSONUnquoting {
    /// Escapes are resolved; half a surrogate pair becomes U+FFFD.
    static func text(_ body: ArraySlice<UInt8>) -> String {
        guard body.contains(UInt8(ascii: "\\")) else { return String(decoding: body, as: UTF8.self) }
        // As UTF-16, surrogate pairs need no care: the last step joins or replaces them.
        var units: [UInt16] = []
        var rest = body
        while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
            units.append(contentsOf: String(decoding: rest[..<backslash], as: UTF8.self).utf16)
            rest = rest[(backslash + 1)...]
            guard let kind = rest.popFirst() else { break }
            if kind == UInt8(ascii: "u") {
                let unit = rest.prefix(4).reduce(UInt32(0)) { $0 << 4 | (Hexadecimal.value($1) ?? 0) }
                units.append(UInt16(truncatingIfNeeded: unit))
                rest = rest.dropFirst(4)
            } else {
                units.append(UInt16(unescaped(kind)))
            }
        }
        units.append(contentsOf: String(decoding: rest, as: UTF8.self).utf16)
        return String(decoding: units, as: UTF16.self)
    }

    private static func unescaped(_ kind: UInt8) -> UInt8 {
        switch kind {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: kind
        }
    }
}
