import JSONText

/// What a document says about a field of a body beside its shape, for a help text.
package struct FieldNote: Sendable {
    /// The keys that lead to the field: `["lines", "price"]` for the prices in a list of lines.
    package let path: [String]
    /// The first sentence of the description, else the title.
    package let summary: String?
    package let isDeprecated: Bool
    /// The value that counts if the field is left out.
    package let defaultValue: JSONValue?

    /// Whether there is anything to tell.
    fileprivate var isEmpty: Bool { summary == nil && !isDeprecated && defaultValue == nil }
}

extension OpenAPIDocument {
    /// Returns the first sentence of a schema's description, else its title; nil if it has neither.
    ///
    /// The words beside a `$ref` go before those of the schema that it names.
    package func summary(of schema: JSONValue) -> String? {
        Self.summary(of: [schema] + targets(of: [schema]))
    }

    /// Returns what a body says about its fields, and about the fields inside of them.
    ///
    /// Fields come level by level, those of the whole body first. At most 1,000 fields are looked at, on eight levels,
    /// and a schema inside of itself is left out.
    ///
    /// - Parameters:
    ///   - body: The schema of the body.
    ///   - direction: Whether the value is sent or received, which decides about `readOnly` and `writeOnly`.
    /// - Returns: The notes, each with another path. Fields that the document says nothing about have none.
    package func fieldNotes(of body: BodySchema, _ direction: SchemaDirection) -> [FieldNote] {
        var walk = FieldWalk(self, direction)
        switch body {
        case .schema(let schema), .items(let schema): walk.add([schema], [], [])
        case .form(let fields):
            for field in fields { walk.visit(field.name, [field.schema], [], []) }
        }
        return walk.notes()
    }

    /// Returns the schemas that references lead to. Broken references are left out.
    fileprivate func targets(of all: [JSONValue]) -> [JSONValue] {
        all.filter { $0["$ref"] != nil }.compactMap { try? references.resolved($0) }
    }

    /// Returns the first description of some schemas, else the first title.
    fileprivate static func summary(of all: [JSONValue]) -> String? {
        all.lazy.compactMap { $0["description"]?.string.flatMap(FirstSentence.of) }.first
            ?? all.lazy.compactMap { $0["title"]?.string.flatMap(FirstSentence.of) }.first
    }
}

/// A walk through the fields of a body, level by level.
private struct FieldWalk {
    private static let maxFields = 1_000
    private static let maxDepth = 8
    /// The most schemas that are read: alternatives without fields count too.
    private static let maxSchemas = 4_000
    /// The most schemas around a field, with the lists and alternatives between the levels.
    private static let maxOuter = 64

    /// Schemas whose fields have not been visited. A value matches all of them.
    private struct Unread {
        let schemas: [JSONValue]
        let path: [String]
        /// The schemas around these ones.
        let outer: [DocumentPlace]
    }

    private let document: OpenAPIDocument
    private let direction: SchemaDirection
    private var unread: [Unread] = []
    private var paths: Set<[String]> = []
    private var result: [FieldNote] = []

    init(_ document: OpenAPIDocument, _ direction: SchemaDirection) {
        self.document = document
        self.direction = direction
    }

    /// Adds schemas whose fields are to be visited, unless one of them is around them too.
    mutating func add(_ schemas: [JSONValue], _ path: [String], _ outer: [DocumentPlace]) {
        guard unread.count < Self.maxSchemas, path.count < Self.maxDepth, outer.count < Self.maxOuter else { return }
        let places = (schemas + document.targets(of: schemas)).map(DocumentPlace.init)
        guard !places.contains(where: outer.contains) else { return }
        unread.append(Unread(schemas: schemas, path: path, outer: outer + places))
    }

    /// Visits all fields, and returns the notes.
    mutating func notes() -> [FieldNote] {
        var next = 0
        while next < unread.count, paths.count < Self.maxFields {
            visitFields(of: unread[next])
            next += 1
        }
        return (0...Self.maxDepth).flatMap { depth in result.filter { $0.path.count == depth } }
    }

    /// Visits the fields of an object, of the elements of a list, and of all alternatives.
    private mutating func visitFields(of schema: Unread) {
        let facts = document.schemas.facts(ofAll: schema.schemas)
        for property in facts.properties where !direction.leavesOut(property.schemas) {
            guard paths.count < Self.maxFields else { return }
            visit(property.name, property.schemas, schema.path, schema.outer)
        }
        if let items = facts.items { add([items], schema.path, schema.outer) }
        for alternative in facts.alternatives ?? [] {
            guard unread.count < Self.maxSchemas else { return }
            add([alternative], schema.path, schema.outer)
        }
    }

    /// Notes what the schemas of a field say, and adds them to those whose own fields are visited.
    mutating func visit(_ name: String, _ schemas: [JSONValue], _ path: [String], _ outer: [DocumentPlace]) {
        let path = path + [name]
        guard paths.count < Self.maxFields, paths.insert(path).inserted else { return }
        let all = schemas + document.targets(of: schemas)
        let note = FieldNote(
            path: path, summary: OpenAPIDocument.summary(of: all),
            isDeprecated: all.contains { $0["deprecated"]?.bool == true },
            defaultValue: all.lazy.compactMap { $0["default"] }.first)
        if !note.isEmpty { result.append(note) }
        add(schemas, path, outer)
    }
}
