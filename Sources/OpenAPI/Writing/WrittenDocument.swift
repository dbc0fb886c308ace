import EndpointKit
import JSONText

/// An OpenAPI document that is written.
///
/// Its version is 3.1 (spec.openapis.org/oas/v3.1.0), or 3.2 if it contains something that is new in 3.2.
///
/// Operations, parameters and bodies have types of their own for writing, because the types for reading are views of
/// JSON. Simple parts, such as ``ServerObject``, have one type for both.
struct WrittenDocument {
    let info: InfoObject
    /// The servers of all operations; nil if each operation has servers of its own.
    let servers: [ServerObject]?
    /// The alternatives of credentials for all operations; nil if each operation has alternatives of its own.
    let security: [SecurityRequirement]?
    let tags: [TagObject]
    let paths: [WrittenPath]
    /// The schemas of models by name.
    let schemas: SchemaWriter.Members
    let securitySchemes: [WrittenSecurityScheme]

    /// The first version of OpenAPI that can describe everything in the document.
    var version: String {
        let operations = paths.flatMap(\.operations)
        return operations.contains(where: \.needsOpenAPI32) ? "3.2.0" : "3.1.0"
    }
}

/// A path with its operations (OpenAPI 3.1, section 4.8.9).
struct WrittenPath {
    /// The path with its variables in braces: `/pets/{id}`.
    let template: String
    let operations: [WrittenOperation]
}

/// An operation (OpenAPI 3.1, section 4.8.10). It describes one endpoint, or several with the same method and path.
struct WrittenOperation {
    /// The path with its variables in braces: `/pets/{id}`.
    let path: String
    /// The method in capitals, as it is sent.
    let method: String
    /// The id; nil if the operation is a copy of one without an id.
    let operationID: String?
    let summary: String?
    var description: String?
    var isDeprecated = false
    let tags: [String]
    /// The names of the endpoints that the operation describes.
    var endpoints: [String]
    /// The servers of the operation; nil if the servers of the document apply.
    var servers: [ServerObject]?
    var parameters: [WrittenParameter]
    var body: WrittenBody?
    var responses: [WrittenResponse]
    /// The alternatives of credentials, the preferred one first.
    var security: [SecurityRequirement]
    /// The value of the extension `x-apictl-pages`; nil if a response is not a page.
    var pages: JSONValue?
}

/// A parameter (OpenAPI 3.1, section 4.8.12).
struct WrittenParameter {
    var name: String
    let location: ParameterObject.Location
    var isRequired: Bool
    var isDeprecated = false
    /// The style of a list or an object; nil for a scalar, and for the default style of the location.
    let style: WrittenStyle?
    /// Whether reserved characters are sent without percent-encoding.
    var allowsReserved = false
    var schema: WrittenSchema
    /// The media type in which the value is written. It replaces the style and the schema. Nil for most parameters.
    var content: WrittenMediaType?
    let summary: String?
    var examples: [WrittenExample] = []
    /// The names of the endpoint's parameters from which the value is made; empty if the value is that of one
    /// parameter.
    var sources: [String] = []
    /// Whether the value may be several segments of the path.
    var isMultiSegment = false
}

/// A style with its explicit `explode` (OpenAPI 3.1, section 4.8.12.2).
struct WrittenStyle {
    let style: ParameterObject.Style
    let isExploded: Bool
}

/// One schema, or several alternatives of which a value has to match one.
struct WrittenSchema {
    /// The alternatives. There is at least one, and no two are equal.
    let alternatives: [JSONValue]

    /// Creates one schema without alternatives.
    init(_ schema: JSONValue) { alternatives = [schema] }

    /// Creates a schema from the alternatives of several schemas.
    init(oneOf schemas: [WrittenSchema]) {
        alternatives = schemas.flatMap(\.alternatives).withoutRepetitions
    }
}

/// The body of a request (OpenAPI 3.1, section 4.8.13).
struct WrittenBody {
    let isRequired: Bool
    var summary: String?
    let content: [WrittenMediaType]
}

/// A response (OpenAPI 3.1, section 4.8.17).
struct WrittenResponse {
    let status: ResponseStatus
    let summary: String
    /// The body in its media types; empty if the response has no body.
    let content: [WrittenMediaType]
}

/// A body in one media type (OpenAPI 3.1, section 4.8.14).
struct WrittenMediaType {
    let contentType: String
    /// The schema; nil if nothing is known about the body.
    var schema: WrittenSchema?
    /// The schema of each item of a sequence, such as lines of JSON (OpenAPI 3.2); nil if the body is not a sequence.
    var itemSchema: JSONValue?
    /// The encodings of a form's fields by their names.
    var encodings: [(name: String, encoding: WrittenEncoding)] = []
    var examples: [WrittenExample] = []
}

/// The encoding of a field of a form (OpenAPI 3.1, section 4.8.15).
struct WrittenEncoding {
    /// The content types of a part of a multipart body; empty for the default of the field's type.
    var contentTypes: [String] = []
    let style: WrittenStyle?
    /// Whether reserved characters are sent without percent-encoding.
    var allowsReserved = false
}

/// An example of a value (OpenAPI 3.1, section 4.8.19).
struct WrittenExample {
    /// The name; nil for an example without a name.
    let name: String?
    var summary: String?
    let value: JSONValue
}

extension JSONValue {
    /// The value in which each secret is replaced, as `SecretRules` defines it.
    var withoutSecrets: JSONValue {
        let text = SecretRules.redacted(Array(written), contentType: "application/json")
        // The redacted text of a JSON value is JSON. So there is no error.
        return (try? JSONValue(text: text)) ?? .null
    }
}

/// A security scheme (OpenAPI 3.1, section 4.8.27), with the variables that hold its secret.
struct WrittenSecurityScheme: Equatable {
    let object: SecuritySchemeObject
    /// The text in front of the secret in a header, such as `Token `; empty for most schemes.
    let prefix: String
    let variables: [String]
}

// MARK: OpenAPI 3.2

extension WrittenOperation {
    /// Whether the operation contains something that only OpenAPI 3.2 can describe.
    fileprivate var needsOpenAPI32: Bool {
        let content = parameters.compactMap(\.content) + (body?.content ?? []) + responses.flatMap(\.content)
        return parameters.contains(where: \.needsOpenAPI32) || content.contains { $0.itemSchema != nil }
    }
}

extension WrittenParameter {
    /// Whether only OpenAPI 3.2 can describe the parameter: it is the whole query, or a cookie in the style `cookie`.
    fileprivate var needsOpenAPI32: Bool { location == .querystring || style?.style == .cookie }
}
