import EndpointTools
import JSONText

/// Finds where parts of an operation are in the text of a document.
///
/// A shape does not know the schemas that it was made of. So the path to a part is followed through the schemas again,
/// once a comparison has found something there. The place of a part that has no schema of its own, such as a key that
/// only a discriminator names, is that of the nearest part around it.
struct DeclarationPlaces {
    /// The most alternatives that are searched for a key.
    private static let maxAlternatives = 256

    private let operation: OperationObject
    private let responses: OperationResponses
    private let document: OpenAPIDocument
    /// The names of the variables in the path, by which a position in the path becomes a parameter.
    private let variables: [String]
    private lazy var parameters = operation.readParameters.parts
    /// The media types of the body; empty if the body can't be read, which the notes of the operation say.
    private lazy var contents = (try? operation.requestBody())?.content ?? []
    /// The schemas of the parts that have been found.
    private var knownSchemas: [DeclarationPath: [JSONValue]] = [:]
    /// The keywords of the parts that have been found, with those of their alternatives.
    private var knownFacts: [DeclarationPath: [SchemaFacts]] = [:]

    /// Prepares to find the parts of an operation. Nothing is read before a part is asked for.
    init(of operation: OperationObject, _ responses: OperationResponses, in document: OpenAPIDocument) {
        self.operation = operation
        self.responses = responses
        self.document = document
        variables = PathTemplate(operation.summary.path).variables
    }

    /// Returns the offset of a part in the JSON text of the document.
    ///
    /// - Parameter path: The path to the part, such as the member `name` of the body.
    /// - Returns: The offset; nil if the part is in another file, because offsets count in one text.
    mutating func offset(of path: DeclarationPath) -> Int? {
        let value = place(of: path)
        guard value.document === document.references.root.document else { return nil }
        return value.written.startIndex
    }

    /// Returns the value that describes a part, or the nearest part around it that has a value.
    private mutating func place(of path: DeclarationPath) -> JSONValue {
        var path = path
        while true {
            if let place = ownPlace(of: path) { return place }
            guard let parent = path.parent else { return operation.value }
            path = parent
        }
    }

    /// Returns the value that describes a part; nil if there is none.
    ///
    /// A path with steps leads into a schema, whose first schema is the place. A path without steps is a root, such as
    /// a parameter.
    private mutating func ownPlace(of path: DeclarationPath) -> JSONValue? {
        guard path.steps.isEmpty else { return schemas(of: path).first }
        switch path.root {
        case .operation: return operation.value
        case .parameter(let place): return parameter(at: place)?.value
        case .body: return operation.requestBodyValue
        case .content: return schemas(of: path).first ?? operation.requestBodyValue
        case .response: return schemas(of: path).first
        }
    }

    // MARK: Schemas

    /// Returns the schemas that a part has to match; empty if there are none. They are kept for the parts inside of
    /// this one.
    private mutating func schemas(of path: DeclarationPath) -> [JSONValue] {
        if let known = knownSchemas[path] { return known }
        // The parts around this one, from the outside to the inside. A path may be too long for a recursion.
        var unknown = [path]
        while let parent = unknown.last?.parent, knownSchemas[parent] == nil { unknown.append(parent) }
        for part in unknown.reversed() { knownSchemas[part] = findSchemas(of: part) }
        return knownSchemas[path] ?? []
    }

    /// Returns the schemas of a part. The schemas of the part around it are known already.
    ///
    /// - Returns: The schemas that name the part, or else those of the first alternative that does; empty if none does.
    private mutating func findSchemas(of path: DeclarationPath) -> [JSONValue] {
        guard let parent = path.parent, let step = path.steps.last else { return rootSchemas(of: path.root) }
        if step == .value { return valueSchemas(of: path.root) }
        if let field = formField(at: path) { return [field.schema] }
        for facts in facts(of: parent) {
            let schemas = facts.schemas(at: step)
            if !schemas.isEmpty { return schemas }
        }
        return []
    }

    /// Returns the schema of a body or response; empty for any other root, whose schema is one step further.
    private mutating func rootSchemas(of root: DeclarationPath.Root) -> [JSONValue] {
        switch root {
        case .operation, .parameter, .body: []
        case .content(let mediaType): content(of: mediaType)?.schemas ?? []
        case .response: responses.successContent?.schemas ?? []
        }
    }

    /// Returns the content of the body in a media type.
    private mutating func content(of mediaType: DeclaredContent.MediaType) -> MediaTypeObject? {
        let document = document
        return contents.first { DeclaredContent.MediaType($0, document) == mediaType }
    }

    /// Returns the field of a form of Swagger 2.0 at a path; nil if there is no such form.
    private mutating func formField(at path: DeclarationPath) -> FormField? {
        guard case .content(let mediaType) = path.root, path.steps.count == 1, case .key(let name) = path.steps[0]
        else { return nil }
        guard case .form(let fields) = content(of: mediaType)?.schema else { return nil }
        return fields.first { $0.name == name }
    }

    /// Returns the schema of a parameter's value.
    private mutating func valueSchemas(of root: DeclarationPath.Root) -> [JSONValue] {
        guard case .parameter(let place) = root, let parameter = parameter(at: place)?.parameter else { return [] }
        return parameter.schema.map { [$0] } ?? parameter.content?.schemas ?? []
    }

    /// Returns the keywords of a part, followed by those of its alternatives, and of their alternatives.
    ///
    /// A key may be named only in an alternative of `oneOf`, so all of them are searched, up to ``maxAlternatives``.
    private mutating func facts(of path: DeclarationPath) -> [SchemaFacts] {
        if let known = knownFacts[path] { return known }
        var all: [SchemaFacts] = []
        var unread = [schemas(of: path)]
        var next = 0
        while next < unread.count, next < Self.maxAlternatives {
            let facts = document.schemas.facts(ofAll: unread[next])
            unread += (facts.alternatives ?? []).map { [$0] }
            all.append(facts)
            next += 1
        }
        knownFacts[path] = all
        return all
    }

    // MARK: Parameters

    /// Returns a parameter by its place in requests. The position of a value in the path stands for the variable there.
    ///
    /// - Returns: The parameter; nil for a variable of the path that the document does not describe.
    private mutating func parameter(at place: DeclaredParameter.Place) -> OperationObject.ReadParameter? {
        parameters.first { read in
            let parameter = read.parameter
            return switch (place, parameter.location) {
            case (.path(let index), .path): variables.indices.contains(index) && variables[index] == parameter.name
            case (.query(let name), .query), (.query(let name), .querystring): name == parameter.name
            case (.header(let name), .header): name == parameter.name.lowercased()
            case (.cookie(let name), .cookie): name == parameter.name
            default: false
            }
        }
    }
}

extension MediaTypeObject {
    /// The schema of the body, or of each of its items; empty if there is none, and for a form of Swagger 2.0.
    fileprivate var schemas: [JSONValue] {
        switch schema {
        case .schema(let schema), .items(let schema): [schema]
        case .form, nil: []
        }
    }
}

extension SchemaFacts {
    /// Returns the schemas of a part that is one step inside of these keywords.
    ///
    /// The step is to the elements of an array, to the member with a key, or to the members that `properties` does not
    /// name.
    ///
    /// - Returns: The schemas; empty if there are none. The step to a parameter's value is not one of keywords, so it
    ///   has none.
    fileprivate func schemas(at step: DeclarationPath.Step) -> [JSONValue] {
        switch step {
        case .value: return []
        case .elements: return items.map { [$0] } ?? []
        case .key(let key): return schemas(of: key)
        case .members:
            if case .schemas(let schemas) = otherMembers { return schemas }
            return []
        }
    }
}
