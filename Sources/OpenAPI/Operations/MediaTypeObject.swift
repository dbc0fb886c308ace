import JSONText

/// A body in one media type (OpenAPI 3.1, section 4.8.14).
package struct MediaTypeObject: Sendable {
    /// The media type or range, such as `application/json` or `text/*`.
    package let contentType: String
    /// The schema of the body; nil if the document has no schema for it.
    package let schema: BodySchema?
    package let examples: [ExampleObject]
    /// The encodings of a form's fields by the names of the fields.
    package let encodings: [String: EncodingObject]
}

/// The schema of a body.
package enum BodySchema: Sendable {
    case schema(JSONValue)
    /// The schema of each item of a sequence, such as lines of JSON (`itemSchema` of OpenAPI 3.2).
    case items(JSONValue)
    /// The fields of a form in Swagger 2.0, where each field has a schema of its own.
    case form([FormField])
}

/// A field of a form in Swagger 2.0.
package struct FormField: Sendable {
    package let name: String
    package let summary: String?
    package let isRequired: Bool
    /// Whether the field is a file (`type: file`).
    package let isFile: Bool
    /// The Parameter Object, which has the keywords of the schema.
    package let schema: JSONValue
}

/// The encoding of a field of a form (OpenAPI 3.1, section 4.8.15).
package struct EncodingObject: Sendable {
    /// The content types that a part of a multipart body may have; empty for the default of the field's type.
    package let contentTypes: [String]
    /// The style of the field; nil if the field is written in its content type.
    ///
    /// An encoding with `explode` or `allowReserved` and without `style` has the style `form`.
    package let style: ParameterObject.Style?
    package let isExploded: Bool
    package let allowsReserved: Bool
}

/// An example of a value (OpenAPI 3.1, section 4.8.19).
package struct ExampleObject: Sendable {
    /// The name of a member of `examples`; nil for the value of `example`.
    package let name: String?
    package let summary: String?
    package let value: JSONValue
    /// Whether ``value`` is the text of the body or parameter as it is sent, such as the string `"{\"id\": 1}"`.
    package let isSerialized: Bool
}
