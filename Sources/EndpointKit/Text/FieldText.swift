// The characters of HTTP's fields (RFC 9110, section 5.6).

extension UInt8 {
    /// Whether the byte is an ASCII digit.
    package var isDigit: Bool { (0x30...0x39).contains(self) }

    /// Whether the byte is an ASCII letter or digit.
    package var isLetterOrDigit: Bool {
        // Setting the bit 0x20 turns an uppercase letter into a lowercase one.
        let lowercased = self | 0x20
        return isDigit || (0x61...0x7A).contains(lowercased)
    }

    /// The byte in lower case if it is an ASCII letter; otherwise the byte itself.
    var asciiLowercased: UInt8 {
        let isUppercaseLetter = (0x41...0x5A).contains(self)
        return isUppercaseLetter ? self | 0x20 : self
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
    /// Returns whether two names are the same, ignoring the case of ASCII letters. The names of headers are compared in
    /// this way (RFC 9110, section 5.1).
    package func isSameName(as otherName: String) -> Bool {
        guard utf8.count == otherName.utf8.count else { return false }
        return zip(utf8, otherName.utf8).allSatisfy { byte, otherByte in
            byte.asciiLowercased == otherByte.asciiLowercased
        }
    }

    /// Returns this text with every occurrence of `target` replaced by `replacement`, compared by bytes.
    ///
    /// The standard library's `replacing(_:with:)` compares characters, so it misses a quote that a combining mark
    /// follows. It also takes ten times as long as this loop over bytes.
    package func replacingBytes(of target: String, with replacement: String) -> String {
        let targetBytes = Array(target.utf8)
        guard let firstByte = targetBytes.first, utf8.contains(firstByte) else { return self }
        var result: [UInt8] = []
        var unreadBytes = Array(utf8)[...]
        while let index = unreadBytes.firstIndex(of: firstByte) {
            result += unreadBytes[..<index]
            unreadBytes = unreadBytes[index...]
            if unreadBytes.starts(with: targetBytes) {
                result += replacement.utf8
                unreadBytes = unreadBytes.dropFirst(targetBytes.count)
            } else {
                result.append(firstByte)
                unreadBytes = unreadBytes.dropFirst()
            }
        }
        result += unreadBytes
        return String(decoding: result, as: UTF8.self)
    }
}
