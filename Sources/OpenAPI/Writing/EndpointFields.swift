import EndpointKit
import EndpointTools
import JSONText

/// Describes the parameters of an endpoint's requests, and the fields of a form, as an OpenAPI document does.
struct EndpointFields {
    private let endpoint: DocumentedEndpoint
    /// The writer of schemas for values that are sent.
    private let writer: SchemaWriter
    /// The names of the variables in the order of the path.
    private let pathNames: [String]

    /// Creates the description of an endpoint's fields.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - writer: The writer of schemas for values that are sent.
    init(_ endpoint: DocumentedEndpoint, writer: SchemaWriter) {
        self.endpoint = endpoint
        self.writer = writer
        pathNames = endpoint.pathNames
    }

    /// The parameters in the path, query and headers.
    var parameters: [WrittenParameter] {
        let parameters = requestFields.compactMap { field -> WrittenParameter? in
            // Other parts of a document describe bodies, and headers such as `Accept`.
            guard let name = name(of: field.place), let location = Self.location(of: field.place) else { return nil }
            return parameter(field, name: name, location: location)
        }
        return WrittenParameter.mergingNamesakes(parameters)
    }

    /// A form as a body: an object with a property for each field and file.
    ///
    /// The content type is empty, because the caller knows it.
    var form: WrittenMediaType {
        var properties: SchemaWriter.Members = []
        var required: [JSONValue] = []
        var encodings: [(name: String, encoding: WrittenEncoding)] = []
        for field in requestFields where field.place.part == .body {
            guard let name = name(of: field.place) else { continue }
            let serialization = serialization(of: field)
            var members = schema(of: field, serialization: serialization).members?.map { ($0.key, $0.value) } ?? []
            if let summary = summary(of: field) { members.append(("description", JSONValue(summary))) }
            properties.append((name, JSONValue(members)))
            if field.isRequired { required.append(JSONValue(name)) }
            if case .styled(let style) = serialization { encodings.append((name, WrittenEncoding(style: style))) }
        }
        var schema: SchemaWriter.Members = [("type", "object")]
        if !properties.isEmpty { schema.append(("properties", JSONValue(properties))) }
        if !required.isEmpty { schema.append(("required", JSONValue(required))) }
        return WrittenMediaType(contentType: "", schema: WrittenSchema(JSONValue(schema)), encodings: encodings)
    }

    /// The fields of the endpoint's requests. The variables of the path come first.
    private var requestFields: [RequestField] {
        endpoint.bindings.fields(endpoint.parameterShape, pathCount: pathNames.count)
    }

    // MARK: Names and places

    /// Returns the name of a parameter or form field.
    ///
    /// - Parameter place: The place of the field in requests, such as a position in the path or the name of a header.
    /// - Returns: The name. Nil for a part of a JSON body, and for headers such as `Accept`, which OpenAPI does not
    ///   describe as parameters (OpenAPI 3.1, section 4.8.12.2).
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
        // The header is only sent if a parameter has some value. The probe has tried several values. The list of calls
        // is lazy, because the requests of only a few of them are needed.
        let calls = endpoint.places.probe.trials.lazy.flatMap(\.changedCalls).map(\.call)
        return calls.flatMap { requests.fields(of: $0.endpoint) }.first { $0.isNamed(lowercasedName) }?.name
    }

    /// Returns the `in` of a parameter at a place of requests; nil for a part of the body.
    private static func location(of place: ParameterTexts.Location) -> ParameterObject.Location? {
        switch place.part {
        case .path: .path
        case .query: .query
        case .header: .header
        case .body: nil
        }
    }

    // MARK: Values

    /// The way in which the value of a field is written in requests.
    private enum Serialization {
        /// A scalar, such as `limit=2`.
        case scalar
        /// A list or object in a style of OpenAPI.
        case styled(WrittenStyle)
        /// A text that no style of OpenAPI produces. The schema has a pattern for it.
        case pattern
    }

    /// Returns the way in which the value of a field is written in requests.
    ///
    /// The bindings of the field say which parameters have their values in its text.
    ///
    ///     limit=2                  →  a scalar
    ///     ids=1&ids=2              →  a list in the style form, exploded
    ///     ids=1|2                  →  a list in the style pipeDelimited
    ///     filter[name]=Rex         →  an object in the style deepObject
    ///     location=-33.8,151.2     →  a pattern, because the text has the values of two parameters
    private func serialization(of field: RequestField) -> Serialization {
        guard let binding = field.bindings.first else { return serializationWithoutParameter(of: field) }
        // The two literals are the texts before and after the value.
        let hasNoOtherText = binding.pattern.literals == [[], []]
        guard field.bindings.count == 1, hasNoOtherText else { return .pattern }
        // Without a separator, each element of a list is an item of its own.
        let isExploded = binding.separator == nil
        // A value has a field coding if it is an object whose fields are separate items.
        if binding.fieldCoding != nil { return .styled(WrittenStyle(style: .deepObject, isExploded: isExploded)) }
        guard binding.parameter.type.isArray else { return .scalar }
        guard let style = Self.listStyle(binding) else { return .pattern }
        return .styled(WrittenStyle(style: style, isExploded: isExploded))
    }

    /// Returns the way in which a constant or computed value of a field is written in requests.
    ///
    /// An object in the query has its keys in brackets, such as `filter[name]=Rex`. All other values are scalars.
    private func serializationWithoutParameter(of field: RequestField) -> Serialization {
        let isObject = !endpoint.parameterShape.directFields(of: field.shape).isEmpty
        let isObjectInQuery = field.place.part == .query && isObject
        guard field.hasKeys || isObjectInQuery else { return .scalar }
        return .styled(WrittenStyle(style: .deepObject, isExploded: true))
    }

    /// Returns the style of a list; nil if no style of OpenAPI has the list's separator.
    ///
    /// - Parameter binding: The place of the list in requests, and the text between its elements.
    private static func listStyle(_ binding: CallBinding) -> ParameterObject.Style? {
        // Items of a query or form have a name. Values in a path or header have none, and are always separated by
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

    /// Returns the schema of a field's value.
    ///
    /// A text has a pattern: for `location=-33.8,151.2` the schema is `{"type": "string", "pattern": "^-?[0-9]+…$"}`.
    private func schema(of field: RequestField, serialization: Serialization) -> JSONValue {
        if field.place.isFile { return Self.fileSchema(isList: field.shape.isArray) }
        if case .pattern = serialization { return ["type": "string", "pattern": JSONValue(field.pattern)] }
        return writer.schema(field.shape)
    }

    /// Returns the schema of a file, or of a list of files, in a multipart body.
    private static func fileSchema(isList: Bool) -> JSONValue {
        let file: JSONValue = ["type": "string", "contentMediaType": "application/octet-stream"]
        return isList ? ["type": "array", "items": file] : file
    }

    /// Returns a field as a parameter of the document.
    ///
    /// OpenAPI demands that all parameters in the path are required (OpenAPI 3.1, section 4.8.12.2).
    private func parameter(
        _ field: RequestField, name: String, location: ParameterObject.Location
    ) -> WrittenParameter {
        let serialization = serialization(of: field)
        var style: WrittenStyle?
        if case .styled(let declaredStyle) = serialization { style = declaredStyle }
        var examples: [WrittenExample] = []
        if let value = example(of: field, serialization: serialization) {
            examples.append(WrittenExample(name: nil, value: value))
        }
        return WrittenParameter(
            name: name, location: location, isRequired: field.isRequired || location == .path, style: style,
            schema: WrittenSchema(schema(of: field, serialization: serialization)), summary: summary(of: field),
            examples: examples,
            sources: sources(of: field, serialization: serialization),
            // The operator `+` marks a value that may hold slashes (RFC 6570, section 3.2.3).
            isMultiSegment: location == .path && endpoint.places.template.contains("{+\(name)}"))
    }

    /// Returns the value of a field in the first example of the endpoint.
    ///
    /// - Returns: The value, or the text of a field that is written as a text. Nil if the endpoint has no example, or
    ///   if the value is a credential, because documents must not contain credentials.
    private func example(of field: RequestField, serialization: Serialization) -> JSONValue? {
        let declaration = endpoint.declaration
        let parameterNames = field.bindings.map(\.parameter.name)
        let isSecret = parameterNames.contains { endpoint.places.credentials.contains($0) }
        guard !declaration.examples.isEmpty, !isSecret else { return nil }
        if case .pattern = serialization {
            return endpoint.bindings.original?.texts(at: field.place).first.map { JSONValue($0) }
        }
        return declaration.firstValues.parameters.first { $0.name == parameterNames.first }?.value
    }

    /// Returns the names of the endpoint's parameters from which the text of a field is made.
    ///
    /// For `location=-33.8,151.2` the names are `latitude` and `longitude`.
    ///
    /// - Returns: The names; empty if the field is the value of one parameter.
    private func sources(of field: RequestField, serialization: Serialization) -> [String] {
        var sources = field.sources
        if case .pattern = serialization { sources = field.bindings.map(\.parameter) + sources }
        return sources.map { endpoint.declaration.signature.shownName(of: $0.name) }
    }

    /// Returns the description of a field: the remarks about its parameters. Nil if there are no remarks.
    ///
    ///     one parameter          →  in degrees
    ///     several parameters     →  lat: in degrees; lon: in degrees
    private func summary(of field: RequestField) -> String? {
        let parameterNames = field.bindings.map(\.parameter.name)
        let remarks = parameterNames.compactMap { name -> String? in
            guard let remark = endpoint.remarks[name] else { return nil }
            return parameterNames.count == 1 ? remark : "\(name): \(remark)"
        }
        return remarks.isEmpty ? nil : remarks.joined(separator: "; ")
    }
}
