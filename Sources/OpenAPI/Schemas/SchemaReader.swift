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
        var keywords: SchemaKeywords
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
        let namedSchema: NamedSchema
    }

    /// A schema with `oneOf` or `anyOf`.
    private struct AlternativeParent {
        let schema: JSONValue
        /// The keywords beside `oneOf` or `anyOf`. A value has to match them as well as an alternative.
        let commonKeywords: SchemaKeywords
        /// The member whose text identifies the alternative; nil if the schema has no `discriminator`.
        let discriminator: Discriminator?
        /// The number of schemas around this one.
        let depth: Int

        /// Creates the parent of the alternatives in `keywords`, which are all keywords of the schema.
        init(_ keywords: SchemaKeywords, schema: JSONValue, depth: Int) {
            var commonKeywords = keywords
            commonKeywords.alternatives = nil
            self.commonKeywords = commonKeywords
            self.schema = schema
            discriminator = keywords.discriminator.flatMap { Discriminator($0) }
            self.depth = depth
        }
    }

    /// Reads the keywords of schemas, and collects the notes about them.
    private var keywordReader: SchemaKeywordReader
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
        keywordReader = SchemaKeywordReader(references, dialect: dialect)
        self.direction = direction
        // A larger document may have more members: one for each 64 bytes of its text.
        remainingMergedMembers = Self.maxMergedMembers + references.root.document.bytes.count / 64
    }

    // MARK: Results

    /// Converts the schema of a body to a shape, with all models that it names and the notes about their schemas.
    ///
    /// A shape describes the same values as a schema, in the terms that requests and comparisons need. For a sequence
    /// of items, the shape describes one item.
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
    mutating func readMergedKeywords(ofAll schemas: [JSONValue]) -> SchemaKeywords {
        readKeywordsWithNotes(ofAll: schemas).result
    }

    /// Returns the keywords of schemas as ``readMergedKeywords(ofAll:)`` does, with the notes about the schemas.
    mutating func readKeywordsWithNotes(ofAll schemas: [JSONValue]) -> (result: SchemaKeywords, notes: [SchemaNote]) {
        runCollectingNotes { $0.keywordReader.readMergedKeywords(ofAll: schemas) }
    }

    /// Whether a schema consists of a `$ref` alone: no other keyword in it narrows the values.
    func isReference(_ schema: JSONValue) -> Bool { keywordReader.isReference(schema) }

    /// Whether a member is left out: a `readOnly` member of a request, or a `writeOnly` member of a response.
    ///
    /// - Parameter schemas: The schemas of the member's value.
    mutating func leavesOut(_ schemas: [JSONValue]) -> Bool { keywordReader.leavesOut(schemas, in: direction) }

    /// Runs a function, and returns its result with the notes that it added to the notes of ``keywordReader``.
    ///
    /// The notes of ``keywordReader`` itself do not change. A named schema is read only once, so its notes are stored
    /// with the result of reading it. Each later `$ref` to the schema gets both.
    private mutating func runCollectingNotes<Result>(
        _ body: (inout SchemaReader) -> Result
    ) -> (result: Result, notes: [SchemaNote]) {
        let notesBefore = keywordReader.notes
        keywordReader.notes = SchemaNotes()
        let result = body(&self)
        let addedNotes = keywordReader.notes.list
        keywordReader.notes = notesBefore
        return (result, addedNotes)
    }

    /// Reads the schemas of all models that shapes name, and sets the shapes and notes of the models.
    ///
    /// Reading a model may add further models to the list. A loop reads them, because a recursion would need a stack as
    /// deep as the longest chain of references.
    private mutating func readPendingModels() {
        while let pendingModel = pendingModels.popLast() {
            let keywords = pendingModel.namedSchema.keywords
            let (shape, notes) = runCollectingNotes { reader -> SizedShape in
                reader.keywordReader.addNotes(pendingModel.namedSchema.notes)
                // The model of a nullable object is not nullable itself. The shapes that name the model are.
                if keywords.isObjectWithProperties { return reader.readObjectShape(keywords, depth: 0) }
                return reader.readShape(of: keywords, at: pendingModel.namedSchema.schema, depth: 0)
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
    /// because no named schema has the members of all of them.
    ///
    /// - Parameters:
    ///   - schemas: The schemas.
    ///   - depth: The number of schemas around these.
    /// - Returns: The shape. It is any JSON for an empty list, and for a `$ref` that can't be resolved.
    private mutating func readShape(ofAll schemas: [JSONValue], depth: Int) -> SizedShape {
        guard let schema = schemas.first else { return SizedShape(.any) }
        if schemas.count == 1 {
            guard let target = keywordReader.followReference(of: schema) else { return SizedShape(.any) }
            // `followReference` returns a schema without a `$ref` as it is.
            let didFollowReference = !target.isSamePart(as: schema)
            if didFollowReference { return readShape(ofNamed: target, referredToBy: schema) }
        }
        return readShape(of: keywordReader.readMergedKeywords(ofAll: schemas), at: schema, depth: depth)
    }

    /// Returns the shape of a schema that a `$ref` names: a model, or the inlined shape of the schema.
    ///
    /// A model is a shape with a name that other shapes refer to. An inlined shape takes the place of the `$ref`. An
    /// object becomes a model, and so does a schema that is recursive, large, or inside of too many other inlined
    /// schemas.
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
        // `keywordReader` stores the keywords of a schema only if it is read through a reference.
        let (keywords, notes) = runCollectingNotes { $0.keywordReader.readMergedKeywords(ofAll: [reference]) }
        let namedSchema = NamedSchema(schema: schema, reference: referenceText, keywords: keywords, notes: notes)
        if keywords.isObjectWithProperties { return addObjectModel(of: namedSchema) }
        if schemasInProgress.count >= Self.maxNestedSchemas { return addPendingModel(of: namedSchema) }
        return inlineShape(of: namedSchema)
    }

    /// Returns the shape of a named schema that was read before; nil if this is the first `$ref` to the schema.
    private mutating func knownShape(ofNamed schema: JSONValue) -> SizedShape? {
        let place = DocumentPlace(schema)
        if let index = modelIndexes[place] { return SizedShape(models.shapeNaming(index)) }
        guard let inlined = inlinedShapes[place] else { return nil }
        // The notes of a model are stored in `models`. The notes of an inlined shape belong to the shape around it.
        keywordReader.addNotes(inlined.notes)
        return inlined.shape
    }

    /// Adds a model for an object, and returns a shape that names the model.
    ///
    /// The members of the object are read later, by `readPendingModels`. For a nullable object, the model itself does
    /// not allow null, and the shape that names it does.
    private mutating func addObjectModel(of object: NamedSchema) -> SizedShape {
        if !object.keywords.isNullable { return addPendingModel(of: object) }
        let index = models.addModel(referredToBy: object.reference)
        pendingModels.append(PendingModel(index: index, namedSchema: object))
        let nullableShape = SizedShape(.nullable(models.shapeNaming(index)))
        // The next `$ref` finds the nullable shape in `inlinedShapes`. In `modelIndexes`, it would find the model, which
        // does not allow null.
        inlinedShapes[DocumentPlace(object.schema)] = InlinedShape(shape: nullableShape, notes: [])
        return nullableShape
    }

    /// Adds a model for a schema, and returns the shape that names the model.
    ///
    /// `readPendingModels` reads the schema later, so that the stack does not grow with the length of a chain of
    /// references.
    private mutating func addPendingModel(of namedSchema: NamedSchema) -> SizedShape {
        let index = addModel(of: namedSchema.schema, reference: namedSchema.reference)
        pendingModels.append(PendingModel(index: index, namedSchema: namedSchema))
        return SizedShape(models.shapeNaming(index))
    }

    /// Reads a named schema, and returns its shape, which takes the place of the `$ref`.
    ///
    /// A schema that turns out to be large or recursive becomes a model instead, and the result names the model. The
    /// shape and the notes about the schema are stored for the next `$ref`.
    private mutating func inlineShape(of namedSchema: NamedSchema) -> SizedShape {
        let place = DocumentPlace(namedSchema.schema)
        schemasInProgress.insert(place)
        let (shape, notes) = runCollectingNotes { reader in
            reader.keywordReader.addNotes(namedSchema.notes)
            return reader.readShape(of: namedSchema.keywords, at: namedSchema.schema, depth: 0)
        }
        schemasInProgress.remove(place)
        // A recursive schema became a model at the `$ref` to itself.
        let isRecursive = modelIndexes[place] != nil
        if !isRecursive, shape.size <= Self.maxInlinedSize {
            keywordReader.addNotes(notes)
            inlinedShapes[place] = InlinedShape(shape: shape, notes: notes)
            return shape
        }
        let index = modelIndexes[place] ?? addModel(of: namedSchema.schema, reference: namedSchema.reference)
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
    ///   - keywords: The keywords of the schema, merged with those of its `allOf`.
    ///   - schema: The schema with the keywords. Notes refer to it.
    ///   - depth: The number of schemas around this one.
    private mutating func readShape(of keywords: SchemaKeywords, at schema: JSONValue, depth: Int) -> SizedShape {
        guard depth < Self.maxDepth else {
            keywordReader.addNote(.tooDeep, about: schema)
            return SizedShape(.any)
        }
        if let ignoredKeyword = keywords.ignoredKeywords.first {
            keywordReader.addNote(.ignoredKeyword(ignoredKeyword), about: schema)
        }
        var shapes: [SizedShape]
        if let values = keywords.values {
            shapes = Self.enumShapes(values)
        } else if let alternatives = keywords.distinctAlternatives {
            shapes = readAlternativeShapes(alternatives, keywords: keywords, at: schema, depth: depth)
        } else {
            shapes = readTypeShapes(keywords, depth: depth)
        }
        let allowsAny = shapes.contains { $0.shape == .any }
        // Any JSON includes null.
        if keywords.isNullable, !allowsAny { shapes.append(SizedShape(.null)) }
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
    private mutating func readTypeShapes(_ keywords: SchemaKeywords, depth: Int) -> [SizedShape] {
        let types = keywords.types ?? keywords.impliedTypes
        if types.isEmpty { return [SizedShape(.any)] }
        var shapes: [SizedShape] = []
        for type in types { shapes.append(readShape(ofType: type, keywords: keywords, depth: depth)) }
        return shapes
    }

    /// Returns the shape of the values of one type.
    ///
    /// - Parameters:
    ///   - type: The name of the type, such as `integer`.
    ///   - keywords: The keywords of the schema. `minimum`, `format`, `properties` or `items` narrow the values of a
    ///     type.
    ///   - depth: The number of schemas around the schema.
    private mutating func readShape(ofType type: String, keywords: SchemaKeywords, depth: Int) -> SizedShape {
        switch type {
        case "boolean": return SizedShape(.scalar(.boolean))
        case "integer": return SizedShape(.scalar(.integer(keywords.bounds.integers(format: keywords.format))))
        case "number": return SizedShape(.scalar(.number(keywords.bounds.numbers)))
        case "string": return SizedShape(.scalar(Self.string(format: keywords.format)))
        case "null": return SizedShape(.null)
        case "object": return readObjectShape(keywords, depth: depth)
        case "array":
            guard let items = keywords.items else { return SizedShape(.array(.any)) }
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
    /// Further members are part of the shape only if `additionalProperties` allows them explicitly. Members that are
    /// not sent or received in the reader's ``direction``, such as `readOnly` ones of requests, are left out.
    private mutating func readObjectShape(_ keywords: SchemaKeywords, depth: Int) -> SizedShape {
        if keywords.properties.isEmpty { return readDictionaryShape(keywords, depth: depth) }
        var fields: [Shape.Field] = []
        var size = 1
        for property in keywords.properties where !keywordReader.leavesOut(property.schemas, in: direction) {
            let value = readMemberShape(property, of: keywords, depth: depth)
            let isOptional = !keywords.required.contains(property.name)
            fields.append(Shape.Field(key: property.name, shape: value.shape, isOptional: isOptional))
            size += value.size
        }
        guard let others = readOtherMembersShape(keywords, depth: depth) else {
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
        _ property: SchemaKeywords.Property, of keywords: SchemaKeywords, depth: Int
    ) -> SizedShape {
        if let texts = keywords.tags[property.name] { return SizedShape(.values(texts.map { JSONValue($0) })) }
        return readShape(ofAll: property.schemas, depth: depth + 1)
    }

    /// Returns the shape of an object without `properties`.
    ///
    ///     {"type": "object"}                                   →  a dictionary of any JSON
    ///     {"additionalProperties": {"type": "integer"}}        →  a dictionary of integers
    ///     {"additionalProperties": false}                      →  an object without members
    private mutating func readDictionaryShape(_ keywords: SchemaKeywords, depth: Int) -> SizedShape {
        if case .forbidden = keywords.otherMembers { return SizedShape(.object([])) }
        let value = readOtherMembersShape(keywords, depth: depth) ?? SizedShape(.any)
        return SizedShape(.dictionary(value.shape), size: value.size + 1)
    }

    /// Returns the shape of the values of members that `properties` does not name.
    ///
    /// - Parameters:
    ///   - keywords: The keywords of the object.
    ///   - depth: The number of schemas around the object.
    /// - Returns: The shape; nil if such members are forbidden, or if no keyword mentions them.
    private mutating func readOtherMembersShape(_ keywords: SchemaKeywords, depth: Int) -> SizedShape? {
        switch keywords.otherMembers {
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
    ///   - keywords: All keywords of the schema that has the alternatives.
    ///   - schema: The schema that has the alternatives. Notes refer to it.
    ///   - depth: The number of schemas around that schema.
    /// - Returns: A shape for each alternative, or any JSON alone if there are too many alternatives or members.
    private mutating func readAlternativeShapes(
        _ alternatives: [JSONValue], keywords: SchemaKeywords, at schema: JSONValue, depth: Int
    ) -> [SizedShape] {
        guard alternatives.count <= Self.maxAlternatives else {
            keywordReader.addNote(.tooManyAlternatives, about: schema)
            return [SizedShape(.any)]
        }
        let parent = AlternativeParent(keywords, schema: schema, depth: depth)
        var shapes: [SizedShape] = []
        for alternative in alternatives {
            guard let shape = readAlternativeShape(alternative, of: parent) else {
                keywordReader.addNote(.tooManyAlternatives, about: schema)
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
        if parent.commonKeywords.hasObjectKeywords { return readMergedShape(alternative, parent: parent) }
        let shape = readShape(ofAll: [alternative], depth: parent.depth + 1)
        return narrowAlternative(shape, to: parent.commonKeywords)
    }

    /// Returns the shape of an alternative, with the members that are declared beside the alternatives.
    ///
    /// For the first alternative of `{"properties": {"id": …}, "oneOf": [{"properties": {"name": …}}, …]}` the result
    /// is an object with `id` and `name`. It is not a model, because no named schema has the members of both.
    ///
    /// - Parameters:
    ///   - alternative: The schema of the alternative.
    ///   - parent: The schema that has the alternative and declares further members.
    /// - Returns: The shape; nil if too many members have been copied.
    private mutating func readMergedShape(_ alternative: JSONValue, parent: AlternativeParent) -> SizedShape? {
        let alternativeKeywords = keywordReader.readMergedKeywords(ofAll: [alternative])
        guard reserveMergedMembers(of: alternativeKeywords, and: parent.commonKeywords) else { return nil }
        var mergedKeywords = parent.commonKeywords
        // If the parent is nullable, its shape has null as an alternative of its own.
        mergedKeywords.isNullable = false
        mergedKeywords.formIntersection(alternativeKeywords)
        let shape = readShape(of: mergedKeywords, at: parent.schema, depth: parent.depth + 1)
        // The members' schemas were read again for this alternative, so all shapes inside of it count.
        remainingMergedMembers -= shape.size
        return shape
    }

    /// Subtracts the members of two schemas that are about to be merged from ``remainingMergedMembers``.
    ///
    /// The limit for the whole document bounds the time, because alternatives inside of alternatives are merged again
    /// and again.
    ///
    /// - Returns: Whether the schemas may be merged. False means that no members remain.
    private mutating func reserveMergedMembers(of alternative: SchemaKeywords, and common: SchemaKeywords) -> Bool {
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
        guard let object = readObject(ofAlternative: alternative, identifyingMember: discriminator.member) else {
            return nil
        }
        // The tag consists of the alternative and its identifying texts. Each tag has one model.
        let tag = discriminator.tag(of: object.schema, reference: object.reference)
        if let index = taggedIndexes[tag] { return SizedShape(models.shapeNaming(index)) }
        guard reserveMergedMembers(of: object.keywords, and: parent.commonKeywords) else { return nil }
        var taggedObject = object
        taggedObject.keywords.formIntersection(parent.commonKeywords)
        taggedObject.keywords.setTags(tag.texts, of: discriminator.member)
        let index = models.addModel(referredToBy: object.reference)
        taggedIndexes[tag] = index
        pendingModels.append(PendingModel(index: index, namedSchema: taggedObject))
        return SizedShape(models.shapeNaming(index))
    }

    /// Reads the schema that an alternative refers to, if it is an object that a discriminator can identify.
    ///
    /// - Parameters:
    ///   - alternative: The schema of the alternative.
    ///   - member: The name of the identifying member.
    /// - Returns: The schema. Nil if the alternative is not a reference to an object, or if the object's schema itself
    ///   restricts the texts of the member.
    private mutating func readObject(
        ofAlternative alternative: JSONValue, identifyingMember member: String
    ) -> NamedSchema? {
        guard let reference = alternative["$ref"]?.string,
            let target = keywordReader.followReference(of: alternative)
        else { return nil }
        let (keywords, notes) = runCollectingNotes { $0.keywordReader.readMergedKeywords(ofAll: [alternative]) }
        guard keywords.isObject, !keywords.isNullable else { return nil }
        let memberKeywords = keywordReader.readMergedKeywords(ofAll: keywords.schemas(of: member))
        if memberKeywords.values != nil { return nil }
        return NamedSchema(schema: target, reference: reference, keywords: keywords, notes: notes)
    }

    /// Narrows the shape of an alternative by the `type` that is declared beside the alternatives.
    ///
    /// In `{"type": "string", "anyOf": [{"minLength": 1}, {"pattern": "a"}]}` the alternatives allow any JSON by
    /// themselves. They become strings.
    ///
    /// - Parameters:
    ///   - alternative: The shape of the alternative. It is only narrowed if it allows any JSON.
    ///   - commonKeywords: The keywords beside the alternatives.
    private mutating func narrowAlternative(
        _ alternative: SizedShape, to commonKeywords: SchemaKeywords
    ) -> SizedShape {
        // Any other shape says more than the type does.
        guard alternative.shape == .any, let types = commonKeywords.types, types.count == 1 else { return alternative }
        switch types[0] {
        // The depth does not matter, because these types have no inner schemas here: alternatives beside keywords of
        // objects are not narrowed but merged. An array may have inner schemas, so it is not narrowed.
        case "boolean", "integer", "number", "string", "object":
            return readShape(ofType: types[0], keywords: commonKeywords, depth: 0)
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
        keywordReader.addNote(.tooManyAlternatives, about: schema)
        return SizedShape(.any)
    }
}
