import EndpointKit
import JSONText

// Values of one of several schemas, and examples that contradict their schema.

extension SchemaReader {
    /// The type of values of one of several types, which are told apart by kind, by a constant text, or by their keys.
    mutating func union(_ alternatives: [(type: InferredType, schema: JSONValue)], _ schema: JSONValue) -> InferredType
    {
        let types = alternatives.flatMap { alternative -> [(type: InferredType, schema: JSONValue)] in
            let type = alternative.type.unwrapped.type
            guard let model = type.model, case .kinds(let inner) = models[model].form else {
                return [(type, alternative.schema)]
            }
            return inner.map { ($0, alternative.schema) }
        }
        var (texts, objects, others): ([InferredType], [InferredType], [InferredType]) = ([], [], [])
        for (kind, group) in types.grouped(by: { $0.type.jsonKind(models) }) {
            let one = group.dropFirst().reduce(group[0].type as InferredType?) { one, other in
                one.flatMap { merged($0, other.type) }
            }
            guard let kind, let found = one.map({ [$0] }) ?? (kind == .object ? told(group, schema) : nil) else {
                let names = types.map { type, part in
                    part["$ref"]?.string?.parts(at: "/").last ?? type.jsonKind(models)?.rawValue ?? "any JSON"
                }
                let list = names.reduce(into: [String]()) { if !$1.isEmpty, !$0.contains($1) { $0.append($1) } }
                let more = list.count > 12 ? ", …" : ""
                let type = json(schema, "one of \(list.prefix(12).joined(separator: ", "))\(more)")
                return alternatives.contains { $0.type.unwrapped.isOptional } ? type.orNull : type
            }
            switch kind {
            case .string: texts = found
            case .object where found[0].model != nil: objects = found
            default: others += found
            }
        }
        // Texts come last: whatever is left is one, or an error.
        let all = others + objects + texts
        if all.isEmpty { return .json("only null is allowed") }
        let type = all.count == 1 ? all[0] : .model(intern(.kinds(all), schema))
        return alternatives.contains { $0.type.unwrapped.isOptional } ? type.orNull : type
    }

    /// What has the values of both; nil if only an enum has.
    private mutating func merged(_ one: InferredType, _ other: InferredType) -> InferredType? {
        if one != other, [one, other].allSatisfy({ $0.jsonKind(models) == .string }) {
            guard let one = one.model, let other = other.model, case .values(let texts) = models[one].form,
                case .values(let more) = models[other].form
            else { return .string }
            return .model(intern(.values(texts + more.filter { !texts.contains($0) }), nil))
        }
        return one.merged(with: other)
    }

    /// Objects that a text in them tells apart, or keys that only one of them has; nil if nothing does.
    private mutating func told(
        _ alternatives: [(type: InferredType, schema: JSONValue)], _ schema: JSONValue
    ) -> [InferredType]? {
        var objects: [(model: Int, schema: JSONValue)] = []
        var all: [OpenAPIFacts] = []
        for (type, part) in alternatives {
            guard let model = type.model, let facts = try? document.facts([part]) else { return nil }
            if case .tagged = models[model].form { return nil }
            if objects.contains(where: { $0.model == model }) { continue }
            objects.append((model, part))
            all.append(facts)
        }
        if let (key, tags) = tags(objects, all, schema["discriminator"]) {
            let cases = zip(objects, tags).flatMap { object, tags in
                tags.map { InferredModel.Tagged(tag: $0, model: object.model) }
            }
            return [.model(intern(.tagged(key: key, cases: cases), schema))]
        }
        let order = objects.indices.sorted { (all[$0].required.count, $1) > (all[$1].required.count, $0) }
        for (place, index) in order.enumerated() {
            let own = all[index].required.filter { all[index].properties[$0] != nil }
            let isTold = order[(place + 1)...].allSatisfy { other in own.contains { all[other].properties[$0] == nil } }
            if !isTold { return nil }
        }
        return order.map { .model(objects[$0].model) }
    }

    /// The key whose text tells objects apart, and the texts of each.
    private func tags(
        _ objects: [(model: Int, schema: JSONValue)], _ all: [OpenAPIFacts], _ discriminator: JSONValue?
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
        let keys = all[0].keys.prefix(Inference.mostFields).filter { key in
            all.allSatisfy { $0.properties[key] != nil }
        }
        guard let key = discriminator?["propertyName"]?.string ?? discriminator?.string else {
            return keys.lazy.compactMap { key in constants(key).map { (key, $0) } }.first
        }
        let mapping = discriminator?["mapping"]?.members ?? []
        let tags = objects.map { object in
            let reference = object.schema["$ref"]?.string ?? ""
            let name = PercentEncoding.decode(reference.parts(at: "/").last ?? "")
            let mapped = mapping.filter { $0.value.string == reference || $0.value.string == name }.map(\.key)
            return mapped.isEmpty ? [name] : mapped
        }
        let all = tags.joined()
        let areTags = Set(all).count == all.count && all.allSatisfy { 1...60 ~= $0.utf8.count }
        return (areTags ? tags : constants(key)).map { (key, $0) }
    }

    // MARK: Examples

    /// The type that also has an example, which may contradict the schema.
    mutating func widened(_ type: InferredType, by value: JSONValue, _ depth: Int = 0) -> InferredType {
        guard depth < 24 else { return type }
        if value.isNull { return type.reasonForJSON == nil ? type.orNull : type }
        switch type {
        case .optional(let inner): return widened(inner, by: value, depth).orNull
        case .unknown, .json: return type
        case .array(let element):
            guard let elements = value.elements else { break }
            return .array(elements.prefix(100).reduce(element) { widened($0, by: $1, depth + 1) })
        case .dictionary(let element):
            guard let members = value.members else { break }
            return .dictionary(members.prefix(100).reduce(element) { widened($0, by: $1.value, depth + 1) })
        case .model(let model):
            if fits(model, value, depth) { return type }
        case .bool, .integer, .decimal, .double, .date, .string:
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
    private mutating func fits(_ model: Int, _ value: JSONValue, _ depth: Int) -> Bool {
        switch models[model].form {
        case .structure(let fields):
            guard value.kind == .object else { return false }
            for (index, field) in fields.enumerated() {
                let (type, isNull) =
                    value[field.key].map { widened(field.type, by: $0, depth + 1).unwrapped } ?? (field.type, true)
                if type != field.type { models[model].fields[index].type = type }
                if isNull, !field.isOptional { models[model].fields[index].isOptional = true }
            }
            return true
        case .values: return value.string != nil
        case .tagged(let key, let cases):
            guard let tag = value[key]?.string else { return false }
            return cases.first { $0.tag == tag }.map { fits($0.model, value, depth + 1) } ?? true
        case .kinds(let types):
            let found = types.filter { $0.jsonKind(models) == value.kind }
            // Of several objects, it is not sure which one it is.
            guard found.count == 1 else { return !found.isEmpty }
            return widened(found[0], by: value, depth + 1) == found[0]
        }
    }
}
