#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keys between `snake_case` and `camelCase`, by the rules of Foundation's `JSONDecoder`.
enum SnakeCase {
    /// `_poster_path_` becomes `_posterPath_`: underscores at the start and the end stay; a key without any between stays as it is.
    static func camelCase(_ key: String) -> String {
        let underscore = UInt8(ascii: "_")
        let text = key.utf8
        guard let first = text.firstIndex(where: { $0 != underscore }),
            let last = text.lastIndex(where: { $0 != underscore })
        else { return key }
        let words = key[first...last].split(separator: "_")
        guard words.count > 1 else { return key }
        return key[..<first] + words[0].lowercased() + words.dropFirst().map(\.capitalized).joined()
            + key[key.utf8.index(after: last)...]
    }
}
