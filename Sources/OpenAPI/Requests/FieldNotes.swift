import JSONText

/// The description of a field of a request's body. The help of a command shows it beside the field's flag.
struct FieldNote {
    /// The keys that lead to the field: `["owner", "name"]` for the name in the member `owner`.
    ///
    /// A list has no key of its own. The prices in a list of lines have the path `["lines", "price"]`.
    let path: [String]
    /// The first paragraph of the field's description.
    let text: String
}

extension OpenAPIDocument {
    /// Returns the descriptions of the fields of a request's body, and of the fields inside of them.
    ///
    /// The fields of the body itself come first, then the fields inside of these, and so on. A field without a
    /// description has no note. At most 1,000 fields on eight levels are visited, and a recursive schema is visited
    /// once.
    func fieldNotes(of body: BodySchema) -> [FieldNote] {
        var walk = FieldWalk(self)
        switch body {
        case .schema(let schema), .items(let schema): walk.enqueue([schema], path: [], parents: [])
        case .form(let fields):
            for field in fields { walk.visitField(schemas: [field.schema], path: [field.name], parents: []) }
        }
        return walk.collectNotes()
    }
}

/// A breadth-first walk through the fields of a request's body. It collects a note about each field.
///
/// The walk needs no recursion, because a hostile document could nest its fields very deeply.
private struct FieldWalk {
    /// The most fields that are visited. Further fields do not become flags of a command line, so they need no note.
    private static let maxFields = 1_000
    /// The most keys in the path of a field.
    private static let maxDepth = 8
    /// The most schemas that are read. It bounds the time for alternatives without fields.
    private static let maxSchemas = 4_000
    /// The most schemas around a field, including those of lists and alternatives.
    private static let maxParents = 64

    /// The schemas of one value. The value has to match all of them.
    private struct ValueSchemas {
        let schemas: [JSONValue]
        /// The keys that lead to the value; empty for the whole body.
        let path: [String]
        /// The places of these schemas, and of all schemas around them.
        let places: [DocumentPlace]
    }

    private let document: OpenAPIDocument
    /// The values in the order of the walk. Values that were visited stay in the queue, because its length is limited.
    private var queue: [ValueSchemas] = []
    /// The paths of the fields that were visited.
    private var visitedPaths: Set<[String]> = []
    /// The notes about the fields that were visited, in the order of the walk.
    private var collectedNotes: [FieldNote] = []

    /// Creates a walk through the schemas of a document. ``enqueue(_:path:parents:)`` tells it where to start.
    init(_ document: OpenAPIDocument) { self.document = document }

    /// Adds a value to the end of the walk.
    ///
    /// A value is left out if its schema is recursive, because the walk would never end, or if the walk has reached
    /// one of its limits.
    ///
    /// - Parameters:
    ///   - schemas: The schemas of the value.
    ///   - path: The keys that lead to the value; empty for the whole body.
    ///   - parents: The places of the schemas around the value.
    mutating func enqueue(_ schemas: [JSONValue], path: [String], parents: [DocumentPlace]) {
        guard queue.count < Self.maxSchemas, path.count < Self.maxDepth, parents.count < Self.maxParents else {
            return
        }
        let places = withTargets(schemas).map(DocumentPlace.init)
        let isRecursive = places.contains(where: parents.contains)
        if isRecursive { return }
        queue.append(ValueSchemas(schemas: schemas, path: path, places: parents + places))
    }

    /// Walks through all fields that were added, and collects the notes about them.
    ///
    /// - Returns: The notes about the fields. Notes with short paths come first.
    mutating func collectNotes() -> [FieldNote] {
        var nextIndex = 0
        while nextIndex < queue.count, visitedPaths.count < Self.maxFields {
            visitFields(of: queue[nextIndex])
            nextIndex += 1
        }
        // Lists and alternatives are levels of the walk, but not of the paths. A field inside of one may be visited
        // after fields with longer paths, so the notes are sorted by the lengths of the paths.
        return (0...Self.maxDepth).flatMap { depth in collectedNotes.filter { $0.path.count == depth } }
    }

    /// Visits the fields of a value, and adds its elements and alternatives to the end of the walk.
    ///
    /// Fields that are never sent (`readOnly`) are left out.
    private mutating func visitFields(of value: ValueSchemas) {
        let keywords = document.schemas.keywords(ofAll: value.schemas)
        for property in keywords.properties where !document.schemas.leavesOut(property.schemas, in: .request) {
            guard visitedPaths.count < Self.maxFields else { return }
            visitField(schemas: property.schemas, path: value.path + [property.name], parents: value.places)
        }
        // Elements and alternatives have the path of the value itself.
        if let items = keywords.items { enqueue([items], path: value.path, parents: value.places) }
        for alternative in keywords.alternatives ?? [] {
            guard queue.count < Self.maxSchemas else { return }
            enqueue([alternative], path: value.path, parents: value.places)
        }
    }

    /// Adds a note about a field, and adds the value of the field to the end of the walk.
    ///
    /// There is no note if the field has no description. A description beside a `$ref` is preferred to one in the
    /// schema that the `$ref` names.
    ///
    /// - Parameters:
    ///   - schemas: The schemas of the field's value.
    ///   - path: The keys that lead to the field. If the field was visited before, nothing happens.
    ///   - parents: The places of the schemas around the field.
    mutating func visitField(schemas: [JSONValue], path: [String], parents: [DocumentPlace]) {
        guard visitedPaths.count < Self.maxFields, visitedPaths.insert(path).inserted else { return }
        let descriptions = withTargets(schemas).compactMap { $0["description"]?.string?.firstParagraph }
        if let description = descriptions.first { collectedNotes.append(FieldNote(path: path, text: description)) }
        enqueue(schemas, path: path, parents: parents)
    }

    /// Returns schemas, followed by the schemas that their `$ref`s name. A `$ref` that can't be resolved is ignored.
    private func withTargets(_ schemas: [JSONValue]) -> [JSONValue] {
        let references = schemas.filter { $0["$ref"] != nil }
        // The shape of the body has a note about such a `$ref` already.
        return schemas + references.compactMap { try? document.references.resolve($0) }
    }
}
