import APIImport
import EndpointKit
import JSONText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Calls as an app writes them: `Movies.popular(page: 1)`.
enum SwiftCall {
    static func text(_ call: any API) -> String { type(of: call) + value(call) }

    /// The name of a type after those of the types around it, without its module.
    private static func type(of value: Any) -> String {
        let name = String(reflecting: Swift.type(of: value)).split(separator: ".").dropFirst().joined(separator: ".")
        // A type in a function is not named elsewhere.
        return name.contains("(") ? "\(Swift.type(of: value))" : name
    }

    private static func value(_ value: Any) -> String {
        switch value {
        case let text as String: return SwiftLiteral.string(text)
        case let json as JSONValue: return literal(json)
        case let flag as Bool: return "\(flag)"
        case let number as any BinaryInteger: return "\(number)"
        case let number as any BinaryFloatingPoint: return "\(number)"
        case let number as Decimal: return "\(number)"
        case let url as URL: return "URL(string: \(SwiftLiteral.string(url.absoluteString)))!"
        case let id as UUID: return "UUID(uuidString: \"\(id)\")!"
        case let date as Date: return "Date(timeIntervalSince1970: \(date.timeIntervalSince1970))"
        case let data as Data: return "Data(\(Array(data)))"
        default: break
        }
        let mirror = Mirror(reflecting: value)
        let parts = mirror.children
        switch mirror.displayStyle {
        case .optional: return parts.first.map { self.value($0.value) } ?? "nil"
        case .collection, .set: return "[" + parts.map { self.value($0.value) }.joined(separator: ", ") + "]"
        case .dictionary:
            let members = parts.map {
                Mirror(reflecting: $0.value).children.map { self.value($0.value) }.joined(separator: ": ")
            }
            return members.isEmpty ? "[:]" : "[" + members.sorted().joined(separator: ", ") + "]"
        case .enum:
            let name = swiftCaseName(of: value) ?? "\(value)"
            guard let payload = parts.first?.value else { return "." + name }
            let values = Mirror(reflecting: payload)
            return ".\(name)(" + (values.displayStyle == .tuple ? list(values) : self.value(payload)) + ")"
        // Fields that are nil may be left out.
        case .struct, .class: return type(of: value) + "(" + list(mirror, withoutNil: true) + ")"
        default: return "\(value)"
        }
    }

    /// Arguments with their labels.
    private static func list(_ mirror: Mirror, withoutNil: Bool = false) -> String {
        mirror.children.map { ($0.label, value($0.value)) }.filter { !withoutNil || $0.1 != "nil" }.map { label, text in
            label.map { $0.hasPrefix(".") ? text : "\($0): \(text)" } ?? text
        }.joined(separator: ", ")
    }

    private static func literal(_ json: JSONValue) -> String {
        if let text = json.string { return SwiftLiteral.string(text) }
        if let elements = json.elements { return "[" + elements.map(literal).joined(separator: ", ") + "]" }
        guard let members = json.members else { return json.isNull ? "nil" : json.description }
        let texts = members.map { SwiftLiteral.string($0.key) + ": " + literal($0.value) }
        return texts.isEmpty ? "[:]" : "[" + texts.joined(separator: ", ") + "]"
    }
}
