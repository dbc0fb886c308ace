import JSONText

/// The description of a field of a request's body, for a help text.
struct FieldNote {
    /// The keys that lead to the field: `["lines", "price"]` for the prices in a list of lines.
    let path: [String]
    /// The first paragraph of the description.
    let text: String
}

extension OpenAPIDocument {
    /// Returns the descriptions of the fields of a request's body, and of the fields inside of them.
    ///
    /// Fields come level by level, those of the whole body first. At most 1,000 fields are looked at, on eight levels,
    /// and a schema inside of itself is left out. Fields that the document does not describe have no note.
    func fieldNotes(of body: BodySchema) -> [FieldNote] {
        var walk = FieldWalk(self)
        switch body {
        case .schema(let schema), .items(let schema): walk.add([schema], [], [])
        case .form(let fields):
            for field in fields { walk.visit(field.name, [field.schema], [], []) }
        }
        return walk.notes()
    }
}

/// A walk through the fields of a request's body, level by level.
private struct FieldWalk {
    /// As many fields as become flags.
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
    private var unread: [Unread] = []
    private var paths: Set<[String]> = []
    private var result: [FieldNote] = []

    init(_ document: OpenAPIDocument) { self.document = document }

    /// Adds schemas whose fields are to be visited, unless one of them is around them too.
    mutating func add(_ schemas: [JSONValue], _ path: [String], _ outer: [DocumentPlace]) {
        guard unread.count < Self.maxSchemas, path.count < Self.maxDepth, outer.count < Self.maxOuter else { return }
        let places = withTargets(schemas).map(DocumentPlace.init)
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
        for property in facts.properties where !document.schemas.leavesOut(property.schemas, .request) {
            guard paths.count < Self.maxFields else { return }
            visit(property.name, property.schemas, schema.path, schema.outer)
        }
        if let items = facts.items { add([items], schema.path, schema.outer) }
        for alternative in facts.alternatives ?? [] {
            guard unread.count < Self.maxSchemas else { return }
            add([alternative], schema.path, schema.outer)
        }
    }

    /// Notes how the schemas of a field describe it, and adds them to those whose own fields are visited.
    ///
    /// The words beside a `$ref` go before those of the schema that it names.
    mutating func visit(_ name: String, _ schemas: [JSONValue], _ path: [String], _ outer: [DocumentPlace]) {
        let path = path + [name]
        guard paths.count < Self.maxFields, paths.insert(path).inserted else { return }
        let texts = withTargets(schemas).lazy.compactMap { $0["description"]?.string?.firstParagraph }
        if let text = texts.first { result.append(FieldNote(path: path, text: text)) }
        add(schemas, path, outer)
    }

    /// Returns schemas, and after them those that their references lead to. Broken references are left out.
    private func withTargets(_ schemas: [JSONValue]) -> [JSONValue] {
        schemas + schemas.filter { $0["$ref"] != nil }.compactMap { try? document.references.resolved($0) }
    }
}
