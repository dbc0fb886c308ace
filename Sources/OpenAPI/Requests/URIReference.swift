/// A URI reference in its parts (RFC 3986, section 4.1).
struct URIReference: Equatable {
    var scheme: String?
    var authority: String?
    var path: String
    var query: String?
    var fragment: String?

    /// Splits a text, which always succeeds (RFC 3986, appendix B).
    init(_ text: String) {
        var unread = text.utf8[...]

        /// Removes a delimiter and the part after it up to one of `ends`; nil if the delimiter is not next.
        func part(after delimiter: String, ends: String) -> String? {
            guard unread.starts(with: delimiter.utf8) else { return nil }
            let part = unread.dropFirst(delimiter.utf8.count).prefix { !ends.utf8.contains($0) }
            unread = unread[part.endIndex...]
            return String(Substring(part))
        }

        let first = unread.prefix { !":/?#".utf8.contains($0) }
        if !first.isEmpty, unread[first.endIndex...].first == UInt8(ascii: ":") {
            scheme = String(Substring(first))
            unread = unread[first.endIndex...].dropFirst()
        }
        authority = part(after: "//", ends: "/?#")
        path = part(after: "", ends: "?#") ?? ""
        query = part(after: "?", ends: "#")
        fragment = part(after: "#", ends: "")
    }

    /// The reference as text (RFC 3986, section 5.3).
    var text: String {
        var text = scheme.map { $0 + ":" } ?? ""
        text += authority.map { "//" + $0 } ?? ""
        text += path
        text += query.map { "?" + $0 } ?? ""
        return text + (fragment.map { "#" + $0 } ?? "")
    }

    /// Returns the target of this reference in a document with the URL `base` (RFC 3986, section 5.2.2).
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

    /// Returns the path after the directory of the base's path (RFC 3986, section 5.2.3).
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
