/// Reads web forms (`application/x-www-form-urlencoded`; WHATWG URL standard, section 5.1). Queries are read in the
/// same way.
package enum FormText {
    /// Returns the decoded items of a form.
    ///
    ///     a=1&b=x+y    →    a: 1, b: x y
    ///
    /// An item without `=` has an empty value.
    package static func items(_ form: String) -> [QueryItem] {
        form.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let (name, value) = item(Substring(pair))
            return QueryItem(name, value ?? "")
        }
    }

    /// Returns the decoded name and value of one item of a form, `name=value`. The value is nil if there is no `=`.
    package static func item(_ pair: Substring) -> (name: String, value: String?) {
        let encodedName = pair.utf8.prefix { $0 != UInt8(ascii: "=") }
        let equalsSignAndValue = pair.utf8.dropFirst(encodedName.count)
        if equalsSignAndValue.isEmpty { return (name: decoded(encodedName), value: nil) }
        return (name: decoded(encodedName), value: decoded(equalsSignAndValue.dropFirst()))
    }

    /// Returns a name or value of a form, decoded: a `+` becomes a space, and `%XX` the byte that it stands for.
    static func decoded(_ encodedText: Substring.UTF8View) -> String {
        let withSpaces = encodedText.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return PercentEncoding.decode(String(decoding: withSpaces, as: UTF8.self))
    }
}
