/// A URI reference, which may be relative, split into its parts (RFC 3986, section 4.1).
struct URIReference: Equatable {
    var scheme: String?
    var authority: String?
    var path: String
    var query: String?
    var fragment: String?

    /// Splits a text into its parts (RFC 3986, appendix B). Any text is a reference.
    ///
    ///     https://shop.example/pets?limit=2  →  scheme https, authority shop.example, path /pets, query limit=2
    ///     ../pets.yaml#/Pet                  →  path ../pets.yaml, fragment /Pet
    init(_ text: String) {
        var unread = text.utf8[...]
        scheme = Self.takeScheme(from: &unread)
        authority = Self.takePart(after: "//", upTo: "/?#", from: &unread)
        // A path has no delimiter before it, and a fragment ends with the text.
        path = Self.takePart(after: "", upTo: "?#", from: &unread) ?? ""
        query = Self.takePart(after: "?", upTo: "#", from: &unread)
        fragment = Self.takePart(after: "#", upTo: "", from: &unread)
    }

    /// Removes a scheme and its colon from the start of a text.
    ///
    ///     https://shop.example    →  returns https, leaves //shop.example
    ///     /pets                   →  returns nil, leaves the text as it is
    private static func takeScheme(from text: inout Substring.UTF8View) -> String? {
        let scheme = text.prefix { !":/?#".utf8.contains($0) }
        let textAfterScheme = text[scheme.endIndex...]
        guard !scheme.isEmpty, textAfterScheme.first == UInt8(ascii: ":") else { return nil }
        text = textAfterScheme.dropFirst()
        return String(Substring(scheme))
    }

    /// Removes a delimiter and the part after it from the start of a text.
    ///
    /// From `?limit=2#top`, the delimiter `?` and the end `#` take `limit=2`, and leave `#top`.
    ///
    /// - Parameters:
    ///   - delimiter: The text before the part.
    ///   - ends: The characters at which the part ends. They are left in the text.
    ///   - text: The text.
    /// - Returns: The part without the delimiter; nil if the text does not start with the delimiter.
    private static func takePart(
        after delimiter: String, upTo ends: String, from text: inout Substring.UTF8View
    ) -> String? {
        guard text.starts(with: delimiter.utf8) else { return nil }
        let part = text.dropFirst(delimiter.utf8.count).prefix { !ends.utf8.contains($0) }
        text = text[part.endIndex...]
        return String(Substring(part))
    }

    /// The reference as text (RFC 3986, section 5.3).
    var text: String {
        var text = ""
        if let scheme { text += scheme + ":" }
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        return text
    }

    /// Resolves this reference against the URL of the document that contains it (RFC 3986, section 5.2.2).
    ///
    /// In the document `https://shop.example/api/shop.json`:
    ///
    ///     //pets.example/v1    →  https://pets.example/v1
    ///     /v1                  →  https://shop.example/v1
    ///     v1                   →  https://shop.example/api/v1
    ///
    /// - Parameter base: The URL of the document.
    func resolved(against base: URIReference) -> URIReference {
        var target = self
        target.path = Self.withoutDotSegments(path)
        if scheme != nil { return target }
        target.scheme = base.scheme
        if authority != nil { return target }
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else if !path.utf8.starts(with: "/".utf8) {
            target.path = Self.withoutDotSegments(mergedPath(with: base))
        }
        return target
    }

    /// Returns the path of this reference inside of the directory of another path (RFC 3986, section 5.2.3).
    ///
    /// The path `pets.yaml` and the base `/api/shop.yaml` become `/api/pets.yaml`.
    private func mergedPath(with base: URIReference) -> String {
        if base.authority != nil, base.path.isEmpty { return "/" + path }
        guard let end = base.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return base.path[...end] + path
    }

    /// Returns a path without the segments `.` and `..` (RFC 3986, section 5.2.4).
    ///
    ///     /a/b/../c    →  /a/c
    ///     /a/./b       →  /a/b
    ///     /a/b/..      →  /a/
    ///     ../a         →  a
    private static func withoutDotSegments(_ path: String) -> String {
        let slash = UInt8(ascii: "/")
        let isAbsolute = path.utf8.first == slash
        let relativePath = path.utf8.dropFirst(isAbsolute ? 1 : 0)
        let segments = relativePath.split(separator: slash, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        var keptSegments: [String] = []
        for segment in segments {
            switch segment {
            case ".": break
            // At the start of a path, there is nothing to remove, and `..` has no effect.
            case "..": _ = keptSegments.popLast()
            default: keptSegments.append(segment)
            }
        }
        // A path that ends with `.` or `..` names a directory, so the result ends with a slash.
        if segments.last == "." || segments.last == ".." { keptSegments.append("") }
        return (isAbsolute ? "/" : "") + keptSegments.joined(separator: "/")
    }
}
