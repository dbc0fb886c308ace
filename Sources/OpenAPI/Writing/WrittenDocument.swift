import EndpointKit
import JSONText

/// An OpenAPI document that is written, of version 3.1 (spec.openapis.org/oas/v3.1.0). It is of version 3.2 if it needs
/// something that is new there.
///
/// Some parts have the types of documents that are read, such as ``ServerObject``. Operations, parameters and bodies
/// have types for writing, because those for reading are views of JSON.
struct WrittenDocument {
    let info: InfoObject
    /// The servers of all operations; nil if each operation has its own.
    let servers: [ServerObject]?
    /// The alternatives of credentials for all operations; nil if each operation has its own.
    let security: [SecurityRequirement]?
    let tags: [TagObject]
    let paths: [WrittenPath]
    /// The schemas of models by name.
    let schemas: SchemaWriter.Members
    let securitySchemes: [WrittenSecurityScheme]

    /// The first version of OpenAPI that has everything in the document.
    var version: String {
        let operations = paths.flatMap(\.operations)
        return operations.contains(where: \.needsOpenAPI32) ? "3.2.0" : "3.1.0"
    }
}

/// A path with its operations (OpenAPI 3.1, section 4.8.9).
struct WrittenPath {
    /// The path with its variables between braces: `/pets/{id}`.
    let template: String
    let operations: [WrittenOperation]
}

/// An operation (OpenAPI 3.1, section 4.8.10), of one endpoint or of several that share method and path.
struct WrittenOperation {
    /// The path with its variables between braces: `/pets/{id}`.
    let path: String
    /// The method in capitals, as it is sent.
    let method: String
    /// The id; nil if a document that is copied has none.
    let operationID: String?
    let summary: String?
    var description: String?
    var isDeprecated = false
    let tags: [String]
    /// The names of the endpoints that the operation stands for.
    var endpoints: [String]
    /// The servers of the operation; nil if those of the document count.
    var servers: [ServerObject]?
    var parameters: [WrittenParameter]
    var body: WrittenBody?
    var responses: [WrittenResponse]
    /// The alternatives of credentials, the preferred one first.
    var security: [SecurityRequirement]
    /// The description of pages, which is an extension; nil if a response is not a page, or nothing is known.
    var pages: JSONValue?
}

/// A parameter (OpenAPI 3.1, section 4.8.12).
struct WrittenParameter {
    var name: String
    let location: ParameterObject.Location
    var isRequired: Bool
    var isDeprecated = false
    /// The way in which a list or an object is written; nil for a single value, and for the default of the place.
    let style: WrittenStyle?
    /// Whether reserved characters are sent as they are.
    var allowsReserved = false
    var schema: WrittenSchema
    /// The media type in which the value is written, in place of the style and the schema; nil for a plain value.
    var content: WrittenMediaType?
    let summary: String?
    var examples: [WrittenExample] = []
    /// The names of the endpoint's parameters that the value is made of, if it is not just one of them.
    var sources: [String] = []
    /// Whether the value may be several segments of the path.
    var isMultiSegment = false
}

/// A style with its explicit `explode` (OpenAPI 3.1, section 4.8.12.2).
struct WrittenStyle {
    let style: ParameterObject.Style
    let isExploded: Bool
}

/// A schema, or several of which one is valid.
struct WrittenSchema {
    /// The schemas, of which there is at least one, and which are all different.
    let alternatives: [JSONValue]

    /// Makes the schema of values that have this schema alone.
    init(_ schema: JSONValue) { alternatives = [schema] }

    /// Makes the schema of values that have one of several schemas.
    init(oneOf schemas: [WrittenSchema]) {
        alternatives = schemas.flatMap(\.alternatives).grouped { $0 }.map(\.key)
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
    /// The body in its media types; empty if there is none.
    let content: [WrittenMediaType]
}

/// A body in one media type (OpenAPI 3.1, section 4.8.14).
struct WrittenMediaType {
    let contentType: String
    /// The schema; nil if nothing is known about the body.
    var schema: WrittenSchema?
    /// The schema of each item of a sequence, such as lines of JSON (OpenAPI 3.2); nil if the body is none.
    var itemSchema: JSONValue?
    /// The encodings of a form's fields by their names.
    var encodings: [(name: String, encoding: WrittenEncoding)] = []
    var examples: [WrittenExample] = []
}

/// The encoding of a field of a form (OpenAPI 3.1, section 4.8.15).
struct WrittenEncoding {
    /// The content types of a part of a multipart body; empty if the default of the field's type counts.
    var contentTypes: [String] = []
    let style: WrittenStyle?
    /// Whether reserved characters are sent as they are.
    var allowsReserved = false
}

/// An example of a value (OpenAPI 3.1, section 4.8.19).
struct WrittenExample {
    /// The name; nil for the only example, which needs none.
    let name: String?
    var summary: String?
    let value: JSONValue
}

extension JSONValue {
    /// The value with a mark in place of each secret; see `SecretRules`.
    var withoutSecrets: JSONValue {
        let text = SecretRules.redacted(Array(written), contentType: "application/json")
        // The redacted text is JSON again, so null is never used.
        return (try? JSONValue(text: text)) ?? .null
    }
}

/// A security scheme (OpenAPI 3.1, section 4.8.27), with the variables that hold its secret.
struct WrittenSecurityScheme: Equatable {
    let object: SecuritySchemeObject
    /// The text before the secret in a header.
    let prefix: String
    let variables: [String]
}

// MARK: OpenAPI 3.2

extension WrittenOperation {
    /// Whether OpenAPI 3.1 can't describe the operation.
    fileprivate var needsOpenAPI32: Bool {
        let content = parameters.compactMap(\.content) + (body?.content ?? []) + responses.flatMap(\.content)
        return parameters.contains(where: \.needsOpenAPI32) || content.contains { $0.itemSchema != nil }
    }
}

extension WrittenParameter {
    /// Whether the parameter is the whole query, or a cookie that is not percent-encoded.
    fileprivate var needsOpenAPI32: Bool { location == .querystring || style?.style == .cookie }
}
