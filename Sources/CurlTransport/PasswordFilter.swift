import EndpointKit

/// Takes user names and passwords out of libcurl's texts.
enum PasswordFilter {
    /// `text` without user and password: what stands before the last `@` in a quoted URL or proxy, or in a word with `://`.
    static func withoutPasswords(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
        let bytes = text.exactBytes[...]
        let quote = UInt8(ascii: "'")
        // The last quote ends what the first one starts: a password may hold quotes and spaces.
        let isOpening = { (index: Int) in bytes[index] == quote && (index == 0 || bytes[index - 1] == 0x20) }
        guard let start = bytes.indices.first(where: isOpening) else {
            return String(exactBytes: withoutUsers(inWordsOf: bytes))
        }
        let end = bytes[(start + 1)...].lastIndex(of: quote) ?? bytes.endIndex
        return String(
            exactBytes: withoutUsers(inWordsOf: bytes[..<start]) + [quote]
                + withoutUser(bytes[(start + 1)..<end], needsScheme: false) + withoutUsers(inWordsOf: bytes[end...]))
    }

    private static func withoutUsers(inWordsOf text: ArraySlice<UInt8>) -> [UInt8] {
        let words = text.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        return Array(words.map { withoutUser($0, needsScheme: true) }.joined(separator: [UInt8(ascii: " ")]))
    }

    private static func withoutUser(_ text: ArraySlice<UInt8>, needsScheme: Bool) -> [UInt8] {
        let scheme = text.indices.first { text[$0...].starts(with: "://".utf8) }.map { $0 + 3 }
        guard let at = text.lastIndex(of: UInt8(ascii: "@")),
            let start = scheme ?? (needsScheme ? nil : text.startIndex),
            at >= start
        else { return Array(text) }
        return Array(text[..<start] + text[(at + 1)...])
    }
}
