import EndpointKit
import EndpointTools
import JSONText

/// Writes the parts of an operation of a document as the document declares them, so that whoever reads the result has
/// the same parameters and bodies.
///
/// OpenAPI 3.2 does not have the separator of tabs of Swagger 2.0, nor each style at each place. A value in such a
/// style is written as a text.
struct OperationCopy {
    /// The schema of a value that is written as a text.
    private static let text: JSONValue = ["type": "string"]

    private let parts: OperationParts
    private let document: OpenAPIDocument

    /// Prepares to copy an operation of a document.
    init(_ operation: OperationObject, of document: OpenAPIDocument) {
        parts = OperationParts(operation)
        self.document = document
    }

    // MARK: Parameters

    /// Returns the parameters that requests have a place for.
    ///
    /// - Parameter schemas: Copies their schemas.
    func parameters(_ schemas: inout CopiedSchemas) -> [WrittenParameter] {
        var parameters: [WrittenParameter] = []
        for parameter in parts.parameters { parameters.append(written(parameter.object, &schemas)) }
        return parameters
    }

    /// Returns a copy of a parameter for the document that is written.
    ///
    /// A value whose style OpenAPI 3.2 does not define for its place becomes a plain text: the copy has no style, and
    /// the schema of a string. Whoever sends the parameter writes the list or object as that text.
    ///
    /// - Parameters:
    ///   - parameter: The parameter of the document that is read.
    ///   - schemas: Copies the schemas of the parameter.
    private func written(_ parameter: ParameterObject, _ schemas: inout CopiedSchemas) -> WrittenParameter {
        let content = parameter.content.map { mediaType($0, &schemas) }
        var schema = schemas.copy(RequestShapes.schema(of: parameter), of: document)
        if !parameter.hasWritableStyle { schema = Self.text }
        return WrittenParameter(
            name: parameter.name, location: parameter.location, isRequired: parameter.isRequired,
            isDeprecated: parameter.isDeprecated, style: WrittenStyle(parameter),
            allowsReserved: parameter.allowsReserved, schema: WrittenSchema(schema), content: content,
            summary: parameter.summary,
            // The examples of a parameter with a media type belong to the media type, not to the parameter. The
            // serialised example of a style is not JSON text, so it stays a string.
            examples: content == nil ? Self.examples(parameter.examples, isJSON: false) : [])
    }

    // MARK: Bodies

    /// Returns the body of requests; nil if the operation has none, or if the body has no media type.
    func body(_ schemas: inout CopiedSchemas) -> WrittenBody? {
        guard let body = parts.body, !body.content.isEmpty else { return nil }
        return WrittenBody(
            isRequired: body.isRequired, summary: body.summary, content: mediaTypes(body.content, &schemas))
    }

    /// Returns the responses. One without a description gets an empty one, because OpenAPI requires it.
    func responses(_ schemas: inout CopiedSchemas) -> [WrittenResponse] {
        var responses: [WrittenResponse] = []
        for response in parts.responses {
            let content = mediaTypes(response.content, &schemas)
            responses.append(
                WrittenResponse(status: response.status, summary: response.summary ?? "", content: content))
        }
        return responses
    }

    /// Returns copies of the media types of a body.
    private func mediaTypes(_ content: [MediaTypeObject], _ schemas: inout CopiedSchemas) -> [WrittenMediaType] {
        var mediaTypes: [WrittenMediaType] = []
        for mediaType in content { mediaTypes.append(self.mediaType(mediaType, &schemas)) }
        return mediaTypes
    }

    /// Returns a copy of a media type with its schema, encodings and examples.
    ///
    /// Encodings with a style that OpenAPI 3.2 does not have are left out. They are sorted by their names, so that
    /// equal documents give equal bytes.
    private func mediaType(_ content: MediaTypeObject, _ schemas: inout CopiedSchemas) -> WrittenMediaType {
        let isJSON = MediaTypeName(content.contentType).isJSON
        var written = WrittenMediaType(contentType: content.contentType)
        switch content.schema {
        case .schema(let schema): written.schema = WrittenSchema(schemas.copy(schema, of: document))
        case .items(let schema): written.itemSchema = schemas.copy(schema, of: document)
        case .form(let fields): written.schema = WrittenSchema(form(fields, content.encodings, &schemas))
        case nil: break
        }
        let encodings = content.encodings.filter(\.value.hasWritableStyle).sorted { $0.key < $1.key }
        written.encodings = encodings.map { ($0.key, WrittenEncoding($0.value)) }
        written.examples = Self.examples(content.examples, isJSON: isJSON)
        return written
    }

    /// Returns the schema of a form of Swagger 2.0: an object with a member for each field.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - encodings: The encodings of fields by name. A field whose style can't be written is a text.
    ///   - schemas: Copies the schemas of the fields.
    private func form(
        _ fields: [FormField], _ encodings: [String: EncodingObject], _ schemas: inout CopiedSchemas
    ) -> JSONValue {
        var properties: SchemaWriter.Members = []
        for field in fields {
            let isText = encodings[field.name]?.hasWritableStyle == false
            properties.append((field.name, isText ? Self.text : schemas.copy(field.schema, of: document)))
        }
        let required = fields.filter(\.isRequired).map { JSONValue($0.name) }
        var members: SchemaWriter.Members = [("type", "object"), ("properties", JSONValue(properties))]
        if !required.isEmpty { members.append(("required", JSONValue(required))) }
        return JSONValue(members)
    }

    // MARK: Examples

    /// Returns examples with their names, without secrets.
    ///
    /// - Parameters:
    ///   - examples: The examples.
    ///   - isJSON: Whether the text of a serialised example is JSON. Its value is written then: `{"id": 1}` instead of
    ///     `"{\"id\": 1}"`.
    private static func examples(_ examples: [ExampleObject], isJSON: Bool) -> [WrittenExample] {
        examples.map { example in
            // A serialised example that is no JSON after all stays a string.
            let text = example.isSerialized && isJSON ? example.value.string : nil
            let parsed = text.flatMap { try? JSONValue(text: Array($0.utf8)) }
            let value = (parsed ?? example.value).withoutSecrets
            return WrittenExample(name: example.name, summary: example.summary, value: value)
        }
    }
}

extension ParameterObject {
    /// Whether OpenAPI 3.2 defines the style for the place of the parameter. A value in a media type needs no style.
    fileprivate var hasWritableStyle: Bool {
        content != nil || style != .tabDelimited && OperationNote.isDefined(style, location)
    }
}

extension EncodingObject {
    /// Whether OpenAPI 3.2 has the style. Only the tabs of Swagger 2.0 are missing there.
    fileprivate var hasWritableStyle: Bool { style != .tabDelimited }
}

extension WrittenStyle {
    /// Makes the style of a parameter.
    ///
    /// - Returns: Nil if the style need not be written, because the place has it by default (OpenAPI 3.1, section
    ///   4.8.12.2), or if it can't be written.
    fileprivate init?(_ parameter: ParameterObject) {
        guard parameter.content == nil, parameter.hasWritableStyle else { return nil }
        let isDefault = parameter.style == ParameterReading.defaultStyle(parameter.location)
        let isExplodedByDefault = ParameterReading.isExplodedByDefault(parameter.style)
        if isDefault, parameter.isExploded == isExplodedByDefault { return nil }
        self.init(style: parameter.style, isExploded: parameter.isExploded)
    }
}

extension WrittenEncoding {
    /// Describes an encoding of a document as it is declared there.
    fileprivate init(_ encoding: EncodingObject) {
        let style = encoding.style.map { WrittenStyle(style: $0, isExploded: encoding.isExploded) }
        self.init(contentTypes: encoding.contentTypes, style: style, allowsReserved: encoding.allowsReserved)
    }
}
