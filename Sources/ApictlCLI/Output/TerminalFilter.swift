import JSONText

/// Makes streamed text safe for a terminal.
///
/// Control characters except tab and line break, C1 controls, and bytes that are not UTF-8 are shown as escapes. A
/// carriage return is left out.
struct TerminalFilter {
    /// The number of bytes that are examined to recognize binary data.
    private static let examinedCount = 8192

    /// The first bytes of a character whose other bytes have not arrived yet.
    private var pending: [UInt8] = []
    /// Whether no bytes have been fed yet.
    private var isFirst = true

    /// Returns the safe text of the next bytes of a stream.
    ///
    /// A character whose bytes are incomplete is kept until the others arrive.
    ///
    /// - Returns: Nil if the stream is binary, which means a zero byte in its first chunk.
    mutating func feed(_ bytes: [UInt8]) -> [UInt8]? {
        if isFirst, Self.areBinary(bytes) { return nil }
        isFirst = false
        let text = pending + bytes
        let end = Self.endOfWholeCharacters(in: text)
        pending = Array(text[end...])
        return Self.escaped(text[..<end])
    }

    /// Ends the stream. Returns the safe text of a character whose last bytes are missing; usually there is none.
    mutating func finish() -> [UInt8] {
        let rest = pending
        pending = []
        return Self.escaped(rest[...])
    }

    /// Returns the bytes of a whole text as they are written to an output.
    ///
    /// On a terminal this is their safe text, or nil if they are binary. Elsewhere they stay as they are.
    static func shown(_ bytes: [UInt8], on output: any ByteOutput) -> [UInt8]? {
        if !output.isTerminal { return bytes }
        return areBinary(bytes) ? nil : escaped(bytes[...])
    }

    /// Returns the safe text of a whole text: `a`, ESC and `b` become `a\u001Bb`, whose escape is visible.
    static func escaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        let isSafe = text.unicodeScalars.allSatisfy { !TerminalText.isHazard($0.value) || $0 == "\t" || $0 == "\n" }
        if isSafe { return Array(text.utf8) }
        return text.unicodeScalars.flatMap { scalar -> [UInt8] in
            switch scalar {
            case "\t", "\n": [UInt8(scalar.value)]
            case "\r": []
            default: Array(TerminalText.escaped(String(scalar)).utf8)
            }
        }
    }

    /// Returns whether bytes are binary, which means a zero byte among the first ones.
    private static func areBinary(_ bytes: [UInt8]) -> Bool { bytes.prefix(examinedCount).contains(0) }

    /// Returns the index where the last character starts if its bytes are incomplete, otherwise the end of `bytes`.
    private static func endOfWholeCharacters(in bytes: [UInt8]) -> Int {
        // A character of UTF-8 has at most four bytes. Its first byte starts with as many ones as it has bytes (RFC
        // 3629, section 3).
        guard let start = bytes.suffix(3).lastIndex(where: { $0 >= 0b1100_0000 }) else { return bytes.endIndex }
        let length = (~bytes[start]).leadingZeroBitCount
        return start + length > bytes.endIndex ? start : bytes.endIndex
    }
}
