import JSONText

/// Swagger 2.0, in which a parameter is its own schema, and bodies and forms are parameters.
struct Swagger2: DocumentVersion {
    let methods: Set<String> = ["get", "put", "post", "delete", "options", "head", "patch"]
    let additionalOperationsKey: String? = nil
    let dialect = SchemaDialect(nullableKeys: ["x-nullable", "nullable"], hasReferenceSiblings: false)

    // MARK: Servers

    /// Returns the servers at an operation or at the whole document, made of `schemes`, `host` and `basePath`.
    ///
    /// The host and the base path are always those of the document. With the schemes `http` and `https`, the host
    /// `example.com` and the base path `/v1`, the servers are `https://example.com/v1` and `http://example.com/v1`.
    /// Without a host, the document's server is its base path, which is relative to the URL of the document.
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
        let path = root["basePath"]?.string ?? ""
        guard let host = root["host"]?.string, !host.isEmpty else {
            guard isRoot, !path.isEmpty else { return nil }
            return ReadParts([ServerObject(url: path)])
        }
        let schemes = (value["schemes"] ?? root["schemes"])?.elements?.compactMap(\.string) ?? []
        // The first server is used unless another one is chosen, and https keeps credentials secret.
        let secureFirst = schemes.filter { $0 == "https" } + schemes.filter { $0 != "https" }
        // A URL without a scheme takes that of the document's own URL.
        let urls = secureFirst.isEmpty ? ["//\(host)\(path)"] : secureFirst.map { "\($0)://\(host)\(path)" }
        return ReadParts(urls.map { ServerObject(url: $0) })
    }

    // MARK: Security

    func securitySchemes(of root: JSONValue) -> JSONValue? { root["securityDefinitions"] }

    func securityKind(_ scheme: JSONValue, _ references: ReferenceResolver) throws(PartFailure)
        -> SecuritySchemeObject.Kind
    {
        switch scheme["type"]?.string {
        case "apiKey": return try SecuritySchemeObject.apiKey(scheme)
        case "basic": return .http(scheme: "basic")
        case "oauth2":
            let name = Self.flowNames[scheme["flow"]?.string ?? ""] ?? scheme["flow"]?.string ?? ""
            return .oauth2([SecuritySchemeObject.flow(name, scheme)])
        default: throw PartFailure(scheme["type"] ?? scheme, expected: "a type: apiKey, basic or oauth2")
        }
    }

    /// The names in OpenAPI 3 of flows that are called otherwise.
    private static let flowNames = ["application": "clientCredentials", "accessCode": "authorizationCode"]

    // MARK: Parameters

    func parameter(_ value: JSONValue, _ references: ReferenceResolver) throws(PartFailure) -> ParameterObject? {
        if ["body", "formData"].contains(value["in"]?.string) { return nil }
        let (name, location) = try ParameterReading.nameAndLocation(value)
        let (style, isExploded) = try Self.style(value["collectionFormat"], location)
        return ParameterObject(
            name: name, location: location, summary: value["description"]?.string,
            isRequired: location == .path || value["required"]?.bool ?? false,
            isDeprecated: value["x-deprecated"]?.bool ?? false, style: style, isExploded: isExploded,
            allowsReserved: false, schema: value, content: nil, examples: Self.example(value["x-example"]))
    }

    /// Returns the style of OpenAPI 3 for a `collectionFormat`, and whether it is exploded.
    ///
    /// Without a format, values are separated by commas, as with `csv`.
    ///
    /// - Parameters:
    ///   - collectionFormat: The format; nil if there is none.
    ///   - location: The location of the parameter, whose default style separates with commas; nil for the field of a
    ///     form.
    /// - Throws: ``PartFailure`` if the format is unknown.
    private static func style(_ collectionFormat: JSONValue?, _ location: ParameterObject.Location?) throws(PartFailure)
        -> (ParameterObject.Style, isExploded: Bool)
    {
        let defaultStyle: ParameterObject.Style = location.map(ParameterReading.defaultStyle) ?? .form
        guard let collectionFormat else { return (defaultStyle, false) }
        switch collectionFormat.string {
        case "csv": return (defaultStyle, false)
        case "ssv": return (.spaceDelimited, false)
        case "tsv": return (.tabDelimited, false)
        case "pipes": return (.pipeDelimited, false)
        case "multi": return (defaultStyle, true)
        default: throw PartFailure(collectionFormat, expected: "a collectionFormat: csv, ssv, tsv, pipes or multi")
        }
    }

    /// Returns a value as an example without a name.
    private static func example(_ value: JSONValue?) -> [ExampleObject] {
        guard let value else { return [] }
        return [ExampleObject(name: nil, summary: nil, value: value, isSerialized: false)]
    }

    // MARK: Bodies

    func requestBody(of operation: JSONValue, parameters: [JSONValue], _ references: ReferenceResolver)
        throws(PartFailure) -> RequestBodyObject?
    {
        let types = Self.contentTypes("consumes", operation, references)
        if let body = parameters.first(where: { $0["in"]?.string == "body" }) {
            let schema = body["schema"].map(BodySchema.schema)
            let content = (types.isEmpty ? ["application/json"] : types).map {
                MediaTypeObject(contentType: $0, schema: schema, examples: [], encodings: [:])
            }
            return RequestBodyObject(
                summary: body["description"]?.string, isRequired: body["required"]?.bool ?? false, content: content)
        }
        let fields = parameters.filter { $0["in"]?.string == "formData" }
        return fields.isEmpty ? nil : try form(fields, types)
    }

    /// Returns the body of a form.
    ///
    /// - Parameters:
    ///   - parameters: The fields.
    ///   - types: The content types of `consumes`.
    private func form(_ parameters: [JSONValue], _ types: [String]) throws(PartFailure) -> RequestBodyObject {
        var fields: [FormField] = []
        var encodings: [String: EncodingObject] = [:]
        for value in parameters {
            guard let name = value["name"]?.string, !name.isEmpty else {
                throw PartFailure(at: value, expected: "a parameter with a 'name'", found: "none")
            }
            fields.append(
                FormField(
                    name: name, summary: value["description"]?.string, isRequired: value["required"]?.bool ?? false,
                    isFile: value["type"]?.string == "file", schema: value))
            guard value["type"]?.string == "array" else { continue }
            let (style, isExploded) = try Self.style(value["collectionFormat"], nil)
            encodings[name] = EncodingObject(
                contentTypes: [], style: style, isExploded: isExploded, allowsReserved: false)
        }
        let forms = types.filter { $0.hasPrefix("multipart/form-data") || $0.hasSuffix("urlencoded") }
        let hasFile = fields.contains(where: \.isFile)
        // A file can only be sent in a multipart body.
        let fallback = hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded"
        let usable = hasFile ? forms.filter { $0.hasPrefix("multipart") } : forms
        let content = (usable.isEmpty ? [fallback] : usable).map {
            MediaTypeObject(contentType: $0, schema: .form(fields), examples: [], encodings: encodings)
        }
        return RequestBodyObject(summary: nil, isRequired: fields.contains(where: \.isRequired), content: content)
    }

    func content(of response: JSONValue, _ operation: JSONValue, _ references: ReferenceResolver)
        throws(PartFailure) -> [MediaTypeObject]
    {
        guard let schema = response["schema"] else { return [] }
        let types = Self.contentTypes("produces", operation, references)
        let examples = response["examples"]
        return (types.isEmpty ? ["application/json"] : types).map {
            MediaTypeObject(
                contentType: $0, schema: .schema(schema), examples: Self.example(examples?[$0]), encodings: [:])
        }
    }

    /// Returns the content types of an operation, else those of the document.
    private static func contentTypes(_ key: String, _ operation: JSONValue, _ references: ReferenceResolver)
        -> [String]
    {
        (operation[key] ?? references.root[key])?.elements?.compactMap(\.string) ?? []
    }
}
