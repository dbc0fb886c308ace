import JSONText

/// Swagger 2.0. Parameters have the keywords of their schema themselves, and bodies and forms are parameters too.
struct Swagger2: DocumentVersion {
    let methods: Set<String> = ["get", "put", "post", "delete", "options", "head", "patch"]
    let additionalOperationsKey: String? = nil
    let dialect = SchemaDialect(nullableKeys: ["x-nullable", "nullable"], hasReferenceSiblings: false)

    // MARK: Servers

    /// Returns the servers that `schemes`, `host` and `basePath` describe.
    ///
    ///     schemes http and https, host example.com, basePath /v1    →  https://example.com/v1, http://example.com/v1
    ///     host example.com, basePath /v1                            →  //example.com/v1
    ///     basePath /v1                                              →  /v1
    ///
    /// - Parameters:
    ///   - value: An operation, a path item, or the whole document. Only `schemes` may be in an operation.
    ///   - references: Gives access to the whole document, which has `host` and `basePath`.
    /// - Returns: The servers. Nil for an operation or path item without `schemes`, and for a document that has
    ///   neither `host` nor `basePath`.
    func readServers(of value: JSONValue, references: ReferenceResolver) -> ReadParts<ServerObject>? {
        let root = references.root
        let isRoot = value.isSamePart(as: root)
        guard isRoot || value["schemes"] != nil else { return nil }
        let basePath = root["basePath"]?.string ?? ""
        guard let host = root["host"]?.string, !host.isEmpty else {
            guard isRoot, !basePath.isEmpty else { return nil }
            return ReadParts([ServerObject(url: basePath)])
        }
        let schemes = (value["schemes"] ?? root["schemes"])?.elements?.compactMap(\.string) ?? []
        // A URL without a scheme is resolved against the URL of the document.
        if schemes.isEmpty { return ReadParts([ServerObject(url: "//\(host)\(basePath)")]) }
        // The first server is the default. With https, credentials stay secret.
        let schemesWithHTTPSFirst = schemes.filter { $0 == "https" } + schemes.filter { $0 != "https" }
        return ReadParts(schemesWithHTTPSFirst.map { ServerObject(url: "\($0)://\(host)\(basePath)") })
    }

    // MARK: Security

    /// Returns the security schemes, which Swagger 2.0 calls definitions.
    func securitySchemes(of root: JSONValue) -> JSONValue? { root["securityDefinitions"] }

    /// Reads the type of a security scheme: apiKey, basic or oauth2.
    func readSecurityKind(_ scheme: JSONValue, references: ReferenceResolver) throws(PartFailure)
        -> SecuritySchemeObject.Kind
    {
        switch scheme["type"]?.string {
        case "apiKey": return try SecuritySchemeObject.readAPIKey(scheme)
        case "basic": return .http(scheme: "basic")
        case "oauth2":
            // In Swagger 2.0, a scheme has one flow, whose members are in the scheme itself.
            return .oauth2([
                SecuritySchemeObject.readFlow(named: Self.flowName(scheme["flow"]?.string ?? ""), value: scheme)
            ])
        default: throw PartFailure(foundValue: scheme["type"] ?? scheme, expected: "a type: apiKey, basic or oauth2")
        }
    }

    /// Returns the name of an OAuth flow in OpenAPI 3.
    ///
    ///     application    →  clientCredentials
    ///     implicit       →  implicit
    private static func flowName(_ flow: String) -> String {
        switch flow {
        case "application": "clientCredentials"
        case "accessCode": "authorizationCode"
        default: flow
        }
    }

    // MARK: Parameters

    /// Reads a Parameter Object, which is also the schema of its value: it has keywords such as `type` itself.
    ///
    /// - Returns: The parameter; nil if it describes the body or a field of a form.
    func readParameter(_ object: JSONValue, references: ReferenceResolver) throws(PartFailure) -> ParameterObject? {
        if ["body", "formData"].contains(object["in"]?.string) { return nil }
        let (name, location) = try ParameterRules.readNameAndLocation(object)
        let defaultStyle = ParameterRules.defaultStyle(location)
        let (style, isExploded) = try Self.readStyle(
            collectionFormat: object["collectionFormat"], commaStyle: defaultStyle)
        return ParameterObject(
            name: name, location: location, summary: object["description"]?.string,
            isRequired: location == .path || object["required"]?.bool ?? false,
            isDeprecated: object["x-deprecated"]?.bool ?? false, style: style, isExploded: isExploded,
            allowsReserved: false, schema: object, content: nil, examples: Self.examples(object["x-example"]))
    }

    /// Returns the style of OpenAPI 3 that corresponds to a `collectionFormat`, and whether it is exploded.
    ///
    ///     csv      a,b        →  form or simple
    ///     pipes    a|b        →  pipeDelimited
    ///     multi    x=a&x=b    →  form or simple, exploded
    ///
    /// - Parameters:
    ///   - collectionFormat: The format. Nil stands for `csv`.
    ///   - commaStyle: The style with commas for the location of the parameter: form or simple.
    /// - Throws: ``PartFailure`` if the format is unknown.
    private static func readStyle(
        collectionFormat: JSONValue?, commaStyle: ParameterObject.Style
    ) throws(PartFailure) -> (style: ParameterObject.Style, isExploded: Bool) {
        guard let collectionFormat else { return (commaStyle, false) }
        switch collectionFormat.string {
        case "csv": return (commaStyle, false)
        case "ssv": return (.spaceDelimited, false)
        case "tsv": return (.tabDelimited, false)
        case "pipes": return (.pipeDelimited, false)
        case "multi": return (commaStyle, true)
        default:
            throw PartFailure(
                foundValue: collectionFormat, expected: "a collectionFormat: csv, ssv, tsv, pipes or multi")
        }
    }

    /// Returns a list with a value as the only example; empty if the value is nil.
    private static func examples(_ value: JSONValue?) -> [ExampleObject] {
        guard let value else { return [] }
        return [ExampleObject(name: nil, summary: nil, value: value, isSerialized: false)]
    }

    // MARK: Bodies

    /// Reads the body of an operation's requests, which is among its parameters.
    ///
    /// - Parameters:
    ///   - operation: The Operation Object. `consumes` lists the content types of the body.
    ///   - parameters: The Parameter Objects. A parameter with `in: body` is the body. Parameters with `in: formData`
    ///     are the fields of a form.
    ///   - references: Gives access to the whole document. Its `consumes` applies to operations without `consumes`.
    /// - Returns: The body in each of its content types; nil if requests have no body.
    /// - Throws: ``PartFailure`` for a field of a form that can't be read.
    func readRequestBody(of operation: JSONValue, parameters: [JSONValue], references: ReferenceResolver)
        throws(PartFailure) -> RequestBodyObject?
    {
        let consumedTypes = Self.contentTypes(listedIn: "consumes", of: operation, references: references)
        if let body = parameters.first(where: { $0["in"]?.string == "body" }) {
            let schema = body["schema"].map(BodySchema.schema)
            let content = Self.jsonUnlessDeclared(consumedTypes).map {
                MediaTypeObject(contentType: $0, schema: schema, examples: [], encodings: [:])
            }
            return RequestBodyObject(
                summary: body["description"]?.string, isRequired: body["required"]?.bool ?? false, content: content)
        }
        let fields = parameters.filter { $0["in"]?.string == "formData" }
        return fields.isEmpty ? nil : try readForm(fields, consumedTypes: consumedTypes)
    }

    /// Reads a form.
    ///
    /// - Parameters:
    ///   - parameters: The Parameter Objects of the fields. There is at least one.
    ///   - consumedTypes: The content types in `consumes`.
    /// - Throws: ``PartFailure`` for a field without a name, or with an unknown `collectionFormat`.
    private func readForm(_ parameters: [JSONValue], consumedTypes: [String]) throws(PartFailure) -> RequestBodyObject {
        var fields: [FormField] = []
        var encodings: [String: EncodingObject] = [:]
        for parameter in parameters {
            let field = try Self.readFormField(parameter)
            fields.append(field)
            // The encoding of a list says how its elements are separated. Other fields need no encoding.
            guard parameter["type"]?.string == "array" else { continue }
            let (style, isExploded) = try Self.readStyle(
                collectionFormat: parameter["collectionFormat"], commaStyle: .form)
            encodings[field.name] = EncodingObject(
                contentTypes: [], style: style, isExploded: isExploded, allowsReserved: false)
        }
        let contentTypes = Self.formContentTypes(consumedTypes, hasFile: fields.contains(where: \.isFile))
        let content = contentTypes.map {
            MediaTypeObject(contentType: $0, schema: .form(fields), examples: [], encodings: encodings)
        }
        return RequestBodyObject(summary: nil, isRequired: fields.contains(where: \.isRequired), content: content)
    }

    /// Reads a field of a form.
    ///
    /// - Throws: ``PartFailure`` if the field has no name.
    private static func readFormField(_ parameter: JSONValue) throws(PartFailure) -> FormField {
        guard let name = parameter["name"]?.string, !name.isEmpty else {
            throw PartFailure(at: parameter, expected: "a parameter with a 'name'", found: "none")
        }
        return FormField(
            name: name, summary: parameter["description"]?.string, isRequired: parameter["required"]?.bool ?? false,
            isFile: parameter["type"]?.string == "file", schema: parameter)
    }

    /// Returns the content types in which a form can be sent. There is at least one.
    ///
    /// - Parameters:
    ///   - consumedTypes: The content types in `consumes`. Types that a form can't have, such as JSON, are ignored.
    ///   - hasFile: Whether the form has a file. Only a multipart body can contain files.
    private static func formContentTypes(_ consumedTypes: [String], hasFile: Bool) -> [String] {
        let formTypes = consumedTypes.filter { contentType in
            let isMultipart = contentType.hasPrefix("multipart/form-data")
            return isMultipart || (!hasFile && contentType.hasSuffix("urlencoded"))
        }
        if !formTypes.isEmpty { return formTypes }
        return [hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded"]
    }

    /// Reads the body of a response in each content type of `produces`, with the example for that type.
    ///
    /// - Returns: The body; empty for a response without `schema`, because it has no body.
    func readContent(of response: JSONValue, operation: JSONValue, references: ReferenceResolver)
        throws(PartFailure) -> [MediaTypeObject]
    {
        guard let schema = response["schema"] else { return [] }
        let producedTypes = Self.contentTypes(listedIn: "produces", of: operation, references: references)
        let examples = response["examples"]
        return Self.jsonUnlessDeclared(producedTypes).map { contentType in
            MediaTypeObject(
                contentType: contentType, schema: .schema(schema), examples: Self.examples(examples?[contentType]),
                encodings: [:])
        }
    }

    /// Returns the content types in a list of an operation, or else in the same list of the document.
    ///
    /// - Parameters:
    ///   - key: The key of the list: `consumes` or `produces`.
    ///   - operation: The Operation Object.
    ///   - references: Gives access to the whole document. Its list applies to operations without a list.
    /// - Returns: The content types; empty if neither the operation nor the document has the list.
    private static func contentTypes(listedIn key: String, of operation: JSONValue, references: ReferenceResolver)
        -> [String]
    {
        (operation[key] ?? references.root[key])?.elements?.compactMap(\.string) ?? []
    }

    /// Returns the content types, or `application/json` for an empty list.
    private static func jsonUnlessDeclared(_ contentTypes: [String]) -> [String] {
        contentTypes.isEmpty ? ["application/json"] : contentTypes
    }
}
