import JSONText

/// Whether a value in JSON can be decoded as a type.
enum SampleFit {
    /// Deeper parts of a value are taken to fit. It bounds the stack.
    private static let maxDepth = 32

    /// Returns whether a value can be decoded as a type. Parts deeper than ``maxDepth`` are not looked at.
    ///
    /// `{"id": 1}` fits a structure with an `Int` under `id`, and does not fit one with a `String`.
    static func fits(_ value: JSONValue, _ type: InferredType) -> Bool { fits(value, type, depth: 0) }

    /// Returns whether a value can be decoded as a type.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - type: The type.
    ///   - depth: The number of models and lists around the value.
    private static func fits(_ value: JSONValue, _ type: InferredType, depth: Int) -> Bool {
        guard depth < maxDepth else { return true }
        switch type {
        case .unknown, .json: return true
        case .optional(let inner): return value.isNull || fits(value, inner, depth: depth)
        case .bytes: return false
        case .bool: return value.bool != nil
        case .integer: return value.integer(Int.self) != nil
        case .decimal, .double: return value.double != nil
        case .string: return value.string != nil
        case .date: return value.string.flatMap(DateText.parse) != nil
        case .array(let element): return value.elements?.allSatisfy { fits($0, element, depth: depth + 1) } ?? false
        case .dictionary(let element):
            return value.members?.allSatisfy { fits($0.value, element, depth: depth + 1) } ?? false
        case .model(let model): return fits(value, model, depth: depth + 1)
        }
    }

    /// Returns whether a value can be decoded as an enum or a structure.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - model: The enum or structure.
    ///   - depth: The number of models and lists around the value, with this model.
    private static func fits(_ value: JSONValue, _ model: InferredModel, depth: Int) -> Bool {
        switch model.form {
        case .values(_, let areIntegers):
            // The enum is open: it decodes values that it does not list, too.
            return areIntegers ? value.integer(Int.self) != nil : value.string != nil
        case .union(let alternatives, nil):
            return alternatives.contains { fits(value, $0.type, depth: depth) }
        case .union(let alternatives, let key?):
            guard let tag = value[key]?.string, let alternative = alternatives.first(where: { $0.tag == tag }) else {
                // The generated enum has the case `unknown` for objects with any other tag.
                return true
            }
            return fits(value, alternative.type, depth: depth)
        case .structure(let fields):
            return fits(value, fields, additionalProperties: model.additionalProperties, depth: depth)
        }
    }

    /// Returns whether a value is an object that can be decoded as a structure.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - fields: The fields of the structure.
    ///   - additionalProperties: The type of all other members; nil if they are ignored.
    ///   - depth: The number of models and lists around the members.
    private static func fits(
        _ value: JSONValue, _ fields: [InferredModel.Property], additionalProperties: InferredType?, depth: Int
    ) -> Bool {
        guard let members = value.members else { return false }
        let values = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
        for field in fields {
            if let member = values[field.key], !member.isNull {
                if !fits(member, field.type, depth: depth) { return false }
            } else {
                let mayBeAbsent = field.isOptional || field.isWriteOnly
                if !mayBeAbsent { return false }
            }
        }
        guard let additionalProperties, !fields.isEmpty else { return true }
        let keys = Set(fields.map(\.key))
        return members.allSatisfy { keys.contains($0.key) || fits($0.value, additionalProperties, depth: depth) }
    }
}
