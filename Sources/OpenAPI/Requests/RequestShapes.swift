import EndpointKit
import EndpointTools
import JSONText

/// The shape of the values of a call.
///
/// All schemas are read together, so that models with the same name in different parameters have different names in the
/// shape, and so that the cost does not grow with the number of parameters that name the same schema.
struct RequestShapes {
    /// An object with a field for each parameter and for the body, and the models of all.
    let shape: ModelShape
    /// The parts of the schemas that the shape does not express.
    let notes: [SchemaNote]
    /// The field of the body. It is nil if a call gives no value for the body: if there is none, if it is bytes, or if
    /// it is an object that never has members.
    let bodyField: Shape.Field?

    /// Reads the schemas of an operation's parameters and of its body.
    ///
    /// - Parameters:
    ///   - reading: The parts of the operation.
    ///   - content: The content of the body; nil if there is none.
    ///   - document: The document of the schemas.
    init(_ reading: OperationReading, _ content: RequestContent?, _ document: OpenAPIDocument) {
        // The bytes of a body are no value of the call.
        let body = content?.format == .bytes ? nil : content
        let identifiers = reading.parameters.map(\.identifier)
        let parameterSchemas = reading.parameters.map { parameter in
            FormField(
                name: parameter.identifier, summary: nil, isRequired: parameter.object.isRequired, isFile: false,
                schema: Self.schema(of: parameter.object))
        }
        // All schemas are read together as the fields of one form, those of the body last.
        let form = BodySchema.form(parameterSchemas + Self.bodySchemas(body))
        let formShape = document.shape(of: form, .request)
        notes = formShape.notes
        // The fields come back in the order in which they were given: the parameters, then the body.
        var callFields = Array(formShape.root.fields.prefix(identifiers.count))
        let readBodyFields = Array(formShape.root.fields.dropFirst(identifiers.count))
        bodyField = body.flatMap { body in
            let bodyShape = ModelShape(root: Self.bodyShape(body, readBodyFields), models: formShape.models)
            let isRequired = reading.body?.isRequired ?? false
            return Self.bodyField(bodyShape, isRequired: isRequired, besides: identifiers)
        }
        if let bodyField { callFields.append(bodyField) }
        shape = ModelShape(root: .object(callFields), models: formShape.models)
    }

    // MARK: Parameters

    /// The schema of a parameter without a schema, whose value is a text.
    private static let textSchema: JSONValue = ["type": "string"]
    /// The schema of a parameter that is JSON text without a schema, whose value is any JSON.
    private static let anySchema: JSONValue = [:]

    /// Returns the schema of a parameter's value, which may stand in the media type of its `content`.
    static func schema(of parameter: ParameterObject) -> JSONValue {
        guard let content = parameter.content else { return parameter.schema ?? textSchema }
        switch content.schema {
        case .schema(let schema): return schema
        case .items, .form, nil: return MediaTypeName(content.contentType).isJSON ? anySchema : textSchema
        }
    }

    // MARK: Body

    /// Returns the schemas of a body as fields of a form, so that they are read together with those of the parameters.
    ///
    /// - Returns: One field without a name, or one for each field of a form in Swagger 2.0. None for a text, and for a
    ///   body without a schema.
    private static func bodySchemas(_ body: RequestContent?) -> [FormField] {
        guard let body, body.format != .text else { return [] }
        switch body.mediaType.schema {
        case .form(let fields): return fields
        case .schema(let schema), .items(let schema):
            return [FormField(name: "", summary: nil, isRequired: true, isFile: false, schema: schema)]
        case nil: return []
        }
    }

    /// Returns the shape of a body.
    ///
    /// Without a schema, a body in JSON is any JSON, and a form is an object with any members.
    ///
    /// - Parameters:
    ///   - body: The content of the body.
    ///   - fields: The shapes of the fields that ``bodySchemas(_:)`` returned.
    private static func bodyShape(_ body: RequestContent, _ fields: [Shape.Field]) -> Shape {
        if body.format == .text { return .scalar(.string) }
        switch body.mediaType.schema {
        case .form: return .object(fields)
        case .schema: return fields.first?.shape ?? .any
        case .items: return .array(fields.first?.shape ?? .any)
        case nil: return body.format == .json ? .any : .dictionary(.any)
        }
    }

    /// Returns the field of a body among the parameters of a call.
    ///
    /// The fields of an object are flags of their own, such as `--name`, so that the body has no label. If one of them
    /// would have the flag of another parameter, the body is labelled instead: `--body.name`.
    ///
    /// - Parameters:
    ///   - body: The shape of the body.
    ///   - isRequired: Whether each request has a body.
    ///   - identifiers: The identifiers of the other parameters.
    /// - Returns: The field; nil for an object that never has members and may be left out.
    private static func bodyField(
        _ body: ModelShape, isRequired: Bool, besides identifiers: [String]
    ) -> Shape.Field? {
        // There is nothing to say about such a body, so it needs no parameter.
        if body.root == .object([]), !isRequired { return nil }
        let parameterFlags = Set(identifiers.map(KebabCase.text))
        let bodyFlags = body.fieldsOfObject?.map { KebabCase.text($0.key) } ?? []
        guard !bodyFlags.isEmpty, parameterFlags.isDisjoint(with: bodyFlags) else {
            return Shape.Field(key: CallParameter.labelledBody, shape: body.root, isOptional: !isRequired)
        }
        // No flag stands for a body that is null as a whole.
        let shape = body.root.nonNull ?? body.root
        var typeName: String?
        if case .model(let name) = shape { typeName = name }
        return Shape.Field(
            key: CallParameter.unlabelledBody, shape: shape, isOptional: !isRequired, typeName: typeName)
    }
}

extension ModelShape {
    /// The fields of an object that may be null and may be a model. It has none if it is a dictionary.
    ///
    /// It is nil for a value that is no object, or not always one.
    var fieldsOfObject: [Shape.Field]? {
        var shape = root.nonNull ?? root
        if case .model(let name) = shape, let model = model(name) { shape = model.shape }
        switch shape {
        case .object(let fields), .open(let fields, _): return fields
        case .dictionary: return []
        case .scalar, .values, .array, .model, .nullable, .variants, .alternatives, .null, .any: return nil
        }
    }
}
