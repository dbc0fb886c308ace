import EndpointKit
import JSONText

/// Makes types and models of schemas. Named schemas are read one after the other, so that depth and recursion cost no stack.
struct SchemaReader {
    /// A schema in so many others is `JSONValue`.
    private static let deepestLevel = 48
    /// An enum with more values is a `String`.
    static let mostValues = 500

    let document: OpenAPIDocument
    private(set) var models: [InferredModel] = []
    /// The models whose names are given by the document, or by the operation that they are part of.
    private(set) var given: [InferredModel] = []
    /// What became `JSONValue`, and why.
    private(set) var loose: [(pointer: String, reason: String)] = []
    /// The models of schemas of the document itself.
    private var types: [Inference.Slot: InferredType] = [:]
    private var unread: [(model: InferredModel, schema: JSONValue)] = []
    private var interned: [InferredModel.Form: InferredModel] = [:]
    /// Types of models with examples of them, which count when all fields are read.
    private var examples: [(type: InferredType, value: JSONValue)] = []

    static let undescribed = "the document doesn't say what is in it"
    /// Why what is listed is no enum.
    static let noEnum = "its listed values are too many or too long for an enum"
    /// Why what is listed is numbers of another type.
    static let noIntegers = "its listed values do not all fit an Int"
    /// Why keys are nowhere, not even as `JSONValue`.
    static let otherKeys = "other keys than its properties are left out"

    init(_ document: OpenAPIDocument) { self.document = document }

    mutating func json(_ schema: JSONValue, _ reason: String) -> InferredType {
        loose.append((document.pointer(to: schema), reason))
        return .json(reason)
    }

    /// The type of a schema's values. Throws ``OpenAPIError``.
    mutating func type(of schema: JSONValue, _ depth: Int = 0) throws -> InferredType {
        guard depth < Self.deepestLevel else { return json(schema, "it is nested too deeply") }
        let target = try document.resolved(schema)
        if let isAny = target.bool { return json(target, isAny ? Self.undescribed : "no value is allowed") }
        guard target.kind == .object else {
            throw document.error(target, "expected a schema, found \(target.document.valueText(of: target.slot))")
        }
        let slot = target.inferenceSlot
        if let known = types[slot] { return known }
        let words = schema.referenceName.map { SwiftNames.words($0) }
        let facts = try document.facts([target])
        types[slot] = .json("it holds itself")
        let count = models.count
        var own: InferredType
        if words != nil, facts.isOnlyStructure {
            let model = add(.structure([]), target)
            unread.append((model, target))
            own = .model(model)
        } else {
            own = try plainType(of: target, facts, depth)
        }
        if let words, let model = own.model {
            if models[count...].contains(model) {
                name(model, words: words)
            } else if target["enum"] != nil, model.isListed {
                // It has a name of its own, though another one has the same values.
                let copy = add(model.form, target)
                name(copy, words: words)
                own = .model(copy)
            }
        }
        let type = widenedLate(facts.isNullable ? own.orNull : own, by: target.examples)
        types[slot] = type
        return type
    }

    /// The type of what a body or a response has, with all that it leads to.
    mutating func type(of media: DocumentOperation.Media) throws -> InferredType {
        let own = try media.schema.map { try type(of: $0) } ?? json(media.value, Self.undescribed)
        try finish()
        return own
    }

    /// Reads the named schemas that were met on the way.
    mutating func finish() throws {
        var next = 0
        while next < unread.count {
            let (model, schema) = unread[next]
            model.fields = try fields(of: schema, document.facts([schema]), 0)
            next += 1
        }
        unread = []
        for (type, value) in examples { _ = widened(type, by: value) }
        examples = []
    }

    /// The type of models that also has examples of its kind.
    mutating func widenedLate(_ type: InferredType, by values: [JSONValue]) -> InferredType {
        var type = type
        for value in values where type.leaf.model != nil && type.unwrapped.type.jsonKind == value.kind {
            type = widened(type, by: value)
            examples.append((type, value))
        }
        return type
    }

    // MARK: Own types

    private mutating func plainType(of schema: JSONValue, _ facts: OpenAPIFacts, _ depth: Int) throws -> InferredType {
        let all = try document.elements(schema["allOf"])
        if all.count == 1, ["properties", "required"].allSatisfy({ schema[$0] == nil }) {
            return try type(of: all[0], depth + 1)
        }
        if facts.isOnlyStructure { return intern(.structure(try fields(of: schema, facts, depth)), schema) }
        let kinds = facts.orderedKinds.filter { $0 != "null" }
        let areIntegers = kinds == ["integer"]
        let isListed = !facts.isOpen && (areIntegers || kinds == ["string"])
        if !all.isEmpty, !isListed, !facts.isStructure {
            let types = try all.map { try type(of: $0, depth + 1) }
            return types.first { $0.reasonForJSON == nil } ?? types[0]
        }
        var alternatives: [Alternative] = []
        if let any = schema["oneOf"] ?? schema["anyOf"], !facts.isStructure {
            for part in try document.elements(any) where try document.facts([part]).kinds != ["null"] {
                alternatives.append((try type(of: part, depth + 1), part))
            }
        }
        if isListed, alternatives.count != 1 {
            let texts = facts.values
            let doFit = texts.allSatisfy { areIntegers ? Int($0) != nil : $0.utf8.count <= 80 }
            // One value tells nothing apart.
            if doFit, 2...Self.mostValues ~= texts.count {
                return intern(.values(texts, areIntegers: areIntegers), schema)
            }
            let isTooLarge = areIntegers && !doFit
            if texts.count > 1 {
                loose.append((document.pointer(to: schema), isTooLarge ? Self.noIntegers : Self.noEnum))
            }
            return isTooLarge ? .double : areIntegers ? .integer : .string
        } else if kinds.isEmpty, alternatives.isEmpty {
            return facts.isNullable ? .json("only null is allowed") : json(schema, Self.undescribed)
        } else if alternatives.isEmpty {
            alternatives = try kinds.map { (try type(of: schema, facts, kind: $0, depth), schema) }
        }
        let own = union(alternatives, schema)
        return alternatives.contains { $0.type.unwrapped.isOptional } ? own.orNull : own
    }

    private mutating func type(
        of schema: JSONValue, _ facts: OpenAPIFacts, kind: String, _ depth: Int
    ) throws -> InferredType {
        switch kind {
        case "string": return schema["format"]?.string == "date-time" ? .date : .string
        case "integer": return .integer
        case "number": return .double
        case "boolean": return .bool
        case "object" where facts.isStructure:
            return intern(.structure(try fields(of: schema, facts, depth)), schema)
        case "array", "object":
            let inner = (kind == "array" ? facts.items : facts.members).first
            let element = try inner.map { try type(of: $0, depth + 1) } ?? json(schema, Self.undescribed)
            return kind == "array" ? .array(element) : .dictionary(element)
        default: throw document.error(schema, "the type '\(kind)' is unknown")
        }
    }

    private mutating func fields(
        of schema: JSONValue, _ facts: OpenAPIFacts, _ depth: Int
    ) throws -> [InferredModel.Property] {
        if let others = schema["additionalProperties"], others.bool != false {
            loose.append((document.pointer(to: others), Self.otherKeys))
        }
        return try facts.keys.compactMap { key in
            guard let property = facts.property(key) else { return nil }
            let own = try document.resolved(property)
            // A reference may have examples beside it.
            let examples = property.examples.isEmpty ? own.examples : property.examples
            let declared = widenedLate(try type(of: property, depth + 1), by: examples)
            let (type, isNull) = examples.reduce(declared) { widened($0, by: $1) }.unwrapped
            let content = try own["items"].map(document.resolved) ?? own
            let isLate = property["writeOnly"]?.bool == true
            let isRequired = facts.required.contains(key)
            return InferredModel.Property(
                key: key, type: type, isOptional: isNull || isLate || !isRequired,
                summary: Self.sentence(property["description"]?.string),
                isFile: content["format"]?.string == "binary" || content["contentMediaType"] != nil
                    || own["type"]?.string == "file",
                isReadOnly: property["readOnly"]?.bool == true, isNullable: isNull,
                isRequired: !isLate && isRequired,
                // A default need not be sent.
                example: isRequired ? try document.examples(of: property, own, isNeeded: true).first : examples.first)
        }
    }

    /// The first sentence of a description; empty if it is too long for a line, or has a secret.
    static func sentence(_ text: String?, longest: Int = 140) -> String {
        guard let text, !text.isEmpty else { return "" }
        // Without the tags of HTML.
        let parts = text.parts(at: "<")
        let plain =
            parts[0]
            + parts.dropFirst().map { $0.contains(">") ? String($0.drop { $0 != ">" }.dropFirst()) : "<" + $0 }
            .joined()
        let line = plain.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        let sentence = line.firstRange(of: ". ").map { String(line[..<$0.lowerBound]) + "." } ?? line
        let words = sentence.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let isShort = words.count <= longest && words.utf8.count <= 3 * longest
        return isShort && !SecretRules.findsSecret(in: words) ? words : ""
    }

    // MARK: Models

    private mutating func add(_ form: InferredModel.Form, _ schema: JSONValue?) -> InferredModel {
        let model = InferredModel(form)
        model.summary = Self.sentence(schema?["description"]?.string)
        models.append(model)
        return model
    }

    /// A model of a form that has no name in the document: equal ones are one.
    mutating func intern(_ form: InferredModel.Form, _ schema: JSONValue?) -> InferredType {
        var key = form
        switch form {
        case .structure(var fields):
            for index in fields.indices { (fields[index].summary, fields[index].example) = ("", nil) }
            key = .structure(fields)
        case .values(let values, let areIntegers): key = .values(values.sorted(), areIntegers: areIntegers)
        case .union: break
        }
        let model = interned[key] ?? add(form, schema)
        interned[key] = model
        return .model(model)
    }

    /// Adds a model that is not in the document, with words for its name.
    mutating func add(_ fields: [InferredModel.Property], words: [String]) -> InferredModel {
        let model = add(.structure(fields), nil)
        name(model, words: words)
        return model
    }

    /// Names a model, unless it has a name.
    mutating func name(_ model: InferredModel, words: [String]) {
        guard model.words == nil else { return }
        model.words = words
        given.append(model)
    }

    /// Marks what requests and responses are made of.
    func mark(sent: [InferredType], received: [InferredType]) {
        for (types, flag) in [(sent, \InferredModel.isSent), (received, \.isReceived)] {
            InferredModel.visit(types.compactMap(\.leaf.model)) { model in
                defer { model[keyPath: flag] = true }
                return !model[keyPath: flag]
            }
        }
        for model in models where model.isSent {
            // What is read only is optional in requests; what must be there is sent as null.
            for (index, field) in model.fields.enumerated() where field.isReadOnly || field.isNullable {
                model.fields[index].isOptional = field.isReadOnly || !field.isRequired
            }
        }
    }
}

extension JSONValue {
    /// The last step of a schema's reference.
    var referenceName: String? { self["$ref"]?.string.map { PercentEncoding.decode($0.parts(at: "/").last ?? "") } }
}
