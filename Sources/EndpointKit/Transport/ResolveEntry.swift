import JSONText

/// The form of an entry of ``ConnectionOptions/resolve``: `[+]HOST:PORT:ADDRESS[,ADDRESS]…`.
package enum ResolveEntry {
    /// Returns the fault of an entry, because libcurl silently ignores invalid ones.
    ///
    /// - Parameter entry: An entry such as `api.test:443:127.0.0.1,[::1]`. The host is a name, or `*` for every host.
    ///   After a `+`, the entry expires like the result of a lookup. IPv6 addresses may be in brackets.
    /// - Returns: The fault as a message. Nil if there is none.
    package static func problem(_ entry: String) -> String? {
        let expectedForm = "expected HOST:PORT:ADDRESS[,ADDRESS]…"
        let parts = entry.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard !entry.utf8.contains(0), parts.count == 3, isHost(parts[0]), isPort(parts[1]) else {
            return expectedForm
        }
        for address in parts[2].split(separator: ",", omittingEmptySubsequences: false) where !isAddress(address) {
            return address.isEmpty ? expectedForm : "'\(address)' is not an IP address; \(expectedForm)"
        }
        return nil
    }

    /// Returns whether `text` can be the host of an entry.
    private static func isHost(_ text: Substring) -> Bool {
        let name = text.hasPrefix("+") ? text.dropFirst() : text
        // For libcurl, an entry that begins with `-` removes an earlier one. It does not accept an IPv6 address here.
        if name.isEmpty || name.hasPrefix("-") || name.hasPrefix("[") { return false }
        return name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    /// Returns whether `text` is a port from 1 to 65535.
    private static func isPort(_ text: Substring) -> Bool {
        guard text.utf8.count <= 5, let port = UInt16(digits: text) else { return false }
        return port > 0
    }

    /// Returns whether `text` is an IPv4 address, or an IPv6 address with or without brackets.
    private static func isAddress(_ text: Substring) -> Bool {
        let isBracketed = text.first == "[" && text.last == "]" && text.count > 2
        let address = isBracketed ? text.dropFirst().dropLast() : text
        return isIPv6(address) || isIPv4(text)
    }

    /// Returns whether `text` is an IPv4 address: four numbers from 0 to 255 without leading zeros.
    private static func isIPv4(_ text: Substring) -> Bool {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
        guard numbers.count == 4 else { return false }
        return numbers.allSatisfy { digits in
            guard let number = UInt8(digits) else { return false }
            let hasLeadingZero = "\(number)" != digits
            return !hasLeadingZero
        }
    }

    /// Returns whether `text` is an IPv6 address without brackets (RFC 4291, section 2.2).
    ///
    /// It has eight groups. `::` may replace one or more of them, and an IPv4 address the last two: `::ffff:192.0.2.1`.
    static func isIPv6(_ text: Substring) -> Bool {
        guard let gap = text.firstRange(of: "::") else { return groupCount(of: text) == 8 }
        let textBefore = text[..<gap.lowerBound]
        // An IPv4 address can only be at the end.
        if textBefore.contains(".") { return false }
        guard let countBefore = groupCount(of: textBefore) else { return false }
        guard let countAfter = groupCount(of: text[gap.upperBound...]) else { return false }
        return countBefore + countAfter < 8
    }

    /// Returns how many 16-bit groups a part of an IPv6 address has (RFC 4291, section 2.2).
    ///
    ///     fe80:0:1          →    3
    ///     ffff:192.0.2.1    →    3, because an IPv4 address at the end counts as two groups
    ///
    /// - Parameter text: Groups with colons between them, without the `::` of an abbreviated address.
    /// - Returns: The number of groups. Nil if one is malformed.
    private static func groupCount(of text: Substring) -> Int? {
        if text.isEmpty { return 0 }
        var groups = text.split(separator: ":", omittingEmptySubsequences: false)
        var count = groups.count
        if let lastGroup = groups.last, isIPv4(lastGroup) {
            groups.removeLast()
            count += 1
        }
        for group in groups {
            let hasValidLength = (1...4).contains(group.utf8.count)
            guard hasValidLength, group.utf8.allSatisfy({ Hexadecimal.isDigit($0) }) else { return nil }
        }
        return count
    }
}
