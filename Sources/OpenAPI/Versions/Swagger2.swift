import JSONText

/// Swagger 2.0, in which a parameter is its own schema, and bodies and forms are parameters.
struct Swagger2: DocumentVersion {
    let methods: Set<String> = ["get", "put", "post", "delete", "options", "head", "patch"]
    let additionalOperationsKey: String? = nil
    let dialect = SchemaDialect(nullableKeys: ["x-nullable", "nullable"], hasReferenceSiblings: false)

    // MARK: Servers

    /// Returns the servers of an operation or of the whole document, made of `schemes`, `host` and `basePath`.
    ///
    /// The host and the base path are always those of the document. Servers with https come first:
    ///
    ///     schemes http and https, host example.com, base path /v1    https://example.com/v1, http://example.com/v1
    ///     no schemes                                                 //example.com/v1
    ///     no host                                                    /v1
    ///
    /// - Parameters:
    ///   - value: An operation, a path item, or the whole document.
    ///   - references: Knows the whole document.
    /// - Returns: The servers. Nil if `value` is not the document and has no schemes of its own, or if the document has
    ///   neither a host nor a base path.
    func servers(of value: JSONValue, _ references: ReferenceResolver) -> ReadParts<ServerObject>? {
        let root = references.root
        let isRoot = DocumentPlace(value) == DocumentPlace(root)
        guard isRoot || value["schemes"] != nil else { return nil }
        let basePath = root["basePath"]?.string ?? ""
        guard let host = root["host"]?.string, !host.isEmpty else {
            guard isRoot, !basePath.isEmpty else { return nil }
            return ReadParts([ServerObject(url: basePath)])
        }
        let schemes = (value["schemes"] ?? root["schemes"])?.elements?.compactMap(\.string) ?? []
        // A URL without a scheme takes that of the document's own URL.
        guard !schemes.isEmpty else { return ReadParts([ServerObject(url: "//\(host)\(basePath)")]) }
        // The first server is used unless another one is chosen, and https keeps credentials secret.
        let httpsFirst = schemes.filter { $0 == "https" } + schemes.filter { $0 != "https" }
        return ReadParts(httpsFirst.map { ServerObject(url: "\($0)://\(host)\(basePath)") })
    }

    // MARK: Security

    /// Returns the security schemes, which Swagger 2.0 calls definitions.
    func securitySchemes(of root: JSONValue) -> JSONValue? { root["securityDefinitions"] }

    /// Returns the type of a security scheme: apiKey, basic or oauth2.
    func securityKind(_ scheme: JSONValue, _ references: ReferenceResolver) throws(PartFailure)
        -> SecuritySchemeObject.Kind
    {
        switch scheme["type"]?.string {
        case "apiKey": return try SecuritySchemeObject.apiKey(scheme)
        case "basic": return .http(scheme: "basic")
        case "oauth2":
            // A scheme has one flow, whose members are those of the scheme.
            return .oauth2([SecuritySchemeObject.flow(Self.flowName(scheme["flow"]?.string ?? ""), scheme)])
        default: throw PartFailure(scheme["type"] ?? scheme, expected: "a type: apiKey, basic or oauth2")
        }
    }

    /// Returns the name that a flow has in OpenAPI 3: `clientCredentials` for `application`. A flow with the same name
    /// in both keeps it.
    private static func flowName(_ flow: String) -> String {
        switch flow {
        case "application": "clientCredentials"
        case "accessCode": "authorizationCode"
        default: flow
        }
    }

    // MARK: Parameters

    /// Reads a Parameter Object, which is also the schema of its value.
    ///
    /// - Returns: The parameter; nil if it describes the body or a field of a form.
    func parameter(_ value: JSONValue, _ references: ReferenceResolver) throws(PartFailure) -> ParameterObject? {
        if ["body", "formData"].contains(value["in"]?.string) { return nil }
        let (name, location) = try ParameterReading.nameAndLocation(value)
        let defaultStyle = ParameterReading.defaultStyle(location)
        let (style, isExploded) = try Self.style(value["collectionFormat"], defaultStyle)
        return ParameterObject(
            name: name, location: location, summary: value["description"]?.string,
            isRequired: location == .path || value["required"]?.bool ?? false,
            isDeprecated: value["x-deprecated"]?.bool ?? false, style: style, isExploded: isExploded,
            allowsReserved: false, schema: value, content: nil, examples: Self.examples(value["x-example"]))
    }

    /// Returns the style of OpenAPI 3 for a `collectionFormat`, and whether it is exploded.
    ///
    /// Without a format, values are separated by commas, as with `csv`.
    ///
    /// - Parameters:
    ///   - collectionFormat: The format; nil if there is none.
    ///   - commaStyle: The style that separates values by commas at the place of the parameter: simple or form.
    /// - Throws: ``PartFailure`` if the format is unknown.
    private static func style(
        _ collectionFormat: JSONValue?, _ commaStyle: ParameterObject.Style
    ) throws(PartFailure) -> (style: ParameterObject.Style, isExploded: Bool) {
        guard let collectionFormat else { return (commaStyle, false) }
        switch collectionFormat.string {
        case "csv": return (commaStyle, false)
        case "ssv": return (.spaceDelimited, false)
        case "tsv": return (.tabDelimited, false)
        case "pipes": return (.pipeDelimited, false)
        case "multi": return (commaStyle, true)
        default: throw PartFailure(collectionFormat, expected: "a collectionFormat: csv, ssv, tsv, pipes or multi")
        }
    }

    /// Returns a value as an example without a name; empty if there is no value.
    private static func examples(_ value: JSONValue?) -> [ExampleObject] {
        guard let value else { return [] }
        return [ExampleObject(name: nil, summary: nil, value: value, isSerialized: false)]
    }

    // MARK: Bodies

    /// Returns the body that parameters describe.
    ///
    /// - Parameters:
    ///   - operation: The operation, whose `consumes` has the content types of the body.
    ///   - parameters: The parameters of the operation. One with `in: body` is the body. Otherwise those with
    ///     `in: formData` are the fields of a form.
    ///   - references: Knows the whole document, whose `consumes` counts if the operation has none.
    /// - Returns: The body in each of its content types; nil if no parameter describes one.
    /// - Throws: ``PartFailure`` for a field of a form that can't be read.
    func requestBody(of operation: JSONValue, parameters: [JSONValue], _ references: ReferenceResolver)
        throws(PartFailure) -> RequestBodyObject?
    {
        let consumedTypes = Self.contentTypes("consumes", operation, references)
        if let body = parameters.first(where: { $0["in"]?.string == "body" }) {
            let schema = body["schema"].map(BodySchema.schema)
            let content = Self.jsonUnlessDeclared(consumedTypes).map {
                MediaTypeObject(contentType: $0, schema: schema, examples: [], encodings: [:])
            }
            return RequestBodyObject(
                summary: body["description"]?.string, isRequired: body["required"]?.bool ?? false, content: content)
        }
        let fields = parameters.filter { $0["in"]?.string == "formData" }
        return fields.isEmpty ? nil : try form(fields, consumedTypes)
    }

    /// Returns the body of a form.
    ///
    /// - Parameters:
    ///   - parameters: The fields, of which there is at least one.
    ///   - consumedTypes: The content types of `consumes`.
    /// - Throws: ``PartFailure`` for a field without a name, or with an unknown `collectionFormat`.
    private func form(_ parameters: [JSONValue], _ consumedTypes: [String]) throws(PartFailure) -> RequestBodyObject {
        var fields: [FormField] = []
        var encodings: [String: EncodingObject] = [:]
        for parameter in parameters {
            let field = try Self.formField(parameter)
            fields.append(field)
            // Only a list needs an encoding, which says how its elements are separated.
            guard parameter["type"]?.string == "array" else { continue }
            let (style, isExploded) = try Self.style(parameter["collectionFormat"], .form)
            encodings[field.name] = EncodingObject(
                contentTypes: [], style: style, isExploded: isExploded, allowsReserved: false)
        }
        let contentTypes = Self.formTypes(consumedTypes, hasFile: fields.contains(where: \.isFile))
        let content = contentTypes.map {
            MediaTypeObject(contentType: $0, schema: .form(fields), examples: [], encodings: encodings)
        }
        return RequestBodyObject(summary: nil, isRequired: fields.contains(where: \.isRequired), content: content)
    }

    /// Reads a field of a form.
    ///
    /// - Throws: ``PartFailure`` if the field has no name.
    private static func formField(_ parameter: JSONValue) throws(PartFailure) -> FormField {
        guard let name = parameter["name"]?.string, !name.isEmpty else {
            throw PartFailure(at: parameter, expected: "a parameter with a 'name'", found: "none")
        }
        return FormField(
            name: name, summary: parameter["description"]?.string, isRequired: parameter["required"]?.bool ?? false,
            isFile: parameter["type"]?.string == "file", schema: parameter)
    }

    /// Returns the content types that a form can be sent in, of which there is at least one.
    ///
    /// Content types that no form has, such as JSON, are left out. A form with a file needs a multipart body.
    private static func formTypes(_ consumedTypes: [String], hasFile: Bool) -> [String] {
        let formTypes = consumedTypes.filter { contentType in
            let isMultipart = contentType.hasPrefix("multipart/form-data")
            return isMultipart || (!hasFile && contentType.hasSuffix("urlencoded"))
        }
        if !formTypes.isEmpty { return formTypes }
        return [hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded"]
    }

    /// Returns the body of a response in each content type of `produces`, with the example for that type.
    ///
    /// - Returns: The body; empty if the response has no schema, which means that it has no body.
    func content(of response: JSONValue, _ operation: JSONValue, _ references: ReferenceResolver)
        throws(PartFailure) -> [MediaTypeObject]
    {
        guard let schema = response["schema"] else { return [] }
        let producedTypes = Self.contentTypes("produces", operation, references)
        let examples = response["examples"]
        return Self.jsonUnlessDeclared(producedTypes).map { contentType in
            MediaTypeObject(
                contentType: contentType, schema: .schema(schema), examples: Self.examples(examples?[contentType]),
                encodings: [:])
        }
    }

    /// Returns the content types in `consumes` or `produces` of an operation, else those of the document.
    ///
    /// - Returns: The content types; empty if neither declares any.
    private static func contentTypes(_ key: String, _ operation: JSONValue, _ references: ReferenceResolver)
        -> [String]
    {
        (operation[key] ?? references.root[key])?.elements?.compactMap(\.string) ?? []
    }

    /// Returns content types, or JSON if the document declares none.
    private static func jsonUnlessDeclared(_ contentTypes: [String]) -> [String] {
        contentTypes.isEmpty ? ["application/json"] : contentTypes
    }
}
