import APIImport
import EndpointKit
import EndpointTools
import JSONText

/// Writes calls as the source of an app has them: `Movies.popular(page: 1)`.
enum SwiftCall {
    /// Returns a call as Swift source; nil if no enum declares it, as for an API of a document.
    static func text(_ call: EndpointCall) -> String? {
        guard let apiCase = call.apiCase else { return nil }
        return typeName(of: apiCase) + source(of: apiCase)
    }

    /// Returns the name of a value's type with the types around it, but without its module: `Shop.Pet` for
    /// `App.Shop.Pet`.
    private static func typeName(of value: Any) -> String {
        // `String(reflecting:)` gives the same text, but first looks through all conformances of the metatype, which is
        // slow.
        let nameWithModule = _typeName(type(of: value))
        let name = nameWithModule.split(separator: ".").dropFirst().joined(separator: ".")
        // The name of a type that is declared in a function has its context in parentheses, which is not Swift source.
        return name.contains("(") ? "\(type(of: value))" : name
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
    private static func source(of value: Any) -> String {
        if let literal = literal(for: value) { return literal }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.map { source(of: $0.value) } ?? "nil"
        case .collection, .set: return "[\(arguments(in: mirror))]"
        case .dictionary: return dictionary(mirror)
        case .enum: return enumCase(value, mirror: mirror)
        case .struct where !(value is Decimal), .class:
            // An initializer need not be given the fields that are nil.
            return "\(typeName(of: value))(\(arguments(in: mirror, omitsNil: true)))"
        // Numbers and booleans are described as they are written.
        default: return "\(value)"
        }
    }

    /// Returns a value whose type has a notation of its own, such as a string or date; nil for any other type.
    private static func literal(for value: Any) -> String? {
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
            return dictionaryLiteral(members.map { "\(source(of: $0.key)): \(source(of: $0.value))" })
        }
        if let elements = json.elements { return source(of: elements) }
        if let string = json.string { return source(of: string) }
        return json.isNull ? "nil" : "\(json)"
    }

    /// Returns a dictionary, sorted by the source of its keys so that the result is always the same.
    ///
    /// - Parameter mirror: The mirror of the dictionary. Each of its children is a tuple of key and value.
    private static func dictionary(_ mirror: Mirror) -> String {
        let members = mirror.children.map { child in
            let keyAndValue = Mirror(reflecting: child.value).children.map { source(of: $0.value) }
            return (key: keyAndValue[0], value: keyAndValue[1])
        }
        let sortedMembers = members.sorted { $0.key < $1.key }
        return dictionaryLiteral(sortedMembers.map { "\($0.key): \($0.value)" })
    }

    /// Returns the literal of a dictionary with members such as `"a": 1`.
    private static func dictionaryLiteral(_ members: [String]) -> String {
        members.isEmpty ? "[:]" : "[\(members.joined(separator: ", "))]"
    }

    /// Returns a case of an enum, with its associated values if it has any: `.sold(at: 3)`.
    ///
    /// - Parameters:
    ///   - value: A value whose type is an enum.
    ///   - mirror: Its mirror, whose only child has the associated values. Without any, there is no child.
    private static func enumCase(_ value: Any, mirror: Mirror) -> String {
        let name = swiftCaseName(of: value) ?? "\(value)"
        guard let payload = mirror.children.first?.value else { return "." + name }
        let payloadMirror = Mirror(reflecting: payload)
        // Several associated values, or one with a label, are a tuple. One without a label is the value itself.
        let isTuple = payloadMirror.displayStyle == .tuple
        return ".\(name)(\(isTuple ? arguments(in: payloadMirror) : source(of: payload)))"
    }

    /// Returns the children of a mirror as arguments with their labels: `id: 1, name: "Rex"`.
    ///
    /// - Parameters:
    ///   - mirror: The mirror of a tuple, structure or collection.
    ///   - omitsNil: Whether arguments that are nil are left out.
    private static func arguments(in mirror: Mirror, omitsNil: Bool = false) -> String {
        var arguments: [String] = []
        for (label, value) in mirror.children {
            let text = source(of: value)
            if omitsNil, text == "nil" { continue }
            // A value of a tuple without a label has its position as the label: `.0`.
            if let label, !label.hasPrefix(".") {
                arguments.append("\(label): \(text)")
            } else {
                arguments.append(text)
            }
        }
        return arguments.joined(separator: ", ")
    }
}
