/// A URI reference in its parts (RFC 3986, section 4.1).
struct URIReference: Equatable {
    var scheme: String?
    var authority: String?
    var path: String
    var query: String?
    var fragment: String?

    /// Splits a text into its parts (RFC 3986, appendix B). Any text is a reference.
    ///
    ///     https://shop.example/pets?limit=2    scheme https, authority shop.example, path /pets, query limit=2
    ///     ../pets.yaml#/Pet                    path ../pets.yaml, fragment /Pet
    init(_ text: String) {
        var unread = text.utf8[...]
        scheme = Self.takeScheme(from: &unread)
        authority = Self.takePart(after: "//", upTo: "/?#", from: &unread)
        path = Self.takePart(after: "", upTo: "?#", from: &unread) ?? ""
        query = Self.takePart(after: "?", upTo: "#", from: &unread)
        fragment = Self.takePart(after: "#", upTo: "", from: &unread)
    }

    /// Removes a scheme and the colon after it from the start of a text.
    ///
    /// - Returns: The scheme without the colon; nil if the text does not start with one.
    private static func takeScheme(from text: inout Substring.UTF8View) -> String? {
        let scheme = text.prefix { !":/?#".utf8.contains($0) }
        let rest = text[scheme.endIndex...]
        guard !scheme.isEmpty, rest.first == UInt8(ascii: ":") else { return nil }
        text = rest.dropFirst()
        return String(Substring(scheme))
    }

    /// Removes a delimiter and the part after it from the start of a text.
    ///
    /// - Parameters:
    ///   - delimiter: The text before the part.
    ///   - ends: The characters before each of which the part ends.
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

    /// Returns the target of this reference in a document with the URL `base` (RFC 3986, section 5.2.2).
    ///
    /// The target has the parts of the reference from its first part on, and the parts of the base before that:
    ///
    ///     in https://shop.example/api/shop.json
    ///     //pets.example/v1      https://pets.example/v1
    ///     /v1                    https://shop.example/v1
    ///     v1                     https://shop.example/api/v1
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
            target.path = Self.withoutDotSegments(merged(base))
        }
        return target
    }

    /// Returns the path of this reference after the directory of the base's path (RFC 3986, section 5.2.3).
    ///
    /// The path `pets.yaml` after the base `/api/shop.yaml` is `/api/pets.yaml`.
    private func merged(_ base: URIReference) -> String {
        if base.authority != nil, base.path.isEmpty { return "/" + path }
        guard let end = base.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return base.path[...end] + path
    }

    /// Returns a path without the segments `.` and `..` (RFC 3986, section 5.2.4).
    ///
    ///     /a/b/../c      /a/c
    ///     /a/./b         /a/b
    ///     /a/b/..        /a/
    ///     /../a          /a
    ///     ../a           a
    ///
    /// A `..` that has no segment before it is dropped.
    private static func withoutDotSegments(_ path: String) -> String {
        let slash = UInt8(ascii: "/")
        let isAbsolute = path.utf8.first == slash
        let relativePath = path.utf8.dropFirst(isAbsolute ? 1 : 0)
        let segments = relativePath.split(separator: slash, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        var result: [String] = []
        for segment in segments {
            switch segment {
            case ".": break
            case "..": _ = result.popLast()
            default: result.append(segment)
            }
        }
        // A dot segment at the end stands for a directory, whose path ends with a slash.
        if segments.last == "." || segments.last == ".." { result.append("") }
        return (isAbsolute ? "/" : "") + result.joined(separator: "/")
    }
}
