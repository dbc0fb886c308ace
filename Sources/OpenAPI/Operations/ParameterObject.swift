import JSONText

/// A parameter of an operation (OpenAPI 3.1, section 4.8.12).
package struct ParameterObject: Sendable {
    /// The part of the request that holds the parameter.
    package enum Location: String, Sendable {
        case path, query, header, cookie
        /// The whole query as one value (OpenAPI 3.2).
        case querystring
    }

    /// The way in which arrays and objects are written (OpenAPI 3.1, section 4.8.12.2).
    package enum Style: String, Sendable {
        case matrix, label, simple, form, spaceDelimited, pipeDelimited, deepObject
        /// Values separated by tabs: `collectionFormat: tsv` of Swagger 2.0.
        case tabDelimited
        /// Cookies that are not percent-encoded (OpenAPI 3.2).
        case cookie
    }

    package let name: String
    package let location: Location
    package let summary: String?
    package let isRequired: Bool
    package let isDeprecated: Bool
    package let style: Style
    /// Whether each element or member is written on its own.
    package let isExploded: Bool
    /// Whether reserved characters are sent as they are.
    package let allowsReserved: Bool
    /// The schema of the value; nil if the parameter has ``content``, or no schema at all.
    package let schema: JSONValue?
    /// The media type in which the value is written, for a parameter that is, for example, JSON text.
    package let content: MediaTypeObject?
    package let examples: [ExampleObject]
}
