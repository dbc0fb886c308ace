import EndpointKit

/// The meaning of a JSON value, so that texts with the same meaning are equal.
///
/// - Numbers are doubles.
/// - Members have no order. Of members with the same key, the first one counts.
/// - A null member is like a missing one.
indirect enum Meaning: Equatable {
    case null, bool(Bool), number(Double), string(String)
    case array([Meaning]), object([String: Meaning])

    init(_ text: [UInt8]) throws { self.init(try Coding().decode(JSONValue.self, from: text)) }

    init(_ value: JSONValue) {
        switch value.content {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .number(let text): self = .number(Double(text) ?? .nan)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map(Meaning.init))
        case .object(let members):
            let all = Dictionary(members.map { ($0.key, Meaning($0.value)) }) { first, _ in first }
            self = .object(all.filter { $0.value != .null })
        }
    }
}
