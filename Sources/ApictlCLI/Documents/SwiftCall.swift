import APIImport
import EndpointKit
import EndpointTools
import JSONText

/// Calls as an app writes them: `Movies.popular(page: 1)`.
enum SwiftCall {
    /// Returns a call as Swift source; nil if no enum declares it.
    static func text(_ call: EndpointCall) -> String? {
        call.apiCase.map { type(of: $0) + value($0) }
    }

    /// The name of a type after those of the types around it, without its module.
    private static func type(of value: Any) -> String {
        // The text of `String(reflecting:)`, which looks through all conformances of a type's type first.
        let name = _typeName(Swift.type(of: value)).split(separator: ".").dropFirst().joined(separator: ".")
        // A type in a function is not named elsewhere.
        return name.contains("(") ? "\(Swift.type(of: value))" : name
    }

    /// Returns a value as Swift source.
    private static func value(_ value: Any) -> String {
        if let literal = literal(value) { return literal }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.map { self.value($0.value) } ?? "nil"
        case .collection, .set: return "[\(list(mirror))]"
        case .dictionary: return dictionary(mirror)
        case .enum: return enumCase(value, mirror)
        case .struct where !(value is Decimal), .class:
            // Fields that are nil may be left out.
            return type(of: value) + "(\(list(mirror, withoutNil: true)))"
        default: return "\(value)"
        }
    }

    /// Returns a value of a type with a notation of its own; nil for any other type.
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

    /// Returns JSON as the literal that `JSONValue` can be made of.
    private static func jsonLiteral(_ json: JSONValue) -> String {
        if let members = json.members {
            return dictionary(members.map { "\(value($0.key)): \(value($0.value))" })
        }
        if let elements = json.elements { return value(elements) }
        if let string = json.string { return value(string) }
        return json.isNull ? "nil" : "\(json)"
    }

    /// Returns a dictionary, sorted by its keys as they are written.
    private static func dictionary(_ mirror: Mirror) -> String {
        let members = mirror.children.map { Mirror(reflecting: $0.value).children.map { value($0.value) } }
        return dictionary(members.sorted { $0[0] < $1[0] }.map { $0.joined(separator: ": ") })
    }

    private static func dictionary(_ members: [String]) -> String {
        members.isEmpty ? "[:]" : "[\(members.joined(separator: ", "))]"
    }

    /// Returns a case of an enum, with its values if it has any: `.sold(at: 3)`.
    private static func enumCase(_ value: Any, _ mirror: Mirror) -> String {
        let name = swiftCaseName(of: value) ?? "\(value)"
        guard let payload = mirror.children.first?.value else { return "." + name }
        let values = Mirror(reflecting: payload)
        return ".\(name)(\(values.displayStyle == .tuple ? list(values) : self.value(payload)))"
    }

    /// Returns arguments with their labels.
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
