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
    /// The fields of the whole body come first, then those of its fields, and so on. At most 1,000 fields are looked
    /// at, on eight levels, and a schema inside of itself is left out. Fields that the document does not describe have
    /// no note.
    func fieldNotes(of body: BodySchema) -> [FieldNote] {
        var walk = FieldWalk(self)
        switch body {
        case .schema(let schema), .items(let schema): walk.add([schema], path: [], outer: [])
        case .form(let fields):
            for field in fields { walk.visit(path: [field.name], [field.schema], outer: []) }
        }
        return walk.notes()
    }
}

/// A walk through the fields of a request's body, level by level.
///
/// The walk is iterative, because a hostile document chooses how many fields there are and how deep.
private struct FieldWalk {
    /// The most fields that are visited. Further fields do not become flags of a command line, so they need no note.
    private static let maxFields = 1_000
    /// The most fields inside each other.
    private static let maxDepth = 8
    /// The most schemas that are read. Alternatives without fields count too, so that they can't take time without end.
    private static let maxSchemas = 4_000
    /// The most schemas around a field. Lists and alternatives count too.
    private static let maxOuterSchemas = 64

    /// Schemas whose fields have not been visited. A value has to match all of them.
    private struct UnreadSchemas {
        let schemas: [JSONValue]
        /// The keys that lead to the value; empty for the whole body.
        let path: [String]
        /// The places of these schemas, and of all schemas around them.
        let places: [DocumentPlace]
    }

    private let document: OpenAPIDocument
    /// The schemas that are visited, in this order. Those that have been visited stay in the list.
    private var unread: [UnreadSchemas] = []
    /// The paths of the fields that have been visited.
    private var visitedPaths: Set<[String]> = []
    /// The notes so far, in the order of the visits.
    private var result: [FieldNote] = []

    /// Starts a walk that has visited nothing yet.
    init(_ document: OpenAPIDocument) { self.document = document }

    /// Adds schemas whose fields are to be visited.
    ///
    /// Schemas are left out if one of them is also around them, because they would be visited for ever. They are also
    /// left out beyond the limits of the walk: their fields have no notes.
    ///
    /// - Parameters:
    ///   - schemas: The schemas, all of which a value has to match.
    ///   - path: The keys that lead to the value.
    ///   - outer: The places of the schemas around these.
    mutating func add(_ schemas: [JSONValue], path: [String], outer: [DocumentPlace]) {
        guard unread.count < Self.maxSchemas, path.count < Self.maxDepth, outer.count < Self.maxOuterSchemas else {
            return
        }
        let places = withTargets(schemas).map(DocumentPlace.init)
        let holdsItself = places.contains(where: outer.contains)
        if holdsItself { return }
        unread.append(UnreadSchemas(schemas: schemas, path: path, places: outer + places))
    }

    /// Visits all fields level by level, and returns the notes, those of the outer fields first.
    mutating func notes() -> [FieldNote] {
        var next = 0
        while next < unread.count, visitedPaths.count < Self.maxFields {
            visitFields(of: unread[next])
            next += 1
        }
        // The fields of lists and alternatives have been visited after some fields of a deeper level.
        return (0...Self.maxDepth).flatMap { depth in result.filter { $0.path.count == depth } }
    }

    /// Visits the fields of an object. The schemas of elements and of alternatives are added to those that are visited
    /// later.
    ///
    /// Fields that are never sent (`readOnly`) are left out. The fields of a list's elements have the path of the list.
    private mutating func visitFields(of value: UnreadSchemas) {
        let facts = document.schemas.facts(ofAll: value.schemas)
        for property in facts.properties where !document.schemas.leavesOut(property.schemas, .request) {
            guard visitedPaths.count < Self.maxFields else { return }
            visit(path: value.path + [property.name], property.schemas, outer: value.places)
        }
        if let items = facts.items { add([items], path: value.path, outer: value.places) }
        for alternative in facts.alternatives ?? [] {
            guard unread.count < Self.maxSchemas else { return }
            add([alternative], path: value.path, outer: value.places)
        }
    }

    /// Adds a note about a field if it has a description, and adds its schemas to those whose fields are to be visited.
    ///
    /// The description beside a `$ref` counts before the one in the schema that it names.
    ///
    /// - Parameters:
    ///   - path: The keys that lead to the field. A field that has been visited is left out.
    ///   - schemas: The schemas of the field's value.
    ///   - outer: The places of the schemas around the field.
    mutating func visit(path: [String], _ schemas: [JSONValue], outer: [DocumentPlace]) {
        guard visitedPaths.count < Self.maxFields, visitedPaths.insert(path).inserted else { return }
        let descriptions = withTargets(schemas).lazy.compactMap { $0["description"]?.string?.firstParagraph }
        if let description = descriptions.first { result.append(FieldNote(path: path, text: description)) }
        add(schemas, path: path, outer: outer)
    }

    /// Returns schemas, followed by the schemas that their references lead to. Broken references are left out.
    private func withTargets(_ schemas: [JSONValue]) -> [JSONValue] {
        let references = schemas.filter { $0["$ref"] != nil }
        // The shape of the body has a note about a broken reference, so it is no error here.
        return schemas + references.compactMap { try? document.references.resolved($0) }
    }
}
