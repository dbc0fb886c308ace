import EndpointKit
import EndpointTools
import JSONText

/// Describes the requests of an operation for a comparison with other declarations.
struct DeclaredOperation {
    private let reading: OperationReading
    private let document: OpenAPIDocument

    init(_ reading: OperationReading, in document: OpenAPIDocument) {
        self.reading = reading
        self.document = document
    }

    /// Returns the requests.
    ///
    /// - Parameter serverURL: The URL of the server; nil if there is none.
    func request(serverURL: String?) -> DeclaredRequest {
        let summary = reading.operation.summary
        return DeclaredRequest(
            method: summary.method, path: summary.path, template: reading.template.textWithoutNames,
            serverURL: serverURL, parameters: reading.parameters.flatMap { parameters($0.object) }, body: body,
            namesCookies: true)
    }

    // MARK: Parameters

    /// Returns a parameter, or the members of an object that are items of the query.
    private func parameters(_ object: ParameterObject) -> [DeclaredParameter] {
        guard let place = place(of: object) else { return [] }
        let schemaShape = document.shape(of: .schema(RequestShapes.schema(of: object)), .request)
        let shape = schemaShape.modelShape
        let isOneText = Self.isOneText(object)
        if object.location == .query || object.location == .querystring, !isOneText, object.style != .deepObject,
            let fields = shape.fieldsOfObject
        {
            return members(fields, of: object, shape, DeclarationPath(.parameter(place)).appending(.value))
        }
        return [
            DeclaredParameter(
                place, name: object.name, isRequired: object.isRequired, shape: shape,
                listStyle: shape.isListOfScalars ? Self.listStyle(object) : nil, isOneText: isOneText)
        ]
    }

    /// Returns the members of an object as items of the query.
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

    /// Returns the place of a parameter; nil for a variable that is not in the path.
    private func place(of object: ParameterObject) -> DeclaredParameter.Place? {
        switch object.location {
        case .path: reading.template.variables.firstIndex(of: object.name).map { .path($0) }
        case .query, .querystring: .query(object.name)
        case .header: .header(object.name.lowercased())
        case .cookie: .cookie(object.name)
        }
    }

    /// Whether a list or an object is one text.
    private static func isOneText(_ object: ParameterObject) -> Bool {
        switch object.location {
        case .query: object.content != nil || !object.isExploded && object.style != .deepObject
        case .querystring: false
        case .path, .header, .cookie: true
        }
    }

    /// Returns the style of a list; nil if it is not in the query, or if brackets in the names tell the style.
    private static func listStyle(_ object: ParameterObject) -> DeclaredParameter.ListStyle? {
        guard object.location == .query, object.content == nil, object.style != .deepObject else { return nil }
        return object.isExploded ? .separateItems : .joined(by: ValueStyle(object).delimiter)
    }

    // MARK: Bodies

    /// The body in each of its media types; nil if there is none.
    private var body: DeclaredBody? {
        guard let body = reading.body, !body.content.isEmpty else { return nil }
        let contents = body.content.map { content in
            DeclaredContent(DeclaredContent.MediaType(content), shape(of: content))
        }
        return DeclaredBody(isRequired: body.isRequired, contents: contents)
    }

    /// Returns the shape of a body; nil if it is bytes.
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
    /// The media type of a content. A range that JSON is in stands for JSON, if a schema tells what is in it.
    init(_ content: MediaTypeObject) {
        let includesJSON = MediaTypeName(content.contentType).includesJSON && content.schema != nil
        self = includesJSON ? .json : DeclaredContent.MediaType(contentType: content.contentType)
    }
}

extension ModelShape {
    /// The fields of an object, or none of a dictionary; nil for any other shape.
    fileprivate var fieldsOfObject: [Shape.Field]? {
        var shape = root.nonNull ?? root
        if case .model(let name) = shape, let model = model(name) { shape = model.shape }
        switch shape {
        case .object(let fields), .open(let fields, _): return fields
        case .dictionary: return []
        case .scalar, .values, .array, .model, .nullable, .variants, .alternatives, .null, .any: return nil
        }
    }

    /// Whether each value is a list of scalars.
    fileprivate var isListOfScalars: Bool {
        guard case .array(let element) = root.nonNull ?? root else { return false }
        switch element {
        case .scalar, .values: return true
        case .array, .dictionary, .object, .open, .model, .nullable, .variants, .alternatives, .null, .any: return false
        }
    }
}
