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
                let relations = parameters(&rest).first { $0.name.lowercased() == "rel" }?.value.lowercased()
                    .split(separator: " ")
                if relations?.contains(relation[...]) == true { return target }
            }
        }
        return nil
    }

    /// The parameters `; name=value; name="value"` (RFC 9110, section 5.6.6), in a list up to the next comma.
    ///
    /// In the headers of a form's parts, which are no list, a backslash stands for itself: quotes are percent-encoded there (WHATWG).
    static func parameters(
        _ rest: inout Substring.UnicodeScalarView, isList: Bool = true
    ) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        while let next = rest.popFirst(), next != "," || !isList {
            if next == ";", let parameter = parameter(&rest, isList) { parameters.append(parameter) }
        }
        return parameters
    }

    /// `name=value` or `name="value"` at the start of `rest`; nil for a name alone.
    private static func parameter(
        _ rest: inout Substring.UnicodeScalarView, _ isList: Bool
    ) -> (name: String, value: String)? {
        func ends(_ scalar: Unicode.Scalar) -> Bool { scalar == ";" || scalar == " " || scalar == "," && isList }
        rest = rest.drop { $0 == " " || $0 == "\t" }
        let name = rest.prefix { $0 != "=" && !ends($0) }
        rest = rest[name.endIndex...].drop { $0 == " " }
        guard rest.first == "=" else { return nil }
        rest = rest.dropFirst().drop { $0 == " " }
        guard rest.first == "\"" else {
            let value = rest.prefix { !ends($0) }
            rest = rest[value.endIndex...]
            return (String(name), String(value))
        }
        rest = rest.dropFirst()
        var value = String.UnicodeScalarView()
        while let scalar = rest.popFirst(), scalar != "\"" {
            value.append(scalar == "\\" && isList ? rest.popFirst() ?? "\\" : scalar)
        }
        return (String(name), String(value))
    }
}
