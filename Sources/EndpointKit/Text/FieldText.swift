// The characters of HTTP's fields (RFC 9110, section 5.6).

extension UInt8 {
    /// Whether the byte is a digit of ASCII.
    package var isDigit: Bool { (0x30...0x39).contains(self) }

    /// Whether the byte is a letter or digit of ASCII.
    package var isLetterOrDigit: Bool {
        // The bit 0x20 makes a capital letter a small one.
        isDigit || (0x61...0x7A).contains(self | 0x20)
    }

    /// Whether the byte may be part of a token (RFC 9110, section 5.6.2).
    package var isTokenByte: Bool { isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(self) }
}

extension FixedWidthInteger {
    /// Creates the number that a text of ASCII digits stands for; nil for any other text, such as `+1`.
    package init?(digits text: some StringProtocol) {
        guard text.utf8.allSatisfy(\.isDigit) else { return nil }
        self.init(text)
    }
}

extension BidirectionalCollection<UInt8> {
    /// Returns this text without the spaces and tabs at its ends.
    package func trimmingBlanks() -> SubSequence {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let trimmedStart = drop(while: isBlank)
        guard let last = trimmedStart.lastIndex(where: { !isBlank($0) }) else { return trimmedStart }
        return trimmedStart[...last]
    }
}

extension String {
    /// Whether this equals `other`, ignoring the case of ASCII letters, as header names are compared (RFC 9110, section
    /// 5.1).
    package func isSameName(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return zip(utf8, other.utf8).allSatisfy { Self.lowercased($0) == Self.lowercased($1) }
    }

    /// Returns an ASCII letter in lower case, and any other byte as it is.
    private static func lowercased(_ byte: UInt8) -> UInt8 {
        let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        return isCapital ? byte | 0x20 : byte
    }

    /// Returns this text with every occurrence of `target` replaced by `replacement`, compared by bytes.
    ///
    /// The standard library's `replacing(_:with:)` compares characters, so it misses a quote that a combining mark
    /// follows. It also takes ten times as long as this loop over bytes.
    package func replacingBytes(of target: String, with replacement: String) -> String {
        let targetBytes = Array(target.utf8)
        guard let firstByte = targetBytes.first, utf8.contains(firstByte) else { return self }
        var result: [UInt8] = []
        var unread = Array(utf8)[...]
        while let index = unread.firstIndex(of: firstByte) {
            result += unread[..<index]
            unread = unread[index...]
            if unread.starts(with: targetBytes) {
                result += replacement.utf8
                unread = unread.dropFirst(targetBytes.count)
            } else {
                result.append(firstByte)
                unread = unread.dropFirst()
            }
        }
        result += unread
        return String(decoding: result, as: UTF8.self)
    }
}
