/// A `Link` header: `<https://api.example.com/items?page=2>; rel="next", …` (RFC 8288, section 3).
package enum LinkHeader {
    /// Returns the target of the first link with a relation, such as the URL of the next page (RFC 8288, section 3).
    ///
    ///     next in  </items?page=1>; rel="prev", </items?page=3>; rel="next"    →    /items?page=3
    ///
    /// - Parameters:
    ///   - relation: The relation type in lower case, such as `next`.
    ///   - headerValues: The values of the response's `Link` headers.
    /// - Returns: The URI reference between `<` and `>`. Nil if no link has the relation.
    package static func target(_ relation: String, in headerValues: [String]) -> String? {
        for headerValue in headerValues {
            var unreadText = headerValue.unicodeScalars[...]
            while let link = readLink(&unreadText) {
                if link.relations.contains(relation) { return link.target }
            }
        }
        return nil
    }

    /// A link of a `Link` header.
    private struct Link {
        /// The URI reference between `<` and `>`.
        let target: String
        /// The relation types in lower case, such as `next` and `last` for `rel="next last"`.
        let relations: [String]
    }

    /// Reads the next link of a header's value, and moves the start of `unreadText` behind it.
    ///
    /// - Returns: The link; nil if there are no more links.
    private static func readLink(_ unreadText: inout Substring.UnicodeScalarView) -> Link? {
        guard let start = unreadText.firstIndex(of: "<"), let end = unreadText[start...].firstIndex(of: ">") else {
            return nil
        }
        let target = String(unreadText[start..<end].dropFirst())
        unreadText = unreadText[end...].dropFirst()
        let parameters = HTTPField.readParameters(&unreadText)
        // If there are several `rel` parameters, only the first one counts (RFC 8288, section 3.3).
        guard let rel = parameters.first(where: { $0.name.lowercased() == "rel" }) else {
            return Link(target: target, relations: [])
        }
        return Link(target: target, relations: rel.value.lowercased().split(separator: " ").map(String.init))
    }
}
