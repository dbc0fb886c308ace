import EndpointKit
import JSONText

/// Reads the keywords of schemas, and merges the keywords of schemas that are composed with `allOf`.
///
/// Each schema that a `$ref` names is read once.
struct SchemaKeywordReader {
    /// The most levels of `allOf`. A schema below more levels is not read, which bounds the stack. Documents that
    /// people write have a few levels.
    private static let maxDepth = 48
    /// The most members that are copied from schemas of `allOf` in a small document. It bounds time and memory: each
    /// of 10,000 schemas might have the same schema with 10,000 members in its `allOf`.
    private static let maxMergedMembers = 100_000

    let references: ReferenceResolver
    let dialect: SchemaDialect
    /// The notes about the schemas that were read since the list was last replaced.
    var notes = SchemaNotes()

    /// The keywords of a named schema, with the notes about the schema.
    private struct StoredKeywords {
        let keywords: SchemaKeywords
        let notes: [SchemaNote]
    }

    /// The keywords of the named schemas that have been read.
    private var storedKeywords: [DocumentPlace: StoredKeywords] = [:]
    /// The schemas that are being read. A `$ref` to one of them means that the schema is part of its own `allOf`.
    private var schemasInProgress: Set<DocumentPlace> = []
    /// The number of members that may still be copied from schemas of `allOf`.
    private var remainingMergedMembers: Int

    /// Creates a reader for the schemas of a document.
    init(_ references: ReferenceResolver, dialect: SchemaDialect) {
        self.references = references
        self.dialect = dialect
        // A larger document may have more members: one for each 32 bytes of its text.
        remainingMergedMembers = Self.maxMergedMembers + references.root.document.bytes.count / 32
    }

    // MARK: Notes

    /// Adds a note about a part of a schema that is not understood, such as a `$ref` that can't be resolved.
    mutating func addNote(_ reason: SchemaNote.Reason, about place: JSONValue) {
        notes.insert(SchemaNote(reason, about: place))
    }

    /// Adds the notes that were stored when a named schema was read for the first time.
    mutating func addNotes(_ notes: [SchemaNote]) { self.notes.insert(notes) }

    /// Runs a function, and returns its result with the notes that it added. ``notes`` does not change.
    ///
    /// A named schema is read only once, so its notes are stored with its keywords. Each later `$ref` to the schema
    /// gets both.
    private mutating func runCollectingNotes<Result>(
        _ body: (inout SchemaKeywordReader) -> Result
    ) -> (result: Result, notes: [SchemaNote]) {
        let notesBefore = notes
        notes = SchemaNotes()
        let result = body(&self)
        let addedNotes = notes.list
        notes = notesBefore
        return (result, addedNotes)
    }

    // MARK: Schemas

    /// Follows the `$ref` of a schema that consists of a `$ref` alone.
    ///
    /// Any other schema is returned as it is, also one with keywords beside its `$ref`.
    ///
    /// - Returns: The schema that the `$ref` names; nil if the `$ref` can't be resolved, which adds a note.
    mutating func followReference(of schema: JSONValue) -> JSONValue? {
        guard isReference(schema) else { return schema }
        do {
            return try references.resolve(schema)
        } catch {
            addNote(.unresolved(expected: error.expected, found: error.found), about: schema)
            return nil
        }
    }

    /// Whether a schema consists of a `$ref` alone: no other keyword in it narrows the values.
    ///
    /// `{"$ref": "#/…/Pet", "description": "A pet"}` is a reference, because a description does not narrow the values.
    func isReference(_ schema: JSONValue) -> Bool {
        schema.kind == .object && schema["$ref"] != nil && !hasReferenceSiblings(schema)
    }

    /// Whether a schema has keywords beside its `$ref` that narrow the values.
    private func hasReferenceSiblings(_ schema: JSONValue) -> Bool {
        guard dialect.hasReferenceSiblings, schema.document.count(of: schema.slot) > 1 else { return false }
        let members = schema.members ?? []
        return members.contains { $0.key != "$ref" && SchemaKeyword($0.key, in: dialect) != nil }
    }

    /// Returns the merged keywords of some schemas and of the schemas in their `allOf`.
    ///
    /// `{"minimum": 1}` and `{"minimum": 3}` become `{"minimum": 3}`, which is stricter.
    ///
    /// - Parameter schemas: The schemas. A value has to match all of them. An empty list allows any JSON.
    mutating func readMergedKeywords(ofAll schemas: [JSONValue]) -> SchemaKeywords {
        guard let firstSchema = schemas.first else { return SchemaKeywords() }
        var mergedKeywords = readMergedKeywords(of: firstSchema, depth: 0)
        for schema in schemas.dropFirst() {
            let furtherKeywords = readMergedKeywords(of: schema, depth: 0)
            merge(furtherKeywords, into: &mergedKeywords, of: schema)
        }
        return mergedKeywords
    }

    /// Returns the merged keywords of a schema and of the schemas in its `allOf`.
    ///
    /// A schema that can't be read allows any JSON, and adds a note.
    ///
    /// - Parameters:
    ///   - schema: The schema, which may be a reference.
    ///   - depth: The number of `allOf` around the schema.
    private mutating func readMergedKeywords(of schema: JSONValue, depth: Int) -> SchemaKeywords {
        guard let target = followReference(of: schema) else { return SchemaKeywords() }
        switch target.kind {
        case .object:
            // `followReference` returns a schema without a `$ref` as it is.
            let didFollowReference = !target.isSamePart(as: schema)
            return readMergedKeywords(ofObject: target, isReferenced: didFollowReference, depth: depth)
        case .boolean:
            // The schema `true` allows any JSON, and the schema `false` allows nothing. No shape is without values, so
            // `false` is read like `true`, and the note tells the difference.
            if target.bool == false { addNote(.nothingAllowed, about: target) }
            return SchemaKeywords()
        case .null, .number, .string, .array:
            addNote(.noSchema, about: target)
            return SchemaKeywords()
        }
    }

    /// Returns the merged keywords of a schema that is an object, as all schemas but `true` and `false` are.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - isReferenced: Whether a `$ref` led to the schema. The keywords are stored for the next `$ref` then.
    ///   - depth: The number of `allOf` around the schema.
    /// - Returns: The keywords. A schema that is nested too deeply, or that is part of its own `allOf`, adds a note
    ///   and allows any JSON.
    private mutating func readMergedKeywords(
        ofObject schema: JSONValue, isReferenced: Bool, depth: Int
    ) -> SchemaKeywords {
        let place = DocumentPlace(schema)
        if let stored = storedKeywords[place] {
            addNotes(stored.notes)
            return stored.keywords
        }
        guard depth < Self.maxDepth else {
            addNote(.tooDeep, about: schema)
            return SchemaKeywords()
        }
        guard schemasInProgress.insert(place).inserted else {
            addNote(.holdsItself, about: schema)
            return SchemaKeywords()
        }
        defer { schemasInProgress.remove(place) }
        if isReferenced { return readAndStoreKeywords(of: schema, depth: depth) }
        return readOwnAndComposedKeywords(of: schema, depth: depth)
    }

    /// Returns the merged keywords of a schema that a `$ref` names, and stores them for the next `$ref`.
    ///
    /// The notes about the schema are stored with the keywords, because each `$ref` adds the notes again.
    private mutating func readAndStoreKeywords(of schema: JSONValue, depth: Int) -> SchemaKeywords {
        let (keywords, notes) = runCollectingNotes { $0.readOwnAndComposedKeywords(of: schema, depth: depth) }
        addNotes(notes)
        storedKeywords[DocumentPlace(schema)] = StoredKeywords(keywords: keywords, notes: notes)
        return keywords
    }

    /// Returns the keywords that are written in a schema, merged with the schemas in its `allOf`.
    ///
    /// For `{"type": "object", "allOf": [{"$ref": "#/…/Pet"}]}` the result has the members of `Pet` too.
    private mutating func readOwnAndComposedKeywords(of schema: JSONValue, depth: Int) -> SchemaKeywords {
        var keywords = readOwnKeywords(of: schema)
        for composedSchema in composedSchemas(of: schema) {
            let composedKeywords = readMergedKeywords(of: composedSchema, depth: depth + 1)
            merge(composedKeywords, into: &keywords, of: schema)
        }
        return keywords
    }

    /// Merges the keywords of another schema into those of a schema, so that a value has to match both.
    ///
    /// Each merged member is subtracted from ``remainingMergedMembers``. If there are not enough members left, the
    /// other schema is ignored, and a note is added.
    ///
    /// - Parameters:
    ///   - other: The keywords of the other schema.
    ///   - keywords: The keywords that are narrowed.
    ///   - schema: The schema that `keywords` belong to. A note about too many members refers to it.
    private mutating func merge(_ other: SchemaKeywords, into keywords: inout SchemaKeywords, of schema: JSONValue) {
        let memberCount = other.properties.count
        guard memberCount <= remainingMergedMembers else {
            addNote(.tooManyMembers, about: schema)
            return
        }
        remainingMergedMembers -= memberCount
        keywords.formIntersection(other)
    }

    /// Returns the further schemas that a value of a schema has to match: the target of its `$ref`, and its `allOf`.
    ///
    /// A `$ref` that can't be resolved is left out, and adds a note.
    ///
    /// - Parameter schema: The schema. If it has a `$ref`, it has other keywords too.
    private mutating func composedSchemas(of schema: JSONValue) -> [JSONValue] {
        let allOf = schema["allOf"]?.elements ?? []
        guard schema["$ref"] != nil else { return allOf }
        do {
            return [try references.resolve(schema)] + allOf
        } catch {
            addNote(.unresolved(expected: error.expected, found: error.found), about: schema)
            return allOf
        }
    }

    /// Whether a member is left out: a `readOnly` member of a request, or a `writeOnly` member of a response.
    ///
    /// The keyword may be in the schema itself, in the schema that its `$ref` names, or in its `allOf`.
    ///
    /// - Parameters:
    ///   - schemas: The schemas of the member's value, which has to match all of them.
    ///   - direction: Whether the values are sent or received.
    mutating func leavesOut(_ schemas: [JSONValue], in direction: SchemaDirection) -> Bool {
        if schemas.contains(where: { $0[direction.excludingKeyword]?.bool == true }) { return true }
        let schemasReferringToOthers = schemas.filter { $0["$ref"] != nil || $0["allOf"] != nil }
        guard !schemasReferringToOthers.isEmpty else { return false }
        // The notes are dropped here. Reading the shape of the member makes them again.
        let (isLeftOut, _) = runCollectingNotes { reader in
            schemasReferringToOthers.contains { schema in
                let keywords = reader.readMergedKeywords(ofAll: [schema])
                return direction == .request ? keywords.isReadOnly : keywords.isWriteOnly
            }
        }
        return isLeftOut
    }

    // MARK: Keywords

    /// The keywords of one schema while its members are read.
    private struct PartialKeywords {
        let schema: JSONValue
        var keywords = SchemaKeywords()
        // These keywords depend on each other or on other keywords, so they are applied after all members were read.
        var hasBounds = false
        var patternSchemas: [JSONValue] = []
        var contentEncoding: String?
        var contentMediaType: MediaTypeName?
    }

    /// Reads the keywords that are written in a schema itself, without the schemas in its `allOf`.
    ///
    /// Notes are added about keywords that are ignored.
    private mutating func readOwnKeywords(of schema: JSONValue) -> SchemaKeywords {
        var partial = PartialKeywords(schema: schema)
        for (key, value) in schema.members ?? [] {
            if let keyword = SchemaKeyword(key, in: dialect) {
                readKeyword(keyword, key: key, value: value, into: &partial)
            } else if key == "readOnly" {
                partial.keywords.isReadOnly = value.bool == true
            } else if key == "writeOnly" {
                partial.keywords.isWriteOnly = value.bool == true
            }
        }
        return finishKeywords(from: partial)
    }

    /// Reads the value of one keyword, and stores it in the keywords of its schema.
    ///
    /// A keyword that is ignored adds a note.
    ///
    /// - Parameters:
    ///   - keyword: The keyword. Two keys may stand for one keyword: `oneOf` and `anyOf` are both `.alternatives`.
    ///   - key: The key in the schema, such as `oneOf`. Notes contain it.
    ///   - value: The value of the keyword.
    ///   - partial: The value is stored in it. It has the keywords of the schema that were read before.
    private mutating func readKeyword(
        _ keyword: SchemaKeyword, key: String, value: JSONValue, into partial: inout PartialKeywords
    ) {
        switch keyword {
        case .type: partial.keywords.types = readTypes(value)
        case .format: partial.keywords.format = value.string
        case .contentEncoding: partial.contentEncoding = value.string
        case .contentMediaType: partial.contentMediaType = value.string.map { MediaTypeName($0) }
        case .enumeration: partial.keywords.values = value.elements
        case .constant: partial.keywords.values = [value]
        case .properties:
            for (name, property) in value.members ?? [] { partial.keywords.addProperty(name, schemas: [property]) }
        case .required: partial.keywords.required = Set(value.elements?.compactMap(\.string) ?? [])
        case .additionalProperties: partial.keywords.otherMembers = Self.otherMembers(value)
        case .patternProperties:
            partial.patternSchemas = value.members?.map(\.value) ?? []
            // The patterns themselves are ignored: keys are not compared with them.
            if !partial.patternSchemas.isEmpty { addNote(.ignoredKeyword(key), about: partial.schema) }
        case .items: partial.keywords.items = value
        case .alternatives:
            // Only the first one of `oneOf` and `anyOf` is read in a schema that has both.
            if partial.keywords.alternatives != nil { addNote(.ignoredKeyword(key), about: partial.schema) }
            partial.keywords.alternatives = partial.keywords.alternatives ?? value.elements
        case .discriminator: partial.keywords.discriminator = value
        case .nullable: if value.bool == true { partial.keywords.isNullable = true }
        case .bound: partial.hasBounds = true
        case .ignored: addNote(.ignoredKeyword(key), about: partial.schema)
        // `composedSchemas` reads these two.
        case .allOf, .reference: break
        }
    }

    /// Returns the complete keywords of a schema after all of its members were read.
    ///
    /// Some keywords depend on others, such as `exclusiveMinimum: true` on `minimum`. The order of the members in the
    /// schema is arbitrary, so these keywords are applied here. Bounds that no number satisfies add a note.
    private mutating func finishKeywords(from partial: PartialKeywords) -> SchemaKeywords {
        let schema = partial.schema
        var keywords = partial.keywords
        if partial.hasBounds { keywords.bounds = SchemaBounds(schema) }
        if !keywords.bounds.areSatisfiable { addNote(.invalidBounds, about: schema) }
        if !partial.patternSchemas.isEmpty {
            keywords.otherMembers = Self.otherMembers(of: keywords, patternSchemas: partial.patternSchemas)
        }
        // Swagger 2.0 has the type `file`.
        if schema["type"]?.string == "file" { keywords.isFile = true }
        Self.applyContentKeywords(encoding: partial.contentEncoding, mediaType: partial.contentMediaType, to: &keywords)
        Self.replaceNullType(of: &keywords)
        return keywords
    }

    /// Returns the types that the keyword `type` names, without repetitions.
    ///
    /// An unknown type is left out, and adds a note. The type `file` of Swagger 2.0 becomes `string`.
    ///
    /// - Parameter value: The value of `type`: a name, or a list of names.
    /// - Returns: The names. Nil if no type is known, which allows any JSON.
    private mutating func readTypes(_ value: JSONValue) -> [String]? {
        var types: [String] = []
        for element in value.elements ?? [value] {
            switch element.string {
            case let name? where Self.knownTypes.contains(name):
                if !types.contains(name) { types.append(name) }
            case "file": types.append("string")
            default: addNote(.unknownType, about: element)
            }
        }
        return types.isEmpty ? nil : types
    }

    /// The types of JSON Schema (JSON Schema Validation 2020-12, section 6.1.1).
    private static let knownTypes: Set = ["boolean", "integer", "number", "string", "array", "object", "null"]

    /// Returns the rule for the members that `properties` does not name.
    ///
    ///     "additionalProperties": false                →  forbidden
    ///     "additionalProperties": true                 →  allowed
    ///     "additionalProperties": {}                   →  allowed
    ///     "additionalProperties": {"type": "string"}   →  schemas
    ///
    /// A value that is neither an object nor a boolean is treated as `true`.
    private static func otherMembers(_ additionalProperties: JSONValue) -> SchemaKeywords.OtherMembers {
        switch additionalProperties.kind {
        case .object:
            let hasNoKeywords = additionalProperties.document.count(of: additionalProperties.slot) == 0
            return hasNoKeywords ? .allowed : .schemas([additionalProperties])
        case .boolean: return additionalProperties.bool == false ? .forbidden : .allowed
        case .null, .number, .string, .array: return .allowed
        }
    }

    /// Returns the rule for the members that `properties` does not name, in a schema with `patternProperties`.
    ///
    /// Keys are not compared with patterns, so a member may have the schema of any pattern. If `properties` names
    /// members and `additionalProperties` is left out, a key may match no pattern, so any value is allowed.
    ///
    /// - Parameters:
    ///   - keywords: The other keywords of the schema.
    ///   - patternSchemas: The schemas in `patternProperties`.
    private static func otherMembers(
        of keywords: SchemaKeywords, patternSchemas: [JSONValue]
    ) -> SchemaKeywords.OtherMembers {
        switch keywords.otherMembers {
        case .unspecified: keywords.properties.isEmpty ? .schemas(patternSchemas) : .allowed
        case .forbidden: .schemas(patternSchemas)
        case .schemas(let others): .schemas(patternSchemas + others)
        case .allowed: .allowed
        }
    }

    /// Applies the keywords about the content of strings to the other keywords of the schema.
    ///
    ///     "contentEncoding": "base64"         →  the format `byte`
    ///     "format": "binary"                  →  a file
    ///     "contentMediaType": "image/png"     →  a file, unless there is a `contentEncoding`
    ///
    /// - Parameters:
    ///   - encoding: The value of `contentEncoding`.
    ///   - mediaType: The value of `contentMediaType`. JSON and text are not files.
    ///   - keywords: The keywords of the schema.
    private static func applyContentKeywords(
        encoding: String?, mediaType: MediaTypeName?, to keywords: inout SchemaKeywords
    ) {
        if encoding == "base64" { keywords.format = "byte" }
        if keywords.format == "binary" { keywords.isFile = true }
        if let mediaType, encoding == nil, !mediaType.isJSON, !mediaType.isText { keywords.isFile = true }
    }

    /// Makes a schema nullable if null is one of its types.
    ///
    ///     ["string", "null"]    →  ["string"], nullable
    ///     ["null"]              →  ["null"], nullable
    private static func replaceNullType(of keywords: inout SchemaKeywords) {
        guard let types = keywords.types, types.contains("null") else { return }
        keywords.isNullable = true
        if types.count > 1 { keywords.types = types.filter { $0 != "null" } }
    }
}
