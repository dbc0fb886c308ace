import EndpointKit
import JSONText

/// Makes types and models of schemas. Named schemas are read one after the other, so that depth and recursion cost no stack.
struct SchemaReader {
    /// A schema in so many others is `JSONValue`.
    private static let deepestLevel = 48
    /// An enum with more values is a `String`.
    private static let mostValues = 500

    let document: OpenAPIDocument
    private(set) var models: [InferredModel] = []
    /// Words for the names of the models that have one in the document.
    private(set) var given: [(model: Int, words: [String])] = []
    /// What became `JSONValue`, and why.
    private(set) var loose: [(pointer: String, reason: String)] = []
    private var types: [Inference.Slot: InferredType] = [:]
    private var unread: [(model: Int, schema: JSONValue)] = []
    private var interned: [String: Int] = [:]

    static let undescribed = "the document doesn't say what is in it"

    init(_ document: OpenAPIDocument) { self.document = document }

    private func slot(_ value: JSONValue) -> Inference.Slot {
        Inference.Slot(document: ObjectIdentifier(value.document), slot: value.slot)
    }

    mutating func json(_ schema: JSONValue, _ reason: String) -> InferredType {
        loose.append((document.pointer(to: schema), reason))
        return .json(reason)
    }

    /// The type of a schema's values. Throws ``OpenAPIError``.
    mutating func type(of schema: JSONValue, _ depth: Int = 0) throws -> InferredType {
        guard depth < Self.deepestLevel else { return json(schema, "it is nested too deeply") }
        if schema.bool == true { return json(schema, Self.undescribed) }
        guard schema.kind == .object else {
            throw document.error(schema, "expected a schema, found \(schema.document.valueText(of: schema.slot))")
        }
        guard let reference = schema["$ref"]?.string else { return try ownType(of: schema, depth) }
        let target = try document.resolved(schema)
        if let known = types[slot(target)] { return known }
        let words = SwiftNames.words(reference.parts(at: "/").last.map { PercentEncoding.decode($0) } ?? "")
        if isObject(target) {
            let model = add(.structure([]), target)
            given.append((model, words))
            unread.append((model, target))
            types[slot(target)] = isNullable(target) ? .optional(.model(model)) : .model(model)
            return types[slot(target)] ?? .model(model)
        }
        types[slot(target)] = .json("it holds itself")
        let count = models.count
        let type = try self.type(of: target, depth + 1)
        if let model = type.model, model >= count { given.append((model, words)) }
        types[slot(target)] = type
        return type
    }

    /// Reads the named schemas that were met on the way.
    mutating func finish() throws {
        var next = 0
        while next < unread.count {
            let (model, schema) = unread[next]
            models[model].form = .structure(try fields(of: schema, 0))
            next += 1
        }
        unread = []
    }

    // MARK: Own types

    private func isNullable(_ schema: JSONValue) -> Bool {
        schema["nullable"]?.bool == true || schema["x-nullable"]?.bool == true
            || schema["type"]?.elements?.contains { $0.string == "null" } == true
            || schema["enum"]?.elements?.contains(where: \.isNull) == true
    }

    private mutating func ownType(of schema: JSONValue, _ depth: Int) throws -> InferredType {
        let type = try plainType(of: schema, depth)
        return isNullable(schema) ? type.orNull : type
    }

    private mutating func plainType(of schema: JSONValue, _ depth: Int) throws -> InferredType {
        let all = try document.elements(schema["allOf"])
        if all.count == 1, schema["properties"] == nil { return try type(of: all[0], depth + 1) }
        if isObject(schema) { return .model(intern(.structure(try fields(of: schema, depth)), schema)) }
        if !all.isEmpty {
            let types = try all.map { try type(of: $0, depth + 1) }
            return types.first { $0.reasonForJSON == nil } ?? types[0]
        }
        if let any = schema["oneOf"] ?? schema["anyOf"] {
            return try union(of: document.elements(any), schema, depth)
        }
        let values = schema["enum"]?.elements?.filter { !$0.isNull } ?? schema["const"].map { [$0] }
        if let values, let type = enumeration(values, schema) { return type }
        let kinds = schema["type"].map { kind in kind.string.map { [$0] } ?? kind.elements?.compactMap(\.string) ?? [] }
        let known = kinds?.filter { $0 != "null" } ?? []
        if known.count > 1 {
            let types = try known.map { try type(of: schema, kind: $0, depth) }
            return union(types.map { ($0, schema) }, schema)
        }
        if let kind = known.first { return try type(of: schema, kind: kind, depth) }
        if kinds?.isEmpty == false { return .json("only null is allowed") }
        if schema["additionalProperties"] != nil { return try type(of: schema, kind: "object", depth) }
        if schema["items"] != nil { return try type(of: schema, kind: "array", depth) }
        return json(schema, Self.undescribed)
    }

    private mutating func type(of schema: JSONValue, kind: String, _ depth: Int) throws -> InferredType {
        switch kind {
        case "string": return schema["format"]?.string == "date-time" ? .date : .string
        case "file": return .string
        case "integer": return .integer
        case "number": return .double
        case "boolean": return .bool
        case "array":
            guard let items = schema["items"] else { return .array(json(schema, Self.undescribed)) }
            return .array(try type(of: items, depth + 1))
        case "object":
            if isObject(schema) { return .model(intern(.structure(try fields(of: schema, depth)), schema)) }
            let patterns = schema["patternProperties"]?.members?.map(\.value) ?? []
            var inner = patterns.count == 1 ? patterns.first : .none
            if let values = schema["additionalProperties"], values.kind == .object { inner = values }
            guard let inner else { return .dictionary(json(schema, Self.undescribed)) }
            return .dictionary(try type(of: inner, depth + 1))
        default: throw document.error(schema, "the type '\(kind)' is unknown")
        }
    }

    private mutating func enumeration(_ values: [JSONValue], _ schema: JSONValue) -> InferredType? {
        let texts = values.compactMap(\.string).reduce(into: (all: [String](), seen: Set<String>())) { result, text in
            if result.seen.insert(text).inserted { result.all.append(text) }
        }.all
        guard !values.isEmpty, values.allSatisfy({ $0.string != nil }) else { return nil }
        // One value tells nothing apart.
        guard 2...Self.mostValues ~= texts.count, !texts.contains(""), texts.allSatisfy({ $0.utf8.count <= 80 }) else {
            return .string
        }
        return .model(intern(.values(texts), schema))
    }

    // MARK: Objects

    /// Whether an object has properties, of its own or from others.
    private func isObject(_ schema: JSONValue, _ depth: Int = 0) -> Bool {
        if let properties = schema["properties"], properties.members?.isEmpty == false { return true }
        guard depth < Self.deepestLevel, let all = schema["allOf"]?.elements else { return false }
        return all.contains { (try? document.resolved($0)).map { isObject($0, depth + 1) } == true }
    }

    /// The properties of an object with those of what it is made of.
    struct Properties {
        var order: [String] = []
        var schemas: [String: JSONValue] = [:]
        var required: Set<String> = []
        fileprivate var seen: Set<Inference.Slot> = []
    }

    func properties(of schema: JSONValue) throws -> Properties {
        var result = Properties()
        try collect(schema, into: &result, 0)
        return result
    }

    private func collect(_ schema: JSONValue, into result: inout Properties, _ depth: Int) throws {
        let schema = try document.resolved(schema)
        guard depth < Self.deepestLevel, result.seen.insert(slot(schema)).inserted else { return }
        for part in try document.elements(schema["allOf"]) { try collect(part, into: &result, depth + 1) }
        for (key, property) in try document.members(schema["properties"]) {
            if result.schemas[key] == nil { result.order.append(key) }
            // A later schema is the narrower one, unless it only says more about it.
            if result.schemas[key] == nil || property["type"] != nil || property["$ref"] != nil {
                result.schemas[key] = property
            }
        }
        for key in schema["required"]?.elements ?? [] { if let key = key.string { result.required.insert(key) } }
        // One of several sets of properties besides: none of them is sure.
        for part in (schema["oneOf"] ?? schema["anyOf"])?.elements ?? [] {
            let required = result.required
            try collect(part, into: &result, depth + 1)
            result.required = required
        }
    }

    private mutating func fields(of schema: JSONValue, _ depth: Int) throws -> [InferredModel.Field] {
        let properties = try properties(of: schema)
        if let others = schema["additionalProperties"], others.bool != false, !properties.order.isEmpty {
            loose.append((document.pointer(to: others), "other keys than its properties are left out"))
        }
        return try properties.order.compactMap { key in
            guard let property = properties.schemas[key] else { return nil }
            let (type, isNull) = try type(of: property, depth + 1).unwrapped
            let isLate = property["writeOnly"]?.bool == true
            return InferredModel.Field(
                key: key, sentKey: key, type: type, isOptional: isNull || isLate || !properties.required.contains(key),
                path: "", summary: Self.sentence(property["description"]?.string),
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
        func text(_ type: InferredType) -> String {
            switch type {
            case .json(let reason): "json:" + reason
            default: type.text { "#\($0)" }
            }
        }
        let signature =
            switch form {
            case .structure(let fields):
                "{"
                    + fields.map {
                        "\($0.key)\0\(text($0.type))\($0.isOptional ? "?" : "")\($0.isReadOnly ? "r" : "")\($0.isNullable ? "n" : "")"
                    }
                    .joined(separator: "\0")
            case .kinds(let types): "|" + types.map(text).joined(separator: "\0")
            case .tagged(let key, let cases):
                "=\(key)\0" + cases.map { "\($0.tag)\0\($0.model)" }.joined(separator: "\0")
            case .values(let values): "," + values.sorted().joined(separator: "\0")
            }
        if let known = interned[signature] { return known }
        let model = add(form, schema)
        interned[signature] = model
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

    /// Notes that a model is a change.
    mutating func setChange(_ model: Int) { models[model].isChange = true }

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
        // What remains after all that hold nothing, and all that nothing holds, are taken away, is on a way back to itself, or between two.
        let holding = models.map(\.direct)
        var holders = [[Int]](repeating: [], count: models.count)
        for (model, held) in holding.enumerated() { for other in held { holders[other].append(model) } }
        var isLeft = [Bool](repeating: true, count: models.count)
        for (outgoing, incoming) in [(holding, holders), (holders, holding)] {
            var counts = outgoing.indices.map { model in outgoing[model].count { isLeft[$0] } }
            var open = counts.indices.filter { counts[$0] == 0 && isLeft[$0] }
            while let next = open.popLast() {
                isLeft[next] = false
                for other in incoming[next] where isLeft[other] {
                    counts[other] -= 1
                    if counts[other] == 0 { open.append(other) }
                }
            }
        }
        for model in models.indices { models[model].holdsItself = isLeft[model] }
    }

    /// Changes the type of a field, and whether it is optional.
    mutating func change(_ model: Int, _ field: Int, _ edit: (inout InferredModel.Field) -> Void) {
        guard case .structure(var fields) = models[model].form else { return }
        edit(&fields[field])
        models[model].form = .structure(fields)
    }
}
