/// A `Link` header: `<https://api.example.com/items?page=2>; rel="next", …` (RFC 8288, section 3).
enum LinkHeader {
    /// The target of the first link among `values` whose relations include `relation`.
    static func target(_ relation: String, in values: [String]) -> String? {
        for value in values {
            for link in links(value) where link.relations.contains(relation) { return link.target }
        }
        return nil
    }

    private static func links(_ value: String) -> [(target: String, relations: [String])] {
        var links: [(target: String, relations: [String])] = []
        var rest = value.unicodeScalars[...]
        while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
            let target = String(rest[rest.index(after: start)..<end])
            rest = rest[rest.index(after: end)...]
            var relations: [String]?
            while let next = rest.first, next != "," {
                rest = rest.dropFirst()
                guard next == ";" else { continue }
                let (name, value) = parameter(&rest)
                // Of several, only the first counts (section 3.3).
                if name.lowercased() == "rel", relations == nil {
                    relations = value.lowercased().split(separator: " ").map(String.init)
                }
            }
            links.append((target, relations ?? []))
        }
        return links
    }

    /// `name=value` or `name="value"` at the start of `rest`.
    private static func parameter(_ rest: inout Substring.UnicodeScalarView) -> (name: String, value: String) {
        rest = rest.drop { $0 == " " || $0 == "\t" }
        let name = rest.prefix { $0 != "=" && $0 != ";" && $0 != "," && $0 != " " }
        rest = rest[name.endIndex...].drop { $0 == " " }
        guard rest.first == "=" else { return (String(name), "") }
        rest = rest.dropFirst().drop { $0 == " " }
        guard rest.first == "\"" else {
            let value = rest.prefix { $0 != ";" && $0 != "," && $0 != " " }
            rest = rest[value.endIndex...]
            return (String(name), String(value))
        }
        rest = rest.dropFirst()
        var value = String.UnicodeScalarView()
        while let scalar = rest.popFirst(), scalar != "\"" {
            value.append(scalar == "\\" ? rest.popFirst() ?? "\\" : scalar)
        }
        return (String(name), String(value))
    }
}
