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
    /// The description of the parameter.
    package let summary: String?
    package let isRequired: Bool
    package let isDeprecated: Bool
    package let style: Style
    /// Whether each element or member is written on its own (`explode`): `a=1&a=2`, and not `a=1,2`.
    package let isExploded: Bool
    /// Whether reserved characters (RFC 3986, section 2.2) such as `/` are sent as they are.
    package let allowsReserved: Bool
    /// The schema of the value; nil if the parameter has ``content``, or no schema at all.
    package let schema: JSONValue?
    /// The media type in which the value is written, such as JSON; nil if the value is written in the ``style``.
    package let content: MediaTypeObject?
    package let examples: [ExampleObject]
    /// Whether a value of the path may be several segments, with slashes between them (`x-multi-segment`). That is how
    /// apictl writes such parameters.
    package internal(set) var isMultiSegment = false
}
