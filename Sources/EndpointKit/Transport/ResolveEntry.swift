#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The form of an entry of ``ConnectionOptions/resolve``: `[+]HOST:PORT:ADDRESS[,ADDRESS]…`.
package enum ResolveEntry {
    /// What is wrong with an entry, or nil. libcurl leaves out silently what it can't read.
    ///
    /// The host is a name, or `*` for every host; a `+` before it makes an entry that grows old like any other. An IPv6 address may
    /// stand in brackets.
    package static func problem(_ entry: String) -> String? {
        let expected = "expected HOST:PORT:ADDRESS[,ADDRESS]…"
        let parts = entry.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard !entry.utf8.contains(0), parts.count == 3, isHost(parts[0]), isPort(parts[1]) else { return expected }
        for address in parts[2].split(separator: ",", omittingEmptySubsequences: false) where !isAddress(address) {
            return address.isEmpty ? expected : "'\(address)' is no IP address; \(expected)"
        }
        return nil
    }

    private static func isHost(_ text: Substring) -> Bool {
        let name = text.hasPrefix("+") ? text.dropFirst() : text
        return !name.isEmpty && !name.hasPrefix("-") && !name.hasPrefix("[")
            && name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    /// Whether `text` is a port's number.
    package static func isPort(_ text: Substring) -> Bool {
        (1...5).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            && (1...65535).contains(Int(text) ?? 0)
    }

    /// Whether `text` is an IPv4 address, or an IPv6 one that may stand in brackets.
    package static func isAddress(_ text: Substring) -> Bool {
        let isBracketed = text.first == "[" && text.last == "]" && text.count > 2
        let bare = String(isBracketed ? text.dropFirst().dropLast() : text)
        guard !bare.utf8.contains(0) else { return false }
        var space = in6_addr()
        if inet_pton(AF_INET6, bare, &space) == 1 { return true }
        // The space is larger than an IPv4 address needs.
        return !isBracketed && inet_pton(AF_INET, bare, &space) == 1
    }
}
