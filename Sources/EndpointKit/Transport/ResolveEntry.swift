import JSONText

/// The form of an entry of ``ConnectionOptions/resolve``: `[+]HOST:PORT:ADDRESS[,ADDRESS]…`.
package enum ResolveEntry {
    /// What is wrong with an entry, or nil. libcurl silently ignores invalid entries.
    ///
    /// The host is a name, or `*` for every host; after a `+`, the entry expires like the result of a lookup. IPv6 addresses
    /// may be in brackets.
    package static func problem(_ entry: String) -> String? {
        let expected = "expected HOST:PORT:ADDRESS[,ADDRESS]…"
        let parts = entry.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard !entry.utf8.contains(0), parts.count == 3, isHost(parts[0]), isPort(parts[1]) else { return expected }
        for address in parts[2].split(separator: ",", omittingEmptySubsequences: false) where !isAddress(address) {
            return address.isEmpty ? expected : "'\(address)' is not an IP address; \(expected)"
        }
        return nil
    }

    private static func isHost(_ text: Substring) -> Bool {
        let name = text.hasPrefix("+") ? text.dropFirst() : text
        return !name.isEmpty && !name.hasPrefix("-") && !name.hasPrefix("[")
            && name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    /// Whether `text` is a port from 1 to 65535.
    private static func isPort(_ text: Substring) -> Bool {
        text.utf8.count <= 5 && UInt16(digits: text).map { $0 > 0 } ?? false
    }

    /// Whether `text` is an IPv4 address, or an IPv6 address with or without brackets.
    private static func isAddress(_ text: Substring) -> Bool {
        let isBracketed = text.first == "[" && text.last == "]" && text.count > 2
        return isIPv6(isBracketed ? text.dropFirst().dropLast() : text) || isIPv4(text)
    }

    private static func isIPv4(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { part in UInt8(part).map { "\($0)" == part } ?? false }
    }

    /// Whether `text` has eight groups, of which `::` may replace one or more and an IPv4 address the last two (RFC 4291, section 2.2).
    static func isIPv6(_ text: Substring) -> Bool {
        guard let gap = text.firstRange(of: "::") else { return groups(text) == 8 }
        guard let before = groups(text[..<gap.lowerBound]), let after = groups(text[gap.upperBound...]),
            !text[..<gap.lowerBound].contains(".")
        else { return false }
        return before + after < 8
    }

    /// How many 16-bit groups `text` holds, separated by colons; nil if one is malformed.
    private static func groups(_ text: Substring) -> Int? {
        if text.isEmpty { return 0 }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let endsInIPv4 = isIPv4(parts[parts.count - 1])
        let areGroups = parts.dropLast(endsInIPv4 ? 1 : 0).allSatisfy { part in
            (1...4).contains(part.utf8.count) && part.utf8.allSatisfy { Hexadecimal.isDigit($0) }
        }
        return areGroups ? parts.count + (endsInIPv4 ? 1 : 0) : nil
    }
}
