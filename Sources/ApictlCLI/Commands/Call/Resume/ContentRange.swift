/// The `Content-Range` of a 206 or a 416: `bytes 100-199/200`, `bytes */200` (RFC 9110, section 14.4).
struct ContentRange: Equatable {
    /// The first and the last byte; nil if the requested range does not exist.
    var range: ClosedRange<Int>?
    /// The length of the whole; nil if it is unknown.
    var total: Int?

    /// Nil if `text` is not a valid range of bytes.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] != "*" {
            guard let number = Self.number(parts[1]) else { return nil }
            total = number
        }
        if parts[0] == "*" {
            if total == nil { return nil }
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < total ?? .max else {
            return nil
        }
        range = first...last
    }

    private static func number(_ text: Substring) -> Int? {
        text.isEmpty || !text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) ? nil : Int(text)
    }
}
