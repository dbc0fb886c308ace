import EndpointKit
import JSONText

/// Makes types and models of schemas. Named schemas are read one after the other, so that depth and recursion cost no stack.
struct SchemaReader {
    /// A schema in so many others is `JSONValue`.
    private static let deepestLevel = 48
    /// An enum with more values is a `String`.
    private static let mostValues = 500

    let document: OpenAPIDocument
    var models: [InferredModel] = []
    /// Words for the names of the models that have one in the document.
    private(set) var given: [(model: Int, words: [String])] = []
    /// What became `JSONValue`, and why.
    private(set) var loose: [(pointer: String, reason: String)] = []
    private var types: [Inference.Slot: InferredType] = [:]
    private var unread: [(model: Int, schema: JSONValue)] = []
    private var interned: [InferredModel.Form: Int] = [:]

    static let undescribed = "the document doesn't say what is in it"

    init(_ document: OpenAPIDocument) { self.document = document }

    mutating func json(_ schema: JSONValue, _ reason: String) -> InferredType {
        loose.append((document.pointer(to: schema), reason))
        return .json(reason)
    }

    /// The type of a schema's values. Throws ``OpenAPIError``.
    mutating func type(of schema: JSONValue, _ depth: Int = 0) throws -> InferredType {
        guard depth < Self.deepestLevel else { return json(schema, "it is nested too deeply") }
        let target = try document.resolved(schema)
        if target.bool == true { return json(target, Self.undescribed) }
        guard target.kind == .object else {
            throw document.error(target, "expected a schema, found \(target.document.valueText(of: target.slot))")
        }
        let slot = target.inferenceSlot
        if let known = types[slot] { return known }
        let words = schema["$ref"]?.string.map {
            SwiftNames.words(PercentEncoding.decode($0.parts(at: "/").last ?? ""))
        }
        let facts = try document.facts([target])
        if let words, facts.isStructure {
            let model = add(.structure([]), target)
            given.append((model, words))
            unread.append((model, target))
            let type = InferredType.model(model)
            types[slot] = facts.isNullable ? type.orNull : type
        } else {
            types[slot] = .json("it holds itself")
            let count = models.count
            let own = try plainType(of: target, facts, depth)
            let type = facts.isNullable ? own.orNull : own
            if let words, let model = type.model, model >= count { given.append((model, words)) }
            types[slot] = type
        }
        return types[slot] ?? .json(Self.undescribed)
    }

    /// Reads the named schemas that were met on the way.
    mutating func finish() throws {
        var next = 0
        while next < unread.count {
            let (model, schema) = unread[next]
            models[model].form = .structure(try fields(of: schema, document.facts([schema]), 0))
            next += 1
        }
        unread = []
    }

    // MARK: Own types

    private mutating func plainType(of schema: JSONValue, _ facts: OpenAPIFacts, _ depth: Int) throws -> InferredType {
        let all = try document.elements(schema["allOf"])
        if all.count == 1, schema["properties"] == nil { return try type(of: all[0], depth + 1) }
        if facts.isStructure { return .model(intern(.structure(try fields(of: schema, facts, depth)), schema)) }
        if !all.isEmpty {
            let types = try all.map { try type(of: $0, depth + 1) }
            return types.first { $0.reasonForJSON == nil } ?? types[0]
        }
        let kinds = facts.orderedKinds.filter { $0 != "null" }
        var alternatives: [(type: InferredType, schema: JSONValue)] = []
        if let any = schema["oneOf"] ?? schema["anyOf"] {
            for part in try document.elements(any) where try document.facts([part]).kinds != ["null"] {
                alternatives.append((try type(of: part, depth + 1), part))
            }
        } else if !facts.isOpen, kinds == ["string"] {
            return enumeration(facts.values, schema)
        } else if kinds.isEmpty {
            return facts.isNullable ? .json("only null is allowed") : json(schema, Self.undescribed)
        } else {
            alternatives = try kinds.map { (try type(of: schema, facts, kind: $0, depth), schema) }
        }
        return union(alternatives, schema)
    }

    private mutating func type(
        of schema: JSONValue, _ facts: OpenAPIFacts, kind: String, _ depth: Int
    ) throws -> InferredType {
        switch kind {
        case "string": return schema["format"]?.string == "date-time" ? .date : .string
        case "integer": return .integer
        case "number": return .double
        case "boolean": return .bool
        case "array":
            guard let items = facts.items.first else { return .array(json(schema, Self.undescribed)) }
            return .array(try type(of: items, depth + 1))
        case "object":
            guard let inner = facts.members.first else { return .dictionary(json(schema, Self.undescribed)) }
            return .dictionary(try type(of: inner, depth + 1))
        default: throw document.error(schema, "the type '\(kind)' is unknown")
        }
    }

    private mutating func enumeration(_ values: [String], _ schema: JSONValue) -> InferredType {
        var seen: Set<String> = []
        let texts = values.filter { seen.insert($0).inserted }
        // One value tells nothing apart.
        guard 2...Self.mostValues ~= texts.count, !texts.contains(""), texts.allSatisfy({ $0.utf8.count <= 80 }) else {
            return .string
        }
        return .model(intern(.values(texts), schema))
    }

    // MARK: Objects

    /// What stands in the place of a field's path if it is a file.
    static let file = "binary"

    private mutating func fields(
        of schema: JSONValue, _ facts: OpenAPIFacts, _ depth: Int
    ) throws -> [InferredModel.Field] {
        if let others = schema["additionalProperties"], others.bool != false {
            loose.append((document.pointer(to: others), "other keys than its properties are left out"))
        }
        return try facts.keys.compactMap { key in
            guard let property = facts.property(key) else { return nil }
            let (type, isNull) = try type(of: property, depth + 1).unwrapped
            let own = try document.resolved(property)
            let content = try own["items"].map(document.resolved) ?? own
            let isFile =
                content["format"]?.string == "binary" || content["contentMediaType"] != nil
                || own["type"]?.string == "file"
            let isLate = property["writeOnly"]?.bool == true
            return InferredModel.Field(
                key: key, sentKey: key, type: type, isOptional: isNull || isLate || !facts.required.contains(key),
                path: isFile ? Self.file : "", summary: Self.sentence(property["description"]?.string),
                isReadOnly: property["readOnly"]?.bool == true, isNullable: isNull)
        }
    }

    /// The first sentence of a description; empty if it is too long for a line.
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
        return words.count <= longest && words.utf8.count <= 3 * longest ? BodyToken.cleaned(words) : ""
    }

    // MARK: Models

    private mutating func add(_ form: InferredModel.Form, _ schema: JSONValue?) -> Int {
        var model = InferredModel(form: form)
        model.summary = Self.sentence(schema?["description"]?.string)
        models.append(model)
        return models.count - 1
    }

    /// A model of a form that has no name in the document: equal ones are one.
    mutating func intern(_ form: InferredModel.Form, _ schema: JSONValue?) -> Int {
        var key = form
        switch form {
        case .structure(var fields):
            for index in fields.indices { fields[index].summary = "" }
            key = .structure(fields)
        case .values(let values): key = .values(values.sorted())
        case .kinds, .tagged: break
        }
        if let known = interned[key] { return known }
        let model = add(form, schema)
        interned[key] = model
        return model
    }

    /// Adds a model that is not in the document, with words for its name.
    mutating func add(_ fields: [InferredModel.Field], words: [String]) -> Int {
        let model = add(.structure(fields), nil)
        given.append((model, words))
        return model
    }

    /// Names a model of an operation, unless it has a name.
    mutating func name(_ model: Int, words: [String]) {
        if !given.contains(where: { $0.model == model }) { given.append((model, words)) }
    }

    /// Marks what requests and responses are made of, and what may hold itself.
    mutating func mark(sent: [InferredType], received: [InferredType]) {
        for (types, flag) in [(sent, \InferredModel.isSent), (received, \InferredModel.isReceived)] {
            var open = types.flatMap(\.models)
            while let next = open.popLast() {
                guard !models[next][keyPath: flag] else { continue }
                models[next][keyPath: flag] = true
                open += models[next].parts.flatMap(\.models)
            }
        }
        for model in models.indices { models[model].holdsItself = models.holds(models[model].form, model) }
    }
}

extension JSONValue {
    /// Where it is, among several documents.
    var inferenceSlot: Inference.Slot { Inference.Slot(document: ObjectIdentifier(document), slot: slot) }
}
