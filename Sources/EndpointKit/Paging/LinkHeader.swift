/// A `Link` header: `<https://api.example.com/items?page=2>; rel="next", …` (RFC 8288, section 3).
enum LinkHeader {
    /// Returns the target of the first link with a relation.
    ///
    /// - Parameters:
    ///   - relation: The relation in lower case, such as `next`.
    ///   - values: The values of the response's `Link` headers.
    /// - Returns: The URI reference between `<` and `>`. Nil if no link has the relation.
    static func target(_ relation: String, in values: [String]) -> String? {
        for value in values {
            var rest = value.unicodeScalars[...]
            while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
                let target = String(rest[start..<end].dropFirst())
                rest = rest[end...].dropFirst()
                // If there are several `rel`, only the first one counts (section 3.3).
                let parameter = Header.parameters(&rest).first { $0.name.lowercased() == "rel" }
                guard let relations = parameter?.value.lowercased().split(separator: " ") else { continue }
                if relations.contains(relation[...]) { return target }
            }
        }
        return nil
    }
}
