import JSONText

// Models that hold all values of the samples.
extension InferredModel {
    /// Makes the numbers under a key `Double` in all of several models if they are in one: the coordinates of a polygon
    /// are as those of a point, although only integers were seen.
    static func shareFractions(_ models: [InferredModel]) {
        let fields = models.flatMap(\.fields)
        let keys = Set(fields.filter { $0.type.leaf == .double }.map(\.key))
        for model in models where !model.fields.isEmpty {
            model.fields = model.fields.map { field in
                var field = field
                if keys.contains(field.key) { field.type = field.type.withFractions }
                return field
            }
        }
    }

    /// Makes the fields in a type wide enough for its samples: a field of which nothing was known may have got the type of others.
    static func widen(_ type: InferredType, for samples: [JSONDocument]) {
        var open = samples.map { (value: JSONValue($0), type: type, field: (model: InferredModel, index: Int)?.none) }
        while let (value, type, field) = open.popLast() {
            switch type {
            case .unknown, .json: break
            case .optional(let inner): if !value.isNull { open.append((value, inner, field)) }
            case .model(let model) where model.fields.isEmpty:
                guard case .union(let all, let key) = model.form else { break }
                let tag = key.flatMap { value[$0]?.string } ?? ""
                let own = all.filter { $0.tag == tag && (key != nil || $0.type.jsonKind == value.kind) }
                open += own.map { (value, $0.type, field) }
            case _ where type.jsonKind != value.kind, .integer where Int64(value.number ?? "") == nil,
                .date where value.string.flatMap(DateText.parse) == nil:
                field?.model.fields[field?.index ?? 0].type = .json("its values differ")
            case .array(let element): open += (value.elements ?? []).map { ($0, element, field) }
            case .dictionary(let element): open += (value.members ?? []).map { ($0.value, element, field) }
            case .model(let model):
                let members = Dictionary((value.members ?? []).map { ($0.key, $0.value) }) { $1 }
                for (index, own) in model.fields.enumerated() {
                    if let member = members[own.key], !member.isNull {
                        open.append((member, own.type, (model, index)))
                    } else if !own.isOptional {
                        model.fields[index].isOptional = true
                    }
                }
            default: break
            }
        }
    }
}
