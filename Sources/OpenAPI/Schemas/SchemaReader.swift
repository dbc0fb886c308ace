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
    /// The most named schemas that are read inside each other. A named schema inside of so many others becomes a model,
    /// whose schema is read later. Together with `maxDepth` this bounds the stack.
    private static let maxOpenSchemas = 3
    /// A larger shape becomes a model if a `$ref` names it: 40 schemas that each name the next one twice would else
    /// have 2⁴⁰ shapes inside.
    private static let maxCopiedSize = 24
    /// The most alternatives of a value. A value with more of them is any JSON, because each one is compared with the
    /// others. GitHub's document has up to 21.
    private static let maxAlternatives = 256
    /// The most members that are copied from objects into their alternatives in a small document. Without it, 40
    /// objects with alternatives that each name the next one twice would be read 2⁴⁰ times. All schemas of GitHub's
    /// document together need 83.
    private static let maxMergedMembers = 20_000

    /// A shape, and the number of shapes that it consists of.
    private struct SizedShape {
        let shape: Shape
        let size: Int

        /// Makes a sized shape. A shape without shapes inside has the size 1.
        init(_ shape: Shape, size: Int = 1) {
            self.shape = shape
            self.size = size
        }
    }

    /// The shape of a named schema that is no model, with the notes about it.
    ///
    /// The notes are added to each shape that the schema is a part of. A model keeps its notes itself.
    private struct KnownShape {
        let shape: SizedShape
        let notes: [SchemaNote]
    }

    /// A model whose schema has not been read yet. `readModels` reads it after the shape that names it.
    private struct UnreadModel {
        /// The index of the model in ``models``.
        let index: Int
        let facts: SchemaFacts
        let schema: JSONValue
        /// The notes that were made while the facts were read.
        let notes: [SchemaNote]
    }

    /// Reads the keywords of schemas, and collects the notes about them.
    private var schemas: SchemaFactsReader
    /// Whether the values are sent or received.
    private let direction: SchemaDirection
    /// The models of all shapes that have been made.
    private var models = ModelTable()
    /// The index in ``models`` of each schema that is a model.
    private var modelIndexes: [DocumentPlace: Int] = [:]
    /// The models that shapes name and whose schemas are still to be read.
    private var unreadModels: [UnreadModel] = []
    /// The index in ``models`` of each alternative that a discriminator tells apart.
    private var taggedIndexes: [Discriminator.Tag: Int] = [:]
    /// The shapes of named schemas that are no models.
    private var knownShapes: [DocumentPlace: KnownShape] = [:]
    /// The named schemas that are being read. One that comes again holds itself.
    private var openSchemas: Set<DocumentPlace> = []
    /// The number of members that may still be copied into alternatives.
    private var remainingMergedMembers: Int

    /// Makes the reader of a document's schemas for values that are sent, or for values that are received.
    init(_ references: ReferenceResolver, _ dialect: SchemaDialect, _ direction: SchemaDirection) {
        schemas = SchemaFactsReader(references, dialect)
        self.direction = direction
        // A larger document may have more members: one for each 64 bytes of its text.
        remainingMergedMembers = Self.maxMergedMembers + references.root.document.bytes.count / 64
    }

    // MARK: Results

    /// Returns the shape of a body, with all models that it names and the notes about their schemas.
    ///
    /// The schemas of models are read after the body itself, one after the other. For a sequence of items, the shape is
    /// that of one item.
    mutating func shape(of body: BodySchema) -> SchemaShape {
        let (root, notes) = collectingNotes { reader -> Shape in
            switch body {
            case .schema(let schema), .items(let schema): reader.shape(ofAll: [schema], depth: 0).shape
            case .form(let fields): reader.formShape(fields)
            }
        }
        readModels()
        return models.shape(root, notes)
    }

    /// Returns the keywords of schemas and of those in their `allOf`, brought together.
    ///
    /// - Parameter all: The schemas, all of which a value has to match.
    mutating func facts(ofAll all: [JSONValue]) -> SchemaFacts { factsWithNotes(ofAll: all).result }

    /// Returns the keywords of schemas as ``facts(ofAll:)`` does, with the notes about the schemas.
    mutating func factsWithNotes(ofAll all: [JSONValue]) -> (result: SchemaFacts, notes: [SchemaNote]) {
        collectingNotes { $0.schemas.facts(ofAll: all) }
    }

    /// Whether a schema is nothing but a reference.
    func isReference(_ schema: JSONValue) -> Bool { schemas.isReference(schema) }

    /// Whether a member is left out because it is `readOnly` and would be sent, or `writeOnly` and would be received.
    ///
    /// - Parameter all: The schemas of the member's value.
    mutating func leavesOut(_ all: [JSONValue]) -> Bool { schemas.leavesOut(all, direction) }

    /// Runs `body` with a new list of notes, and then goes on with the list before.
    ///
    /// The notes about a schema are kept with what was read of it, because the schema is not read again.
    ///
    /// - Returns: The result of `body`, and the notes that it made. They are not added to the list before.
    private mutating func collectingNotes<Result>(
        _ body: (inout SchemaReader) -> Result
    ) -> (result: Result, notes: [SchemaNote]) {
        let outerNotes = schemas.notes
        schemas.notes = SchemaNotes()
        let result = body(&self)
        let notes = schemas.notes.list
        schemas.notes = outerNotes
        return (result, notes)
    }

    /// Reads the schemas of models that have been named. Each one may name further models.
    private mutating func readModels() {
        while let model = unreadModels.popLast() {
            let (shape, notes) = collectingNotes { reader -> SizedShape in
                reader.schemas.add(model.notes)
                // The model of an object is never null: the shapes that name it are nullable instead.
                if reader.isObjectWithMembers(model.facts) { return reader.objectShape(model.facts, depth: 0) }
                return reader.shape(of: model.facts, model.schema, depth: 0)
            }
            models.set(shape.shape, notes, of: model.index)
        }
    }

    /// Returns the shape of a form of Swagger 2.0.
    private mutating func formShape(_ fields: [FormField]) -> Shape {
        var result: [Shape.Field] = []
        for field in fields {
            let shape = shape(ofAll: [field.schema], depth: 1).shape
            result.append(Shape.Field(key: field.name, shape: shape, isOptional: !field.isRequired))
        }
        return .object(result)
    }

    // MARK: References

    /// Returns the shape of the values that match all of some schemas.
    ///
    /// - Parameters:
    ///   - all: The schemas. A single reference is followed, so that the shape can be a model.
    ///   - depth: The number of schemas around these.
    /// - Returns: The shape. It is any JSON if there are no schemas, or if a single reference leads nowhere.
    private mutating func shape(ofAll all: [JSONValue], depth: Int) -> SizedShape {
        guard let schema = all.first else { return SizedShape(.any) }
        if all.count == 1 {
            guard let target = schemas.target(of: schema) else { return SizedShape(.any) }
            let isReference = DocumentPlace(target) != DocumentPlace(schema)
            if isReference { return namedShape(target, schema) }
        }
        return shape(of: schemas.facts(ofAll: all), schema, depth: depth)
    }

    /// Returns the shape of a schema that a `$ref` names. The schema is read once, whatever the number of references to
    /// it.
    ///
    /// A schema with members becomes a model. Any other schema is written out, unless it holds itself, is large, or is
    /// inside of too many other named schemas. It becomes a model then.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - reference: The object with the `$ref`.
    /// - Returns: A shape that names a model, or the whole shape.
    private mutating func namedShape(_ schema: JSONValue, _ reference: JSONValue) -> SizedShape {
        let place = DocumentPlace(schema)
        if let index = modelIndexes[place] { return SizedShape(models.reference(index)) }
        if let known = knownShapes[place] {
            // The shape that is being made has this one inside of it, so it gets the notes too. A model has its notes
            // in ``models``, which adds them to each shape that names the model.
            schemas.add(known.notes)
            return known.shape
        }
        let name = reference["$ref"]?.string ?? ""
        if openSchemas.contains(place) {
            // The schema holds itself. Its model gets a shape once the schema has been read.
            let index = addModel(schema, name)
            return SizedShape(models.reference(index))
        }
        // The facts are read through the reference, because ``schemas`` keeps them only for named schemas.
        let (facts, notes) = collectingNotes { $0.schemas.facts(ofAll: [reference]) }
        if isObjectWithMembers(facts) { return objectModel(schema, name, facts, notes) }
        // The stack is deep enough. `readModels` reads this schema later, with a stack that is almost empty.
        guard openSchemas.count < Self.maxOpenSchemas else {
            let index = addModel(schema, name)
            unreadModels.append(UnreadModel(index: index, facts: facts, schema: schema, notes: notes))
            return SizedShape(models.reference(index))
        }
        return writtenOutShape(schema, name, facts, notes)
    }

    /// Returns the shape of a named schema that is no object.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - name: The text of the `$ref`.
    ///   - facts: The keywords of the schema.
    ///   - factNotes: The notes about the keywords.
    /// - Returns: The whole shape. A schema that is large or holds itself becomes a model instead.
    private mutating func writtenOutShape(
        _ schema: JSONValue, _ name: String, _ facts: SchemaFacts, _ factNotes: [SchemaNote]
    ) -> SizedShape {
        let place = DocumentPlace(schema)
        openSchemas.insert(place)
        let (shape, notes) = collectingNotes { reader in
            reader.schemas.add(factNotes)
            return reader.shape(of: facts, schema, depth: 0)
        }
        openSchemas.remove(place)
        // A schema that holds itself has become a model while it was read.
        let holdsItself = modelIndexes[place] != nil
        if !holdsItself, shape.size <= Self.maxCopiedSize {
            schemas.add(notes)
            knownShapes[place] = KnownShape(shape: shape, notes: notes)
            return shape
        }
        let index = modelIndexes[place] ?? addModel(schema, name)
        models.set(shape.shape, notes, of: index)
        return SizedShape(models.reference(index))
    }

    /// Returns the shape that names the model of an object. The members of the object are read later, by `readModels`.
    ///
    /// The model of a nullable object is not nullable itself: the shape that names it is.
    ///
    /// - Parameters:
    ///   - schema: The schema of the object.
    ///   - name: The text of the `$ref`.
    ///   - facts: The keywords of the schema.
    ///   - notes: The notes about the keywords.
    private mutating func objectModel(
        _ schema: JSONValue, _ name: String, _ facts: SchemaFacts, _ notes: [SchemaNote]
    ) -> SizedShape {
        let index = models.add(name)
        unreadModels.append(UnreadModel(index: index, facts: facts, schema: schema, notes: notes))
        let reference = models.reference(index)
        if facts.isNullable {
            let shape = SizedShape(.nullable(reference))
            knownShapes[DocumentPlace(schema)] = KnownShape(shape: shape, notes: [])
            return shape
        }
        modelIndexes[DocumentPlace(schema)] = index
        return SizedShape(reference)
    }

    /// Adds a model for a schema and returns its index. The caller sets the shape of the model later.
    private mutating func addModel(_ schema: JSONValue, _ name: String) -> Int {
        let index = models.add(name)
        modelIndexes[DocumentPlace(schema)] = index
        return index
    }

    // MARK: Kinds of schemas

    /// Whether the values are objects or null, and `properties` names members of the objects.
    private func isObjectWithMembers(_ facts: SchemaFacts) -> Bool { isObject(facts) && !facts.properties.isEmpty }

    /// Whether the values are objects or null, and nothing else.
    private func isObject(_ facts: SchemaFacts) -> Bool {
        if facts.values != nil { return false }
        if facts.alternatives != nil, !isRefinement(facts) { return false }
        if let types = facts.types { return types == ["object"] }
        return facts.hasObjectKeywords && facts.items == nil
    }

    /// Whether the alternatives only say which members are required together, so that a shape can ignore them.
    ///
    /// For example, an object with the members `a` and `b` needs one of them:
    /// `"anyOf": [{"required": ["a"]}, {"required": ["b"]}]`.
    private func isRefinement(_ facts: SchemaFacts) -> Bool {
        guard let alternatives = facts.alternatives, !facts.properties.isEmpty else { return false }
        return alternatives.allSatisfy { alternative in
            let keys = alternative.members?.map(\.key) ?? []
            return !keys.isEmpty && keys.allSatisfy { ["required", "title", "description"].contains($0) }
        }
    }

    /// Returns the shape of the values that keywords allow.
    ///
    /// - Parameters:
    ///   - facts: The keywords.
    ///   - schema: The schema, for notes.
    ///   - depth: The number of schemas around this one.
    private mutating func shape(of facts: SchemaFacts, _ schema: JSONValue, depth: Int) -> SizedShape {
        guard depth < Self.maxDepth else {
            schemas.note(.tooDeep, schema)
            return SizedShape(.any)
        }
        if let keyword = facts.ignoredKeywords.first { schemas.note(.ignoredKeyword(keyword), schema) }
        var shapes: [SizedShape]
        if let values = facts.values {
            shapes = Self.enumShapes(values)
        } else if facts.alternatives != nil, !isRefinement(facts) {
            shapes = alternativeShapes(facts, schema, depth: depth)
        } else {
            shapes = []
            for type in types(facts) { shapes.append(shape(ofType: type, facts, depth: depth)) }
        }
        let allowsAny = shapes.contains { $0.shape == .any }
        // Any JSON includes null.
        if facts.isNullable, !allowsAny { shapes.append(SizedShape(.null)) }
        return union(of: shapes, schema)
    }

    /// Returns the types that a schema allows.
    ///
    /// Without `type`, the keywords tell the types: `properties` makes an object, and `items` an array. A schema
    /// without such keywords has the type `any`, which stands for all.
    private func types(_ facts: SchemaFacts) -> [String] {
        if let types = facts.types { return types }
        var types: [String] = []
        if facts.hasObjectKeywords { types.append("object") }
        if facts.items != nil { types.append("array") }
        return types.isEmpty ? ["any"] : types
    }

    /// Returns the shape of those values that have one type, such as `integer`.
    ///
    /// - Parameters:
    ///   - type: The name of the type. Any JSON has an unknown one.
    ///   - facts: The keywords of the schema, which narrow the values of the type.
    ///   - depth: The number of schemas around this one.
    private mutating func shape(ofType type: String, _ facts: SchemaFacts, depth: Int) -> SizedShape {
        switch type {
        case "boolean": return SizedShape(.scalar(.boolean))
        case "integer": return SizedShape(.scalar(.integer(facts.bounds.integers(format: facts.format))))
        case "number": return SizedShape(.scalar(.number(facts.bounds.numbers)))
        case "string": return SizedShape(.scalar(Self.string(format: facts.format)))
        case "null": return SizedShape(.null)
        case "object": return objectShape(facts, depth: depth)
        case "array":
            guard let items = facts.items else { return SizedShape(.array(.any)) }
            let element = shape(ofAll: [items], depth: depth + 1)
            return SizedShape(.array(element.shape), size: element.size + 1)
        default: return SizedShape(.any)
        }
    }

    /// Returns the kind of a string with a format (OpenAPI's Format Registry). A string with an unknown format is plain
    /// text.
    private static func string(format: String?) -> Shape.Scalar {
        switch format {
        case "uri", "url": .url
        case "uuid": .uuid
        case "date-time", "date": .date
        case "byte", "base64": .data
        default: .string
        }
    }

    /// Returns the shapes of the values of an `enum`: one with all values that are not null, and one for null.
    private static func enumShapes(_ values: [JSONValue]) -> [SizedShape] {
        let others = values.filter { !$0.isNull }
        var shapes: [SizedShape] = []
        if !others.isEmpty { shapes.append(SizedShape(.values(others))) }
        if others.count < values.count { shapes.append(SizedShape(.null)) }
        return shapes
    }

    // MARK: Objects

    /// Returns the shape of an object with its members, or of a dictionary if `properties` names no members.
    ///
    /// Other members are data if `additionalProperties` allows them explicitly. If it is left out or `false`, they are
    /// not expected.
    private mutating func objectShape(_ facts: SchemaFacts, depth: Int) -> SizedShape {
        if facts.properties.isEmpty { return dictionaryShape(facts, depth: depth) }
        var fields: [Shape.Field] = []
        var size = 1
        for property in facts.properties where !schemas.leavesOut(property.schemas, direction) {
            let value = memberShape(property, facts, depth: depth)
            let isOptional = !facts.required.contains(property.name)
            fields.append(Shape.Field(key: property.name, shape: value.shape, isOptional: isOptional))
            size += value.size
        }
        guard let others = otherMembersShape(facts, depth: depth) else {
            return SizedShape(.object(fields), size: size)
        }
        // All members may have been left out.
        let shape: Shape = fields.isEmpty ? .dictionary(others.shape) : .open(fields, others: others.shape)
        return SizedShape(shape, size: size + others.size)
    }

    /// Returns the shape of the values of a member.
    ///
    /// A member that tells alternatives apart has the texts of its discriminator as values, whatever its schema says.
    private mutating func memberShape(
        _ property: SchemaFacts.Property, _ facts: SchemaFacts, depth: Int
    ) -> SizedShape {
        if let texts = facts.tags[property.name] { return SizedShape(.values(texts.map { JSONValue($0) })) }
        return shape(ofAll: property.schemas, depth: depth + 1)
    }

    /// Returns the shape of an object that names no members: a dictionary, or an object without members if no others
    /// are allowed.
    private mutating func dictionaryShape(_ facts: SchemaFacts, depth: Int) -> SizedShape {
        if case .forbidden = facts.otherMembers { return SizedShape(.object([])) }
        let value = otherMembersShape(facts, depth: depth) ?? SizedShape(.any)
        return SizedShape(.dictionary(value.shape), size: value.size + 1)
    }

    /// Returns the shape of the members that `properties` does not name.
    ///
    /// - Parameters:
    ///   - facts: The keywords of the object.
    ///   - depth: The number of schemas around the object.
    /// - Returns: The shape; nil if no other members are expected, because they are forbidden or nothing is said about
    ///   them.
    private mutating func otherMembersShape(_ facts: SchemaFacts, depth: Int) -> SizedShape? {
        switch facts.otherMembers {
        case .unspecified, .forbidden: return nil
        case .allowed: return SizedShape(.any)
        case .schemas(let values):
            var shapes: [SizedShape] = []
            // There are several schemas if `patternProperties` has several patterns. A value has to match one of them.
            for value in values.prefix(Self.maxAlternatives) {
                shapes.append(shape(ofAll: [value], depth: depth + 1))
            }
            return union(of: shapes, values[0])
        }
    }

    // MARK: Alternatives

    /// Returns the shapes of the alternatives of `oneOf` or `anyOf`.
    ///
    /// Members beside the alternatives are members of each alternative that is an object. There are three kinds of
    /// alternatives, in this order: one that a discriminator tells apart, one that other members are added to, and one
    /// that stays as it is.
    ///
    /// - Parameters:
    ///   - facts: The keywords of the schema, with its alternatives.
    ///   - schema: The schema, for notes.
    ///   - depth: The number of schemas around this one.
    /// - Returns: A shape for each alternative, or any JSON alone if there are too many alternatives or members.
    private mutating func alternativeShapes(
        _ facts: SchemaFacts, _ schema: JSONValue, depth: Int
    ) -> [SizedShape] {
        let alternatives = facts.alternatives ?? []
        guard alternatives.count <= Self.maxAlternatives else {
            schemas.note(.tooManyAlternatives, schema)
            return [SizedShape(.any)]
        }
        var commonFacts = facts
        // What is left are the keywords beside the alternatives, which count for each of them.
        commonFacts.alternatives = nil
        let discriminator = facts.discriminator.flatMap { Discriminator($0) }
        var shapes: [SizedShape] = []
        for alternative in alternatives {
            if let discriminator, let model = taggedModel(alternative, discriminator, commonFacts) {
                shapes.append(model)
            } else if commonFacts.hasObjectKeywords {
                // The members beside the alternatives are copied into this one. It has no name then, because its schema
                // names fewer members.
                guard let merged = mergedShape(alternative, commonFacts, schema, depth: depth + 1) else {
                    schemas.note(.tooManyAlternatives, schema)
                    return [SizedShape(.any)]
                }
                shapes.append(merged)
            } else {
                // An alternative that a `$ref` names keeps its name, because nothing is added to it.
                let shape = shape(ofAll: [alternative], depth: depth + 1)
                shapes.append(narrowed(shape, to: commonFacts))
            }
        }
        return shapes
    }

    /// Returns the shape of an alternative with the members beside the alternatives.
    ///
    /// For the first alternative of `{"properties": {"id": …}, "oneOf": [{"properties": {"name": …}}, …]}` the result
    /// is an object with `id` and `name`.
    ///
    /// - Parameters:
    ///   - alternative: The schema of the alternative.
    ///   - commonFacts: The keywords beside the alternatives.
    ///   - schema: The schema that has the alternatives, for notes.
    ///   - depth: The number of schemas around the alternative.
    /// - Returns: The shape; nil if too many members have been copied.
    private mutating func mergedShape(
        _ alternative: JSONValue, _ commonFacts: SchemaFacts, _ schema: JSONValue, depth: Int
    ) -> SizedShape? {
        let alternativeFacts = schemas.facts(ofAll: [alternative])
        guard canMerge(alternativeFacts, commonFacts) else { return nil }
        var facts = commonFacts
        // A null value is an alternative of its own, which the caller adds.
        facts.isNullable = false
        facts.formIntersection(alternativeFacts)
        let shape = shape(of: facts, schema, depth: depth)
        // The schemas of the members have been read again for this alternative.
        remainingMergedMembers -= shape.size
        return shape
    }

    /// Counts the members of two schemas that are brought together.
    ///
    /// - Returns: Whether so many members may still be copied.
    private mutating func canMerge(_ facts: SchemaFacts, _ others: SchemaFacts) -> Bool {
        // Each copy counts at least once, so that alternatives without members are limited too.
        remainingMergedMembers -= facts.properties.count + others.properties.count + 1
        return remainingMergedMembers > 0
    }

    /// Returns an alternative that a member with a fixed text tells from the others (OpenAPI 3.1, section 4.8.25).
    ///
    /// For the alternative `Cat` and the discriminator `kind`, the result is a model of `Cat` whose member `kind` is
    /// `"Cat"`.
    ///
    /// - Parameters:
    ///   - alternative: The schema of the alternative.
    ///   - discriminator: The name of the member, and its texts.
    ///   - commonFacts: The keywords beside the alternatives.
    /// - Returns: The model. Nil if the alternative is no named object, if its schema lists texts of its own, or if too
    ///   many members have been copied.
    private mutating func taggedModel(
        _ alternative: JSONValue, _ discriminator: Discriminator, _ commonFacts: SchemaFacts
    ) -> SizedShape? {
        guard let reference = alternative["$ref"]?.string, let target = schemas.target(of: alternative) else {
            return nil
        }
        let (alternativeFacts, notes) = collectingNotes { $0.schemas.facts(ofAll: [alternative]) }
        guard isObject(alternativeFacts), !alternativeFacts.isNullable else { return nil }
        let memberSchemas = alternativeFacts.schemas(of: discriminator.member)
        // An alternative whose schema allows only `"kind": "cat"` is told apart without help.
        let hasOwnTexts = schemas.facts(ofAll: memberSchemas).values != nil
        if hasOwnTexts { return nil }
        let tag = discriminator.tag(of: target, reference)
        if let index = taggedIndexes[tag] { return SizedShape(models.reference(index)) }
        guard canMerge(alternativeFacts, commonFacts) else { return nil }
        var facts = alternativeFacts
        facts.formIntersection(commonFacts)
        facts.setTags(tag.texts, of: discriminator.member)
        let index = models.add(reference)
        taggedIndexes[tag] = index
        unreadModels.append(UnreadModel(index: index, facts: facts, schema: target, notes: notes))
        return SizedShape(models.reference(index))
    }

    /// Returns the shape of an alternative, which has the type beside the alternatives if it allows any JSON.
    ///
    /// In `{"type": "string", "anyOf": [{"minLength": 1}, {"pattern": "a"}]}` both alternatives are strings.
    private mutating func narrowed(_ alternative: SizedShape, to commonFacts: SchemaFacts) -> SizedShape {
        guard alternative.shape == .any, let types = commonFacts.types, types.count == 1 else { return alternative }
        switch types[0] {
        case "boolean", "integer", "number", "string", "object": return shape(ofType: types[0], commonFacts, depth: 0)
        default: return alternative
        }
    }

    /// Returns the shape of a value that has one of some shapes.
    ///
    ///     string, null, string      a nullable string
    ///     string, any               any JSON
    ///
    /// - Parameters:
    ///   - alternatives: The shapes, of which some may be alternatives themselves.
    ///   - schema: The schema, for a note if there are too many.
    /// - Returns: The shape. It is any JSON if there are no shapes, or too many.
    private mutating func union(of alternatives: [SizedShape], _ schema: JSONValue) -> SizedShape {
        var shapes: [Shape] = []
        var isNullable = false
        // Nested alternatives are brought to one level. Equal shapes come once.
        for shape in alternatives.flatMap({ Self.alternatives(in: $0.shape) }) {
            if shape == .null {
                isNullable = true
            } else if !shapes.contains(shape) {
                shapes.append(shape)
            }
            guard shapes.count <= Self.maxAlternatives else {
                schemas.note(.tooManyAlternatives, schema)
                return SizedShape(.any)
            }
        }
        // Any JSON includes null and everything else.
        if shapes.contains(.any) { return SizedShape(.any) }
        guard let first = shapes.first else { return SizedShape(isNullable ? .null : .any) }
        let shape = shapes.count == 1 ? first : .alternatives(shapes)
        let size = alternatives.reduce(1) { $0 + $1.size }
        return SizedShape(isNullable ? .nullable(shape) : shape, size: size)
    }

    /// Returns the shapes of which a value has one: several for a nullable shape and for alternatives, else the shape
    /// itself.
    private static func alternatives(in shape: Shape) -> [Shape] {
        switch shape {
        case .nullable(let inner): alternatives(in: inner) + [.null]
        case .alternatives(let shapes): shapes
        default: [shape]
        }
    }
}
