import JSONText

/// A media type of a body, with the schema of what is written in it (OpenAPI 3.1, section 4.8.14).
package struct MediaTypeObject: Sendable {
    /// The media type or range, such as `application/json` or `text/*`.
    package let contentType: String
    package let schema: BodySchema?
    package let examples: [ExampleObject]
    /// The encodings of the fields of a form by the names of the fields.
    package let encodings: [String: EncodingObject]
}

/// The schema of a body.
package enum BodySchema: Sendable {
    case schema(JSONValue)
    /// The schema of each item of a sequence, such as lines of JSON (`itemSchema` of OpenAPI 3.2).
    case items(JSONValue)
    /// The fields of a form, which Swagger 2.0 describes as parameters.
    case form([FormField])
}

/// A field of a form of Swagger 2.0.
package struct FormField: Sendable {
    package let name: String
    package let summary: String?
    package let isRequired: Bool
    /// Whether the field is a file (`type: file`).
    package let isFile: Bool
    /// The parameter, which is its own schema.
    package let schema: JSONValue
}

/// The encoding of a field of a form (OpenAPI 3.1, section 4.8.15).
package struct EncodingObject: Sendable {
    /// The content types of a part of a multipart body; empty if the default of the field's type counts.
    package let contentTypes: [String]
    /// The style; nil if the encoding has neither `style` nor `explode` nor `allowReserved`, so that the content type
    /// counts.
    package let style: ParameterObject.Style?
    package let isExploded: Bool
    package let allowsReserved: Bool
}

/// An example of a value (OpenAPI 3.1, section 4.8.19).
package struct ExampleObject: Sendable {
    /// The name; nil for the value of `example`.
    package let name: String?
    package let summary: String?
    package let value: JSONValue
    /// Whether the value is the text of a body or parameter, and not the value that is written in it.
    package let isSerialized: Bool
}
