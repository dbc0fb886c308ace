import EndpointTools
import JSONText

/// Finds where a part of an operation is described in the text of a document.
///
/// A comparison of shapes finds a difference at a path, such as the member `name` of the body. Shapes do not store the
/// places of their schemas, so the path is followed through the schemas of the document. A part without a schema of
/// its own has the place of the nearest part that contains it.
struct DeclarationPlaces {
    /// The most alternatives that are searched for a member. It bounds the time for a hostile document.
    private static let maxAlternatives = 256

    private let operation: OperationObject
    private let responses: OperationResponses
    private let document: OpenAPIDocument
    /// The names of the variables in the order of the path.
    private let variables: [String]
    private lazy var parameters = operation.readParameters.parts
    /// The media types of the body; empty if the operation has no body that can be read.
    private lazy var contents = (try? operation.requestBody())?.content ?? []
    /// The schemas of each path that was followed.
    private var storedSchemas: [DeclarationPath: [JSONValue]] = [:]
    /// The keywords at each path that was followed, and the keywords of their alternatives.
    private var storedKeywords: [DeclarationPath: [SchemaKeywords]] = [:]

    /// Creates the places of an operation. Parameters and bodies are read when they are needed.
    init(of operation: OperationObject, responses: OperationResponses, in document: OpenAPIDocument) {
        self.operation = operation
        self.responses = responses
        self.document = document
        variables = PathTemplate(operation.summary.path).variables
    }

    /// Returns the offset of a part in the JSON text of the document.
    ///
    /// - Parameter path: The path to the part, such as the member `name` of the body.
    /// - Returns: The offset; nil if the part is in another file.
    mutating func offset(of path: DeclarationPath) -> Int? {
        let value = nearestDescription(of: path)
        guard value.document === document.references.root.document else { return nil }
        return value.written.startIndex
    }

    /// Returns the value in the document that describes the part at a path, or else the nearest part that contains it.
    private mutating func nearestDescription(of path: DeclarationPath) -> JSONValue {
        var path = path
        while true {
            if let value = description(of: path) { return value }
            guard let parent = path.parent else { return operation.value }
            path = parent
        }
    }

    /// Returns the value in the document that describes the part at a path.
    ///
    ///     a parameter                      →  the Parameter Object
    ///     the body                         →  the Request Body Object
    ///     the member `name` of the body    →  the schema of the member
    ///
    /// - Parameter path: A root, such as a parameter, followed by steps into the schema of the root.
    /// - Returns: The value; nil if the document does not describe the part.
    private mutating func description(of path: DeclarationPath) -> JSONValue? {
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

    /// Returns the schemas of the value at a path, all of which it has to match; empty if there are none.
    private mutating func schemas(of path: DeclarationPath) -> [JSONValue] {
        if let stored = storedSchemas[path] { return stored }
        // The schemas of the parents are found first, from the outside to the inside. A loop does this, because a path
        // may be too long for a recursion.
        var newPaths = [path]
        while let parent = newPaths.last?.parent, storedSchemas[parent] == nil { newPaths.append(parent) }
        for newPath in newPaths.reversed() { storedSchemas[newPath] = findSchemas(of: newPath) }
        return storedSchemas[path] ?? []
    }

    /// Finds the schemas of the value at a path, such as `body.owner.name`, in the schemas of its parent `body.owner`.
    ///
    /// The schemas are those of the property `name`. If the parent's own schemas have no such property, the first of
    /// their alternatives that has one counts.
    ///
    /// - Parameter path: A path whose parent already has an entry in ``storedSchemas``.
    /// - Returns: The schemas; empty if there are none.
    private mutating func findSchemas(of path: DeclarationPath) -> [JSONValue] {
        guard let parent = path.parent, let lastStep = path.steps.last else { return rootSchemas(of: path.root) }
        // This step leads from a parameter to its value.
        if lastStep == .value { return valueSchemas(of: path.root) }
        // Swagger 2.0 declares each field of a form as a parameter, which has a schema of its own.
        if let field = formField(at: path) { return [field.schema] }
        for keywords in readKeywords(of: parent) {
            let schemas = keywords.schemas(at: lastStep)
            if !schemas.isEmpty { return schemas }
        }
        return []
    }

    /// Returns the schema of a body in one media type, or of a successful response.
    ///
    /// The result is empty for all other roots. The schema of a parameter belongs to the step to its value.
    private mutating func rootSchemas(of root: DeclarationPath.Root) -> [JSONValue] {
        switch root {
        case .operation, .parameter, .body: []
        case .content(let mediaType): content(of: mediaType)?.schemas ?? []
        case .response: responses.successContent?.schemas ?? []
        }
    }

    /// Returns the content of the body in a media type.
    private mutating func content(of mediaType: DeclaredContent.MediaType) -> MediaTypeObject? {
        contents.first { DeclaredContent.MediaType($0, in: document) == mediaType }
    }

    /// Returns the field of a form in Swagger 2.0 that a path leads to; nil if the path leads elsewhere.
    private mutating func formField(at path: DeclarationPath) -> FormField? {
        guard case .content(let mediaType) = path.root, path.steps.count == 1, case .key(let name) = path.steps[0]
        else { return nil }
        guard case .form(let fields) = content(of: mediaType)?.schema else { return nil }
        return fields.first { $0.name == name }
    }

    /// Returns the schema of a parameter's value; empty if it has none, or if the root is not a parameter.
    private mutating func valueSchemas(of root: DeclarationPath.Root) -> [JSONValue] {
        guard case .parameter(let place) = root, let parameter = parameter(at: place)?.parameter else { return [] }
        return parameter.schema.map { [$0] } ?? parameter.content?.schemas ?? []
    }

    /// Returns the keywords of the schemas at a path, then of their alternatives, then of the alternatives of these.
    ///
    /// A member may be declared in an alternative of `oneOf` alone. The result is stored for the next call.
    private mutating func readKeywords(of path: DeclarationPath) -> [SchemaKeywords] {
        if let stored = storedKeywords[path] { return stored }
        var allKeywords: [SchemaKeywords] = []
        // This is a breadth-first search. Schemas that have been read stay in the queue.
        var queue = [schemas(of: path)]
        var nextIndex = 0
        while nextIndex < queue.count, nextIndex < Self.maxAlternatives {
            let keywords = document.schemas.keywords(ofAll: queue[nextIndex])
            for alternative in keywords.alternatives ?? [] { queue.append([alternative]) }
            allKeywords.append(keywords)
            nextIndex += 1
        }
        storedKeywords[path] = allKeywords
        return allKeywords
    }

    // MARK: Parameters

    /// Returns the parameter that is sent at a place of requests; nil if the document does not declare it.
    private mutating func parameter(at place: DeclaredParameter.Place) -> OperationObject.ReadParameter? {
        parameters.first { isSent($0.parameter, at: place) }
    }

    /// Whether a parameter is sent at a place of requests.
    ///
    /// The place of a path parameter is the position of its variable in the path. The place of a header has the name of
    /// the header in lower case.
    private func isSent(_ parameter: ParameterObject, at place: DeclaredParameter.Place) -> Bool {
        switch (place, parameter.location) {
        case (.path(let index), .path): variables.indices.contains(index) && variables[index] == parameter.name
        case (.query(let name), .query), (.query(let name), .querystring): name == parameter.name
        case (.header(let name), .header): name == parameter.name.lowercased()
        case (.cookie(let name), .cookie): name == parameter.name
        default: false
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

extension SchemaKeywords {
    /// Returns the schemas that a step of a path leads to from a value with these keywords.
    ///
    ///     .elements         →  the schema in `items`
    ///     .key("name")      →  the schemas of the member `name`
    ///     .members          →  the schemas in `additionalProperties`
    ///
    /// The result is empty if there are none. The step `.value` leads to a parameter's value, and not into a schema.
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
