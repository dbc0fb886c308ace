import EndpointKit
import JSONText

/// JSON pointers (RFC 6901) in URI fragments.
enum JSONPointer {
    /// Returns the pointer to a value in its document, such as `#/paths/~1pets/get`.
    static func text(of value: JSONValue) -> String { text(of: value.document.path(to: value.slot)) }

    /// Returns the pointer that consists of some keys and positions.
    static func text(of path: [JSONPathComponent]) -> String { path.pointerText }

    /// Returns the keys and positions in a pointer.
    ///
    ///     /paths/~1pets/get    →  paths, /pets, get
    ///     (empty)              →  none, because the pointer names the whole document
    ///     pets                 →  nil, because a pointer begins with `/`
    ///
    /// - Parameter fragment: The pointer as the fragment of a URI: percent-encoded, and without `#`.
    static func tokens(of fragment: some StringProtocol) -> [String]? {
        let bytes = Substring(fragment).utf8
        guard let first = bytes.first else { return [] }
        guard first == UInt8(ascii: "/") else { return nil }
        let parts = bytes.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.map { part in
            let token = Substring(part)
            // Most tokens are plain names and need no decoding. Percent-decoding comes before the replacement of `~1`
            // and `~0` (RFC 6901, section 6).
            let isEncoded = part.contains(UInt8(ascii: "%")) || part.contains(UInt8(ascii: "~"))
            return isEncoded ? unescaped(PercentEncoding.decode(token)) : String(token)
        }
    }

    /// Replaces `~1` by `/`, and `~0` by `~` (RFC 6901, section 4): `~1pets` becomes `/pets`.
    ///
    /// The RFC does not allow other characters after `~`. In that case the `~` is dropped.
    private static func unescaped(_ token: String) -> String {
        var result = String.UnicodeScalarView()
        var unread = token.unicodeScalars[...]
        while let scalar = unread.popFirst() {
            if scalar == "~" {
                switch unread.popFirst() {
                case "0": result.append("~")
                case "1": result.append("/")
                case let other?: result.append(other)
                case nil: break
                }
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
