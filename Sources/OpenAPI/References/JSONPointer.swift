import EndpointKit
import JSONText

/// JSON pointers (RFC 6901) in URI fragments.
enum JSONPointer {
    /// Returns the pointer to a value in its document, such as `#/paths/~1pets/get`.
    static func text(of value: JSONValue) -> String { text(of: value.document.path(to: value.slot)) }

    /// Returns the pointer of a path of keys and positions.
    static func text(of path: [JSONPathComponent]) -> String { path.pointerText }

    /// Returns the keys and positions of a pointer: `paths`, `/pets` and `get` for `/paths/~1pets/get`.
    ///
    /// - Parameter fragment: The pointer without the `#` in front of it, percent-encoded.
    /// - Returns: The reference tokens; nil if the text is not empty and doesn't begin with `/`.
    static func tokens(of fragment: some StringProtocol) -> [String]? {
        let bytes = Substring(fragment).utf8
        guard let first = bytes.first else { return [] }
        guard first == UInt8(ascii: "/") else { return nil }
        let parts = bytes.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.map { part in
            let token = Substring(part)
            // Most tokens are plain names, which need no decoding. Others are percent-decoded before `~1` and `~0` are
            // replaced (RFC 6901, section 6).
            let isEncoded = part.contains(UInt8(ascii: "%")) || part.contains(UInt8(ascii: "~"))
            return isEncoded ? unescaped(PercentEncoding.decode(token)) : String(token)
        }
    }

    /// Returns a token with `/` for `~1` and `~` for `~0` (RFC 6901, section 4): `/pets` for `~1pets`.
    ///
    /// The tilde of any other pair, which the RFC does not allow, is dropped.
    private static func unescaped(_ token: String) -> String {
        var result = String.UnicodeScalarView()
        var unread = token.unicodeScalars[...]
        while let scalar = unread.popFirst() {
            guard scalar == "~" else {
                result.append(scalar)
                continue
            }
            switch unread.popFirst() {
            case "0": result.append("~")
            case "1": result.append("/")
            case let other?: result.append(other)
            case nil: break
            }
        }
        return String(result)
    }
}
