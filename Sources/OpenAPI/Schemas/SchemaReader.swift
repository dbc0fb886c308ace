import EndpointKit
import EndpointTools
import JSONText

/// Makes shapes of schemas (JSON Schema 2020-12, and the older dialects of OpenAPI 3.0 and Swagger 2.0).
///
/// An object that a `$ref` names becomes a model. Models are read one after the other and not inside each other, so
/// that neither recursion nor long chains of references cost stack. Other schemas that a `$ref` names are written out,
/// unless they hold themselves or are large.
///
/// A reader makes many shapes, and reads each named schema once for all of them.
struct SchemaReader {
    /// Schemas inside of more schemas than this become any JSON. It bounds the stack. Named schemas don't count the
    /// schemas around the reference.
    private static let maxDepth = 32
    /// A named schema inside of so many other named ones becomes a model. Together with `maxDepth` it bounds the stack.
    private static let maxOpenNames = 3
    /// A shape with more parts becomes a model if a `$ref` names it: 40 schemas that each name the next one twice would
    /// else have 2⁴⁰ parts.
    private static let maxCopiedParts = 24
    /// More alternatives than these are any JSON: each one is compared with the others. GitHub's document has up to 21.
    private static let maxAlternatives = 256
    /// The most parts that are copied from objects into their alternatives in a small document. Without it, 40 objects
    /// with alternatives that each name the next one twice would be read 2⁴⁰ times. All schemas of GitHub's document
    /// together need 83.
    private static let maxMergedParts = 20_000

    /// A shape and the number of its parts.
    private struct Part {
        var shape: Shape
        var count = 1
    }

    /// The shape of a named schema that is no model, with the notes about it.
    private struct KnownPart {
        let part: Part
        let notes: [SchemaNote]
    }

    /// A model whose schema has not been read yet.
    private struct UnreadModel {
        let index: Int
        let facts: SchemaFacts
        let schema: JSONValue
        let notes: [SchemaNote]
    }

    private var schemas: SchemaFactsReader
    private let direction: SchemaDirection
    private var models = ModelTable()
    /// The index in `models` of each schema that is a model.
    private var modelIndexes: [DocumentPlace: Int] = [:]
    private var unread: [UnreadModel] = []
    /// The index in `models` of each alternative that a discriminator tells apart.
    private var taggedIndexes: [Discriminator.Tag: Int] = [:]
    /// The shapes of named schemas that are no models.
    private var known: [DocumentPlace: KnownPart] = [:]
    /// The named schemas that are being read. One that comes again holds itself.
    private var open: Set<DocumentPlace> = []
    /// The number of parts that may still be copied into alternatives.
    private var remainingMergedParts: Int

    init(_ references: ReferenceResolver, _ dialect: SchemaDialect, _ direction: SchemaDirection) {
        schemas = SchemaFactsReader(references, dialect)
        self.direction = direction
        remainingMergedParts = Self.maxMergedParts + references.root.document.bytes.count / 64
    }

    /// Returns what all of some schemas say, with those of their `allOf`.
    mutating func facts(ofAll all: [JSONValue]) -> SchemaFacts {
        let outer = schemas.beginNotes()
        defer { _ = schemas.endNotes(outer) }
        return schemas.facts(ofAll: all)
    }

    /// Whether a member with these schemas is not sent or not received.
    mutating func leavesOut(_ all: [JSONValue]) -> Bool { schemas.leavesOut(all, direction) }

    /// Returns the shape of a body, with its models and notes.
    mutating func shape(of body: BodySchema) -> SchemaShape {
        let outer = schemas.beginNotes()
        let root =
            switch body {
            case .schema(let schema), .items(let schema): part([schema], 0).shape
            case .form(let fields): form(fields)
            }
        let notes = schemas.notes
        _ = schemas.endNotes(outer)
        readModels()
        return models.shape(root, notes)
    }

    /// Reads the schemas of models that have been named. Each one may name further ones.
    private mutating func readModels() {
        while let model = unread.popLast() {
            let outer = schemas.beginNotes()
            schemas.add(model.notes)
            let isObject = isObject(model.facts) && !model.facts.properties.isEmpty
            let part = isObject ? object(model.facts, 0) : part(model.facts, model.schema, 0)
            models.set(part.shape, schemas.endNotes(outer), of: model.index)
        }
    }

    /// Returns the shape of a form of Swagger 2.0.
    private mutating func form(_ fields: [FormField]) -> Shape {
        var result: [Shape.Field] = []
        for field in fields {
            let shape = part([field.schema], 1).shape
            result.append(Shape.Field(key: field.name, shape: shape, isOptional: !field.isRequired))
        }
        return .object(result)
    }

    // MARK: References

    /// Returns the shape of values that match all of `all`.
    private mutating func part(_ all: [JSONValue], _ depth: Int) -> Part {
        guard all.count == 1, let schema = all.first else { return inline(all, depth) }
        guard let target = schemas.target(of: schema) else { return Part(shape: .any) }
        guard DocumentPlace(target) != DocumentPlace(schema) else { return inline([target], depth) }
        return named(target, schema)
    }

    /// Returns the shape of a schema that a `$ref` names.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - reference: The object with the `$ref`.
    private mutating func named(_ schema: JSONValue, _ reference: JSONValue) -> Part {
        let place = DocumentPlace(schema)
        if let index = modelIndexes[place] { return Part(shape: models.reference(index)) }
        if let known = known[place] {
            schemas.add(known.notes)
            return known.part
        }
        let name = reference["$ref"]?.string ?? ""
        guard !open.contains(place) else {
            let index = addModel(schema, name)
            return Part(shape: models.reference(index))
        }
        let outer = schemas.beginNotes()
        let facts = schemas.facts(ofAll: [reference])
        if isObject(facts), !facts.properties.isEmpty {
            return objectModel(schema, name, facts, schemas.endNotes(outer))
        }
        guard open.count < Self.maxOpenNames else {
            let index = addModel(schema, name)
            let notes = schemas.endNotes(outer)
            unread.append(UnreadModel(index: index, facts: facts, schema: schema, notes: notes))
            return Part(shape: models.reference(index))
        }
        open.insert(place)
        let part = part(facts, schema, 0)
        open.remove(place)
        let notes = schemas.endNotes(outer)
        guard modelIndexes[place] != nil || part.count > Self.maxCopiedParts else {
            schemas.add(notes)
            known[place] = KnownPart(part: part, notes: notes)
            return part
        }
        let index = modelIndexes[place] ?? addModel(schema, name)
        models.set(part.shape, notes, of: index)
        return Part(shape: models.reference(index))
    }

    /// Returns the shape of a named object. Its members are read later.
    ///
    /// A nullable object is nullable where it is named, not in the model.
    private mutating func objectModel(
        _ schema: JSONValue, _ name: String, _ facts: SchemaFacts, _ notes: [SchemaNote]
    ) -> Part {
        let index = models.add(name)
        unread.append(UnreadModel(index: index, facts: facts, schema: schema, notes: notes))
        let reference = models.reference(index)
        if facts.isNullable {
            let part = Part(shape: .nullable(reference))
            known[DocumentPlace(schema)] = KnownPart(part: part, notes: [])
            return part
        }
        modelIndexes[DocumentPlace(schema)] = index
        return Part(shape: reference)
    }

    /// Adds a model without a shape for a schema, and returns its index.
    private mutating func addModel(_ schema: JSONValue, _ name: String) -> Int {
        let index = models.add(name)
        modelIndexes[DocumentPlace(schema)] = index
        return index
    }

    // MARK: Kinds of schemas

    /// Returns the shape of schemas that are written where they are used.
    private mutating func inline(_ all: [JSONValue], _ depth: Int) -> Part {
        guard let first = all.first else { return Part(shape: .any) }
        return part(schemas.facts(ofAll: all), first, depth)
    }

    /// Whether the facts are those of an object, which may be null, and of nothing else.
    private func isObject(_ facts: SchemaFacts) -> Bool {
        guard facts.alternatives == nil || isRefinement(facts), facts.values == nil else { return false }
        return facts.types == nil ? facts.hasObjectKeywords && facts.items == nil : facts.types == ["object"]
    }

    /// Whether the alternatives only say which members are required together, as in
    /// `"anyOf": [{"required": ["a"]}, {"required": ["b"]}]`.
    private func isRefinement(_ facts: SchemaFacts) -> Bool {
        guard let alternatives = facts.alternatives, !facts.properties.isEmpty else { return false }
        return alternatives.allSatisfy { alternative in
            let keys = alternative.members?.map(\.key) ?? []
            return !keys.isEmpty && keys.allSatisfy { ["required", "title", "description"].contains($0) }
        }
    }

    /// Returns the shape of what the keywords of a schema say.
    ///
    /// - Parameters:
    ///   - facts: The keywords.
    ///   - schema: The schema, for notes.
    ///   - depth: The number of schemas around this one.
    private mutating func part(_ facts: SchemaFacts, _ schema: JSONValue, _ depth: Int) -> Part {
        guard depth < Self.maxDepth else {
            schemas.note(.tooDeep, schema)
            return Part(shape: .any)
        }
        for keyword in facts.ignoredKeywords.prefix(1) { schemas.note(.ignoredKeyword(keyword), schema) }
        var parts: [Part]
        if let values = facts.values {
            parts = Self.values(values)
        } else if facts.alternatives != nil, !isRefinement(facts) {
            parts = alternatives(facts, schema, depth)
        } else {
            parts = []
            for type in types(facts) { parts.append(part(type, facts, schema, depth)) }
        }
        if facts.isNullable, !parts.contains(where: { $0.shape == .any }) { parts.append(Part(shape: .null)) }
        return anyOf(parts, schema)
    }

    /// Returns the types that a schema allows. Without `type`, its keywords tell; `any` stands for all.
    private func types(_ facts: SchemaFacts) -> [String] {
        if let types = facts.types { return types }
        var types: [String] = []
        if facts.hasObjectKeywords { types.append("object") }
        if facts.items != nil { types.append("array") }
        return types.isEmpty ? ["any"] : types
    }

    /// Returns the shape of the values of one type.
    private mutating func part(_ type: String, _ facts: SchemaFacts, _ schema: JSONValue, _ depth: Int) -> Part {
        switch type {
        case "boolean": return Part(shape: .scalar(.boolean))
        case "integer": return Part(shape: .scalar(.integer(facts.bounds.integers(format: facts.format))))
        case "number": return Part(shape: .scalar(.number(facts.bounds.numbers)))
        case "string": return Part(shape: .scalar(Self.string(format: facts.format)))
        case "null": return Part(shape: .null)
        case "object": return object(facts, depth)
        case "array":
            guard let items = facts.items else { return Part(shape: .array(.any)) }
            let element = part([items], depth + 1)
            return Part(shape: .array(element.shape), count: element.count + 1)
        default: return Part(shape: .any)
        }
    }

    /// Returns the kind of a string with a format (OpenAPI's Format Registry).
    private static func string(format: String?) -> Shape.Scalar {
        switch format {
        case "uri", "url": .url
        case "uuid": .uuid
        case "date-time", "date": .date
        case "byte", "base64": .data
        default: .string
        }
    }

    /// Returns the shape of an enum. Null is an alternative of its own.
    private static func values(_ values: [JSONValue]) -> [Part] {
        let others = values.filter { !$0.isNull }
        let null = others.count < values.count ? [Part(shape: .null)] : []
        return others.isEmpty ? null : [Part(shape: .values(others))] + null
    }

    // MARK: Objects

    /// Returns the shape of an object: of its members, or of a dictionary if it names none.
    ///
    /// Members that it does not name are data if `additionalProperties` says so. Otherwise they are not expected,
    /// whether it is left out or `false`.
    private mutating func object(_ facts: SchemaFacts, _ depth: Int) -> Part {
        guard !facts.properties.isEmpty else { return dictionary(facts, depth) }
        var fields: [Shape.Field] = []
        var count = 1
        for property in facts.properties where !schemas.leavesOut(property.schemas, direction) {
            let tags = facts.tags[property.name].map { Part(shape: .values($0.map { JSONValue($0) })) }
            let part = tags ?? part(property.schemas, depth + 1)
            let isOptional = !facts.required.contains(property.name)
            fields.append(Shape.Field(key: property.name, shape: part.shape, isOptional: isOptional))
            count += part.count
        }
        guard let others = otherMembers(facts, depth) else { return Part(shape: .object(fields), count: count) }
        let shape: Shape = fields.isEmpty ? .dictionary(others.shape) : .open(fields, others: others.shape)
        return Part(shape: shape, count: count + others.count)
    }

    /// Returns the shape of an object that names no members.
    private mutating func dictionary(_ facts: SchemaFacts, _ depth: Int) -> Part {
        if case .forbidden = facts.otherMembers { return Part(shape: .object([])) }
        let value = otherMembers(facts, depth) ?? Part(shape: .any)
        return Part(shape: .dictionary(value.shape), count: value.count + 1)
    }

    /// Returns the shape of the members that `properties` does not name; nil if none are expected.
    private mutating func otherMembers(_ facts: SchemaFacts, _ depth: Int) -> Part? {
        switch facts.otherMembers {
        case .unspecified, .forbidden: return nil
        case .allowed: return Part(shape: .any)
        case .schemas(let values):
            var parts: [Part] = []
            for value in values.prefix(Self.maxAlternatives) { parts.append(part([value], depth + 1)) }
            return anyOf(parts, values[0])
        }
    }

    // MARK: Alternatives

    /// Returns the shapes of the alternatives of `oneOf` or `anyOf`.
    ///
    /// Members beside the alternatives are members of each alternative that is an object.
    private mutating func alternatives(_ facts: SchemaFacts, _ schema: JSONValue, _ depth: Int) -> [Part] {
        let alternatives = facts.alternatives ?? []
        guard alternatives.count <= Self.maxAlternatives else {
            schemas.note(.tooManyAlternatives, schema)
            return [Part(shape: .any)]
        }
        var common = facts
        common.alternatives = nil
        let discriminator = facts.discriminator.flatMap { Discriminator($0) }
        var parts: [Part] = []
        for alternative in alternatives {
            if let discriminator, let part = tagged(alternative, discriminator, common) {
                parts.append(part)
                continue
            }
            // Without keywords beside the alternatives, a named one keeps its name.
            guard !common.isAny, common.hasObjectKeywords else {
                parts.append(narrowed(part([alternative], depth + 1), common))
                continue
            }
            let alternativeFacts = schemas.facts(ofAll: [alternative])
            remainingMergedParts -= common.properties.count + alternativeFacts.properties.count + 1
            guard remainingMergedParts > 0 else {
                schemas.note(.tooManyAlternatives, schema)
                return [Part(shape: .any)]
            }
            var merged = common
            merged.isNullable = false
            merged.formIntersection(alternativeFacts)
            let part = part(merged, schema, depth + 1)
            // The members that are copied may have large schemas.
            remainingMergedParts -= part.count
            parts.append(part)
        }
        return parts
    }

    /// Returns an alternative that a member with a fixed text tells from the others (OpenAPI 3.1, section 4.8.25).
    ///
    /// - Parameters:
    ///   - alternative: The schema of the alternative.
    ///   - discriminator: The name of the member, and its texts.
    ///   - common: The keywords beside the alternatives.
    /// - Returns: A model; nil if the alternative is no named object, or if its schema lists texts of its own.
    private mutating func tagged(
        _ alternative: JSONValue, _ discriminator: Discriminator, _ common: SchemaFacts
    ) -> Part? {
        guard let reference = alternative["$ref"]?.string, let target = schemas.target(of: alternative) else {
            return nil
        }
        let outer = schemas.beginNotes()
        var facts = schemas.facts(ofAll: [alternative])
        let notes = schemas.endNotes(outer)
        let member = facts.schemas(of: discriminator.member)
        guard isObject(facts), !facts.isNullable, schemas.facts(ofAll: member).values == nil else { return nil }
        let tag = discriminator.tag(of: target, reference)
        if let index = taggedIndexes[tag] { return Part(shape: models.reference(index)) }
        remainingMergedParts -= common.properties.count + facts.properties.count + 1
        guard remainingMergedParts > 0 else { return nil }
        facts.formIntersection(common)
        facts.setTags(tag.texts, of: discriminator.member)
        let index = models.add(reference)
        taggedIndexes[tag] = index
        unread.append(UnreadModel(index: index, facts: facts, schema: target, notes: notes))
        return Part(shape: models.reference(index))
    }

    /// Returns an alternative, or the outer type's shape if the alternative says nothing about the type.
    private mutating func narrowed(_ part: Part, _ common: SchemaFacts) -> Part {
        guard part.shape == .any, let type = common.types?.first, common.types?.count == 1 else { return part }
        switch type {
        case "string": return Part(shape: .scalar(Self.string(format: common.format)))
        case "integer": return Part(shape: .scalar(.integer(common.bounds.integers(format: common.format))))
        case "number": return Part(shape: .scalar(.number(common.bounds.numbers)))
        case "boolean": return Part(shape: .scalar(.boolean))
        case "object": return Part(shape: .dictionary(.any), count: 2)
        default: return part
        }
    }

    /// Returns the shape of a value that has one of `parts`.
    ///
    /// - Parameters:
    ///   - parts: The shapes, of which some may be alternatives themselves.
    ///   - schema: The schema, for a note if there are too many.
    private mutating func anyOf(_ parts: [Part], _ schema: JSONValue) -> Part {
        var shapes: [Shape] = []
        var isNullable = false
        for shape in parts.flatMap({ Self.forms(of: $0.shape) }) {
            if shape == .null {
                isNullable = true
            } else if !shapes.contains(shape) {
                shapes.append(shape)
            }
            guard shapes.count <= Self.maxAlternatives else {
                schemas.note(.tooManyAlternatives, schema)
                return Part(shape: .any)
            }
        }
        // Any JSON includes null and all else.
        guard !shapes.contains(.any) else { return Part(shape: .any) }
        guard let first = shapes.first else { return Part(shape: isNullable ? .null : .any) }
        let shape = shapes.count == 1 ? first : .alternatives(shapes)
        let count = parts.reduce(1) { $0 + $1.count }
        return Part(shape: isNullable ? .nullable(shape) : shape, count: count)
    }

    /// Returns the shapes that a nullable shape or alternatives consist of; else the shape itself.
    private static func forms(of shape: Shape) -> [Shape] {
        switch shape {
        case .nullable(let inner): forms(of: inner) + [.null]
        case .alternatives(let shapes): shapes
        default: [shape]
        }
    }
}
