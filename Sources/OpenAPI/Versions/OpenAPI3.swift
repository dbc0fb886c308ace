import JSONText

/// OpenAPI 3.0.
struct OpenAPI30: OpenAPI3 {
    let methods = openAPI3Methods
    let additionalOperationsKey: String? = nil
    let dialect = SchemaDialect(nullableKeys: ["nullable", "x-nullable"], hasReferenceSiblings: false)
}

/// OpenAPI 3.1. Its schemas are those of JSON Schema 2020-12.
struct OpenAPI31: OpenAPI3 {
    let methods = openAPI3Methods
    let additionalOperationsKey: String? = nil
    // JSON Schema has no `nullable`, but many documents that were converted from 3.0 still have it.
    let dialect = SchemaDialect(nullableKeys: ["nullable"], hasReferenceSiblings: true)
}

/// OpenAPI 3.2. It adds the method QUERY, and methods with any name.
struct OpenAPI32: OpenAPI3 {
    let methods = openAPI3Methods.union(["query"])
    let additionalOperationsKey: String? = "additionalOperations"
    let dialect = SchemaDialect(nullableKeys: ["nullable"], hasReferenceSiblings: true)
}

/// The methods of a Path Item Object (OpenAPI 3.1, section 4.8.9).
private let openAPI3Methods: Set<String> = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

/// The parts that are the same in OpenAPI 3.0, 3.1 and 3.2.
protocol OpenAPI3: DocumentVersion {}

extension OpenAPI3 {
    /// Reads the list `servers` of an operation, a path item or the whole document.
    ///
    /// - Returns: The servers; nil if there is no list, or an empty one (OpenAPI 3.1, section 4.8.1).
    func readServers(of value: JSONValue, references: ReferenceResolver) -> ReadParts<ServerObject>? {
        guard let list = value["servers"], !list.isNull else { return nil }
        if let elements = list.elements, elements.isEmpty { return nil }
        var servers = ReadParts<ServerObject>()
        servers.append(elementsOf: list, references: references) { element throws(PartFailure) in
            try ServerObject(element, references: references)
        }
        return servers
    }

    /// Returns the security schemes among the components.
    func securitySchemes(of root: JSONValue) -> JSONValue? { root["components"]?["securitySchemes"] }

    /// Reads the type of a security scheme: apiKey, http, oauth2, openIdConnect or mutualTLS.
    func readSecurityKind(_ scheme: JSONValue, references: ReferenceResolver) throws(PartFailure)
        -> SecuritySchemeObject.Kind
    {
        switch scheme["type"]?.string {
        case "apiKey": return try SecuritySchemeObject.readAPIKey(scheme)
        case "http":
            guard let name = scheme["scheme"]?.string, !name.isEmpty else {
                throw PartFailure(at: scheme, expected: "an http scheme with a 'scheme'", found: "none")
            }
            // Names of schemes are case-insensitive (RFC 9110, section 11.1).
            return .http(scheme: name.lowercased())
        case "oauth2":
            let flows = try references.resolveMembers(of: scheme["flows"])
            return .oauth2(flows.map { name, flow in SecuritySchemeObject.readFlow(named: name, value: flow) })
        case "openIdConnect": return .openIDConnect(url: scheme["openIdConnectUrl"]?.string ?? "")
        case "mutualTLS": return .mutualTLS
        default:
            throw PartFailure(
                foundValue: scheme["type"] ?? scheme,
                expected: "a type: apiKey, http, oauth2, openIdConnect or mutualTLS")
        }
    }

    /// Reads a Parameter Object.
    ///
    /// - Returns: The parameter. It is never nil, because only Swagger 2.0 has parameters that describe a body. Without
    ///   `style`, it has the default style of its location. Its examples are followed by those of its media type.
    /// - Throws: ``PartFailure`` if the name or location is missing, if the style is unknown, or if a reference can't
    ///   be resolved.
    func readParameter(_ object: JSONValue, references: ReferenceResolver) throws(PartFailure) -> ParameterObject? {
        let (name, location) = try ParameterRules.readNameAndLocation(object)
        let style = try ParameterRules.readStyle(object["style"]) ?? ParameterRules.defaultStyle(location)
        let isExploded = object["explode"]?.bool ?? ParameterRules.isExplodedByDefault(style)
        // A parameter has one media type (OpenAPI 3.1, section 4.8.12.2). Further ones are ignored.
        let content = try MediaTypeReader.readContent(object["content"], references: references).first
        var parameter = ParameterObject(
            name: name, location: location, summary: object["description"]?.string,
            // Parameters in the path are always required, even if the document does not say so.
            isRequired: location == .path || object["required"]?.bool ?? false,
            isDeprecated: object["deprecated"]?.bool ?? false, style: style, isExploded: isExploded,
            allowsReserved: object["allowReserved"]?.bool ?? false, schema: object["schema"], content: content,
            examples: try MediaTypeReader.readExamples(of: object, references: references) + (content?.examples ?? []))
        parameter.isMultiSegment = object["x-multi-segment"]?.bool ?? false
        return parameter
    }

    /// Reads the Request Body Object of an operation.
    ///
    /// - Parameters:
    ///   - operation: The Operation Object.
    ///   - parameters: Not used. Only in Swagger 2.0, the body is among the parameters.
    ///   - references: Resolves the references of the document.
    /// - Returns: The body; nil if the operation has none.
    /// - Throws: ``PartFailure`` if a reference can't be resolved, or if the body or its `content` is not an object.
    func readRequestBody(of operation: JSONValue, parameters: [JSONValue], references: ReferenceResolver)
        throws(PartFailure) -> RequestBodyObject?
    {
        guard let value = operation["requestBody"], !value.isNull else { return nil }
        let body = try references.resolveObject(value)
        return RequestBodyObject(
            summary: body["description"]?.string, isRequired: body["required"]?.bool ?? false,
            content: try MediaTypeReader.readContent(body["content"], references: references))
    }

    /// Reads the media types in the `content` of a response.
    ///
    /// The operation is not used. Only in Swagger 2.0, it has the media types of its responses.
    func readContent(of response: JSONValue, operation: JSONValue, references: ReferenceResolver)
        throws(PartFailure) -> [MediaTypeObject]
    {
        try MediaTypeReader.readContent(response["content"], references: references)
    }
}
