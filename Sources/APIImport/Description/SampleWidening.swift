import JSONText

extension InferredModel {
    /// Makes the numbers under a key `Double` in all of several models if they are `Double` in one of them.
    ///
    /// For example, the coordinates of a polygon may have fractions if those of a point have, although only integers
    /// were seen.
    static func unifyNumberTypes(of models: [InferredModel]) {
        let allFields = models.flatMap(\.fields)
        let keysWithFractions = Set(allFields.filter { $0.type.leaf == .double }.map(\.key))
        // A model without fields may be an enum, which setting fields would make a structure.
        for model in models where !model.fields.isEmpty {
            model.fields = model.fields.map { field in
                var unifiedField = field
                if keysWithFractions.contains(field.key) { unifiedField.type = field.type.withFractions }
                return unifiedField
            }
        }
    }
}

/// Makes the fields of models wide enough for the samples.
///
/// If nothing in the samples told the type of a field, the field may have got its type from another model with the same
/// keys. A value that does not fit such a type makes the field `JSONValue`, and a missing value makes it optional.
struct SampleWidening {
    /// A field of a model.
    private struct FieldReference {
        let model: InferredModel
        let index: Int
    }

    /// A value of a sample, with the type that it should have.
    private struct TypedValue {
        let value: JSONValue
        let type: InferredType
        /// The field with that type, or with a list or dictionary of it; nil if the value is in no object.
        let field: FieldReference?
    }

    /// The values that have not been compared with their types yet.
    ///
    /// They are a list, and the comparison is not recursive, because a server chooses the depth of its responses.
    private var pendingValues: [TypedValue]

    /// Makes the fields in a type wide enough for its samples.
    static func widen(_ type: InferredType, for samples: [JSONDocument]) {
        let values = samples.map { TypedValue(value: JSONValue($0), type: type, field: nil) }
        var widening = SampleWidening(pendingValues: values)
        while let value = widening.pendingValues.popLast() { widening.compareWithType(value) }
    }

    /// Compares a value with its type, and adds the elements or members of the value to ``pendingValues``.
    ///
    /// If the value does not fit its type, the field with that type becomes `JSONValue`. A value outside of objects has
    /// no field, and changes nothing.
    private mutating func compareWithType(_ typed: TypedValue) {
        let value = typed.value
        switch typed.type {
        case .unknown, .json:
            return
        case .optional(let type):
            if !value.isNull { pendingValues.append(TypedValue(value: value, type: type, field: typed.field)) }
        case .model(let model) where model.fields.isEmpty:
            // Only a model without fields is an enum.
            addValueOfCase(typed, of: model)
        case let type where !Self.fits(value, as: type):
            if let field = typed.field { field.model.fields[field.index].type = .json("its values differ") }
        case .array(let elementType):
            for element in value.elements ?? [] {
                pendingValues.append(TypedValue(value: element, type: elementType, field: typed.field))
            }
        case .dictionary(let valueType):
            for (_, memberValue) in value.members ?? [] {
                pendingValues.append(TypedValue(value: memberValue, type: valueType, field: typed.field))
            }
        case .model(let model):
            compareMembers(of: value, with: model)
        default:
            return
        }
    }

    /// Whether a value can be decoded as a type, as far as its kind tells: a string as `String`, an array as any array.
    ///
    /// An integer must also fit an `Int`, and a date must have the form of one.
    private static func fits(_ value: JSONValue, as type: InferredType) -> Bool {
        guard type.jsonKind == value.kind else { return false }
        switch type {
        case .integer: return value.number.flatMap { Int64($0) } != nil
        case .date: return value.string.flatMap(DateText.parse) != nil
        default: return true
        }
    }

    /// Adds a value of an enum to ``pendingValues``, with the type of its case: `{"type": "cat"}` with `Cat`.
    ///
    /// The tag of the value, such as its `type`, tells the case. Without tags, the value's kind of JSON tells it. An
    /// enum of listed values has no associated values, so nothing is added.
    private mutating func addValueOfCase(_ typed: TypedValue, of model: InferredModel) {
        guard case .union(let alternatives, let tagKey) = model.form else { return }
        let value = typed.value
        for alternative in alternatives {
            let isCaseOfValue: Bool
            if let tagKey {
                // No tag is empty, so an object without a tag has no case.
                let tagOfValue = value[tagKey]?.string ?? ""
                isCaseOfValue = alternative.tag == tagOfValue
            } else {
                isCaseOfValue = alternative.tag.isEmpty && alternative.type.jsonKind == value.kind
            }
            if isCaseOfValue {
                pendingValues.append(TypedValue(value: value, type: alternative.type, field: typed.field))
            }
        }
    }

    /// Adds the members of an object to ``pendingValues``, and makes the fields optional that the object lacks.
    private mutating func compareMembers(of object: JSONValue, with model: InferredModel) {
        // If a key comes twice, its last value counts.
        let members = Dictionary((object.members ?? []).map { ($0.key, $0.value) }) { _, last in last }
        for (index, field) in model.fields.enumerated() {
            if let member = members[field.key], !member.isNull {
                let reference = FieldReference(model: model, index: index)
                pendingValues.append(TypedValue(value: member, type: field.type, field: reference))
            } else if !field.isOptional {
                model.fields[index].isOptional = true
            }
        }
    }
}
