import EndpointKit
import EndpointTools
import JSONText

/// Copies an operation of a document into a document that is written.
///
/// The copy has the same parameters and bodies. Some styles can't be copied, because OpenAPI 3.2 does not define them,
/// such as the tabs of Swagger 2.0. A value in such a style becomes a string.
struct OperationCopy {
    /// The schema of a value whose style can't be copied.
    private static let stringSchema: JSONValue = ["type": "string"]

    private let parts: OperationParts
    private let document: OpenAPIDocument

    /// Creates the copy of an operation.
    init(_ operation: OperationObject, of document: OpenAPIDocument) {
        parts = OperationParts(operation)
        self.document = document
    }

    // MARK: Parameters

    /// Copies the operation's parameters, and adds their schemas to the written document.
    ///
    /// - Parameter schemas: Copies of their schemas are added to it.
    func copyParameters(addingSchemasTo schemas: inout CopiedSchemas) -> [WrittenParameter] {
        var parameters: [WrittenParameter] = []
        for parameter in parts.parameters {
            parameters.append(copyParameter(parameter.object, addingSchemasTo: &schemas))
        }
        return parameters
    }

    /// Copies a parameter, and adds its schemas to the written document.
    ///
    /// A parameter whose style OpenAPI 3.2 does not define for its location becomes a string without a style.
    ///
    /// - Parameters:
    ///   - parameter: The parameter.
    ///   - schemas: Copies of the parameter's schemas are added to it.
    private func copyParameter(_ parameter: ParameterObject, addingSchemasTo schemas: inout CopiedSchemas)
        -> WrittenParameter
    {
        let content = parameter.content.map { copyMediaType($0, addingSchemasTo: &schemas) }
        var schema = schemas.copy(RequestShapes.schema(of: parameter), of: document)
        if !parameter.hasWritableStyle { schema = Self.stringSchema }
        return WrittenParameter(
            name: parameter.name, location: parameter.location, isRequired: parameter.isRequired,
            isDeprecated: parameter.isDeprecated, style: WrittenStyle(parameter),
            allowsReserved: parameter.allowsReserved, schema: WrittenSchema(schema), content: content,
            summary: parameter.summary,
            // The media type of a parameter has the examples itself. A serialised example such as `a,b` is the text of
            // a style, and not JSON.
            examples: content == nil ? Self.examples(parameter.examples, isJSON: false) : [])
    }

    // MARK: Bodies

    /// Copies the body of requests, and adds its schemas to the written document.
    ///
    /// - Returns: The copy; nil if there is no body, or if it has no media type.
    func copyBody(addingSchemasTo schemas: inout CopiedSchemas) -> WrittenBody? {
        guard let body = parts.body, !body.content.isEmpty else { return nil }
        return WrittenBody(
            isRequired: body.isRequired, summary: body.summary,
            content: copyMediaTypes(body.content, addingSchemasTo: &schemas))
    }

    /// Copies the responses, and adds their schemas to the written document.
    ///
    /// OpenAPI requires a description, so a missing one becomes an empty one.
    func copyResponses(addingSchemasTo schemas: inout CopiedSchemas) -> [WrittenResponse] {
        var responses: [WrittenResponse] = []
        for response in parts.responses {
            let content = copyMediaTypes(response.content, addingSchemasTo: &schemas)
            responses.append(
                WrittenResponse(status: response.status, summary: response.summary ?? "", content: content))
        }
        return responses
    }

    /// Copies a body in each of its media types, and adds the schemas to the written document.
    private func copyMediaTypes(_ content: [MediaTypeObject], addingSchemasTo schemas: inout CopiedSchemas)
        -> [WrittenMediaType]
    {
        var mediaTypes: [WrittenMediaType] = []
        for mediaType in content { mediaTypes.append(copyMediaType(mediaType, addingSchemasTo: &schemas)) }
        return mediaTypes
    }

    /// Copies a body in one media type, with its encodings and examples, and adds its schema to the written document.
    ///
    /// Encodings with a style that OpenAPI 3.2 does not define are left out.
    private func copyMediaType(_ content: MediaTypeObject, addingSchemasTo schemas: inout CopiedSchemas)
        -> WrittenMediaType
    {
        let isJSON = MediaTypeName(content.contentType).isJSON
        var written = WrittenMediaType(contentType: content.contentType)
        switch content.schema {
        case .schema(let schema): written.schema = WrittenSchema(schemas.copy(schema, of: document))
        case .items(let schema): written.itemSchema = schemas.copy(schema, of: document)
        case .form(let fields):
            written.schema = WrittenSchema(
                copyFormSchema(fields, encodings: content.encodings, addingSchemasTo: &schemas))
        case nil: break
        }
        // The order of a dictionary is random. Sorted, equal documents give equal bytes.
        let encodings = content.encodings.filter(\.value.hasWritableStyle).sorted { $0.key < $1.key }
        written.encodings = encodings.map { ($0.key, WrittenEncoding($0.value)) }
        written.examples = Self.examples(content.examples, isJSON: isJSON)
        return written
    }

    /// Returns the schema of a form in Swagger 2.0, in the way of OpenAPI 3: an object with a member for each field.
    ///
    /// The schemas of the fields are added to the written document.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - encodings: The encodings by the names of fields. A field whose style can't be copied becomes a string.
    ///   - schemas: Copies of the fields' schemas are added to it.
    private func copyFormSchema(
        _ fields: [FormField], encodings: [String: EncodingObject], addingSchemasTo schemas: inout CopiedSchemas
    ) -> JSONValue {
        var properties: SchemaWriter.Members = []
        for field in fields {
            let styleCannotBeCopied = encodings[field.name]?.hasWritableStyle == false
            let schema = styleCannotBeCopied ? Self.stringSchema : schemas.copy(field.schema, of: document)
            properties.append((field.name, schema))
        }
        let required = fields.filter(\.isRequired).map { JSONValue($0.name) }
        var members: SchemaWriter.Members = [("type", "object"), ("properties", JSONValue(properties))]
        if !required.isEmpty { members.append(("required", JSONValue(required))) }
        return JSONValue(members)
    }

    // MARK: Examples

    /// Returns copies of examples, with secrets removed.
    ///
    /// - Parameters:
    ///   - examples: The examples.
    ///   - isJSON: Whether the examples are JSON. A serialised example is parsed then: `"{\"id\": 1}"` becomes
    ///     `{"id": 1}`.
    private static func examples(_ examples: [ExampleObject], isJSON: Bool) -> [WrittenExample] {
        examples.map { example in
            // A serialised example that breaks the rules of JSON stays a string.
            let text = example.isSerialized && isJSON ? example.value.string : nil
            let parsed = text.flatMap { try? JSONValue(text: Array($0.utf8)) }
            let value = (parsed ?? example.value).withoutSecrets
            return WrittenExample(name: example.name, summary: example.summary, value: value)
        }
    }
}

extension ParameterObject {
    /// Whether OpenAPI 3.2 defines the style for the location of the parameter, or the parameter needs no style.
    fileprivate var hasWritableStyle: Bool {
        content != nil || style != .tabDelimited && OperationNote.isDefined(style, at: location)
    }
}

extension EncodingObject {
    /// Whether OpenAPI 3.2 defines the style. The tabs of Swagger 2.0 are the only style that it does not define.
    fileprivate var hasWritableStyle: Bool { style != .tabDelimited }
}

extension WrittenStyle {
    /// Creates the style of a parameter.
    ///
    /// - Returns: The style. Nil if it is the default of the location (OpenAPI 3.1, section 4.8.12.2), or if OpenAPI
    ///   3.2 does not define it.
    fileprivate init?(_ parameter: ParameterObject) {
        guard parameter.content == nil, parameter.hasWritableStyle else { return nil }
        let isDefault = parameter.style == ParameterRules.defaultStyle(parameter.location)
        let isExplodedByDefault = ParameterRules.isExplodedByDefault(parameter.style)
        if isDefault, parameter.isExploded == isExplodedByDefault { return nil }
        self.init(style: parameter.style, isExploded: parameter.isExploded)
    }
}

extension WrittenEncoding {
    /// Creates a copy of an encoding.
    fileprivate init(_ encoding: EncodingObject) {
        let style = encoding.style.map { WrittenStyle(style: $0, isExploded: encoding.isExploded) }
        self.init(contentTypes: encoding.contentTypes, style: style, allowsReserved: encoding.allowsReserved)
    }
}
