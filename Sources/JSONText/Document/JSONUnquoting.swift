/// The text of a JSON string without its quotes.
enum JSONUnquoting {
    /// Escapes are resolved. Nil if the text has a lone surrogate, which no Swift string can hold.
    static func text(_ body: UnsafeRawBufferPointer) -> String? {
        var isWhole = true
        // No escape is longer resolved than written.
        let text = String(unsafeUninitializedCapacity: body.count) { output in
            var index = 0
            var count = 0
            while index < body.count {
                let byte = body[index]
                index &+= 1
                guard byte == UInt8(ascii: "\\") else {
                    output[count] = byte
                    count &+= 1
                    continue
                }
                guard let scalar = scalar(body, &index) else {
                    isWhole = false
                    break
                }
                for byte in scalar.utf8 {
                    output[count] = byte
                    count &+= 1
                }
            }
            return count
        }
        return isWhole ? text : nil
    }

    /// Escapes are resolved; a lone surrogate becomes U+FFFD.
    static func repairedText(_ body: UnsafeRawBufferPointer) -> String {
        // As UTF-16, surrogate pairs need no care: the last step joins or replaces them.
        var units: [UInt16] = []
        var index = 0
        while index < body.count {
            let start = index
            while index < body.count, body[index] != UInt8(ascii: "\\") { index += 1 }
            let plain = UnsafeRawBufferPointer(rebasing: body[start..<index])
            units.append(contentsOf: String(decoding: plain, as: UTF8.self).utf16)
            index += 1
            guard let kind = next(body, &index) else { continue }
            let unit = kind == UInt8(ascii: "u") ? codeUnit(body, &index) : UInt32(unescaped(kind))
            units.append(UInt16(truncatingIfNeeded: unit))
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Reads on from after a backslash to the end of the escape.
    private static func scalar(_ body: UnsafeRawBufferPointer, _ index: inout Int) -> Unicode.Scalar? {
        guard let kind = next(body, &index) else { return nil }
        guard kind == UInt8(ascii: "u") else { return Unicode.Scalar(unescaped(kind)) }
        let unit = codeUnit(body, &index)
        guard unit & 0xF800 == 0xD800 else { return Unicode.Scalar(unit) }
        guard unit < 0xDC00, next(body, &index) == UInt8(ascii: "\\"), next(body, &index) == UInt8(ascii: "u") else {
            return nil
        }
        let second = codeUnit(body, &index)
        guard second & 0xFC00 == 0xDC00 else { return nil }
        return Unicode.Scalar(0x1_0000 + (unit & 0x3FF) << 10 + second & 0x3FF)
    }

    private static func codeUnit(_ body: UnsafeRawBufferPointer, _ index: inout Int) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = next(body, &index) else { break }
            unit = unit << 4 | (Hexadecimal.value(digit) ?? 0)
        }
        return unit
    }

    @inline(__always)
    private static func next(_ body: UnsafeRawBufferPointer, _ index: inout Int) -> UInt8? {
        guard index < body.count else { return nil }
        defer { index &+= 1 }
        return body[index]
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
