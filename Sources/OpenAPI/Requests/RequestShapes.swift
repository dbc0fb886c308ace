import EndpointKit
import EndpointTools
import JSONText

/// The shape of the values of a call: an object with a field for each parameter and for the body.
///
/// The schemas of all parameters and of the body are read together. Each schema is read once, whatever the number of
/// parameters that refer to it. Different models with the same name get different names.
struct RequestShapes {
    /// The object, with all models that its fields refer to.
    let shape: ModelShape
    /// The notes about parts of the schemas that the shape leaves out.
    let notes: [SchemaNote]
    /// The field of the body. It is nil if there is no body, if the body is bytes, or if the body is an optional
    /// object without members.
    let bodyField: Shape.Field?

    /// Reads the schemas of an operation's parameters and of its body.
    ///
    /// - Parameters:
    ///   - parts: The parts of the operation.
    ///   - content: The body in the media type that is sent; nil if requests have no body.
    ///   - document: The document of the schemas.
    init(_ parts: OperationParts, content: RequestContent?, document: OpenAPIDocument) {
        // A body of bytes is not among the values of a call.
        let body = content?.format == .bytes ? nil : content
        // All schemas are read as the fields of one form, so that equal names of models are told apart. A form is the
        // only kind of body with several schemas.
        let parameterFields = parts.parameters.map { Self.formField(of: $0) }
        let form = BodySchema.form(parameterFields + Self.formFields(of: body))
        let formShape = document.shape(of: form, direction: .request)
        notes = formShape.notes
        // The fields of the shape are in the order of the form: the parameters, then the body.
        var callFields = Array(formShape.root.fields.prefix(parameterFields.count))
        if let body {
            let fieldsOfBody = Array(formShape.root.fields.dropFirst(parameterFields.count))
            let bodyShape = ModelShape(root: Self.bodyShape(body, fields: fieldsOfBody), models: formShape.models)
            bodyField = Self.makeBodyField(
                bodyShape, isRequired: parts.body?.isRequired ?? false,
                parameterIdentifiers: parts.parameters.map(\.identifier))
        } else {
            bodyField = nil
        }
        if let bodyField { callFields.append(bodyField) }
        shape = ModelShape(root: .object(callFields), models: formShape.models)
    }

    // MARK: Parameters

    /// Returns a parameter as the field of a form, whose name is the parameter's identifier.
    private static func formField(of parameter: IdentifiedParameter) -> FormField {
        FormField(
            name: parameter.identifier, summary: nil, isRequired: parameter.object.isRequired, isFile: false,
            schema: schema(of: parameter.object))
    }

    /// The schema of strings, for a parameter without a schema.
    private static let textSchema: JSONValue = ["type": "string"]
    /// The schema of any JSON, for a parameter in JSON without a schema.
    private static let anySchema: JSONValue = [:]

    /// Returns the schema of a parameter's value. It is in the parameter itself, or in the media type of its
    /// `content`.
    static func schema(of parameter: ParameterObject) -> JSONValue {
        guard let content = parameter.content else { return parameter.schema ?? textSchema }
        switch content.schema {
        case .schema(let schema): return schema
        case .items, .form, nil: return MediaTypeName(content.contentType).isJSON ? anySchema : textSchema
        }
    }

    // MARK: Body

    /// Returns the schemas of a body as fields of a form, because the initializer reads all schemas as one form.
    ///
    /// - Returns: The fields of a form in Swagger 2.0, or one field without a name for any other body. Empty for a
    ///   text, and for a body without a schema.
    private static func formFields(of body: RequestContent?) -> [FormField] {
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
    ///   - fields: The fields that ``formFields(of:)`` returned, with their shapes.
    private static func bodyShape(_ body: RequestContent, fields: [Shape.Field]) -> Shape {
        if body.format == .text { return .scalar(.string) }
        switch body.mediaType.schema {
        // The schema of a body that is not a form, or of one of its items, is the only field.
        case .form: return .object(fields)
        case .schema: return fields.first?.shape ?? .any
        case .items: return .array(fields.first?.shape ?? .any)
        case nil: return body.format == .json ? .any : .dictionary(.any)
        }
    }

    /// Returns the field of a body among the values of a call.
    ///
    /// An object with members is unlabelled: its members become flags such as `--name`. If another parameter has one of
    /// these flags, the body is labelled, and its members become flags such as `--body.name`. Any other body is
    /// labelled too, and has the flag `--body`.
    ///
    /// - Parameters:
    ///   - body: The shape of the body.
    ///   - isRequired: Whether each request has a body.
    ///   - parameterIdentifiers: The identifiers of the other parameters.
    /// - Returns: The field; nil for an optional object without members, which needs no flag.
    private static func makeBodyField(
        _ body: ModelShape, isRequired: Bool, parameterIdentifiers: [String]
    ) -> Shape.Field? {
        let isEmptyObject = body.root == .object([])
        if isEmptyObject, !isRequired { return nil }
        let parameterFlags = Set(parameterIdentifiers.map(KebabCase.text))
        let bodyFlags = body.fieldsOfObject?.map { KebabCase.text($0.key) } ?? []
        let isLabelled = bodyFlags.isEmpty || !parameterFlags.isDisjoint(with: bodyFlags)
        if isLabelled {
            return Shape.Field(key: CallParameter.labelledBody, shape: body.root, isOptional: !isRequired)
        }
        // The fields' flags have no way to say that the body as a whole is null.
        let shape = body.root.nonNull ?? body.root
        var typeName: String?
        if case .model(let name) = shape { typeName = name }
        return Shape.Field(
            key: CallParameter.unlabelledBody, shape: shape, isOptional: !isRequired, typeName: typeName)
    }
}

extension ModelShape {
    /// The fields of an object, also if it is nullable or a model; empty for a dictionary.
    ///
    /// The value is nil if the shape allows anything but objects and null.
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
