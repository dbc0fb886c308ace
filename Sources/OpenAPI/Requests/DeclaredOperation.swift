import EndpointKit
import EndpointTools
import JSONText

/// Describes the requests of an operation for a comparison with other declarations.
struct DeclaredOperation {
    private let reading: OperationReading
    private let document: OpenAPIDocument

    /// Prepares to describe an operation. Its schemas are read when the requests are asked for.
    init(_ reading: OperationReading, in document: OpenAPIDocument) {
        self.reading = reading
        self.document = document
    }

    /// Returns the declaration of the requests.
    ///
    /// - Parameter serverURL: The URL of the server that requests go to; nil if there is none.
    func request(serverURL: String?) -> DeclaredRequest {
        let summary = reading.operation.summary
        return DeclaredRequest(
            method: summary.method, path: summary.path, template: reading.template.textWithoutNames,
            serverURL: serverURL, parameters: reading.parameters.flatMap { parameters($0.object) }, body: body,
            namesCookies: true)
    }

    // MARK: Parameters

    /// Returns the declaration of a parameter.
    ///
    /// An object whose members are items of the query, such as `?min=1&max=5`, is declared as several parameters,
    /// because other declarations know only the items.
    ///
    /// - Returns: The declarations; none for a variable that is not in the path.
    private func parameters(_ object: ParameterObject) -> [DeclaredParameter] {
        guard let place = place(of: object) else { return [] }
        let shape = document.shape(of: .schema(RequestShapes.schema(of: object)), .request).modelShape
        if Self.membersAreQueryItems(object), let fields = shape.fieldsOfObject {
            return members(fields, of: object, shape, DeclarationPath(.parameter(place)).appending(.value))
        }
        let listStyle = shape.isListOfScalars ? Self.listStyle(object) : nil
        return [
            DeclaredParameter(
                place, name: object.name, isRequired: object.isRequired, shape: shape, listStyle: listStyle,
                isOneText: Self.isOneText(object))
        ]
    }

    /// Whether each member of a parameter that is an object becomes an item of the query with the member's name.
    private static func membersAreQueryItems(_ object: ParameterObject) -> Bool {
        switch object.location {
        case .query, .querystring: !isOneText(object) && object.style != .deepObject
        case .path, .header, .cookie: false
        }
    }

    /// Returns the declarations of an object's members, which are items of the query.
    ///
    /// - Parameters:
    ///   - fields: The members.
    ///   - object: The parameter whose values are such objects.
    ///   - shape: The shape of the parameter, with the models that the members name.
    ///   - path: The path to the object in the declaration.
    private func members(
        _ fields: [Shape.Field], of object: ParameterObject, _ shape: ModelShape, _ path: DeclarationPath
    ) -> [DeclaredParameter] {
        fields.map { field in
            DeclaredParameter(
                .query(field.key), name: field.key, isRequired: object.isRequired && !field.isOptional,
                shape: ModelShape(root: field.shape, models: shape.models), isOneText: false,
                path: path.appending(.key(field.key)))
        }
    }

    /// Returns the place by which a parameter is compared with those of other declarations.
    ///
    /// A value of the path is known by its position, because its name is not sent. The name of a header may be in any
    /// case.
    ///
    /// - Returns: The place; nil for a variable that is not in the path.
    private func place(of object: ParameterObject) -> DeclaredParameter.Place? {
        switch object.location {
        case .path: reading.template.variables.firstIndex(of: object.name).map { .path($0) }
        case .query, .querystring: .query(object.name)
        case .header: .header(object.name.lowercased())
        case .cookie: .cookie(object.name)
        }
    }

    /// Whether a list or an object is written as one text, such as `a,b`, and not as several items.
    private static func isOneText(_ object: ParameterObject) -> Bool {
        switch object.location {
        case .query: object.content != nil || (!object.isExploded && object.style != .deepObject)
        case .querystring: false
        case .path, .header, .cookie: true
        }
    }

    /// Returns the style of a list in the query.
    ///
    /// - Returns: The style; nil if the list is elsewhere, or if it is `deepObject`, whose names have brackets.
    private static func listStyle(_ object: ParameterObject) -> DeclaredParameter.ListStyle? {
        guard object.location == .query, object.content == nil, object.style != .deepObject else { return nil }
        return object.isExploded ? .separateItems : .joined(by: ValueStyle(object).delimiter)
    }

    // MARK: Bodies

    /// The declaration of the body in each of its media types; nil if there is none.
    private var body: DeclaredBody? {
        guard let body = reading.body, !body.content.isEmpty else { return nil }
        let contents = body.content.map { content in
            DeclaredContent(DeclaredContent.MediaType(content, document), shape(of: content))
        }
        return DeclaredBody(isRequired: body.isRequired, contents: contents)
    }

    /// Returns the shape of a body. It is any JSON for a body in JSON without a schema.
    ///
    /// - Returns: The shape; nil for any other body without a schema, which is bytes.
    private func shape(of content: MediaTypeObject) -> ModelShape? {
        guard let schema = content.schema else {
            return MediaTypeName(content.contentType).isJSON ? ModelShape(root: .any, models: []) : nil
        }
        let shape = document.shape(of: schema, .request).modelShape
        if case .items = schema { return ModelShape(root: .array(shape.root), models: shape.models) }
        return shape
    }
}

extension DeclaredContent.MediaType {
    /// Returns the media type of a content.
    ///
    /// A range that includes JSON, such as `*/*`, is JSON if it has a schema, unless the schema says that the value is a
    /// string: those are the bytes of a file, as for ``RequestContent``.
    init(_ content: MediaTypeObject, _ document: OpenAPIDocument) {
        let includesJSON =
            MediaTypeName(content.contentType).includesJSON && content.schema != nil
            && !document.isString(content.schema)
        self = includesJSON ? .json : DeclaredContent.MediaType(contentType: content.contentType)
    }
}

extension ModelShape {
    /// Whether each value is a list of scalars.
    fileprivate var isListOfScalars: Bool {
        guard case .array(let element) = root.nonNull ?? root else { return false }
        switch element {
        case .scalar, .values: return true
        case .array, .dictionary, .object, .open, .model, .nullable, .variants, .alternatives, .null, .any: return false
        }
    }
}
