/// A `Link` header: `<https://api.example.com/items?page=2>; rel="next", …` (RFC 8288, section 3).
package enum LinkHeader {
    /// Returns the target of the first link with a relation, such as the URL of the next page.
    ///
    ///     next in  </items?page=1>; rel="prev", </items?page=3>; rel="next"    →    /items?page=3
    ///
    /// - Parameters:
    ///   - relation: The relation in lower case, such as `next`.
    ///   - values: The values of the response's `Link` headers.
    /// - Returns: The URI reference between `<` and `>`. Nil if no link has the relation.
    package static func target(_ relation: String, in values: [String]) -> String? {
        for value in values {
            var unread = value.unicodeScalars[...]
            while let start = unread.firstIndex(of: "<"), let end = unread[start...].firstIndex(of: ">") {
                let target = String(unread[start..<end].dropFirst())
                unread = unread[end...].dropFirst()
                let parameters = HTTPField.parameters(&unread)
                // Only the first `rel` parameter counts if there are several (section 3.3).
                guard let rel = parameters.first(where: { $0.name.lowercased() == "rel" }) else { continue }
                // It may have several relations: `rel="next last"`.
                let relations = rel.value.lowercased().split(separator: " ")
                if relations.contains(relation[...]) { return target }
            }
        }
        return nil
    }
}
