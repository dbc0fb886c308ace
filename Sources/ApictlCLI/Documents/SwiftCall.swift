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
        let mirror = Mirror(reflecting: value)
        let parts = mirror.children
        switch (value, mirror.displayStyle) {
        case (let text as String, _): return SwiftLiteral.string(text)
        case (let json as JSONValue, _):
            if let elements = json.elements { return self.value(elements) }
            guard let members = json.members else {
                return json.isNull ? "nil" : json.string.map(self.value) ?? "\(json)"
            }
            return dictionary(members.map { (self.value($0.key), self.value($0.value)) })
        case (let url as URL, _): return "URL(string: \(SwiftLiteral.string(url.absoluteString)))!"
        case (let id as UUID, _): return "UUID(uuidString: \"\(id)\")!"
        case (let date as Date, _): return "Date(timeIntervalSince1970: \(date.timeIntervalSince1970))"
        case (let data as Data, _): return "Data(\(Array(data)))"
        case (_, .optional): return parts.first.map { self.value($0.value) } ?? "nil"
        case (_, .collection), (_, .set): return "[\(parts.map { self.value($0.value) }.joined(separator: ", "))]"
        case (_, .dictionary):
            let pairs = parts.map { Mirror(reflecting: $0.value).children.map { self.value($0.value) } }
            return dictionary(pairs.map { ($0[0], $0[1]) }.sorted { $0 < $1 })
        case (_, .enum):
            let name = swiftCaseName(of: value) ?? "\(value)"
            guard let payload = parts.first?.value else { return "." + name }
            let values = Mirror(reflecting: payload)
            return ".\(name)(\(values.displayStyle == .tuple ? list(values) : self.value(payload)))"
        // Fields that are nil may be left out.
        case (_, .struct) where !(value is Decimal), (_, .class):
            return type(of: value) + "(\(list(mirror, withoutNil: true)))"
        default: return "\(value)"
        }
    }

    private static func dictionary(_ members: [(String, String)]) -> String {
        members.isEmpty ? "[:]" : "[\(members.map { "\($0): \($1)" }.joined(separator: ", "))]"
    }

    /// Arguments with their labels.
    private static func list(_ mirror: Mirror, withoutNil: Bool = false) -> String {
        mirror.children.map { ($0.label, value($0.value)) }.filter { !withoutNil || $0.1 != "nil" }.map { label, text in
            label.map { $0.hasPrefix(".") ? text : "\($0): \(text)" } ?? text
        }.joined(separator: ", ")
    }
}
