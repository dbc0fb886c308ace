import JSONText

/// Whether a value in JSON can be decoded as a type.
enum SampleFit {
    /// Deeper parts of a value are taken to fit. It bounds the stack.
    private static let maxDepth = 32

    /// Returns whether a value can be decoded as a type, as far as the first levels of the value tell.
    static func fits(_ value: JSONValue, _ type: InferredType) -> Bool { fits(value, type, depth: 0) }

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

    /// Whether a value can be decoded as a model.
    private static func fits(_ value: JSONValue, _ model: InferredModel, depth: Int) -> Bool {
        switch model.form {
        case .values(_, let areIntegers):
            // The enum is open: it decodes values that it does not list, too.
            return areIntegers ? value.integer(Int.self) != nil : value.string != nil
        case .union(let alternatives, nil):
            return alternatives.contains { fits(value, $0.type, depth: depth) }
        case .union(let alternatives, let key?):
            guard let tag = value[key]?.string, let alternative = alternatives.first(where: { $0.tag == tag }) else {
                // Objects with another text are decoded as JSON.
                return true
            }
            return fits(value, alternative.type, depth: depth)
        case .structure(let fields):
            return fits(value, fields, others: model.others, depth: depth)
        }
    }

    /// Whether a value is an object that can be decoded as a structure with these fields.
    ///
    /// - Parameter others: The type of all other members; nil if they are ignored.
    private static func fits(
        _ value: JSONValue, _ fields: [InferredModel.Property], others: InferredType?, depth: Int
    ) -> Bool {
        guard let members = value.members else { return false }
        let values = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
        for field in fields {
            guard let member = values[field.key], !member.isNull else {
                if field.isOptional || field.isWriteOnly { continue }
                return false
            }
            if !fits(member, field.type, depth: depth) { return false }
        }
        guard let others, !fields.isEmpty else { return true }
        let keys = Set(fields.map(\.key))
        return members.allSatisfy { keys.contains($0.key) || fits($0.value, others, depth: depth) }
    }
}
