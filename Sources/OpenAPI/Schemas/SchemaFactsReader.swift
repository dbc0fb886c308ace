import JSONText

/// Reads the keywords of schemas. Each schema is read once.
struct SchemaFactsReader {
    /// An `allOf` in more of them than this is not read. Documents that people write have a few levels.
    private static let maxDepth = 48
    /// Keywords that narrow a schema in a way that the shape can't express.
    private static let ignoredKeywords: Set<String> = [
        "not", "if", "then", "else", "prefixItems", "dependentSchemas", "unevaluatedProperties", "propertyNames",
        "$dynamicRef", "$recursiveRef",
    ]
    /// Keywords beside `$ref` that say nothing about values.
    private static let annotations: Set<String> = [
        "$ref", "$comment", "summary", "title", "description", "deprecated", "readOnly", "writeOnly", "default",
        "example", "examples", "externalDocs", "xml",
    ]

    let references: ReferenceResolver
    let dialect: SchemaDialect
    private var known: [DocumentPlace: SchemaFacts] = [:]
    /// The schemas whose `allOf` is being read.
    private var open: Set<DocumentPlace> = []
    private(set) var notes: [SchemaNote] = []
    private var notedPlaces: Set<DocumentPlace> = []

    /// The most notes that are kept. Further ones do not help to judge a shape, and each costs time when it is shown.
    private static let maxNotes = 100

    init(_ references: ReferenceResolver, _ dialect: SchemaDialect) {
        self.references = references
        self.dialect = dialect
    }

    /// Notes a part that is not understood, once for each schema and up to a limit.
    mutating func note(_ reason: SchemaNote.Reason, _ place: JSONValue) {
        guard notes.count < Self.maxNotes, notedPlaces.insert(DocumentPlace(place)).inserted else { return }
        notes.append(SchemaNote(reason, place))
    }

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
        guard dialect.hasReferenceSiblings else { return false }
        let members = schema.members ?? []
        return members.contains { !Self.annotations.contains($0.key) && !$0.key.hasPrefix("x-") }
    }

    /// Returns what all of `schemas` allow.
    mutating func facts(ofAll schemas: [JSONValue], _ depth: Int = 0) -> SchemaFacts {
        guard let first = schemas.first else { return SchemaFacts() }
        var result = facts(of: first, depth)
        for schema in schemas.dropFirst() { result.formIntersection(facts(of: schema, depth)) }
        return result
    }

    /// Returns what a schema allows. Anything is allowed by what is no schema, which is noted.
    private mutating func facts(of schema: JSONValue, _ depth: Int) -> SchemaFacts {
        guard let target = target(of: schema) else { return SchemaFacts() }
        guard target.kind == .object else {
            if target.bool == false { note(.nothingAllowed, target) }
            if target.bool == nil { note(.noSchema, target) }
            return SchemaFacts()
        }
        let place = DocumentPlace(target)
        if let facts = known[place] { return facts }
        guard depth < Self.maxDepth else {
            note(.tooDeep, target)
            return SchemaFacts()
        }
        guard open.insert(place).inserted else {
            note(.holdsItself, target)
            return SchemaFacts()
        }
        var facts = keywords(of: target)
        for part in parts(of: target) { facts.formIntersection(self.facts(of: part, depth + 1)) }
        open.remove(place)
        known[place] = facts
        return facts
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

    /// Returns what the keywords of a schema itself say.
    private mutating func keywords(of schema: JSONValue) -> SchemaFacts {
        var facts = SchemaFacts()
        for (key, value) in schema.members ?? [] {
            switch key {
            case "type": facts.types = types(value)
            case "format": facts.format = value.string
            case "contentEncoding" where value.string == "base64": facts.format = "byte"
            case "enum": facts.values = value.elements
            case "const": facts.values = [value]
            case "properties":
                for (name, property) in value.members ?? [] { facts.addProperty(name, [property]) }
            case "required": facts.required = Set(value.elements?.compactMap(\.string) ?? [])
            case "additionalProperties": facts.otherMembers = otherMembers(value)
            case "items": facts.items = value
            case "oneOf", "anyOf":
                if facts.alternatives != nil { note(.ignoredKeyword(key), schema) }
                facts.alternatives = facts.alternatives ?? value.elements
            case "discriminator": facts.discriminator = value
            case let key where dialect.nullableKeys.contains(key) && value.bool == true: facts.isNullable = true
            case let key where Self.ignoredKeywords.contains(key): note(.ignoredKeyword(key), schema)
            default: break
            }
        }
        readPatternProperties(schema, &facts)
        facts.bounds = SchemaBounds(schema)
        if !facts.bounds.areSatisfiable { note(.invalidBounds, schema) }
        if facts.types?.contains("null") == true {
            facts.isNullable = true
            if facts.types?.count ?? 0 > 1 { facts.types?.removeAll { $0 == "null" } }
        }
        return facts
    }

    /// Returns the names of types. Unknown ones are noted and left out.
    ///
    /// - Returns: The names; nil if none is known, so that any JSON is allowed.
    private mutating func types(_ value: JSONValue) -> [String]? {
        let known: Set = ["boolean", "integer", "number", "string", "array", "object", "null", "file"]
        var types: [String] = []
        for element in value.elements ?? [value] {
            if let name = element.string, known.contains(name) {
                // `file` is a type of Swagger 2.0.
                if !types.contains(name) { types.append(name == "file" ? "string" : name) }
            } else {
                note(.unknownType, element)
            }
        }
        return types.isEmpty ? nil : types
    }

    private func otherMembers(_ value: JSONValue) -> SchemaFacts.OtherMembers {
        switch value.bool {
        case true?: .allowed
        case false?: .forbidden
        case nil: value.kind == .object && value.document.count(of: value.slot) > 0 ? .schemas([value]) : .allowed
        }
    }

    /// Takes the values of `patternProperties` for those of all members that have no name of their own.
    private func readPatternProperties(_ schema: JSONValue, _ facts: inout SchemaFacts) {
        guard let patterns = schema["patternProperties"]?.members, !patterns.isEmpty else { return }
        var schemas = patterns.map(\.value)
        switch facts.otherMembers {
        case .unspecified, .forbidden: break
        case .allowed: return
        case .schemas(let others): schemas += others
        }
        facts.otherMembers = .schemas(schemas)
    }
}
