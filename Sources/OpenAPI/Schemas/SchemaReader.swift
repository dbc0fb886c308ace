import EndpointKit
import EndpointTools
import JSONText

/// Converts schemas to shapes.
///
/// Schemas are written in JSON Schema 2020-12, or in the older dialects of OpenAPI 3.0 and Swagger 2.0. A ``Shape``
/// describes the same values in the terms that requests and comparisons need.
///
/// A `$ref` to an object becomes a model: a shape with a name that other shapes refer to. Models are read one after
/// the other instead of inside each other, so recursive schemas and long chains of references need no deep stack. A
/// `$ref` to any other schema is inlined, which means that it is replaced by the shape of that schema. Recursive and
/// large schemas become models too.
///
/// A reader converts many schemas, and reads each named schema once.
struct SchemaReader {
    /// The most schemas around a schema. A schema that is nested more deeply becomes any JSON, which bounds the stack.
    /// The count starts again at each `$ref`.
    private static let maxDepth = 32
    /// The most named schemas that are inlined into each other. A further one becomes a model, which is read later.
    /// Together with `maxDepth` this bounds the stack.
    private static let maxNestedSchemas = 3
    /// The size of the largest shape that is inlined. Without a limit, 40 schemas that each contain the next one twice
    /// would become 2⁴⁰ shapes.
    private static let maxInlinedSize = 24
    /// The most alternatives of a value. A value with more of them becomes any JSON, because each alternative is
    /// compared with all others. GitHub's document has up to 21.
    private static let maxAlternatives = 256
    /// The most members that are copied from objects into their alternatives in a small document. Without a limit, 40
    /// objects whose alternatives each name the next object twice would be read 2⁴⁰ times. GitHub's document needs 83.
    private static let maxMergedMembers = 20_000

    /// A schema that a `$ref` names.
    private struct NamedSchema {
        let schema: JSONValue
        /// The text of the `$ref`, such as `#/components/schemas/Pet`.
        let reference: String
        /// The keywords of the schema.
        let facts: SchemaFacts
        /// The notes that were made while the keywords were read.
        let notes: [SchemaNote]
    }

    /// The shape of a named schema that is inlined, with the notes about the schema.
    private struct InlinedShape {
        let shape: SizedShape
        let notes: [SchemaNote]
    }

    /// A model whose schema has not been read yet.
    private struct PendingModel {
        /// The index of the model in ``models``.
        let index: Int
        let named: NamedSchema
    }

    /// A schema with `oneOf` or `anyOf`.
    private struct AlternativeParent {
        let schema: JSONValue
        /// The keywords beside `oneOf` or `anyOf`. A value has to match them as well as an alternative.
        let commonFacts: SchemaFacts
        /// The member whose text identifies the alternative; nil if the schema has no `discriminator`.
        let discriminator: Discriminator?
        /// The number of schemas around this one.
        let depth: Int

        init(_ facts: SchemaFacts, schema: JSONValue, depth: Int) {
            var commonFacts = facts
            commonFacts.alternatives = nil
            self.commonFacts = commonFacts
            self.schema = schema
            discriminator = facts.discriminator.flatMap { Discriminator($0) }
            self.depth = depth
        }
    }

    /// Reads the keywords of schemas, and collects the notes about them.
    private var factsReader: SchemaFactsReader
    /// Whether the values are sent or received.
    private let direction: SchemaDirection
    /// The models of all shapes that were made.
    private var models = ModelTable()
    /// The index in ``models`` of each schema that is a model.
    private var modelIndexes: [DocumentPlace: Int] = [:]
    /// The models that a shape already names. `readPendingModels` reads their schemas.
    private var pendingModels: [PendingModel] = []
    /// The index in ``models`` of each alternative that a discriminator identifies.
    private var taggedIndexes: [Discriminator.Tag: Int] = [:]
    /// The shapes of the named schemas that are inlined.
    private var inlinedShapes: [DocumentPlace: InlinedShape] = [:]
    /// The named schemas that are being inlined. A `$ref` to one of them means that the schema is recursive.
    private var schemasInProgress: Set<DocumentPlace> = []
    /// The number of members that may still be copied into alternatives.
    private var remainingMergedMembers: Int

    /// Creates a reader for the schemas of a document.
    ///
    /// - Parameters:
    ///   - references: Follows the references of the document.
    ///   - dialect: The keywords whose meaning depends on the version of the document.
    ///   - direction: Whether the values are sent or received.
    init(_ references: ReferenceResolver, dialect: SchemaDialect, direction: SchemaDirection) {
        factsReader = SchemaFactsReader(references, dialect: dialect)
        self.direction = direction
        // A larger document may have more members: one for each 64 bytes of its text.
        remainingMergedMembers = Self.maxMergedMembers + references.root.document.bytes.count / 64
    }

    // MARK: Results

    /// Returns the shape of a body, with all models that it names and the notes about their schemas.
    ///
    /// For a sequence of items, the shape describes one item.
    mutating func readShape(of body: BodySchema) -> SchemaShape {
        let (root, notes) = runCollectingNotes { reader -> Shape in
            switch body {
            case .schema(let schema), .items(let schema): reader.readShape(ofAll: [schema], depth: 0).shape
            case .form(let fields): reader.readFormShape(fields)
            }
        }
        readPendingModels()
        return models.completeShape(of: root, notes: notes)
    }

    /// Returns the merged keywords of some schemas and of the schemas in their `allOf`.
    ///
    /// - Parameter schemas: The schemas. A value has to match all of them.
    mutating func readFacts(ofAll schemas: [JSONValue]) -> SchemaFacts { factsWithNotes(ofAll: schemas).result }

    /// Returns the keywords of schemas as ``readFacts(ofAll:)`` does, with the notes about the schemas.
    mutating func factsWithNotes(ofAll schemas: [JSONValue]) -> (result: SchemaFacts, notes: [SchemaNote]) {
        runCollectingNotes { $0.factsReader.readFacts(ofAll: schemas) }
    }

    /// Whether a schema consists of a `$ref` alone: no other keyword in it narrows the values.
    func isReference(_ schema: JSONValue) -> Bool { factsReader.isReference(schema) }

    /// Whether a member is left out: a `readOnly` member of a request, or a `writeOnly` member of a response.
    ///
    /// - Parameter schemas: The schemas of the member's value.
    mutating func leavesOut(_ schemas: [JSONValue]) -> Bool { factsReader.leavesOut(schemas, in: direction) }

    /// Runs a function, and returns its result with the notes that it added. The notes before are restored afterwards.
    ///
    /// A named schema is read only once, so its notes are stored with the result of reading it. Each later `$ref` to
    /// the schema gets both.
    ///
    /// - Parameter body: The function. Its notes are not added to the notes that this reader has collected so far.
    private mutating func runCollectingNotes<Result>(
        _ body: (inout SchemaReader) -> Result
    ) -> (result: Result, notes: [SchemaNote]) {
        let outerNotes = factsReader.notes
        factsReader.notes = SchemaNotes()
        let result = body(&self)
        let notes = factsReader.notes.list
        factsReader.notes = outerNotes
        return (result, notes)
    }

    /// Reads the schemas of all models that shapes name, and sets the shapes and notes of the models.
    ///
    /// Reading a model may add further models to the list. A loop reads them, because a recursion would need a stack as
    /// deep as the longest chain of references.
    private mutating func readPendingModels() {
        while let pendingModel = pendingModels.popLast() {
            let facts = pendingModel.named.facts
            let (shape, notes) = runCollectingNotes { reader -> SizedShape in
                reader.factsReader.addNotes(pendingModel.named.notes)
                // The model of a nullable object is not nullable itself. The shapes that name the model are.
                if facts.isObjectWithProperties { return reader.readObjectShape(facts, depth: 0) }
                return reader.readShape(of: facts, at: pendingModel.named.schema, depth: 0)
            }
            models.setShape(shape.shape, notes: notes, of: pendingModel.index)
        }
    }

    /// Returns the shape of a form in Swagger 2.0: an object with a member for each field.
    private mutating func readFormShape(_ fields: [FormField]) -> Shape {
        var members: [Shape.Field] = []
        for field in fields {
            let shape = readShape(ofAll: [field.schema], depth: 1).shape
            members.append(Shape.Field(key: field.name, shape: shape, isOptional: !field.isRequired))
        }
        return .object(members)
    }

    // MARK: References

    /// Returns the shape of the values that match all of some schemas.
    ///
    /// A single `$ref` to an object adds a model, and the shape names the model. Several schemas are merged instead,
    /// because a model has the members of one named schema alone.
    ///
    /// - Parameters:
    ///   - schemas: The schemas.
    ///   - depth: The number of schemas around these.
    /// - Returns: The shape. It is any JSON for an empty list, and for a `$ref` that can't be resolved.
    private mutating func readShape(ofAll schemas: [JSONValue], depth: Int) -> SizedShape {
        guard let schema = schemas.first else { return SizedShape(.any) }
        if schemas.count == 1 {
            guard let target = factsReader.followReference(of: schema) else { return SizedShape(.any) }
            // A schema without a `$ref` is its own target.
            let isReference = DocumentPlace(target) != DocumentPlace(schema)
            if isReference { return readShape(ofNamed: target, referredToBy: schema) }
        }
        return readShape(of: factsReader.readFacts(ofAll: schemas), at: schema, depth: depth)
    }

    /// Returns the shape of a schema that a `$ref` names: a model, or the inlined shape of the schema.
    ///
    /// A shape is inlined if it takes the place of the `$ref`. An object becomes a model, and so does a schema that is
    /// recursive, large, or inside of too many other inlined schemas.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - reference: The object with the `$ref`.
    private mutating func readShape(ofNamed schema: JSONValue, referredToBy reference: JSONValue) -> SizedShape {
        if let shape = knownShape(ofNamed: schema) { return shape }
        let referenceText = reference["$ref"]?.string ?? ""
        if schemasInProgress.contains(DocumentPlace(schema)) {
            // The schema is recursive. `inlineShape` sets the shape of this model when the schema has been read.
            let index = addModel(of: schema, reference: referenceText)
            return SizedShape(models.shapeNaming(index))
        }
        // `factsReader` stores the keywords of a schema only if it is read through a reference.
        let (facts, notes) = runCollectingNotes { $0.factsReader.readFacts(ofAll: [reference]) }
        let named = NamedSchema(schema: schema, reference: referenceText, facts: facts, notes: notes)
        if facts.isObjectWithProperties { return addObjectModel(of: named) }
        if schemasInProgress.count >= Self.maxNestedSchemas { return addPendingModel(of: named) }
        return inlineShape(of: named)
    }

    /// Returns the shape of a named schema that was read before; nil if this is the first `$ref` to the schema.
    private mutating func knownShape(ofNamed schema: JSONValue) -> SizedShape? {
        let place = DocumentPlace(schema)
        if let index = modelIndexes[place] { return SizedShape(models.shapeNaming(index)) }
        guard let inlined = inlinedShapes[place] else { return nil }
        // The notes of a model are stored in `models`. The notes of an inlined shape belong to the shape around it.
        factsReader.addNotes(inlined.notes)
        return inlined.shape
    }

    /// Adds a model for an object, and returns the shape that names the model.
    ///
    /// `readPendingModels` reads the members of the object later. A nullable object becomes a nullable shape that names
    /// a model without null.
    private mutating func addObjectModel(of object: NamedSchema) -> SizedShape {
        guard object.facts.isNullable else { return addPendingModel(of: object) }
        // The index is not added to `modelIndexes`, because a `$ref` to the schema means the nullable shape.
        let index = models.addModel(referredToBy: object.reference)
        pendingModels.append(PendingModel(index: index, named: object))
        let shape = SizedShape(.nullable(models.shapeNaming(index)))
        inlinedShapes[DocumentPlace(object.schema)] = InlinedShape(shape: shape, notes: [])
        return shape
    }

    /// Adds a model for a schema, and returns the shape that names the model.
    ///
    /// `readPendingModels` reads the schema later, so that the stack does not grow with the length of a chain of
    /// references.
    private mutating func addPendingModel(of named: NamedSchema) -> SizedShape {
        let index = addModel(of: named.schema, reference: named.reference)
        pendingModels.append(PendingModel(index: index, named: named))
        return SizedShape(models.shapeNaming(index))
    }

    /// Reads a named schema, and returns its shape, which takes the place of the `$ref`.
    ///
    /// A schema that is large, or that turns out to be recursive, becomes a model after all. Both the shape and the
    /// notes about the schema are stored for the next `$ref`.
    private mutating func inlineShape(of named: NamedSchema) -> SizedShape {
        let place = DocumentPlace(named.schema)
        schemasInProgress.insert(place)
        let (shape, notes) = runCollectingNotes { reader in
            reader.factsReader.addNotes(named.notes)
            return reader.readShape(of: named.facts, at: named.schema, depth: 0)
        }
        schemasInProgress.remove(place)
        // A recursive schema became a model at the `$ref` to itself.
        let isRecursive = modelIndexes[place] != nil
        if !isRecursive, shape.size <= Self.maxInlinedSize {
            factsReader.addNotes(notes)
            inlinedShapes[place] = InlinedShape(shape: shape, notes: notes)
            return shape
        }
        let index = modelIndexes[place] ?? addModel(of: named.schema, reference: named.reference)
        models.setShape(shape.shape, notes: notes, of: index)
        return SizedShape(models.shapeNaming(index))
    }

    /// Adds a model for a schema. The caller sets the shape of the model later.
    ///
    /// - Returns: The index of the model in ``models``.
    private mutating func addModel(of schema: JSONValue, reference: String) -> Int {
        let index = models.addModel(referredToBy: reference)
        modelIndexes[DocumentPlace(schema)] = index
        return index
    }

    // MARK: Types

    /// Returns the shape of the values that the keywords of a schema allow.
    ///
    /// `enum` and `const` describe the values completely. Otherwise the alternatives of `oneOf` or `anyOf` do, and
    /// without any of these, the types.
    ///
    /// - Parameters:
    ///   - facts: The keywords of the schema, merged with those of its `allOf`.
    ///   - schema: The schema with the keywords. Notes refer to it.
    ///   - depth: The number of schemas around this one.
    private mutating func readShape(of facts: SchemaFacts, at schema: JSONValue, depth: Int) -> SizedShape {
        guard depth < Self.maxDepth else {
            factsReader.addNote(.tooDeep, about: schema)
            return SizedShape(.any)
        }
        if let keyword = facts.ignoredKeywords.first { factsReader.addNote(.ignoredKeyword(keyword), about: schema) }
        var shapes: [SizedShape]
        if let values = facts.values {
            shapes = Self.enumShapes(values)
        } else if let alternatives = facts.distinctAlternatives {
            shapes = readAlternativeShapes(alternatives, facts: facts, at: schema, depth: depth)
        } else {
            shapes = readTypeShapes(facts, depth: depth)
        }
        let allowsAny = shapes.contains { $0.shape == .any }
        // Any JSON includes null.
        if facts.isNullable, !allowsAny { shapes.append(SizedShape(.null)) }
        return unionShape(of: shapes, at: schema)
    }

    /// Returns the shapes of the values of an `enum`: one for all values other than null, and one for null.
    ///
    /// `["a", "b", null]` becomes the shapes `"a" or "b"` and `null`.
    private static func enumShapes(_ values: [JSONValue]) -> [SizedShape] {
        let otherThanNull = values.filter { !$0.isNull }
        var shapes: [SizedShape] = []
        if !otherThanNull.isEmpty { shapes.append(SizedShape(.values(otherThanNull))) }
        if otherThanNull.count < values.count { shapes.append(SizedShape(.null)) }
        return shapes
    }

    /// Returns a shape for each type that the keywords of a schema allow.
    ///
    /// For `{"type": ["string", "array"]}`, the result has the shapes of a string and of a list.
    private mutating func readTypeShapes(_ facts: SchemaFacts, depth: Int) -> [SizedShape] {
        let types = facts.types ?? facts.impliedTypes
        if types.isEmpty { return [SizedShape(.any)] }
        var shapes: [SizedShape] = []
        for type in types { shapes.append(readShape(ofType: type, facts: facts, depth: depth)) }
        return shapes
    }

    /// Returns the shape of the values of one type.
    ///
    /// - Parameters:
    ///   - type: The name of the type, such as `integer`.
    ///   - facts: The keywords of the schema. `minimum`, `format`, `properties` or `items` narrow the values of a
    ///     type.
    ///   - depth: The number of schemas around the schema.
    private mutating func readShape(ofType type: String, facts: SchemaFacts, depth: Int) -> SizedShape {
        switch type {
        case "boolean": return SizedShape(.scalar(.boolean))
        case "integer": return SizedShape(.scalar(.integer(facts.bounds.integers(format: facts.format))))
        case "number": return SizedShape(.scalar(.number(facts.bounds.numbers)))
        case "string": return SizedShape(.scalar(Self.string(format: facts.format)))
        case "null": return SizedShape(.null)
        case "object": return readObjectShape(facts, depth: depth)
        case "array":
            guard let items = facts.items else { return SizedShape(.array(.any)) }
            let element = readShape(ofAll: [items], depth: depth + 1)
            return SizedShape(.array(element.shape), size: element.size + 1)
        // The reader of keywords leaves out unknown types, so this is a fallback for the compiler.
        default: return SizedShape(.any)
        }
    }

    /// Returns the kind of string that a `format` describes. The names are from OpenAPI's Format Registry.
    ///
    /// A string without a format, or with an unknown one, is plain text.
    private static func string(format: String?) -> Shape.Scalar {
        switch format {
        case "uri", "url": .url
        case "uuid": .uuid
        case "date-time", "date": .date
        case "byte", "base64": .data
        default: .string
        }
    }

    // MARK: Objects

    /// Returns the shape of an object with the members of `properties`, or of a dictionary without `properties`.
    ///
    /// Further members are part of the shape only if `additionalProperties` allows them explicitly.
    private mutating func readObjectShape(_ facts: SchemaFacts, depth: Int) -> SizedShape {
        if facts.properties.isEmpty { return readDictionaryShape(facts, depth: depth) }
        var fields: [Shape.Field] = []
        var size = 1
        for property in facts.properties where !factsReader.leavesOut(property.schemas, in: direction) {
            let value = readMemberShape(property, of: facts, depth: depth)
            let isOptional = !facts.required.contains(property.name)
            fields.append(Shape.Field(key: property.name, shape: value.shape, isOptional: isOptional))
            size += value.size
        }
        guard let others = readOtherMembersShape(facts, depth: depth) else {
            return SizedShape(.object(fields), size: size)
        }
        // There are no fields if all of them are `readOnly` in a request.
        let shape: Shape = fields.isEmpty ? .dictionary(others.shape) : .open(fields, others: others.shape)
        return SizedShape(shape, size: size + others.size)
    }

    /// Returns the shape of a member's value.
    ///
    /// The member that identifies an alternative of a discriminator allows only the texts of that alternative, such as
    /// `"cat"`, whatever its schema says.
    private mutating func readMemberShape(
        _ property: SchemaFacts.Property, of facts: SchemaFacts, depth: Int
    ) -> SizedShape {
        if let texts = facts.tags[property.name] { return SizedShape(.values(texts.map { JSONValue($0) })) }
        return readShape(ofAll: property.schemas, depth: depth + 1)
    }

    /// Returns the shape of an object without `properties`.
    ///
    ///     {"type": "object"}                                   →  a dictionary of any JSON
    ///     {"additionalProperties": {"type": "integer"}}        →  a dictionary of integers
    ///     {"additionalProperties": false}                      →  an object without members
    private mutating func readDictionaryShape(_ facts: SchemaFacts, depth: Int) -> SizedShape {
        if case .forbidden = facts.otherMembers { return SizedShape(.object([])) }
        let value = readOtherMembersShape(facts, depth: depth) ?? SizedShape(.any)
        return SizedShape(.dictionary(value.shape), size: value.size + 1)
    }

    /// Returns the shape of the values of members that `properties` does not name.
    ///
    /// - Parameters:
    ///   - facts: The keywords of the object.
    ///   - depth: The number of schemas around the object.
    /// - Returns: The shape; nil if such members are forbidden, or if no keyword mentions them.
    private mutating func readOtherMembersShape(_ facts: SchemaFacts, depth: Int) -> SizedShape? {
        switch facts.otherMembers {
        case .unspecified, .forbidden: return nil
        case .allowed: return SizedShape(.any)
        case .schemas(let schemas):
            // Each pattern of `patternProperties` has a schema of its own. A value has to match one of them.
            var shapes: [SizedShape] = []
            for schema in schemas.prefix(Self.maxAlternatives) {
                shapes.append(readShape(ofAll: [schema], depth: depth + 1))
            }
            return unionShape(of: shapes, at: schemas[0])
        }
    }

    // MARK: Alternatives

    /// Returns the shapes of the alternatives of `oneOf` or `anyOf`.
    ///
    /// - Parameters:
    ///   - alternatives: The schemas of the alternatives.
    ///   - facts: All keywords of the schema that has the alternatives.
    ///   - schema: The schema that has the alternatives. Notes refer to it.
    ///   - depth: The number of schemas around that schema.
    /// - Returns: A shape for each alternative, or any JSON alone if there are too many alternatives or members.
    private mutating func readAlternativeShapes(
        _ alternatives: [JSONValue], facts: SchemaFacts, at schema: JSONValue, depth: Int
    ) -> [SizedShape] {
        guard alternatives.count <= Self.maxAlternatives else {
            factsReader.addNote(.tooManyAlternatives, about: schema)
            return [SizedShape(.any)]
        }
        let parent = AlternativeParent(facts, schema: schema, depth: depth)
        var shapes: [SizedShape] = []
        for alternative in alternatives {
            guard let shape = readAlternativeShape(alternative, of: parent) else {
                factsReader.addNote(.tooManyAlternatives, about: schema)
                return [SizedShape(.any)]
            }
            shapes.append(shape)
        }
        return shapes
    }

    /// Returns the shape of one alternative of `oneOf` or `anyOf`.
    ///
    /// - Parameters:
    ///   - alternative: The schema of the alternative.
    ///   - parent: The schema that has the alternative.
    /// - Returns: The shape; nil if too many members have been copied into alternatives.
    private mutating func readAlternativeShape(
        _ alternative: JSONValue, of parent: AlternativeParent
    ) -> SizedShape? {
        if let discriminator = parent.discriminator,
            let model = addTaggedModel(of: alternative, discriminator: discriminator, parent: parent)
        {
            return model
        }
        if parent.commonFacts.hasObjectKeywords { return readMergedShape(alternative, parent: parent) }
        let shape = readShape(ofAll: [alternative], depth: parent.depth + 1)
        return narrowAlternative(shape, to: parent.commonFacts)
    }

    /// Returns the shape of an alternative, with the members that are declared beside the alternatives.
    ///
    /// For the first alternative of `{"properties": {"id": …}, "oneOf": [{"properties": {"name": …}}, …]}` the result
    /// is an object with `id` and `name`. It is not a model, because a model has the members of one named schema
    /// alone.
    ///
    /// - Parameters:
    ///   - alternative: The schema of the alternative.
    ///   - parent: The schema that has the alternative and declares further members.
    /// - Returns: The shape; nil if too many members have been copied.
    private mutating func readMergedShape(_ alternative: JSONValue, parent: AlternativeParent) -> SizedShape? {
        let alternativeFacts = factsReader.readFacts(ofAll: [alternative])
        guard countMergedMembers(of: alternativeFacts, and: parent.commonFacts) else { return nil }
        var facts = parent.commonFacts
        // If the parent is nullable, its shape has null as an alternative of its own.
        facts.isNullable = false
        facts.formIntersection(alternativeFacts)
        let shape = readShape(of: facts, at: parent.schema, depth: parent.depth + 1)
        // The members' schemas were read again for this alternative, so all shapes inside of it count.
        remainingMergedMembers -= shape.size
        return shape
    }

    /// Subtracts the members of two schemas that are about to be merged from the members that may still be copied.
    ///
    /// The limit for the whole document bounds the time, because alternatives inside of alternatives are merged again
    /// and again.
    ///
    /// - Returns: Whether the schemas may be merged. False means that the document has used up its members.
    private mutating func countMergedMembers(of alternative: SchemaFacts, and common: SchemaFacts) -> Bool {
        // An alternative without members counts as one, so that the number of such alternatives is limited too.
        remainingMergedMembers -= alternative.properties.count + common.properties.count + 1
        return remainingMergedMembers > 0
    }

    /// Returns the model of an alternative that a discriminator identifies (OpenAPI 3.1, section 4.8.25).
    ///
    /// For the alternative `Cat` and the discriminator `kind`, the result is a model of `Cat` whose member `kind` is
    /// always `"Cat"`.
    ///
    /// - Parameters:
    ///   - alternative: The schema of the alternative.
    ///   - discriminator: The name of the identifying member, and its texts.
    ///   - parent: The schema that has the alternative.
    /// - Returns: The model. Nil if the alternative is not a reference to an object, if its schema itself restricts
    ///   the texts of the member, or if too many members have been copied.
    private mutating func addTaggedModel(
        of alternative: JSONValue, discriminator: Discriminator, parent: AlternativeParent
    ) -> SizedShape? {
        guard let reference = alternative["$ref"]?.string, let target = factsReader.followReference(of: alternative)
        else {
            return nil
        }
        let (alternativeFacts, notes) = runCollectingNotes { $0.factsReader.readFacts(ofAll: [alternative]) }
        guard alternativeFacts.isObject, !alternativeFacts.isNullable else { return nil }
        let memberFacts = factsReader.readFacts(ofAll: alternativeFacts.schemas(of: discriminator.member))
        if memberFacts.values != nil { return nil }
        let tag = discriminator.tag(of: target, reference: reference)
        if let index = taggedIndexes[tag] { return SizedShape(models.shapeNaming(index)) }
        guard countMergedMembers(of: alternativeFacts, and: parent.commonFacts) else { return nil }
        var facts = alternativeFacts
        facts.formIntersection(parent.commonFacts)
        facts.setTags(tag.texts, of: discriminator.member)
        let index = models.addModel(referredToBy: reference)
        taggedIndexes[tag] = index
        let named = NamedSchema(schema: target, reference: reference, facts: facts, notes: notes)
        pendingModels.append(PendingModel(index: index, named: named))
        return SizedShape(models.shapeNaming(index))
    }

    /// Narrows the shape of an alternative by the `type` that is declared beside the alternatives.
    ///
    /// In `{"type": "string", "anyOf": [{"minLength": 1}, {"pattern": "a"}]}` the alternatives allow any JSON by
    /// themselves. They become strings.
    private mutating func narrowAlternative(_ alternative: SizedShape, to commonFacts: SchemaFacts) -> SizedShape {
        // Any other shape says more than the type does.
        guard alternative.shape == .any, let types = commonFacts.types, types.count == 1 else { return alternative }
        switch types[0] {
        case "boolean", "integer", "number", "string", "object":
            return readShape(ofType: types[0], facts: commonFacts, depth: 0)
        default: return alternative
        }
    }

    /// Returns the shape of values that have one of several shapes.
    ///
    /// - Parameters:
    ///   - shapes: The shapes.
    ///   - schema: The schema that allows them. A note refers to it if there are too many shapes.
    /// - Returns: The shape. It is any JSON if there are no shapes, or too many.
    private mutating func unionShape(of shapes: [SizedShape], at schema: JSONValue) -> SizedShape {
        if let union = SizedShape.union(of: shapes, maxCount: Self.maxAlternatives) { return union }
        factsReader.addNote(.tooManyAlternatives, about: schema)
        return SizedShape(.any)
    }
}
