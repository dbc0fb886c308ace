import EndpointTools
import JSONText

/// Finds where a part of an operation is described in the text of a document.
///
/// A comparison of shapes finds a difference at a path, such as the member `name` of the body. Shapes do not store the
/// places of their schemas, so the path is followed through the schemas of the document. A part without a schema of
/// its own has the place of the nearest part around it.
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
    private var knownSchemas: [DeclarationPath: [JSONValue]] = [:]
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
        let value = nearestPlace(of: path)
        guard value.document === document.references.root.document else { return nil }
        return value.written.startIndex
    }

    /// Returns the value in the document that describes a part, or the nearest part around it.
    private mutating func nearestPlace(of path: DeclarationPath) -> JSONValue {
        var path = path
        while true {
            if let place = ownPlace(of: path) { return place }
            guard let parent = path.parent else { return operation.value }
            path = parent
        }
    }

    /// Returns the value in the document that describes a part itself; nil if there is none.
    ///
    /// - Parameter path: A root, such as a parameter, or a path with steps into the schema of a root.
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

    /// Returns the schemas of a part's value, all of which it has to match; empty if there are none.
    private mutating func schemas(of path: DeclarationPath) -> [JSONValue] {
        if let known = knownSchemas[path] { return known }
        // The schemas of the parts around this one are found first, from the outside to the inside. A loop does this,
        // because a path may be too long for a recursion.
        var unknownPaths = [path]
        while let parent = unknownPaths.last?.parent, knownSchemas[parent] == nil { unknownPaths.append(parent) }
        for unknownPath in unknownPaths.reversed() { knownSchemas[unknownPath] = findSchemas(of: unknownPath) }
        return knownSchemas[path] ?? []
    }

    /// Finds the schemas of a part. `knownSchemas` already has the schemas of the part around it.
    ///
    /// - Returns: The schemas in the part around this one, or else in the first of its alternatives that has any;
    ///   empty if there are none.
    private mutating func findSchemas(of path: DeclarationPath) -> [JSONValue] {
        guard let parent = path.parent, let step = path.steps.last else { return rootSchemas(of: path.root) }
        if step == .value { return valueSchemas(of: path.root) }
        if let field = formField(at: path) { return [field.schema] }
        for keywords in keywords(of: parent) {
            let schemas = keywords.schemas(at: step)
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
        let document = document
        return contents.first { DeclaredContent.MediaType($0, in: document) == mediaType }
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

    /// Returns the keywords of a part's schemas, of their alternatives, and of the alternatives of these.
    ///
    /// A member may be declared in an alternative of `oneOf` alone.
    private mutating func keywords(of path: DeclarationPath) -> [SchemaKeywords] {
        if let known = storedKeywords[path] { return known }
        var allKeywords: [SchemaKeywords] = []
        // A breadth-first search: the alternatives of each entry are appended to the list.
        var schemaLists = [schemas(of: path)]
        while allKeywords.count < schemaLists.count, allKeywords.count < Self.maxAlternatives {
            let keywords = document.schemas.keywords(ofAll: schemaLists[allKeywords.count])
            schemaLists += (keywords.alternatives ?? []).map { [$0] }
            allKeywords.append(keywords)
        }
        storedKeywords[path] = allKeywords
        return allKeywords
    }

    // MARK: Parameters

    /// Returns the parameter at a place of requests.
    ///
    /// - Parameter place: The place. The position in a path selects the variable at that position.
    /// - Returns: The parameter; nil for a variable that the document does not declare.
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

extension SchemaKeywords {
    /// Returns the schemas of the part that a step leads to.
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
