import EndpointKit
import JSONText

/// Reads the keywords of schemas. Each schema that a `$ref` names is read once.
struct SchemaFactsReader {
    /// The most `allOf` inside each other. One inside of more of them is not read, which bounds the stack. Documents
    /// that people write have a few levels.
    private static let maxDepth = 48
    /// The most members that are brought together from the schemas of `allOf` in a small document. It bounds time and
    /// memory: each of 10,000 schemas may name the same one with 10,000 members in its `allOf`.
    private static let maxMergedMembers = 100_000

    let references: ReferenceResolver
    let dialect: SchemaDialect
    /// The notes about the schemas that are being read.
    var notes = SchemaNotes()

    /// The keywords of a named schema, with the notes about it.
    private struct KnownFacts {
        let facts: SchemaFacts
        let notes: [SchemaNote]
    }

    /// The keywords of the named schemas that have been read.
    private var knownFacts: [DocumentPlace: KnownFacts] = [:]
    /// The schemas whose `allOf` is being read. One that comes again is part of its own `allOf`.
    private var openSchemas: Set<DocumentPlace> = []
    /// The number of members that may still be brought together.
    private var remainingMergedMembers: Int

    /// Makes the reader of a document's schemas, which has read none yet.
    init(_ references: ReferenceResolver, _ dialect: SchemaDialect) {
        self.references = references
        self.dialect = dialect
        // A larger document may have more members: one for each 32 bytes of its text.
        remainingMergedMembers = Self.maxMergedMembers + references.root.document.bytes.count / 32
    }

    // MARK: Notes

    /// Makes a note about a part that is not understood, such as a reference that leads nowhere.
    mutating func note(_ reason: SchemaNote.Reason, _ place: JSONValue) { notes.insert(SchemaNote(reason, place)) }

    /// Adds notes that were made when a schema was read for the first time, because its schema is not read again.
    mutating func add(_ notes: [SchemaNote]) { self.notes.insert(notes) }

    /// Runs `body` with a new list of notes, and then goes on with the list before.
    ///
    /// The notes about a schema are kept with its keywords, because the schema is not read again.
    ///
    /// - Returns: The result of `body`, and the notes that it made. They are not added to the list before.
    private mutating func collectingNotes<Result>(
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

    /// Returns the schema that a reference leads to.
    ///
    /// - Parameter schema: A schema, which may be a reference.
    /// - Returns: The schema itself if it is no reference, or if it has keywords beside its `$ref`. Nil if the
    ///   reference leads nowhere, which is noted.
    mutating func target(of schema: JSONValue) -> JSONValue? {
        guard isReference(schema) else { return schema }
        do {
            return try references.resolved(schema)
        } catch {
            note(.unresolved(expected: error.expected, found: error.found), schema)
            return nil
        }
    }

    /// Whether a schema is nothing but a reference: it has no keywords beside its `$ref` that narrow the values.
    func isReference(_ schema: JSONValue) -> Bool {
        schema.kind == .object && schema["$ref"] != nil && !hasSiblings(schema)
    }

    /// Whether a schema has keywords beside its `$ref` that narrow the values.
    private func hasSiblings(_ schema: JSONValue) -> Bool {
        guard dialect.hasReferenceSiblings, schema.document.count(of: schema.slot) > 1 else { return false }
        let members = schema.members ?? []
        return members.contains { $0.key != "$ref" && SchemaKeyword($0.key, dialect) != nil }
    }

    /// Returns the keywords of some schemas and of those in their `allOf`, brought together.
    ///
    /// The keywords of `{"minimum": 1}` and `{"minimum": 3}` are those of `{"minimum": 3}`, which is stricter.
    ///
    /// - Parameter schemas: The schemas, all of which a value has to match. Without any, all values do.
    mutating func facts(ofAll schemas: [JSONValue]) -> SchemaFacts {
        guard let first = schemas.first else { return SchemaFacts() }
        var result = facts(of: first, depth: 0)
        for schema in schemas.dropFirst() { merge(facts(of: schema, depth: 0), into: &result, schema) }
        return result
    }

    /// Returns the keywords of a schema and of those in its `allOf`.
    ///
    /// A value that is no schema allows any JSON, and so does a schema that can't be read. Each of these is noted.
    ///
    /// - Parameters:
    ///   - schema: The schema, which may be a reference.
    ///   - depth: The number of `allOf` around the schema.
    private mutating func facts(of schema: JSONValue, depth: Int) -> SchemaFacts {
        guard let target = target(of: schema) else { return SchemaFacts() }
        switch target.kind {
        case .object: break
        case .boolean:
            // The schema `true` allows any JSON.
            if target.bool == false { note(.nothingAllowed, target) }
            return SchemaFacts()
        case .null, .number, .string, .array:
            note(.noSchema, target)
            return SchemaFacts()
        }
        let place = DocumentPlace(target)
        if let known = knownFacts[place] {
            add(known.notes)
            return known.facts
        }
        guard depth < Self.maxDepth else {
            note(.tooDeep, target)
            return SchemaFacts()
        }
        guard openSchemas.insert(place).inserted else {
            note(.holdsItself, target)
            return SchemaFacts()
        }
        defer { openSchemas.remove(place) }
        let isNamed = place != DocumentPlace(schema)
        return isNamed ? namedFacts(of: target, depth: depth) : writtenFacts(of: target, depth: depth)
    }

    /// Returns the keywords of a schema that a `$ref` names, and keeps them with their notes for the next `$ref`.
    private mutating func namedFacts(of schema: JSONValue, depth: Int) -> SchemaFacts {
        let (facts, notes) = collectingNotes { $0.writtenFacts(of: schema, depth: depth) }
        add(notes)
        knownFacts[DocumentPlace(schema)] = KnownFacts(facts: facts, notes: notes)
        return facts
    }

    /// Returns the keywords that are written in a schema, narrowed by the schemas in its `allOf`.
    ///
    /// For `{"type": "object", "allOf": [{"$ref": "#/…/Pet"}]}` the result has the members of `Pet` too.
    private mutating func writtenFacts(of schema: JSONValue, depth: Int) -> SchemaFacts {
        var facts = keywords(of: schema)
        for part in composedSchemas(of: schema) { merge(self.facts(of: part, depth: depth + 1), into: &facts, schema) }
        return facts
    }

    /// Narrows facts to values that match another schema too.
    ///
    /// - Parameters:
    ///   - other: The keywords of the other schema. They are ignored if they have too many members.
    ///   - facts: The facts to narrow.
    ///   - schema: The schema, for a note about too many members.
    private mutating func merge(_ other: SchemaFacts, into facts: inout SchemaFacts, _ schema: JSONValue) {
        let count = other.properties.count
        guard count <= remainingMergedMembers else {
            note(.tooManyMembers, schema)
            return
        }
        remainingMergedMembers -= count
        facts.formIntersection(other)
    }

    /// Returns the schemas that a value must match besides the keywords of a schema.
    ///
    /// - Returns: The target of a `$ref` that has keywords beside it, followed by the schemas of `allOf`. A reference
    ///   that leads nowhere is noted and left out.
    private mutating func composedSchemas(of schema: JSONValue) -> [JSONValue] {
        let allOf = schema["allOf"]?.elements ?? []
        guard schema["$ref"] != nil else { return allOf }
        do {
            return [try references.resolved(schema)] + allOf
        } catch {
            note(.unresolved(expected: error.expected, found: error.found), schema)
            return allOf
        }
    }

    /// Whether a member is left out of requests because it is `readOnly`, or of responses because it is `writeOnly`.
    ///
    /// The keyword counts beside a `$ref`, in the schema that the `$ref` names, and in the schemas of an `allOf`.
    ///
    /// - Parameters:
    ///   - schemas: The schemas of the member's value.
    ///   - direction: Whether the member would be sent or received.
    mutating func leavesOut(_ schemas: [JSONValue], _ direction: SchemaDirection) -> Bool {
        if schemas.contains(where: { $0[direction.excludingKeyword]?.bool == true }) { return true }
        let composed = schemas.filter { $0["$ref"] != nil || $0["allOf"] != nil }
        guard !composed.isEmpty else { return false }
        // The notes are dropped here. They are made again with the shape of the member.
        let isLeftOut = collectingNotes { reader in
            composed.contains { schema in
                let facts = reader.facts(ofAll: [schema])
                return direction == .request ? facts.isReadOnly : facts.isWriteOnly
            }
        }
        return isLeftOut.result
    }

    // MARK: Keywords

    /// Returns the keywords that are written in a schema, without the schemas in its `allOf`.
    private mutating func keywords(of schema: JSONValue) -> SchemaFacts {
        var facts = SchemaFacts()
        var hasBounds = false
        var patternSchemas: [JSONValue] = []
        var contentEncoding: String?
        var contentType: MediaTypeName?
        for (key, value) in schema.members ?? [] {
            switch SchemaKeyword(key, dialect) {
            case .type: facts.types = types(value)
            case .format: facts.format = value.string
            case .contentEncoding: contentEncoding = value.string
            case .contentMediaType: contentType = value.string.map { MediaTypeName($0) }
            case .enumeration: facts.values = value.elements
            case .constant: facts.values = [value]
            case .properties:
                for (name, property) in value.members ?? [] { facts.addProperty(name, [property]) }
            case .required: facts.required = Set(value.elements?.compactMap(\.string) ?? [])
            case .additionalProperties: facts.otherMembers = Self.otherMembers(value)
            case .patternProperties:
                patternSchemas = value.members?.map(\.value) ?? []
                // Whether a key matches its pattern is not checked.
                if !patternSchemas.isEmpty { note(.ignoredKeyword(key), schema) }
            case .items: facts.items = value
            case .alternatives:
                // A schema with both `oneOf` and `anyOf` has the alternatives of the first one.
                if facts.alternatives != nil { note(.ignoredKeyword(key), schema) }
                facts.alternatives = facts.alternatives ?? value.elements
            case .discriminator: facts.discriminator = value
            case .nullable: if value.bool == true { facts.isNullable = true }
            case .bound: hasBounds = true
            case .ignored: note(.ignoredKeyword(key), schema)
            case .allOf, .reference: break
            case nil:
                // These say nothing about values, so `SchemaKeyword` does not have them.
                if key == "readOnly" { facts.isReadOnly = value.bool == true }
                if key == "writeOnly" { facts.isWriteOnly = value.bool == true }
            }
        }
        // The bounds depend on each other, so they are read together.
        if hasBounds { facts.bounds = SchemaBounds(schema) }
        if !facts.bounds.areSatisfiable { note(.invalidBounds, schema) }
        if !patternSchemas.isEmpty { facts.otherMembers = Self.otherMembers(facts, patternSchemas) }
        // A type of Swagger 2.0.
        if schema["type"]?.string == "file" { facts.isFile = true }
        Self.setContent(contentEncoding, contentType, of: &facts)
        Self.replaceNullType(of: &facts)
        return facts
    }

    /// Returns the names of types.
    ///
    /// Unknown types are noted and left out. The type `file` of Swagger 2.0 is a string.
    ///
    /// - Parameter value: The value of `type`: a name, or a list of names.
    /// - Returns: The names; nil if none is known, so that any JSON is allowed.
    private mutating func types(_ value: JSONValue) -> [String]? {
        var types: [String] = []
        for element in value.elements ?? [value] {
            switch element.string {
            case let name? where Self.knownTypes.contains(name):
                if !types.contains(name) { types.append(name) }
            case "file": types.append("string")
            default: note(.unknownType, element)
            }
        }
        return types.isEmpty ? nil : types
    }

    /// The types of JSON Schema (JSON Schema Validation 2020-12, section 6.1.1).
    private static let knownTypes: Set = ["boolean", "integer", "number", "string", "array", "object", "null"]

    /// Returns the rule for other members that `additionalProperties` expresses.
    ///
    /// An empty schema allows any value, as `true` does. A value that is no schema is ignored, and allows any value
    /// too.
    private static func otherMembers(_ additionalProperties: JSONValue) -> SchemaFacts.OtherMembers {
        switch additionalProperties.kind {
        case .object:
            let isEmpty = additionalProperties.document.count(of: additionalProperties.slot) == 0
            return isEmpty ? .allowed : .schemas([additionalProperties])
        case .boolean: return additionalProperties.bool == false ? .forbidden : .allowed
        case .null, .number, .string, .array: return .allowed
        }
    }

    /// Returns the rule for other members of a schema that has `patternProperties` too.
    ///
    /// The schemas of the patterns count for all members that `properties` does not name, because patterns are not
    /// compared with keys. If `properties` names members and `additionalProperties` is left out, a key may match none
    /// of the patterns. Then any value is allowed.
    private static func otherMembers(
        _ facts: SchemaFacts, _ patternSchemas: [JSONValue]
    ) -> SchemaFacts.OtherMembers {
        switch facts.otherMembers {
        case .unspecified: facts.properties.isEmpty ? .schemas(patternSchemas) : .allowed
        case .forbidden: .schemas(patternSchemas)
        case .schemas(let others): .schemas(patternSchemas + others)
        case .allowed: .allowed
        }
    }

    /// Sets the format of strings that hold encoded bytes, and marks strings that are the bytes of a file.
    ///
    /// - Parameters:
    ///   - encoding: The value of `contentEncoding`, such as `base64`.
    ///   - mediaType: The value of `contentMediaType`. Without an encoding, a media type that is neither JSON nor text
    ///     is a file.
    ///   - facts: The keywords of the schema.
    private static func setContent(_ encoding: String?, _ mediaType: MediaTypeName?, of facts: inout SchemaFacts) {
        if encoding == "base64" { facts.format = "byte" }
        if facts.format == "binary" { facts.isFile = true }
        if let mediaType, encoding == nil, !mediaType.isJSON, !mediaType.isText { facts.isFile = true }
    }

    /// Makes a schema nullable if null is one of its types: `["string", "null"]` becomes a nullable `string`.
    ///
    /// The type null is kept only if there is no other type.
    private static func replaceNullType(of facts: inout SchemaFacts) {
        guard let types = facts.types, types.contains("null") else { return }
        facts.isNullable = true
        if types.count > 1 { facts.types = types.filter { $0 != "null" } }
    }
}
