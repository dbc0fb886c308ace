import EndpointKit
import EndpointTools
import JSONText

/// Describes the requests of an operation, so that they can be compared with another declaration of the same API.
struct DeclaredOperation {
    private let parts: OperationParts
    private let document: OpenAPIDocument

    /// Creates the description of an operation. ``request(serverURL:)`` reads its schemas.
    init(_ parts: OperationParts, in document: OpenAPIDocument) {
        self.parts = parts
        self.document = document
    }

    /// Returns the method, path, parameters and body of the operation's requests.
    ///
    /// - Parameter serverURL: The URL of the server; nil if the document has no server.
    func request(serverURL: String?) -> DeclaredRequest {
        let summary = parts.operation.summary
        return DeclaredRequest(
            method: summary.method, path: summary.path, template: parts.template.textWithoutNames,
            serverURL: serverURL, parameters: parts.parameters.flatMap { declarations(of: $0.object) }, body: body,
            namesCookies: true)
    }

    // MARK: Parameters

    /// Returns the declarations that a parameter of the document is compared as.
    ///
    /// Usually that is one declaration. An object whose members are items of the query, such as `?min=1&max=5`,
    /// becomes one declaration for each member, because other declarations may describe the items as separate
    /// parameters.
    ///
    /// - Returns: The declarations; empty for a path parameter that the path does not contain.
    private func declarations(of parameter: ParameterObject) -> [DeclaredParameter] {
        guard let place = place(of: parameter) else { return [] }
        let schema = RequestShapes.schema(of: parameter)
        let valueShape = document.shape(of: .schema(schema), direction: .request).modelShape
        if Self.membersAreQueryItems(parameter), let members = valueShape.fieldsOfObject {
            // Messages about a member show where it is in the document: inside the value of this parameter.
            let valuePath = DeclarationPath(.parameter(place)).appending(.value)
            return memberDeclarations(members, of: parameter, shape: valueShape, path: valuePath)
        }
        // The style of a list is compared only if its elements are scalars.
        let listStyle = valueShape.isListOfScalars ? Self.listStyle(parameter) : nil
        let declaration = DeclaredParameter(
            place, name: parameter.name, isRequired: parameter.isRequired, shape: valueShape, listStyle: listStyle,
            isOneText: Self.isWrittenAsOneText(parameter))
        return [declaration]
    }

    /// Whether the members of an object are written as items of the query with their own names: `?min=1&max=5`.
    private static func membersAreQueryItems(_ parameter: ParameterObject) -> Bool {
        switch parameter.location {
        case .query, .querystring: !isWrittenAsOneText(parameter) && parameter.style != .deepObject
        case .path, .header, .cookie: false
        }
    }

    /// Returns a declaration for each member of a parameter whose members are items of the query.
    ///
    /// - Parameters:
    ///   - members: The members.
    ///   - parameter: The parameter.
    ///   - shape: The shape of the parameter. It has the models that the members refer to.
    ///   - path: The path to the parameter's value, for messages about differences.
    private func memberDeclarations(
        _ members: [Shape.Field], of parameter: ParameterObject, shape: ModelShape, path: DeclarationPath
    ) -> [DeclaredParameter] {
        members.map { member in
            DeclaredParameter(
                .query(member.key), name: member.key, isRequired: parameter.isRequired && !member.isOptional,
                shape: ModelShape(root: member.shape, models: shape.models), isOneText: false,
                path: path.appending(.key(member.key)))
        }
    }

    /// Returns the place of a parameter in a request. Parameters at the same place are compared with each other.
    ///
    /// A path parameter is identified by its position, because its name is not sent. Names of headers are
    /// case-insensitive.
    ///
    /// - Returns: The place; nil for a path parameter that the path does not contain.
    private func place(of parameter: ParameterObject) -> DeclaredParameter.Place? {
        switch parameter.location {
        case .path: parts.template.variables.firstIndex(of: parameter.name).map { .path($0) }
        case .query, .querystring: .query(parameter.name)
        case .header: .header(parameter.name.lowercased())
        case .cookie: .cookie(parameter.name)
        }
    }

    /// Whether a list or an object is written as one text, such as `tags=a,b`, instead of `tags=a&tags=b`.
    private static func isWrittenAsOneText(_ parameter: ParameterObject) -> Bool {
        switch parameter.location {
        case .query: parameter.content != nil || (!parameter.isExploded && parameter.style != .deepObject)
        case .querystring: false
        case .path, .header, .cookie: true
        }
    }

    /// Returns the style in which a list is written in the query: `tags=a&tags=b`, or `tags=a,b` with its delimiter.
    ///
    /// - Returns: The style; nil for a parameter outside of the query, in JSON, or in the style `deepObject`.
    private static func listStyle(_ parameter: ParameterObject) -> DeclaredParameter.ListStyle? {
        guard parameter.location == .query, parameter.content == nil, parameter.style != .deepObject else { return nil }
        return parameter.isExploded ? .separateItems : .joined(by: ValueStyle(parameter).delimiter)
    }

    // MARK: Bodies

    /// The declaration of the body in each of its media types; nil if the requests have no body.
    private var body: DeclaredBody? {
        guard let body = parts.body, !body.content.isEmpty else { return nil }
        let contents = body.content.map { content in
            DeclaredContent(DeclaredContent.MediaType(content, in: document), shape(of: content))
        }
        return DeclaredBody(isRequired: body.isRequired, contents: contents)
    }

    /// Returns the shape of a body in one of its media types.
    ///
    /// - Returns: The shape. Without a schema, it is any JSON for a JSON body, and nil for any other body.
    private func shape(of content: MediaTypeObject) -> ModelShape? {
        guard let schema = content.schema else {
            return MediaTypeName(content.contentType).isJSON ? ModelShape(root: .any, models: []) : nil
        }
        let shape = document.shape(of: schema, direction: .request).modelShape
        if case .items = schema { return ModelShape(root: .array(shape.root), models: shape.models) }
        return shape
    }
}

extension DeclaredContent.MediaType {
    /// Creates the media type of a body that a document describes.
    ///
    /// A range that includes JSON, such as `*/*`, stands for JSON if the body has a schema. If the schema is a string,
    /// the body is a file. ``RequestContent`` has the same rule.
    init(_ content: MediaTypeObject, in document: OpenAPIDocument) {
        let includesJSON =
            MediaTypeName(content.contentType).includesJSON && content.schema != nil
            && !document.isString(content.schema)
        self = includesJSON ? .json : DeclaredContent.MediaType(contentType: content.contentType)
    }
}

extension ModelShape {
    /// Whether all values are lists of scalars, or null.
    fileprivate var isListOfScalars: Bool {
        guard case .array(let element) = root.nonNull ?? root else { return false }
        switch element {
        case .scalar, .values: return true
        case .array, .dictionary, .object, .open, .model, .nullable, .variants, .alternatives, .null, .any: return false
        }
    }
}
