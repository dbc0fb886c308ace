import EndpointKit
import JSONText

/// Reads the keywords of schemas, and merges the keywords of schemas that are composed with `allOf`.
///
/// Each schema that a `$ref` names is read once.
struct SchemaFactsReader {
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
    private struct KnownFacts {
        let facts: SchemaFacts
        let notes: [SchemaNote]
    }

    /// The keywords of the named schemas that have been read.
    private var knownFacts: [DocumentPlace: KnownFacts] = [:]
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

    /// Runs a function, and returns its result with the notes that it added. The notes before are restored afterwards.
    ///
    /// A named schema is read only once, so its notes are stored with its keywords. Each later `$ref` to the schema
    /// gets both.
    ///
    /// - Parameter body: The function. Its notes are not added to ``notes``.
    private mutating func runCollectingNotes<Result>(
        _ body: (inout SchemaFactsReader) -> Result
    ) -> (result: Result, notes: [SchemaNote]) {
        let outerNotes = notes
        notes = SchemaNotes()
        let result = body(&self)
        let innerNotes = notes.list
        notes = outerNotes
        return (result, innerNotes)
    }

    // MARK: Schemas

    /// Returns the schema at the end of the references that a schema consists of.
    ///
    /// - Parameter schema: Any schema.
    /// - Returns: The schema that the `$ref` names. Any other schema is returned as it is, also one with keywords
    ///   beside its `$ref`. Nil if the `$ref` can't be resolved, which adds a note.
    mutating func followReference(of schema: JSONValue) -> JSONValue? {
        guard isReference(schema) else { return schema }
        do {
            return try references.resolved(schema)
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
    mutating func readFacts(ofAll schemas: [JSONValue]) -> SchemaFacts {
        guard let first = schemas.first else { return SchemaFacts() }
        var result = readFacts(of: first, depth: 0)
        for schema in schemas.dropFirst() { merge(readFacts(of: schema, depth: 0), into: &result, of: schema) }
        return result
    }

    /// Returns the merged keywords of a schema and of the schemas in its `allOf`.
    ///
    /// A schema that can't be read allows any JSON, and adds a note.
    ///
    /// - Parameters:
    ///   - schema: The schema, which may be a reference.
    ///   - depth: The number of `allOf` around the schema.
    private mutating func readFacts(of schema: JSONValue, depth: Int) -> SchemaFacts {
        guard let target = followReference(of: schema) else { return SchemaFacts() }
        switch target.kind {
        case .object:
            // A schema without a `$ref` is its own target.
            let isNamed = DocumentPlace(target) != DocumentPlace(schema)
            return readFacts(ofObject: target, isNamed: isNamed, depth: depth)
        case .boolean:
            // The schema `true` allows any JSON, and the schema `false` allows nothing.
            if target.bool == false { addNote(.nothingAllowed, about: target) }
            return SchemaFacts()
        case .null, .number, .string, .array:
            addNote(.noSchema, about: target)
            return SchemaFacts()
        }
    }

    /// Returns the merged keywords of a schema that is an object, as all schemas but `true` and `false` are.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - isNamed: Whether a `$ref` names the schema. The keywords of a named schema are stored for the next `$ref`.
    ///   - depth: The number of `allOf` around the schema.
    /// - Returns: The keywords. A schema that is nested too deeply, or that is part of its own `allOf`, adds a note
    ///   and allows any JSON.
    private mutating func readFacts(ofObject schema: JSONValue, isNamed: Bool, depth: Int) -> SchemaFacts {
        let place = DocumentPlace(schema)
        if let known = knownFacts[place] {
            addNotes(known.notes)
            return known.facts
        }
        guard depth < Self.maxDepth else {
            addNote(.tooDeep, about: schema)
            return SchemaFacts()
        }
        guard schemasInProgress.insert(place).inserted else {
            addNote(.holdsItself, about: schema)
            return SchemaFacts()
        }
        defer { schemasInProgress.remove(place) }
        return isNamed ? readAndStoreFacts(of: schema, depth: depth) : readMergedFacts(of: schema, depth: depth)
    }

    /// Returns the merged keywords of a schema that a `$ref` names, and stores them for the next `$ref`.
    ///
    /// The notes about the schema are stored with the keywords, because each `$ref` adds the notes again.
    private mutating func readAndStoreFacts(of schema: JSONValue, depth: Int) -> SchemaFacts {
        let (facts, notes) = runCollectingNotes { $0.readMergedFacts(of: schema, depth: depth) }
        addNotes(notes)
        knownFacts[DocumentPlace(schema)] = KnownFacts(facts: facts, notes: notes)
        return facts
    }

    /// Returns the keywords that are written in a schema, merged with the schemas in its `allOf`.
    ///
    /// For `{"type": "object", "allOf": [{"$ref": "#/…/Pet"}]}` the result has the members of `Pet` too.
    private mutating func readMergedFacts(of schema: JSONValue, depth: Int) -> SchemaFacts {
        var facts = readOwnKeywords(of: schema)
        for composedSchema in composedSchemas(of: schema) {
            merge(self.readFacts(of: composedSchema, depth: depth + 1), into: &facts, of: schema)
        }
        return facts
    }

    /// Merges the keywords of another schema into those of a schema, so that a value has to match both.
    ///
    /// - Parameters:
    ///   - other: The keywords of the other schema. They are ignored if all members together would be too many.
    ///   - facts: The keywords that are narrowed.
    ///   - schema: The schema that `facts` belong to. A note about too many members refers to it.
    private mutating func merge(_ other: SchemaFacts, into facts: inout SchemaFacts, of schema: JSONValue) {
        let count = other.properties.count
        guard count <= remainingMergedMembers else {
            addNote(.tooManyMembers, about: schema)
            return
        }
        remainingMergedMembers -= count
        facts.formIntersection(other)
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
            return [try references.resolved(schema)] + allOf
        } catch {
            addNote(.unresolved(expected: error.expected, found: error.found), about: schema)
            return allOf
        }
    }

    /// Whether a member is left out: a `readOnly` member of a request, or a `writeOnly` member of a response.
    ///
    /// The keyword may be in the schema itself, beside or behind its `$ref`, or in its `allOf`.
    ///
    /// - Parameters:
    ///   - schemas: The schemas of the member's value.
    ///   - direction: Whether the values are sent or received.
    mutating func leavesOut(_ schemas: [JSONValue], in direction: SchemaDirection) -> Bool {
        if schemas.contains(where: { $0[direction.excludingKeyword]?.bool == true }) { return true }
        let composed = schemas.filter { $0["$ref"] != nil || $0["allOf"] != nil }
        guard !composed.isEmpty else { return false }
        // The notes are dropped here. Reading the shape of the member makes them again.
        let isLeftOut = runCollectingNotes { reader in
            composed.contains { schema in
                let facts = reader.readFacts(ofAll: [schema])
                return direction == .request ? facts.isReadOnly : facts.isWriteOnly
            }
        }
        return isLeftOut.result
    }

    // MARK: Keywords

    /// The keywords of one schema while its members are read.
    private struct PartialFacts {
        let schema: JSONValue
        var facts = SchemaFacts()
        // These keywords depend on each other or on other keywords, so they are applied after all members were read.
        var hasBounds = false
        var patternSchemas: [JSONValue] = []
        var contentEncoding: String?
        var contentMediaType: MediaTypeName?
    }

    /// Reads the keywords that are written in a schema itself, without the schemas in its `allOf`.
    ///
    /// Notes are added about keywords that are ignored.
    private mutating func readOwnKeywords(of schema: JSONValue) -> SchemaFacts {
        var partial = PartialFacts(schema: schema)
        for (key, value) in schema.members ?? [] {
            if let keyword = SchemaKeyword(key, in: dialect) {
                readKeyword(keyword, key: key, value: value, into: &partial)
            } else if key == "readOnly" {
                partial.facts.isReadOnly = value.bool == true
            } else if key == "writeOnly" {
                partial.facts.isWriteOnly = value.bool == true
            }
        }
        return finishedFacts(from: partial)
    }

    /// Reads the value of one keyword, and stores it in the keywords of its schema.
    ///
    /// A keyword that is ignored adds a note.
    ///
    /// - Parameters:
    ///   - keyword: The keyword. Two keys may stand for one keyword: `oneOf` and `anyOf` are both `.alternatives`.
    ///   - key: The key in the schema, such as `oneOf`. Notes contain it.
    ///   - value: The value of the keyword.
    ///   - partial: Gets the value. It has the keywords of the schema that were read before.
    private mutating func readKeyword(
        _ keyword: SchemaKeyword, key: String, value: JSONValue, into partial: inout PartialFacts
    ) {
        switch keyword {
        case .type: partial.facts.types = readTypes(value)
        case .format: partial.facts.format = value.string
        case .contentEncoding: partial.contentEncoding = value.string
        case .contentMediaType: partial.contentMediaType = value.string.map { MediaTypeName($0) }
        case .enumeration: partial.facts.values = value.elements
        case .constant: partial.facts.values = [value]
        case .properties:
            for (name, property) in value.members ?? [] { partial.facts.addProperty(name, schemas: [property]) }
        case .required: partial.facts.required = Set(value.elements?.compactMap(\.string) ?? [])
        case .additionalProperties: partial.facts.otherMembers = Self.otherMembers(value)
        case .patternProperties:
            partial.patternSchemas = value.members?.map(\.value) ?? []
            // The patterns themselves are ignored: keys are not compared with them.
            if !partial.patternSchemas.isEmpty { addNote(.ignoredKeyword(key), about: partial.schema) }
        case .items: partial.facts.items = value
        case .alternatives:
            // Only the first one of `oneOf` and `anyOf` is read in a schema that has both.
            if partial.facts.alternatives != nil { addNote(.ignoredKeyword(key), about: partial.schema) }
            partial.facts.alternatives = partial.facts.alternatives ?? value.elements
        case .discriminator: partial.facts.discriminator = value
        case .nullable: if value.bool == true { partial.facts.isNullable = true }
        case .bound: partial.hasBounds = true
        case .ignored: addNote(.ignoredKeyword(key), about: partial.schema)
        // `composedSchemas` reads these two.
        case .allOf, .reference: break
        }
    }

    /// Returns the complete keywords of a schema after all of its members were read.
    ///
    /// Some keywords depend on others, such as `exclusiveMinimum: true` on `minimum`. The order of the members in the
    /// schema is arbitrary, so these keywords are applied here.
    private mutating func finishedFacts(from partial: PartialFacts) -> SchemaFacts {
        let schema = partial.schema
        var facts = partial.facts
        if partial.hasBounds { facts.bounds = SchemaBounds(schema) }
        if !facts.bounds.areSatisfiable { addNote(.invalidBounds, about: schema) }
        if !partial.patternSchemas.isEmpty {
            facts.otherMembers = Self.otherMembers(of: facts, patternSchemas: partial.patternSchemas)
        }
        // Swagger 2.0 has the type `file`.
        if schema["type"]?.string == "file" { facts.isFile = true }
        Self.applyContentKeywords(encoding: partial.contentEncoding, mediaType: partial.contentMediaType, to: &facts)
        Self.replaceNullType(of: &facts)
        return facts
    }

    /// Returns the types that the keyword `type` names, each one once.
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
    private static func otherMembers(_ additionalProperties: JSONValue) -> SchemaFacts.OtherMembers {
        switch additionalProperties.kind {
        case .object:
            let isEmpty = additionalProperties.document.count(of: additionalProperties.slot) == 0
            return isEmpty ? .allowed : .schemas([additionalProperties])
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
    ///   - facts: The other keywords of the schema.
    ///   - patternSchemas: The schemas of the patterns.
    private static func otherMembers(
        of facts: SchemaFacts, patternSchemas: [JSONValue]
    ) -> SchemaFacts.OtherMembers {
        switch facts.otherMembers {
        case .unspecified: facts.properties.isEmpty ? .schemas(patternSchemas) : .allowed
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
    ///   - facts: The keywords of the schema.
    private static func applyContentKeywords(encoding: String?, mediaType: MediaTypeName?, to facts: inout SchemaFacts)
    {
        if encoding == "base64" { facts.format = "byte" }
        if facts.format == "binary" { facts.isFile = true }
        if let mediaType, encoding == nil, !mediaType.isJSON, !mediaType.isText { facts.isFile = true }
    }

    /// Makes a schema nullable if null is one of its types.
    ///
    ///     ["string", "null"]    →  ["string"], nullable
    ///     ["null"]              →  ["null"], nullable
    private static func replaceNullType(of facts: inout SchemaFacts) {
        guard let types = facts.types, types.contains("null") else { return }
        facts.isNullable = true
        if types.count > 1 { facts.types = types.filter { $0 != "null" } }
    }
}
