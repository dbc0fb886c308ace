/// A `Link` header: `<https://api.example.com/items?page=2>; rel="next", …` (RFC 8288, section 3).
enum LinkHeader {
    /// The target of the first link among `values` whose relations include `relation`.
    static func target(_ relation: String, in values: [String]) -> String? {
        for value in values {
            var rest = value.unicodeScalars[...]
            while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
                let target = String(rest[start..<end].dropFirst())
                rest = rest[end...].dropFirst()
                // Of several, only the first counts (section 3.3).
                let relations = Header.parameters(&rest).first { $0.name.lowercased() == "rel" }?.value.lowercased()
                    .split(separator: " ")
                if relations?.contains(relation[...]) == true { return target }
            }
        }
        return nil
    }
}
