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

    private static func value(_ value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        switch (value, mirror.displayStyle) {
        case (let text as String, _): return SwiftLiteral.string(text)
        case (let json as JSONValue, _):
            let members = json.members?.map { [self.value($0.key), self.value($0.value)] }
            let whole = members.map(dictionary) ?? json.elements.map(self.value)
            return whole ?? json.string.map(self.value) ?? (json.isNull ? "nil" : "\(json)")
        case (let url as URL, _): return "URL(string: \(SwiftLiteral.string(url.absoluteString)))!"
        case (let id as UUID, _): return "UUID(uuidString: \"\(id)\")!"
        case (let date as Date, _): return "Date(timeIntervalSince1970: \(date.timeIntervalSince1970))"
        case (let data as Data, _): return "Data(\(Array(data)))"
        case (_, .optional): return mirror.children.first.map { self.value($0.value) } ?? "nil"
        case (_, .collection), (_, .set): return "[\(list(mirror))]"
        case (_, .dictionary):
            let pairs = mirror.children.map { Mirror(reflecting: $0.value).children.map { self.value($0.value) } }
            return dictionary(pairs.sorted { $0[0] < $1[0] })
        case (_, .enum):
            let name = swiftCaseName(of: value) ?? "\(value)"
            guard let payload = mirror.children.first?.value else { return "." + name }
            let values = Mirror(reflecting: payload)
            return ".\(name)(\(values.displayStyle == .tuple ? list(values) : self.value(payload)))"
        // Fields that are nil may be left out.
        case (_, .struct) where !(value is Decimal), (_, .class):
            return type(of: value) + "(\(list(mirror, withoutNil: true)))"
        default: return "\(value)"
        }
    }

    private static func dictionary(_ members: [[String]]) -> String {
        members.isEmpty ? "[:]" : "[\(members.map { $0.joined(separator: ": ") }.joined(separator: ", "))]"
    }

    /// Arguments with their labels.
    private static func list(_ mirror: Mirror, withoutNil: Bool = false) -> String {
        mirror.children.map { ($0.label, value($0.value)) }.filter { !withoutNil || $0.1 != "nil" }.map { label, text in
            label.map { $0.hasPrefix(".") ? text : "\($0): \(text)" } ?? text
        }.joined(separator: ", ")
    }
}
