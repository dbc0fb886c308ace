import EndpointKit
import EndpointTools
import JSONText

/// The shape of the values of a call.
///
/// All schemas are read together, so that models with the same name in different parameters have different names in the
/// shape, and so that the cost does not grow with the number of parameters that name the same schema.
struct RequestShapes {
    /// An object with a field for each parameter, and the models of all.
    let shape: ModelShape
    let notes: [SchemaNote]
    /// The field of the body; nil if it is no parameter, because there is none, it is bytes, or it never has members.
    let bodyField: Shape.Field?

    /// Reads the schemas.
    ///
    /// - Parameters:
    ///   - reading: The parts of the operation.
    ///   - content: The content of the body; nil if there is none. Bytes are no parameter.
    ///   - document: The document of the schemas.
    init(_ reading: OperationReading, _ content: RequestContent?, _ document: OpenAPIDocument) {
        let parameters = reading.parameters
        let body = content?.format == .bytes ? nil : content
        var fields = parameters.map { parameter in
            FormField(
                name: parameter.identifier, summary: nil, isRequired: parameter.object.isRequired, isFile: false,
                schema: Self.schema(of: parameter.object))
        }
        fields += Self.bodySchemas(body)
        let schemaShape = document.shape(of: .form(fields), .request)
        let models = schemaShape.models
        let parameterFields = schemaShape.root.fields.prefix(parameters.count)
        let bodyFields = Array(schemaShape.root.fields.dropFirst(parameters.count))
        let field = body.flatMap { body in
            let inner = ModelShape(root: Self.bodyShape(body, bodyFields), models: models)
            let isRequired = reading.body?.isRequired ?? false
            return Self.bodyField(inner, isRequired: isRequired, besides: parameters.map(\.identifier))
        }
        bodyField = field
        notes = schemaShape.notes
        shape = ModelShape(root: .object(parameterFields + (field.map { [$0] } ?? [])), models: models)
    }

    // MARK: Parameters

    /// The schema of a parameter that has none: its value is a text.
    private static let textSchema: JSONValue = ["type": "string"]
    /// The schema of JSON text without one.
    private static let anySchema: JSONValue = [:]

    /// Returns the schema of a parameter's value.
    static func schema(of parameter: ParameterObject) -> JSONValue {
        guard let content = parameter.content else { return parameter.schema ?? textSchema }
        switch content.schema {
        case .schema(let schema): return schema
        case .items, .form, nil: return MediaTypeName(content.contentType).isJSON ? anySchema : textSchema
        }
    }

    // MARK: Body

    /// Returns the schemas of the body: one, or those of the fields of a form in Swagger 2.0.
    private static func bodySchemas(_ body: RequestContent?) -> [FormField] {
        guard let body, body.format != .text else { return [] }
        switch body.mediaType.schema {
        case .form(let fields): return fields
        case .schema(let schema), .items(let schema):
            return [FormField(name: "", summary: nil, isRequired: true, isFile: false, schema: schema)]
        case nil: return []
        }
    }

    /// Returns the shape of the body.
    ///
    /// - Parameters:
    ///   - body: The content.
    ///   - fields: The fields that were read from ``bodySchemas(_:)``.
    private static func bodyShape(_ body: RequestContent, _ fields: [Shape.Field]) -> Shape {
        if body.format == .text { return .scalar(.string) }
        switch body.mediaType.schema {
        case .form: return .object(fields)
        case .schema: return fields.first?.shape ?? .any
        case .items: return .array(fields.first?.shape ?? .any)
        case nil: return body.format == .json ? .any : .dictionary(.any)
        }
    }

    /// Returns the field of the body.
    ///
    /// An object has no label, so that its fields are flags of their own, unless one of them would have the flag of
    /// another parameter.
    ///
    /// - Parameters:
    ///   - body: The shape of the body.
    ///   - isRequired: Whether each request has a body.
    ///   - identifiers: The identifiers of the other parameters.
    /// - Returns: The field; nil for an object that never has members, and may be left out.
    private static func bodyField(
        _ body: ModelShape, isRequired: Bool, besides identifiers: [String]
    ) -> Shape.Field? {
        if body.root == .object([]), !isRequired { return nil }
        // A body that is null would have no flag.
        let shape = body.root.nonNull ?? body.root
        let fields = fieldsOfObject(shape, body)
        let flags = Set(identifiers.map(KebabCase.text))
        guard !fields.isEmpty, !fields.contains(where: { flags.contains(KebabCase.text($0.key)) }) else {
            return Shape.Field(key: CallParameter.labelledBody, shape: body.root, isOptional: !isRequired)
        }
        var typeName: String?
        if case .model(let name) = shape { typeName = name }
        return Shape.Field(
            key: CallParameter.unlabelledBody, shape: shape, isOptional: !isRequired, typeName: typeName)
    }

    /// Returns the fields of an object, which may have other keys too, or of a model; empty for any other shape.
    private static func fieldsOfObject(_ shape: Shape, _ models: ModelShape) -> [Shape.Field] {
        var shape = shape
        if case .model(let name) = shape, let model = models.model(name) { shape = model.shape }
        switch shape {
        case .object(let fields), .open(let fields, _): return fields
        default: return []
        }
    }
}
