import JSONText

/// Makes streamed text safe for a terminal, which might obey control characters in it.
///
/// Control characters, C1 controls, and bytes that are not UTF-8 are shown as escapes such as `\u001B`. Tab and line
/// feed stay, and a carriage return is left out.
struct TerminalFilter {
    /// The number of bytes at the start that are searched for a zero byte, which means binary data. Git searches 8000.
    private static let examinedCount = 8192

    /// The first bytes of a character whose other bytes have not arrived yet.
    private var pending: [UInt8] = []
    /// Whether no bytes have been fed yet.
    private var isAtStart = true

    /// Returns the safe text of the next bytes of a stream.
    ///
    /// The first bytes of a character are kept until its other bytes arrive.
    ///
    /// - Returns: The text; nil if the stream is binary, which means a zero byte in the first bytes that are fed.
    mutating func feed(_ bytes: [UInt8]) -> [UInt8]? {
        if isAtStart, Self.areBinary(bytes) { return nil }
        isAtStart = false
        let text = pending + bytes
        let end = Self.endOfWholeCharacters(in: text)
        pending = Array(text[end...])
        return Self.escaped(text[..<end])
    }

    /// Ends the stream.
    ///
    /// - Returns: The safe text of a character whose last bytes never arrived; usually empty.
    mutating func finish() -> [UInt8] {
        let text = Self.escaped(pending[...])
        pending = []
        return text
    }

    /// Returns the bytes of a whole text as they are to be written to an output.
    ///
    /// - Returns: For a terminal, the safe text; nil if the bytes are binary. For any other output, the bytes as they
    ///   are.
    static func shown(_ bytes: [UInt8], on output: any ByteOutput) -> [UInt8]? {
        if !output.isTerminal { return bytes }
        return areBinary(bytes) ? nil : escaped(bytes[...])
    }

    /// Returns the safe text of a whole text: the three bytes `a`, ESC and `b` become the text `a\u001Bb`.
    ///
    /// Tab and line feed stay as they are, and a carriage return is left out.
    static func escaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        let isSafe = text.unicodeScalars.allSatisfy { !TerminalText.isHazard($0.value) || $0 == "\t" || $0 == "\n" }
        // Most texts are safe. Copying them as a whole is much faster than scalar by scalar.
        if isSafe { return Array(text.utf8) }
        return text.unicodeScalars.flatMap { scalar -> [UInt8] in
            switch scalar {
            case "\t", "\n": [UInt8(scalar.value)]
            case "\r": []
            default: Array(TerminalText.escaped(String(scalar)).utf8)
            }
        }
    }

    /// Returns whether bytes are binary data, which means that a zero byte is among the first ones.
    private static func areBinary(_ bytes: [UInt8]) -> Bool { bytes.prefix(examinedCount).contains(0) }

    /// Returns the index up to which all characters are complete: the start of the last character if its last bytes are
    /// missing, otherwise the end of `bytes`.
    private static func endOfWholeCharacters(in bytes: [UInt8]) -> Int {
        // A character of UTF-8 has at most four bytes, so an incomplete one starts at one of the last three. Its first
        // byte begins with as many one bits as the character has bytes (RFC 3629, section 3).
        guard let start = bytes.suffix(3).lastIndex(where: { $0 >= 0b1100_0000 }) else { return bytes.endIndex }
        let length = (~bytes[start]).leadingZeroBitCount
        let isIncomplete = start + length > bytes.endIndex
        return isIncomplete ? start : bytes.endIndex
    }
}
