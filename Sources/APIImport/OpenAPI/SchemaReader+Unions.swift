import EndpointKit
import JSONText

// Values of one of several schemas, and examples that contradict their schema.

extension SchemaReader {
    /// The most objects that are told apart by the keys that they require.
    private static let maxToldByKeys = 200

    typealias Alternative = (type: InferredType, schema: JSONValue)

    /// The type of values, other than null, of one of several types, which are told apart by kind, by a constant text, or by their keys.
    mutating func union(_ alternatives: [Alternative], _ schema: JSONValue) -> InferredType {
        let types = alternatives.flatMap { type, part -> [Alternative] in
            guard case .union(let inner, nil)? = type.model?.form else { return [(type.unwrapped.type, part)] }
            return inner.map { ($0.type, part) }
        }
        // Texts come last: whatever is left is one, or an error.
        var (others, objects, texts): ([InferredType], [InferredType], [InferredType]) = ([], [], [])
        for (kind, group) in types.grouped(by: \.type.jsonKind) {
            let one = merged(group.map(\.type)).map { [$0] }
            guard let kind, let found = one ?? (kind == .object ? told(group, schema) : nil) else {
                let names = types.map { type, part in
                    part["$ref"]?.string?.parts(at: "/").last ?? type.jsonKind?.rawValue ?? "any JSON"
                }
                let list = names.filter { !$0.isEmpty }.grouped(by: \.self).map(\.key)
                let shown = list.prefix(12).joined(separator: ", ") + (list.count > 12 ? ", …" : "")
                return json(schema, "one of " + (list.count == 1 ? "\(names.count) kinds of " : "") + shown)
            }
            switch kind {
            case .string: texts = found
            case .object where found[0].model != nil: objects = found
            default: others += found
            }
        }
        let all = others + objects + texts
        if all.isEmpty { return .json("only null is allowed") }
        return all.count == 1 ? all[0] : intern(.union(all.map { .init(type: $0) }), schema)
    }

    /// What has the values of all; nil if only an enum of types has.
    private mutating func merged(_ types: [InferredType]) -> InferredType? {
        var texts: [String] = []
        for type in types {
            guard case .values(let own, _)? = type.model?.form else {
                return types.dropFirst().reduce(types[0]) { $0?.merged(with: $1) }
            }
            texts += own
        }
        let values = texts.grouped(by: \.self).map(\.key)
        let areIntegers = types[0].jsonKind == .number
        if values.count > Self.mostValues { return areIntegers ? .integer : .string }
        return intern(.values(values, areIntegers: areIntegers), nil)
    }

    /// Objects that a text in them tells apart, or keys that only one of them has; nil if nothing does.
    private mutating func told(_ alternatives: [Alternative], _ schema: JSONValue) -> [InferredType]? {
        var objects: [(type: InferredType, schema: JSONValue, facts: OpenAPIFacts)] = []
        var known: Set<InferredType> = []
        for (type, part) in alternatives {
            guard let model = type.model, let facts = try? document.facts([part]) else { return nil }
            if case .union = model.form { return nil }
            if known.insert(type).inserted { objects.append((type, part, facts)) }
        }
        if let (key, tags) = tags(objects.map(\.schema), objects.map(\.facts), schema["discriminator"]) {
            let all = zip(objects, tags).flatMap { object, tags in
                tags.map { InferredModel.Alternative(tag: $0, type: object.type) }
            }
            return [intern(.union(all, key: key), schema)]
        }
        // The object with the most required keys comes first: each later one must lack one of them.
        objects = objects.sorted { $0.facts.required.count > $1.facts.required.count }
        guard objects.count <= Self.maxToldByKeys else { return nil }
        for (place, object) in objects.enumerated() {
            let own = object.facts.required.filter { object.facts.properties[$0] != nil }
            let areTold = objects[(place + 1)...].allSatisfy { other in
                own.contains { other.facts.properties[$0] == nil }
            }
            if !areTold { return nil }
        }
        return objects.map(\.type)
    }

    /// The key whose text tells objects apart, and the texts of each.
    private func tags(
        _ schemas: [JSONValue], _ all: [OpenAPIFacts], _ discriminator: JSONValue?
    ) -> (key: String, tags: [[String]])? {
        func constants(_ key: String) -> [[String]]? {
            var seen: Set<String> = []
            var result: [[String]] = []
            for facts in all {
                guard let property = facts.property(key), let own = try? document.facts([property]),
                    own.kinds == ["string"], !own.isOpen, 1..<10 ~= own.values.count,
                    own.values.allSatisfy({ $0.utf8.count <= 60 && seen.insert($0).inserted })
                else { return nil }
                result.append(own.values)
            }
            return result
        }
        guard let key = discriminator?["propertyName"]?.string ?? discriminator?.string else {
            return all[0].keys.prefix(Inference.mostFields).lazy
                .filter { key in all.allSatisfy { $0.properties[key] != nil } }
                .compactMap { key in constants(key).map { (key, $0) } }.first
        }
        let mapping = discriminator?["mapping"]?.members ?? []
        let tags = schemas.map { schema in
            let name = schema.referenceName ?? ""
            let mapped = mapping.filter { [name, schema["$ref"]?.string ?? ""].contains($0.value.string) }.map(\.key)
            return mapped.isEmpty ? [name] : mapped
        }
        let texts = tags.joined()
        let areTags = Set(texts).count == texts.count && texts.allSatisfy { 1...60 ~= $0.utf8.count }
        return (areTags ? tags : constants(key)).map { (key, $0) }
    }

    // MARK: Examples

    /// Whether a scalar's text is one of the type: documents put numbers in quotes, and leave texts that look like numbers without.
    static func text(of value: JSONValue, isOf type: InferredType) -> Bool {
        if [.null, .array, .object].contains(value.kind) { return false }
        let text = value.string ?? value.description
        switch type {
        case .integer: return Int(text) != nil
        case .double: return Double(text) != nil
        case .bool: return Bool(text) != nil
        case .date: return DateText.parse(text) != nil
        default: return type == .string
        }
    }

    /// The type that also has an example, which may contradict the schema; `isExact` if the example must be decoded, so that a number in quotes is none.
    mutating func widened(
        _ type: InferredType, by value: JSONValue, isExact: Bool = false, _ depth: Int = 0
    ) -> InferredType {
        guard depth < 24 else { return type }
        if value.isNull { return type.reasonForJSON == nil ? type.orNull : type }
        switch type {
        case .optional(let inner): return widened(inner, by: value, isExact: isExact, depth).orNull
        case .unknown, .json: return type
        case .array(let element):
            guard let elements = value.elements else { break }
            return .array(elements.prefix(100).reduce(element) { widened($0, by: $1, isExact: isExact, depth + 1) })
        case .dictionary(let element):
            guard let members = value.members else { break }
            return .dictionary(
                members.prefix(100).reduce(element) { widened($0, by: $1.value, isExact: isExact, depth + 1) })
        case .model(let model):
            if fits(model, value, isExact: isExact, depth) { return type }
        case .bool, .integer, .decimal, .double, .date, .string:
            if !isExact, Self.text(of: value, isOf: type) { return type }
            if let type = Self.scalar(value).flatMap(type.merged) { return type }
        }
        return json(value, "the document's example contradicts its type")
    }

    private static func scalar(_ value: JSONValue) -> InferredType? {
        if let text = value.string { return DateText.parse(text) == nil ? .string : .date }
        if value.bool != nil { return .bool }
        return value.integer(Int.self) != nil ? .integer : value.double != nil ? .double : nil
    }

    /// Whether a value is one of the model, which is widened for it.
    private mutating func fits(_ model: InferredModel, _ value: JSONValue, isExact: Bool, _ depth: Int) -> Bool {
        switch model.form {
        case .structure(let fields):
            guard value.kind == .object else { return false }
            for (index, field) in fields.enumerated() {
                let (type, isNull) =
                    value[field.key].map { widened(field.type, by: $0, isExact: isExact, depth + 1).unwrapped }
                    ?? (field.type, true)
                if type != field.type { model.fields[index].type = type }
                if isNull, !field.isOptional { model.fields[index].isOptional = true }
            }
            return true
        case .values(_, let areIntegers):
            if !isExact { return Self.text(of: value, isOf: areIntegers ? .integer : .string) }
            return areIntegers ? value.integer(Int.self) != nil : value.string != nil
        case .union(let all, let key?):
            guard let tag = value[key]?.string else { return false }
            let found = all.first { $0.tag == tag }?.type.model
            return found.map { fits($0, value, isExact: isExact, depth + 1) } ?? true
        case .union(let all, nil):
            let found = all.filter { $0.type.jsonKind == value.kind }
            // Of several objects, it is not sure which one it is.
            guard found.count == 1 else { return !found.isEmpty }
            return widened(found[0].type, by: value, isExact: isExact, depth + 1) == found[0].type
        }
    }
}
