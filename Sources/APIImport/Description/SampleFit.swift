import JSONText

/// Whether a value in JSON can be decoded as a type.
enum SampleFit {
    /// Deeper parts of a value are taken to fit. It bounds the stack.
    private static let maxDepth = 32

    /// Returns whether a value can be decoded as a type. Parts deeper than ``maxDepth`` are not looked at.
    ///
    /// `{"id": 1}` fits a structure with an `Int` under `id`, and does not fit one with a `String`.
    static func fits(_ value: JSONValue, as type: InferredType) -> Bool { isDecodable(value, as: type, depth: 0) }

    /// Returns whether a value can be decoded as a type: `1` as an `Int`, and not `"1"`.
    ///
    /// - Parameters:
    ///   - value: The value, such as an example in a document.
    ///   - type: The type that a generated endpoint would decode.
    ///   - depth: The number of models and lists around the value. Values deeper than ``maxDepth`` always fit.
    private static func isDecodable(_ value: JSONValue, as type: InferredType, depth: Int) -> Bool {
        guard depth < maxDepth else { return true }
        switch type {
        case .unknown, .json: return true
        case .optional(let inner): return value.isNull || isDecodable(value, as: inner, depth: depth)
        // The values are JSON, which is never decoded as bytes.
        case .bytes: return false
        case .bool: return value.bool != nil
        case .integer: return value.integer(Int.self) != nil
        case .decimal, .double: return value.double != nil
        case .string: return value.string != nil
        case .date: return value.string.flatMap(DateText.parse) != nil
        case .array(let element):
            guard let elements = value.elements else { return false }
            return elements.allSatisfy { isDecodable($0, as: element, depth: depth + 1) }
        case .dictionary(let element):
            guard let members = value.members else { return false }
            return members.allSatisfy { isDecodable($0.value, as: element, depth: depth + 1) }
        case .model(let model):
            return isDecodable(value, asModel: model, depth: depth + 1)
        }
    }

    /// Returns whether a value can be decoded as an enum or a structure.
    ///
    /// - Parameters:
    ///   - value: The value, of any kind of JSON.
    ///   - model: The enum or structure.
    ///   - depth: The number of models and lists around the members of the value, including this model.
    private static func isDecodable(_ value: JSONValue, asModel model: InferredModel, depth: Int) -> Bool {
        switch model.form {
        case .values(_, let areIntegers):
            // The enum is open: it decodes values that it does not list, too.
            return areIntegers ? value.integer(Int.self) != nil : value.string != nil
        case .union(let alternatives, key: nil):
            return alternatives.contains { isDecodable(value, as: $0.type, depth: depth) }
        case .union(let alternatives, key: let key?):
            let tag = value[key]?.string
            if let tag, let alternative = alternatives.first(where: { $0.tag == tag }) {
                return isDecodable(value, as: alternative.type, depth: depth)
            }
            // The generated enum has the case `unknown` for objects with any other tag.
            return true
        case .structure(let fields):
            let otherMembers = model.additionalProperties
            return isDecodable(value, asStructureWith: fields, otherMembers: otherMembers, depth: depth)
        }
    }

    /// Returns whether a value is an object that can be decoded as a structure.
    ///
    /// - Parameters:
    ///   - value: The value, of any kind of JSON.
    ///   - fields: The fields of the structure.
    ///   - otherMembers: The type of the members that are not among the fields; nil if they are ignored.
    ///   - depth: The number of models and lists around the members.
    private static func isDecodable(
        _ value: JSONValue, asStructureWith fields: [InferredModel.Property], otherMembers: InferredType?, depth: Int
    ) -> Bool {
        guard let members = value.members else { return false }
        // If a key comes twice, its first value counts.
        let valuesByKey = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
        let fieldsFit = fields.allSatisfy { field in
            if let member = valuesByKey[field.key], !member.isNull {
                return isDecodable(member, as: field.type, depth: depth)
            }
            // Responses do not have members that only requests have.
            return field.isOptional || field.isWriteOnly
        }
        // A structure without fields has no property for other members either.
        guard fieldsFit, let otherMembers, !fields.isEmpty else { return fieldsFit }
        let fieldKeys = Set(fields.map(\.key))
        return members.allSatisfy { key, member in
            fieldKeys.contains(key) || isDecodable(member, as: otherMembers, depth: depth)
        }
    }
}
