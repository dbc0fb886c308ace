import JSONText

/// Reads the keywords of schemas. Each schema that a `$ref` names is read once.
struct SchemaFactsReader {
    /// An `allOf` in more of them than this is not read. Documents that people write have a few levels.
    private static let maxDepth = 48
    /// The most members that are brought together from the schemas of `allOf` in a small document. It bounds time and
    /// memory: each of 10,000 schemas may name the same one with 10,000 members in its `allOf`.
    private static let maxMergedMembers = 100_000

    let references: ReferenceResolver
    let dialect: SchemaDialect
    /// The notes about the schemas that are being read.
    private(set) var notes = SchemaNotes()

    /// What a named schema says, with the notes about it.
    private struct KnownFacts {
        let facts: SchemaFacts
        let notes: [SchemaNote]
    }

    private var known: [DocumentPlace: KnownFacts] = [:]
    /// The schemas whose `allOf` is being read.
    private var open: Set<DocumentPlace> = []
    /// The number of members that may still be brought together.
    private var remainingMergedMembers: Int

    init(_ references: ReferenceResolver, _ dialect: SchemaDialect) {
        self.references = references
        self.dialect = dialect
        remainingMergedMembers = Self.maxMergedMembers + references.root.document.bytes.count / 32
    }

    // MARK: Notes

    /// Notes a part that is not understood.
    mutating func note(_ reason: SchemaNote.Reason, _ place: JSONValue) { notes.insert(SchemaNote(reason, place)) }

    /// Adds notes that were made before.
    mutating func add(_ notes: [SchemaNote]) { self.notes.insert(notes) }

    /// Begins a list of notes of its own.
    ///
    /// - Returns: The list so far, for ``endNotes(_:)``.
    mutating func beginNotes() -> SchemaNotes {
        let outer = notes
        notes = SchemaNotes()
        return outer
    }

    /// Ends a list of notes, and goes on with the one before.
    ///
    /// - Parameter outer: The result of ``beginNotes()``.
    /// - Returns: The notes since then. They are not added to `outer`.
    mutating func endNotes(_ outer: SchemaNotes) -> [SchemaNote] {
        let inner = notes.list
        notes = outer
        return inner
    }

    // MARK: Schemas

    /// Returns the schema that a reference leads to, or the schema itself if it is none, or has keywords of its own.
    ///
    /// - Returns: The schema; nil if the reference leads nowhere, which is noted.
    mutating func target(of schema: JSONValue) -> JSONValue? {
        guard schema.kind == .object, schema["$ref"] != nil, !hasSiblings(schema) else { return schema }
        do {
            return try references.resolved(schema)
        } catch {
            note(.unresolved(expected: error.expected, found: error.found), schema)
            return nil
        }
    }

    /// Whether keywords beside a `$ref` narrow the values.
    private func hasSiblings(_ schema: JSONValue) -> Bool {
        guard dialect.hasReferenceSiblings, schema.document.count(of: schema.slot) > 1 else { return false }
        let members = schema.members ?? []
        return members.contains { $0.key != "$ref" && SchemaKeyword($0.key, dialect) != nil }
    }

    /// Returns what all of `schemas` allow.
    mutating func facts(ofAll schemas: [JSONValue], _ depth: Int = 0) -> SchemaFacts {
        guard let first = schemas.first else { return SchemaFacts() }
        var result = facts(of: first, depth)
        for schema in schemas.dropFirst() { merge(facts(of: schema, depth), into: &result, schema) }
        return result
    }

    /// Returns what a schema allows. Anything is allowed by what is no schema, which is noted.
    private mutating func facts(of schema: JSONValue, _ depth: Int) -> SchemaFacts {
        guard let target = target(of: schema) else { return SchemaFacts() }
        guard target.kind == .object else {
            if target.kind != .boolean { note(.noSchema, target) }
            if target.bool == false { note(.nothingAllowed, target) }
            return SchemaFacts()
        }
        let place = DocumentPlace(target)
        if let known = known[place] {
            add(known.notes)
            return known.facts
        }
        guard depth < Self.maxDepth else {
            note(.tooDeep, target)
            return SchemaFacts()
        }
        guard open.insert(place).inserted else {
            note(.holdsItself, target)
            return SchemaFacts()
        }
        defer { open.remove(place) }
        let isNamed = place != DocumentPlace(schema)
        return isNamed ? namedFacts(of: target, depth) : ownFacts(of: target, depth)
    }

    /// Returns what a schema says that a `$ref` names, and keeps it for the next one.
    private mutating func namedFacts(of schema: JSONValue, _ depth: Int) -> SchemaFacts {
        let outer = beginNotes()
        let facts = ownFacts(of: schema, depth)
        let notes = endNotes(outer)
        add(notes)
        known[DocumentPlace(schema)] = KnownFacts(facts: facts, notes: notes)
        return facts
    }

    /// Returns what the keywords of a schema say, together with the schemas of its `allOf`.
    private mutating func ownFacts(of schema: JSONValue, _ depth: Int) -> SchemaFacts {
        var facts = keywords(of: schema)
        for part in parts(of: schema) { merge(self.facts(of: part, depth + 1), into: &facts, schema) }
        return facts
    }

    /// Narrows facts to those of another schema too, unless that takes too many members.
    private mutating func merge(_ other: SchemaFacts, into facts: inout SchemaFacts, _ schema: JSONValue) {
        let count = other.properties.count
        guard count <= remainingMergedMembers else { return note(.tooManyMembers, schema) }
        remainingMergedMembers -= count
        facts.formIntersection(other)
    }

    /// Returns the schemas that a value must match too: those of `allOf`, and the target of a `$ref` with siblings.
    private mutating func parts(of schema: JSONValue) -> [JSONValue] {
        var parts = schema["allOf"]?.elements ?? []
        guard schema["$ref"] != nil else { return parts }
        do {
            parts.insert(try references.resolved(schema), at: 0)
        } catch {
            note(.unresolved(expected: error.expected, found: error.found), schema)
        }
        return parts
    }

    /// Whether a member is not sent, because one of its schemas is `readOnly`, or not received, because one is
    /// `writeOnly`.
    ///
    /// The keyword counts beside a `$ref` too, in the schema that the `$ref` names, and in the schemas of an `allOf`.
    mutating func leavesOut(_ schemas: [JSONValue], _ direction: SchemaDirection) -> Bool {
        if schemas.contains(where: { $0[direction.excludingKeyword]?.bool == true }) { return true }
        let composed = schemas.filter { $0["$ref"] != nil || $0["allOf"] != nil }
        guard !composed.isEmpty else { return false }
        // The notes are made when the shape of the member is.
        let outer = beginNotes()
        defer { _ = endNotes(outer) }
        return composed.contains { schema in
            let facts = facts(ofAll: [schema])
            return direction == .request ? facts.isReadOnly : facts.isWriteOnly
        }
    }

    // MARK: Keywords

    /// Returns what the keywords of a schema itself say.
    private mutating func keywords(of schema: JSONValue) -> SchemaFacts {
        var facts = SchemaFacts()
        var hasBounds = false
        var patterns: [JSONValue] = []
        var contentEncoding: String?
        var contentType: MediaTypeName?
        for (key, value) in schema.members ?? [] {
            switch SchemaKeyword(key, dialect) {
            case .type: facts.types = types(value, &facts)
            case .format: facts.format = value.string
            case .contentEncoding: contentEncoding = value.string
            case .contentMediaType: contentType = value.string.map(MediaTypeName.init)
            case .enumeration: facts.values = value.elements
            case .constant: facts.values = [value]
            case .properties:
                for (name, property) in value.members ?? [] { facts.addProperty(name, [property]) }
            case .required: facts.required = Set(value.elements?.compactMap(\.string) ?? [])
            case .additionalProperties: facts.otherMembers = otherMembers(value)
            case .patternProperties:
                patterns = value.members?.map(\.value) ?? []
                if !patterns.isEmpty { note(.ignoredKeyword(key), schema) }
            case .items: facts.items = value
            case .alternatives:
                if facts.alternatives != nil { note(.ignoredKeyword(key), schema) }
                facts.alternatives = facts.alternatives ?? value.elements
            case .discriminator: facts.discriminator = value
            case .nullable: facts.isNullable = facts.isNullable || value.kind == .boolean && value.bool == true
            case .bound: hasBounds = true
            case .ignored: note(.ignoredKeyword(key), schema)
            case .allOf, .reference: break
            case nil:
                if key == "readOnly" { facts.isReadOnly = value.bool == true }
                if key == "writeOnly" { facts.isWriteOnly = value.bool == true }
            }
        }
        if contentEncoding == "base64" { facts.format = "byte" }
        if facts.format == "binary" { facts.isFile = true }
        if let contentType, contentEncoding == nil, !contentType.isJSON, !contentType.isText { facts.isFile = true }
        if !patterns.isEmpty { addOtherMembers(patterns, to: &facts) }
        if hasBounds { facts.bounds = SchemaBounds(schema) }
        if !facts.bounds.areSatisfiable { note(.invalidBounds, schema) }
        if facts.types?.contains("null") == true {
            facts.isNullable = true
            if facts.types?.count ?? 0 > 1 { facts.types?.removeAll { $0 == "null" } }
        }
        return facts
    }

    /// Returns the names of types. Unknown ones are noted and left out.
    ///
    /// - Parameters:
    ///   - value: The value of `type`.
    ///   - facts: Learns whether the schema is that of a file.
    /// - Returns: The names; nil if none is known, so that any JSON is allowed.
    private mutating func types(_ value: JSONValue, _ facts: inout SchemaFacts) -> [String]? {
        var types: [String] = []
        for element in value.elements ?? [value] {
            switch element.string {
            case "boolean", "integer", "number", "string", "array", "object", "null":
                if let name = element.string, !types.contains(name) { types.append(name) }
            case "file":
                // A type of Swagger 2.0.
                facts.isFile = true
                types.append("string")
            default: note(.unknownType, element)
            }
        }
        return types.isEmpty ? nil : types
    }

    private func otherMembers(_ value: JSONValue) -> SchemaFacts.OtherMembers {
        switch value.kind {
        case .object: value.document.count(of: value.slot) > 0 ? .schemas([value]) : .allowed
        case .boolean: value.bool == false ? .forbidden : .allowed
        case .null, .number, .string, .array: .allowed
        }
    }

    /// Takes the values of `patternProperties` for those of all members that have no name of their own.
    ///
    /// If `properties` names members and nothing is said of the others, a key may match none of the patterns. Then any
    /// value is allowed.
    private func addOtherMembers(_ schemas: [JSONValue], to facts: inout SchemaFacts) {
        switch facts.otherMembers {
        case .unspecified: facts.otherMembers = facts.properties.isEmpty ? .schemas(schemas) : .allowed
        case .forbidden: facts.otherMembers = .schemas(schemas)
        case .schemas(let others): facts.otherMembers = .schemas(schemas + others)
        case .allowed: break
        }
    }
}
