import EndpointKit
import JSONText

/// The values that requests to an endpoint have under one key of their bodies, for which a type is inferred.
///
/// An object becomes a structure only if encoding the structure gives the same JSON again, so that the API gets what
/// the requests had.
struct SentValues {
    /// The words of the key, after which a structure is named.
    let words: [String]
    /// The name of the endpoint as a type, such as `CreatePet`, which goes before a name that is taken.
    let parent: String
    /// The values of the requests that have the key.
    let values: [JSONValue]

    /// The deepest level of a value that becomes a structure. Nobody reads deeper values in an example.
    private static let deepestLevel = 6
    /// The most elements and members of a value that becomes a structure.
    private static let mostElements = 50

    /// Returns the type of the values; nil if it would not send the same JSON.
    ///
    /// - Parameter inference: Makes the type, and gets its models.
    func inferType(with inference: inout Inference) -> InferredType? {
        let location = Inference.SampleLocation(path: "$", key: words.joined(separator: "_"))
        let type = inference.inferType(of: values, at: location)
        return values.allSatisfy { Self.isExact($0, as: type) } ? type : nil
    }

    /// Returns whether decoding a value as a type, and encoding it again, gives the same JSON.
    ///
    /// The JSON would change in these cases:
    ///
    /// - An object has a key twice.
    /// - A member is null in every request. It would be left out.
    /// - A number would be written in another way: `1.50` as `1.5`.
    ///
    /// The result is false too for a value larger than ``deepestLevel`` and ``mostElements`` allow, and for types that
    /// are not compared, such as `Date` and `JSONValue`.
    ///
    /// - Parameters:
    ///   - value: A value of a request's body, or a part of it.
    ///   - type: The type that was inferred for the value.
    ///   - level: The number of objects and lists around the value.
    static func isExact(_ value: JSONValue, as type: InferredType, level: Int = 0) -> Bool {
        guard level < deepestLevel else { return false }
        switch type {
        case .bool, .string: return true
        // `1.0` and `1e0` are integers too, but would be written as `1`.
        case .integer: return value.integer(Int.self).map { "\($0)" } == value.number
        case .double: return value.number.map { isExact(number: $0) } ?? false
        // Nothing tells the type of the elements of `[]` and `{}`, but both stay as they are.
        case .unknown: return isEmptyListOrObject(value)
        case .json, .decimal, .date, .bytes, .optional: return false
        case .array(let element):
            guard let elements = value.elements, elements.count <= mostElements else { return false }
            return elements.allSatisfy { isExact($0, as: element, level: level + 1) }
        case .dictionary(let element):
            guard let members = uniqueMembers(value) else { return false }
            return members.allSatisfy { isExact($0.value, as: element, level: level + 1) }
        case .model(let model):
            guard case .structure(let fields) = model.form, let members = uniqueMembers(value) else { return false }
            return fields.allSatisfy { field in
                guard let member = members[field.key] else { return field.isOptional }
                return isExact(member, as: field.type, level: level + 1)
            }
        }
    }

    /// Whether a value is `[]` or `{}`.
    private static func isEmptyListOrObject(_ value: JSONValue) -> Bool {
        value.elements?.isEmpty == true || value.members?.isEmpty == true
    }

    /// Whether Swift writes a number as it is: `1.5`, and not `1.50` or `15e-1`.
    private static func isExact(number text: String) -> Bool {
        guard let number = Double(text) else { return false }
        return "\(number)" == text || "\(number)" == text + ".0"
    }

    /// Returns the members of an object by their keys.
    ///
    /// - Returns: The members; nil if the value is no object, if a key comes twice, or if there are too many.
    private static func uniqueMembers(_ value: JSONValue) -> [String: JSONValue]? {
        guard let members = value.members, members.count <= mostElements else { return nil }
        let valuesByKey = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
        return valuesByKey.count == members.count ? valuesByKey : nil
    }

    /// Returns whether a coding writes the keys of all models in a type as they were.
    ///
    /// With `convertFromSnakeCase`, the key `userId` would be written as `user_id`.
    static func writesKeys(of type: InferredType, _ coding: Coding) -> Bool {
        InferredModel.all(in: [type]).allSatisfy { model in
            let keys = model.fields.map(\.key)
            let areDistinct = Set(keys.map(coding.modelKey)).count == keys.count
            return areDistinct && keys.allSatisfy { coding.writtenKey(coding.modelKey($0)) == $0 }
        }
    }

    // MARK: Examples

    /// Returns the Swift expression of a value: `{"name": "Ann", "tags": ["a"]}` → `Owner(name: "Ann", tags: ["a"])`.
    ///
    /// Precondition: The models of the type have names, and ``isExact(_:as:level:)`` is true for the value.
    ///
    /// - Parameters:
    ///   - value: The value in the first request, or a part of it.
    ///   - type: The type of the expression.
    ///   - secrets: Removes secrets from texts.
    static func expression(of value: JSONValue, as type: InferredType, secrets: ImportSecrets) -> SwiftText {
        switch type {
        case .model(let model):
            let arguments = zip(model.fields, model.memberNames).compactMap { field, label -> SwiftText? in
                guard let member = value[field.key] else { return nil }
                return "\(label): \(expression(of: member, as: field.type, secrets: secrets))"
            }
            return .list("\(model.name)(", arguments, ")")
        case .array(let elementType):
            let elements = (value.elements ?? []).map { expression(of: $0, as: elementType, secrets: secrets) }
            return .list("[", elements, "]")
        case .dictionary(let valueType):
            let elements = (value.members ?? []).map { key, member -> SwiftText in
                let keyLiteral = SwiftText.literal(secrets.removed(from: key))
                return "\(keyLiteral): \(expression(of: member, as: valueType, secrets: secrets))"
            }
            return elements.isEmpty ? "[:]" : .list("[", elements, "]")
        case .string: return .literal(secrets.removed(from: value.string ?? ""))
        // Only empty objects and empty lists have an unknown type.
        case .unknown: return value.kind == .object ? "[:]" : "[]"
        // A number that is a secret and has no literal becomes 0.
        default: return RequestValue.literal(of: value, secrets: secrets) ?? "0"
        }
    }
}
