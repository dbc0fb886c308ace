import JSONText

/// Makes streamed text safe for a terminal: control characters except tab and line break, C1 controls, and bytes
/// that are not UTF-8 are shown as escapes.
struct TerminalFilter {
    /// The start of a character whose remaining bytes have not arrived yet.
    private var pending: [UInt8] = []
    private var isFirst = true

    /// The safe text of `bytes`, or nil if they are binary: a NUL byte in the first chunk.
    mutating func feed(_ bytes: [UInt8]) -> [UInt8]? {
        if isFirst, bytes.prefix(8192).contains(0) { return nil }
        isFirst = false
        let all = pending + bytes
        let cut = Self.incompleteTail(all)
        pending = Array(all.suffix(cut))
        return Self.safe(all.dropLast(cut))
    }

    /// The safe text of an incomplete character at the end.
    mutating func finish() -> [UInt8] {
        defer { pending = [] }
        return Self.safe(pending[...])
    }

    private static func safe(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A: result.append(UInt8(scalar.value))
            case 0x0D: break
            case let value where TerminalText.isHazard(value):
                result += Array(TerminalText.escaped(String(scalar)).utf8)
            default: result += Array(String(scalar).utf8)
            }
        }
        return result
    }

    /// How many bytes at the end are the start of a multi-byte character: at most three.
    private static func incompleteTail(_ bytes: [UInt8]) -> Int {
        for back in 1...3 where back <= bytes.count {
            let byte = bytes[bytes.count - back]
            if byte & 0b1100_0000 == 0b1000_0000 { continue }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return length > back ? back : 0
        }
        return 0
    }
}
