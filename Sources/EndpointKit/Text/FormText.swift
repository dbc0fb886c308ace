/// Reads web forms (`application/x-www-form-urlencoded`). Queries have the same form.
package enum FormText {
    /// Returns the decoded items of a form: `a=1&b=x+y` has `a` with `1` and `b` with `x y`.
    ///
    /// An item without `=` has an empty value.
    package static func items(_ text: String) -> [QueryItem] {
        text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let item = item(Substring(pair))
            return QueryItem(item.name, item.value ?? "")
        }
    }

    /// Returns one item of a form, decoded. The value is nil if there is no `=`.
    package static func item(_ pair: Substring) -> (name: String, value: String?) {
        let name = pair.utf8.prefix { $0 != UInt8(ascii: "=") }
        let afterName = pair.utf8.dropFirst(name.count)
        if afterName.isEmpty { return (decoded(name), nil) }
        return (decoded(name), decoded(afterName.dropFirst()))
    }

    /// Returns a name or value, in which a `+` is a space, without its percent-encoding.
    static func decoded(_ text: Substring.UTF8View) -> String {
        let spaced = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return PercentEncoding.decode(String(decoding: spaced, as: UTF8.self))
    }
}
