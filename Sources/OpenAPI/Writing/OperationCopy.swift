import EndpointKit
import EndpointTools
import JSONText

/// Writes the parts of an operation of a document as the document declares them, so that whoever reads the result has
/// the same parameters and bodies.
///
/// OpenAPI 3.1 can't say everything that other versions say. A value in a style that it does not have is written as a
/// text, and the items of a sequence are not described.
struct OperationCopy {
    private let reading: OperationReading
    private let document: OpenAPIDocument

    init(_ operation: OperationObject, of document: OpenAPIDocument) {
        reading = OperationReading(operation)
        self.document = document
    }

    // MARK: Parameters

    /// Returns the parameters that requests have a place for.
    ///
    /// - Parameter schemas: Copies their schemas.
    func parameters(_ schemas: inout CopiedSchemas) -> [WrittenParameter] {
        var parameters: [WrittenParameter] = []
        for parameter in reading.parameters {
            if let written = written(parameter.object, &schemas) { parameters.append(written) }
        }
        return parameters
    }

    /// Returns a parameter; nil for a query that is one value and no form (OpenAPI 3.2), which has no place in OpenAPI
    /// 3.1.
    private func written(_ parameter: ParameterObject, _ schemas: inout CopiedSchemas) -> WrittenParameter? {
        guard parameter.location == .querystring else { return ordinary(parameter, &schemas) }
        guard let content = parameter.content, MediaTypeName(content.contentType).isForm else { return nil }
        // The members of a form are items of the query, as those of an object in the default style are.
        return WrittenParameter(
            name: parameter.name, location: .query, isRequired: parameter.isRequired,
            style: WrittenStyle(style: .form, isExploded: true),
            schema: WrittenSchema(schemas.copy(RequestShapes.schema(of: parameter), of: document)),
            summary: parameter.summary)
    }

    /// Returns a parameter of a place that OpenAPI 3.1 has.
    private func ordinary(_ parameter: ParameterObject, _ schemas: inout CopiedSchemas) -> WrittenParameter {
        let content = parameter.content.map { mediaType($0, &schemas) }
        var schema = WrittenSchema(schemas.copy(RequestShapes.schema(of: parameter), of: document))
        var style: WrittenStyle?
        if parameter.hasWritableStyle {
            style = WrittenStyle(parameter)
        } else {
            schema = WrittenSchema(["type": "string"])
        }
        return WrittenParameter(
            name: parameter.name, location: parameter.location, isRequired: parameter.isRequired,
            isDeprecated: parameter.isDeprecated, style: style, allowsReserved: parameter.allowsReserved,
            schema: schema, content: content, summary: parameter.summary,
            // The examples of a content are written there.
            examples: content == nil ? Self.examples(parameter.examples, isJSON: false) : [])
    }

    // MARK: Bodies

    /// Returns the body of requests; nil if there is none.
    func body(_ schemas: inout CopiedSchemas) -> WrittenBody? {
        guard let body = reading.body, !body.content.isEmpty else { return nil }
        return WrittenBody(
            isRequired: body.isRequired, summary: body.summary, content: mediaTypes(body.content, &schemas))
    }

    /// Returns the responses.
    func responses(_ schemas: inout CopiedSchemas) -> [WrittenResponse] {
        var responses: [WrittenResponse] = []
        for response in reading.responses {
            let content = mediaTypes(response.content, &schemas)
            responses.append(
                WrittenResponse(status: response.status, summary: response.summary ?? "", content: content))
        }
        return responses
    }

    private func mediaTypes(_ content: [MediaTypeObject], _ schemas: inout CopiedSchemas) -> [WrittenMediaType] {
        var mediaTypes: [WrittenMediaType] = []
        for mediaType in content { mediaTypes.append(self.mediaType(mediaType, &schemas)) }
        return mediaTypes
    }

    private func mediaType(_ content: MediaTypeObject, _ schemas: inout CopiedSchemas) -> WrittenMediaType {
        let isJSON = MediaTypeName(content.contentType).isJSON
        return WrittenMediaType(
            contentType: content.contentType, schema: schema(content.schema, &schemas).map { WrittenSchema($0) },
            encodings: content.encodings.sorted { $0.key < $1.key }.map { ($0.key, WrittenEncoding($0.value)) },
            examples: Self.examples(content.examples, isJSON: isJSON))
    }

    /// Returns the schema of a body; nil for a sequence, of which only the items have one.
    private func schema(_ schema: BodySchema?, _ schemas: inout CopiedSchemas) -> JSONValue? {
        switch schema {
        case .schema(let schema): return schemas.copy(schema, of: document)
        case .form(let fields): return form(fields, &schemas)
        case .items, nil: return nil
        }
    }

    /// Returns the schema of a form of Swagger 2.0: an object with a member for each field.
    private func form(_ fields: [FormField], _ schemas: inout CopiedSchemas) -> JSONValue {
        var properties: SchemaWriter.Members = []
        for field in fields { properties.append((field.name, schemas.copy(field.schema, of: document))) }
        let required = fields.filter(\.isRequired).map { JSONValue($0.name) }
        var members: SchemaWriter.Members = [("type", "object"), ("properties", JSONValue(properties))]
        if !required.isEmpty { members.append(("required", JSONValue(required))) }
        return JSONValue(members)
    }

    // MARK: Examples

    /// Returns examples with their names.
    ///
    /// - Parameters:
    ///   - examples: The examples.
    ///   - isJSON: Whether the text of a serialised example is JSON, so that its value can be written.
    private static func examples(_ examples: [ExampleObject], isJSON: Bool) -> [WrittenExample] {
        examples.map { example in
            let text = example.isSerialized && isJSON ? example.value.string : nil
            let parsed = text.flatMap { try? JSONValue(text: Array($0.utf8)) }
            return WrittenExample(name: example.name, summary: example.summary, value: parsed ?? example.value)
        }
    }
}

extension ParameterObject {
    /// Whether OpenAPI 3.1 has the style for the place. A content needs no style.
    fileprivate var hasWritableStyle: Bool {
        content != nil || style == .cookie || style != .tabDelimited && OperationNote.isDefined(style, location)
    }
}

extension WrittenStyle {
    /// Makes the style of a parameter; nil if it is that of the place (OpenAPI 3.1, section 4.8.12.2).
    fileprivate init?(_ parameter: ParameterObject) {
        // Cookies that are not percent-encoded are a style of OpenAPI 3.2.
        let style = parameter.style == .cookie ? .form : parameter.style
        let isDefault = style == ParameterReading.defaultStyle(parameter.location)
        let isExplodedByDefault = ParameterReading.isExplodedByDefault(style)
        let isUnchanged = isDefault && parameter.isExploded == isExplodedByDefault
        guard parameter.content == nil, !isUnchanged else { return nil }
        self.init(style: style, isExploded: parameter.isExploded)
    }
}

extension WrittenEncoding {
    fileprivate init(_ encoding: EncodingObject) {
        let style = encoding.style.map { WrittenStyle(style: $0, isExploded: encoding.isExploded) }
        self.init(contentTypes: encoding.contentTypes, style: style, allowsReserved: encoding.allowsReserved)
    }
}
