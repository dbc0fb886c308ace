// The characters of HTTP's fields (RFC 9110, section 5.6).

extension UInt8 {
    /// Whether it is a digit of ASCII.
    package var isDigit: Bool { (0x30...0x39).contains(self) }

    /// Whether it is a letter or digit of ASCII.
    package var isLetterOrDigit: Bool { isDigit || (0x61...0x7A).contains(self | 0x20) }

    /// Whether it may be part of a token.
    package var isTokenByte: Bool { isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(self) }
}

extension BidirectionalCollection<UInt8> {
    /// This text without the spaces and tabs at its ends.
    package func trimmingBlanks() -> SubSequence {
        let start = drop { $0 == 0x20 || $0 == 0x09 }
        guard let end = start.lastIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { return start }
        return start[...end]
    }
}
