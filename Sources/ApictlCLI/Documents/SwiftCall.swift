import APIImport
import EndpointKit
import EndpointTools
import JSONText

/// Writes calls as the source of an app has them: `Movies.popular(page: 1)`.
enum SwiftCall {
    /// Returns a call as Swift source; nil if no enum declares it, as for an API of a document.
    static func text(_ call: EndpointCall) -> String? {
        call.apiCase.map { type(of: $0) + value($0) }
    }

    /// Returns the name of a value's type with the types around it, but without its module: `Shop.Pet` for
    /// `App.Shop.Pet`.
    private static func type(of value: Any) -> String {
        // `String(reflecting:)` gives the same text, but first looks through all conformances of the metatype, which is
        // slow.
        let name = _typeName(Swift.type(of: value)).split(separator: ".").dropFirst().joined(separator: ".")
        // The name of a type that is declared in a function has its context in parentheses, which is not Swift source.
        return name.contains("(") ? "\(Swift.type(of: value))" : name
    }

    /// Returns a value as Swift source, by reflection.
    ///
    /// | Value | Source |
    /// |---|---|
    /// | `"a"` | `"a"` |
    /// | `Optional(3)` | `3` |
    /// | `[1, 2]` | `[1, 2]` |
    /// | a case of an enum | `.sold(at: 3)` |
    /// | a structure or object | `Pet(name: "Rex")` |
    private static func value(_ value: Any) -> String {
        if let literal = literal(value) { return literal }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.map { self.value($0.value) } ?? "nil"
        case .collection, .set: return "[\(list(mirror))]"
        case .dictionary: return dictionary(mirror)
        case .enum: return enumCase(value, mirror)
        case .struct where !(value is Decimal), .class:
            // An initializer need not be given the fields that are nil.
            return type(of: value) + "(\(list(mirror, withoutNil: true)))"
        default: return "\(value)"
        }
    }

    /// Returns a value whose type has a notation of its own, such as a string or date; nil for any other type.
    private static func literal(_ value: Any) -> String? {
        switch value {
        case let text as String: SwiftLiteral.string(text)
        case let json as JSONValue: jsonLiteral(json)
        case let url as URL: "URL(string: \(SwiftLiteral.string(url.absoluteString)))!"
        case let id as UUID: "UUID(uuidString: \"\(id)\")!"
        case let date as Date: "Date(timeIntervalSince1970: \(date.timeIntervalSince1970))"
        case let data as Data: "Data(\(Array(data)))"
        default: nil
        }
    }

    /// Returns JSON as a literal of `JSONValue`: `["a": 1, "b": nil]` for `{"a": 1, "b": null}`.
    private static func jsonLiteral(_ json: JSONValue) -> String {
        if let members = json.members {
            return dictionary(members.map { "\(value($0.key)): \(value($0.value))" })
        }
        if let elements = json.elements { return value(elements) }
        if let string = json.string { return value(string) }
        return json.isNull ? "nil" : "\(json)"
    }

    /// Returns a dictionary, sorted by the source of its keys so that the result is always the same.
    private static func dictionary(_ mirror: Mirror) -> String {
        // Each child of a dictionary's mirror is a tuple of key and value.
        let members = mirror.children.map { Mirror(reflecting: $0.value).children.map { value($0.value) } }
        return dictionary(members.sorted { $0[0] < $1[0] }.map { $0.joined(separator: ": ") })
    }

    /// Returns the literal of a dictionary with members such as `"a": 1`.
    private static func dictionary(_ members: [String]) -> String {
        members.isEmpty ? "[:]" : "[\(members.joined(separator: ", "))]"
    }

    /// Returns a case of an enum, with its associated values if it has any: `.sold(at: 3)`.
    private static func enumCase(_ value: Any, _ mirror: Mirror) -> String {
        let name = swiftCaseName(of: value) ?? "\(value)"
        guard let payload = mirror.children.first?.value else { return "." + name }
        let values = Mirror(reflecting: payload)
        // Several associated values, or one with a label, are a tuple. One without a label is the value itself.
        return ".\(name)(\(values.displayStyle == .tuple ? list(values) : self.value(payload)))"
    }

    /// Returns the children of a mirror as arguments with their labels: `id: 1, name: "Rex"`.
    ///
    /// - Parameters:
    ///   - mirror: The mirror.
    ///   - withoutNil: Whether arguments that are nil are left out.
    private static func list(_ mirror: Mirror, withoutNil: Bool = false) -> String {
        var arguments: [String] = []
        for (label, child) in mirror.children {
            let text = value(child)
            if withoutNil, text == "nil" { continue }
            // The label of an argument without a name is its position: `.0`.
            let name = label.flatMap { $0.hasPrefix(".") ? nil : $0 + ": " }
            arguments.append((name ?? "") + text)
        }
        return arguments.joined(separator: ", ")
    }
}
