import EndpointKit
import EndpointTools
import JSONText

/// The parts of an endpoint's requests that have places of their own, as a document describes them: parameters, and the
/// fields of a form.
struct EndpointFields {
    private let endpoint: DocumentedEndpoint
    /// The writer of schemas for values that are sent.
    private let writer: SchemaWriter
    /// The names of the values in the path, in their order.
    private let pathNames: [String]

    /// Prepares to describe the fields of an endpoint.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - writer: The writer of schemas for values that are sent.
    init(_ endpoint: DocumentedEndpoint, _ writer: SchemaWriter) {
        self.endpoint = endpoint
        self.writer = writer
        pathNames = endpoint.pathNames
    }

    /// The values of the path, the query items and the headers.
    var parameters: [WrittenParameter] {
        let parameters = requestFields.compactMap { field -> WrittenParameter? in
            // Members of a body in JSON, and a few headers, are described elsewhere in a document.
            guard let name = name(of: field.place), let location = Self.location(of: field.place) else { return nil }
            return parameter(field, name, location)
        }
        return WrittenParameter.mergingNamesakes(parameters)
    }

    /// The fields and files of a form, as properties of an object.
    ///
    /// The result has a schema and encodings. The caller sets its content type.
    var form: WrittenMediaType {
        var properties: SchemaWriter.Members = []
        var required: [JSONValue] = []
        var encodings: [(name: String, encoding: WrittenEncoding)] = []
        for field in requestFields where field.place.part == .body {
            guard let name = name(of: field.place) else { continue }
            let writing = writing(of: field)
            var members = schema(of: field, writing).members?.map { ($0.key, $0.value) } ?? []
            if let summary = summary(of: field) { members.append(("description", JSONValue(summary))) }
            properties.append((name, JSONValue(members)))
            if field.isRequired { required.append(JSONValue(name)) }
            if case .parts(let style) = writing { encodings.append((name, WrittenEncoding(style: style))) }
        }
        var schema: SchemaWriter.Members = [("type", "object")]
        if !properties.isEmpty { schema.append(("properties", JSONValue(properties))) }
        if !required.isEmpty { schema.append(("required", JSONValue(required))) }
        return WrittenMediaType(contentType: "", schema: WrittenSchema(JSONValue(schema)), encodings: encodings)
    }

    /// The fields of the endpoint's requests, the values of the path first.
    private var requestFields: [RequestField] {
        endpoint.bindings.fields(endpoint.parameterShape, pathCount: pathNames.count)
    }

    // MARK: Names and places

    /// Returns the name of a field.
    ///
    /// - Returns: The name. Nil for a part of a body in JSON, and for the headers that OpenAPI describes by other means
    ///   than parameters (OpenAPI 3.1, section 4.8.12.2).
    private func name(of place: ParameterTexts.Location) -> String? {
        switch place {
        case .path(let index): pathNames[index]
        case .query(let name), .field(let name), .file(let name): name
        case .header("accept"), .header("content-type"), .header("authorization"), .json, .body: nil
        case .header(let name): headerName(name)
        }
    }

    /// Returns the name of a header with the capitals that a request has: `X-Request-ID` for `x-request-id`.
    ///
    /// - Returns: The name; nil if no request has the header.
    private func headerName(_ lowercasedName: String) -> String? {
        let requests = endpoint.api.requestBuilder
        let fields = requests.fields(of: endpoint.places.endpoint)
        if let field = fields.first(where: { $0.isNamed(lowercasedName) }) { return field.name }
        // Only a parameter adds the header, so the requests with a changed parameter are searched.
        let calls = endpoint.places.probe.trials.lazy.flatMap(\.changes).map(\.call)
        return calls.flatMap { requests.fields(of: $0.endpoint) }.first { $0.isNamed(lowercasedName) }?.name
    }

    /// Returns the place of a parameter; nil for a part of the body.
    private static func location(of place: ParameterTexts.Location) -> ParameterObject.Location? {
        switch place.part {
        case .path: .path
        case .query: .query
        case .header: .header
        case .body: nil
        }
    }

    // MARK: Values

    /// The way in which the value of a field is written.
    private enum Writing {
        /// As a single text.
        case single
        /// As parts, in a style that OpenAPI knows.
        case parts(WrittenStyle)
        /// As a text that OpenAPI can't make of the value. Only a pattern describes it.
        case text
    }

    /// Returns how the value of a field is written, as far as OpenAPI has a style for it.
    ///
    ///     ids=1&ids=2                a list without a separator: form, exploded
    ///     ids=1|2                    a list with separators: pipeDelimited
    ///     filter[name]=Rex           an object with keys in brackets: deepObject
    ///     location=-33.8,151.2       two parameters in one text, which only a pattern describes
    ///
    /// A field without a binding is a single value, or an object whose keys are in brackets.
    private func writing(of field: RequestField) -> Writing {
        guard let binding = field.bindings.first else {
            let shape = endpoint.parameterShape
            // The keys of an object in the query are in brackets: `filter[name]=Rex`.
            let isObject = field.place.part == .query && !shape.directFields(of: field.shape).isEmpty
            let isNested = field.hasKeys || isObject
            return isNested ? .parts(WrittenStyle(style: .deepObject, isExploded: true)) : .single
        }
        // The literals around the only value are empty, so the text is the value alone.
        let isWholeText = field.bindings.count == 1 && binding.pattern.literals == [[], []]
        guard isWholeText else { return .text }
        // Without a separator, each element of a list is an item of its own.
        let isExploded = binding.separator == nil
        // The parts of the value have places of their own, with keys in brackets.
        if binding.nested != nil { return .parts(WrittenStyle(style: .deepObject, isExploded: isExploded)) }
        guard binding.parameter.type.isArray else { return .single }
        guard let style = Self.listStyle(binding) else { return .text }
        return .parts(WrittenStyle(style: style, isExploded: isExploded))
    }

    /// Returns the style of a list; nil if OpenAPI has none for its separator.
    private static func listStyle(_ binding: CallBinding) -> ParameterObject.Style? {
        // Only items of a query or form have a name. In a path or header, OpenAPI has one style for lists, which has
        // commas.
        let isInPathOrHeader = binding.place.name == nil
        if isInPathOrHeader { return binding.separator == "," ? .simple : nil }
        return switch binding.separator {
        case nil, ",": .form
        case " ": .spaceDelimited
        case "|": .pipeDelimited
        default: nil
        }
    }

    /// Returns the schema of a field: that of a file, a string with a pattern for a text, or else that of the field's
    /// shape.
    private func schema(of field: RequestField, _ writing: Writing) -> JSONValue {
        if field.place.isFile { return Self.fileSchema(isList: field.shape.isArray) }
        if case .text = writing { return ["type": "string", "pattern": JSONValue(field.pattern)] }
        return writer.schema(field.shape)
    }

    /// Returns the schema of a file, or of a list of files, in a multipart body.
    private static func fileSchema(isList: Bool) -> JSONValue {
        let file: JSONValue = ["type": "string", "contentMediaType": "application/octet-stream"]
        return isList ? ["type": "array", "items": file] : file
    }

    /// Describes the parameter of a field.
    ///
    /// A value of the path is always required, because a path without it is another path (OpenAPI 3.1, section
    /// 4.8.12.2).
    private func parameter(
        _ field: RequestField, _ name: String, _ location: ParameterObject.Location
    ) -> WrittenParameter {
        let writing = writing(of: field)
        var style: WrittenStyle?
        if case .parts(let partStyle) = writing { style = partStyle }
        return WrittenParameter(
            name: name, location: location, isRequired: field.isRequired || location == .path, style: style,
            schema: WrittenSchema(schema(of: field, writing)), summary: summary(of: field),
            examples: example(of: field, writing).map { [WrittenExample(name: nil, value: $0)] } ?? [],
            sources: sources(of: field, writing),
            // The operator `+` marks a value that may hold slashes (RFC 6570, section 3.2.3).
            isMultiSegment: location == .path && endpoint.places.template.contains("{+\(name)}"))
    }

    /// Returns the value of a field in the first example of the endpoint.
    ///
    /// A text that OpenAPI can't make of a value has the text of that example's request.
    ///
    /// - Returns: The value; nil if there is no example, or if the value is a credential, which a document must not
    ///   hold.
    private func example(of field: RequestField, _ writing: Writing) -> JSONValue? {
        let declaration = endpoint.declaration
        let parameters = field.bindings.map(\.parameter.name)
        let isSecret = parameters.contains { endpoint.places.credentials.contains($0) }
        guard !declaration.examples.isEmpty, !isSecret else { return nil }
        if case .text = writing {
            return endpoint.bindings.original?.texts(at: field.place).first.map { JSONValue($0) }
        }
        return declaration.firstValues.parameters.first { $0.name == parameters.first }?.value
    }

    /// Returns the names of the parameters that the text of a field is made of.
    ///
    /// For `location=-33.8,151.2` these are `latitude` and `longitude`.
    ///
    /// - Returns: The names; empty if the field is the value of one parameter, which its name tells.
    private func sources(of field: RequestField, _ writing: Writing) -> [String] {
        var sources = field.sources
        if case .text = writing { sources = field.bindings.map(\.parameter) + sources }
        return sources.map { endpoint.declaration.signature.shownName(of: $0.name) }
    }

    /// Returns the remarks about the parameters of a field; nil if there are none.
    ///
    /// If the field is made of several parameters, each remark has the name of its parameter in front:
    /// `lat: in degrees; lon: in degrees`.
    private func summary(of field: RequestField) -> String? {
        let parameters = field.bindings.map(\.parameter.name)
        let remarks = parameters.compactMap { name -> String? in
            guard let remark = endpoint.remarks[name] else { return nil }
            return parameters.count == 1 ? remark : "\(name): \(remark)"
        }
        return remarks.isEmpty ? nil : remarks.joined(separator: "; ")
    }
}
