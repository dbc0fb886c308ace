import EndpointKit
import JSONText

/// The values that requests to an endpoint have at one place of their bodies, for which a type is inferred.
///
/// An object becomes a structure only if its encoded form is the same JSON again: the type must not change what an API
/// gets.
struct SentValues {
    /// The words of the key, after which a structure is named.
    let words: [String]
    /// The name of the endpoint as a type, such as `CreatePet`, which goes before a name that is taken.
    let parent: String
    /// The values of the requests that have the key.
    let values: [JSONValue]

    /// Deeper values and longer lists are nothing to read in an example.
    private static let deepestLevel = 6
    private static let mostElements = 50

    /// Returns the type of the values; nil if it would not send the same JSON.
    func type(_ inference: inout Inference) -> InferredType? {
        let place = Inference.SampleLocation(path: "$", key: words.joined(separator: "_"))
        let type = inference.type(of: values, at: place)
        return values.allSatisfy { Self.isExact($0, as: type) } ? type : nil
    }

    /// Returns whether a value of the type has the same JSON as `value`.
    ///
    /// It has not if a key is there twice, if a member is null, which would be left out, or if a number has another text,
    /// such as `1.50`.
    static func isExact(_ value: JSONValue, as type: InferredType, level: Int = 0) -> Bool {
        guard level < deepestLevel else { return false }
        switch type {
        case .bool, .string: return true
        case .integer: return value.integer(Int.self).map { "\($0)" } == value.number
        case .double: return value.number.map { isExact(number: $0) } ?? false
        case .unknown: return value.elements?.isEmpty ?? value.members?.isEmpty ?? false
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

    /// Returns whether a number is written again as it is: `1.5`, and not `1.50` or `15e-1`.
    private static func isExact(number text: String) -> Bool {
        guard let number = Double(text) else { return false }
        return "\(number)" == text || "\(number)" == text + ".0"
    }

    /// Returns the members of an object by their keys; nil if a key is there twice, or if there are many.
    private static func uniqueMembers(_ value: JSONValue) -> [String: JSONValue]? {
        guard let members = value.members, members.count <= mostElements else { return nil }
        let byKey = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
        return byKey.count == members.count ? byKey : nil
    }

    /// Returns whether a coding writes the keys of all models in a type as they were: with `convertFromSnakeCase`,
    /// `userId` would be written as `user_id`.
    static func writesKeys(of type: InferredType, _ coding: Coding) -> Bool {
        InferredModel.all(in: [type]).allSatisfy { model in
            let keys = model.fields.map(\.key)
            return Set(keys.map(coding.modelKey)).count == keys.count
                && keys.allSatisfy { coding.writtenKey(coding.modelKey($0)) == $0 }
        }
    }

    // MARK: Examples

    /// Returns a value in Swift: `Owner(name: "Ann", tags: ["a"])`.
    ///
    /// Precondition: The models of the type have names, and ``isExact(_:as:level:)`` is true for the value.
    static func example(_ value: JSONValue, as type: InferredType, _ sweep: SecretSweep) -> SwiftText {
        switch type {
        case .model(let model):
            let arguments = zip(model.fields, model.labels).compactMap { field, label -> SwiftText? in
                guard let member = value[field.key] else { return nil }
                return "\(label): \(example(member, as: field.type, sweep))"
            }
            return .list("\(model.name)(", arguments, ")")
        case .array(let element):
            return .list("[", (value.elements ?? []).map { example($0, as: element, sweep) }, "]")
        case .dictionary(let element):
            let members = (value.members ?? []).map { key, value in
                "\(SwiftText.literal(sweep.cleaned(key))): \(example(value, as: element, sweep))" as SwiftText
            }
            return members.isEmpty ? "[:]" : .list("[", members, "]")
        case .string: return .literal(sweep.cleaned(value.string ?? ""))
        case .unknown where value.members != nil: return "[:]"
        case .unknown: return "[]"
        default: return RequestValue.text(value, sweep) ?? "0"
        }
    }
}
