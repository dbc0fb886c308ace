/// Web forms (`application/x-www-form-urlencoded`), which queries are too.
package enum FormText {
    /// The `name=value` pairs, decoded.
    package static func items(_ text: String) -> [ResponseHead.Field] {
        text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let item = item(Substring(pair))
            return .init(item.name, item.value ?? "")
        }
    }

    /// A `name=value`, decoded: a `+` is a space. The value is nil if there is no `=`.
    package static func item(_ pair: Substring) -> (name: String, value: String?) {
        let name = pair.utf8.prefix { $0 != UInt8(ascii: "=") }
        let rest = pair.utf8.dropFirst(name.count)
        return (decoded(name), rest.isEmpty ? nil : decoded(rest.dropFirst()))
    }

    private static func decoded(_ text: Substring.UTF8View) -> String {
        let spaced = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return PercentEncoding.decode(String(decoding: spaced, as: UTF8.self))
    }
}
