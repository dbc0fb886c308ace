import EndpointKit
import JSONText
import OpenAPI

/// Reads the bodies of requests.
enum BodyReading {
    /// Adds the body to an operation: the text that sends it, its parameter, and comments for people to look at.
    ///
    /// The operation stays as it is if the body has no media type that can be chosen.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - operation: The operation, which gets the body as its last parameter.
    ///   - types: Makes the type of the body.
    static func read(_ body: RequestBodyObject, of operation: inout ImportedOperation, _ types: inout SchemaTypes) {
        let chosen = try? RequestContent.choose(from: body.content, bodyType: nil, in: types.document)
        guard let content = chosen ?? nil else { return }
        switch content.format {
        case .bytes:
            operation.text.body = .whole(.bytes(contentType: header(content.contentType)))
            // A parameter called `body` would hide the option `--body`, which can read a file.
            add(.bytes, body, content, name: "content", note: "The bytes to send: --body @FILE.", to: &operation)
        case .text:
            operation.text.body = .whole(.text(contentType: header(content.contentType)))
            add(.string, body, content, to: &operation)
        case .json:
            readJSON(body, content, of: &operation, &types)
        case .form, .multipart:
            readFields(body, content, of: &operation, &types)
        }
    }

    /// Reads a JSON body.
    ///
    /// The generated call is `.json(body)`. If the media type needs a `Content-Type` header of its own, the operation
    /// also gets that header as a constant.
    private static func readJSON(
        _ body: RequestBodyObject, _ content: RequestContent, of operation: inout ImportedOperation,
        _ types: inout SchemaTypes
    ) {
        let type = typeOfJSON(content, &operation, &types)
        operation.text.body = .whole(.json)
        if content.contentTypeHeader != nil {
            operation.text.parameters.append(
                .init(
                    key: "Content-Type", place: .header, type: .string, constant: "\"\(header(content.contentType))\"")
            )
        }
        add(type, body, content, to: &operation)
        name(type, of: operation, &types)
    }

    /// Returns the type of a JSON body, and adds a comment if it is JSON of any kind.
    ///
    /// Some documents have a stand-in where a schema should be, such as an object with the only property `RAW_BODY`. If
    /// the example has none of the schema's properties, the example tells more, and the body is JSON of any kind.
    private static func typeOfJSON(
        _ content: RequestContent, _ operation: inout ImportedOperation, _ types: inout SchemaTypes
    ) -> InferredType {
        guard let schema = content.mediaType.schema else {
            operation.text.comments.append("the body is any JSON: \(SchemaTypes.undescribed)")
            return .json(SchemaTypes.undescribed)
        }
        let type = types.type(ofBody: schema, key: "body")
        let examples = content.mediaType.examples.compactMap { $0.value.members }
        let keys = Set(type.model?.fields.map(\.key) ?? [])
        if let example = examples.first, !example.isEmpty, !keys.isEmpty, keys.isDisjoint(with: example.map(\.key)) {
            let reason = "its example has none of the schema's properties"
            operation.text.comments.append("the body is any JSON: \(reason)")
            return .json(reason)
        }
        if let comment = type.looseComment("body") { operation.text.comments.append(comment) }
        return type
    }

    /// Reads the fields of a form, or the parts of a multipart body.
    ///
    /// A body without known fields is not sent, except for a form that may have any fields.
    private static func readFields(
        _ body: RequestBodyObject, _ content: RequestContent, of operation: inout ImportedOperation,
        _ types: inout SchemaTypes
    ) {
        if allowsNoFields(content.mediaType.schema, types.document) { return }
        let type = types.type(ofBody: content.mediaType.schema, key: "body").unwrapped.type
        let fields = type.model?.fields ?? []
        let isMultipart = content.format == .multipart
        let mayHaveAnyFields = !isMultipart && type.isFormOfAnyFields
        guard !fields.isEmpty || mayHaveAnyFields else {
            if !hasNoFields(content.mediaType.schema, types.document) {
                operation.text.comments.append("the body is a form without known fields, and not sent")
            }
            return
        }
        let formats = FieldFormat.formats(of: fields, content.mediaType.encodings)
        operation.text.body = isMultipart ? .parts(formats) : form(of: fields, formats)
        if !isMultipart { noteJSON(formats, of: fields, &operation) }
        add(type, body, content, to: &operation)
        name(type, of: operation, &types)
        if let model = type.model { adaptFields(of: model, isMultipart: isMultipart) }
    }

    /// Returns how a form is written.
    ///
    /// The shortest text that its lists allow is `.form(Endpoint.Query(body))` if each element of a list is an item, and
    /// `.form(.indexed(Endpoint.Query(body)))` if the elements have positions. Other forms are written field by field.
    private static func form(
        of fields: [InferredModel.Property], _ formats: [String: FieldFormat]
    ) -> EndpointText.Body {
        if FieldFormat.areUsual(formats, of: fields) { return .whole(.form) }
        return FieldFormat.areIndexed(formats, of: fields) ? .whole(.indexedForm) : .fields(formats)
    }

    /// Changes the fields of a form's or a multipart body's model to what these can express.
    private static func adaptFields(of model: InferredModel, isMultipart: Bool) {
        for index in model.fields.indices {
            // Neither a part nor an item of a form can express null.
            if isMultipart { model.fields[index].isNullable = false }
            // The generated endpoint reads each field. With a deprecation attribute, the compiler would warn of that
            // use, so the summary says "Deprecated." instead.
            guard model.fields[index].isDeprecated else { continue }
            model.fields[index].isDeprecated = false
            model.fields[index].summary += (model.fields[index].summary.isEmpty ? "" : "\n") + "Deprecated."
        }
    }

    /// Whether a schema has no properties and forbids all others, as that of Stripe's GETs does.
    private static func allowsNoFields(_ schema: BodySchema?, _ document: OpenAPIDocument) -> Bool {
        guard case .schema(let schema)? = schema else { return false }
        let facts = document.facts(ofAll: [schema])
        guard facts.properties.isEmpty, facts.alternatives == nil else { return false }
        if case .forbidden = facts.otherMembers { return true }
        return false
    }

    /// Whether a schema is an object without any members, so that nothing is sent.
    private static func hasNoFields(_ schema: BodySchema?, _ document: OpenAPIDocument) -> Bool {
        switch schema {
        case nil: true
        case .form(let fields): fields.isEmpty
        case .schema(let schema), .items(let schema):
            schema["properties"]?.members?.isEmpty == true && document.facts(ofAll: [schema]).properties.isEmpty
        }
    }

    /// Adds a comment for each field that the document wants as JSON, but that the form writes with brackets.
    private static func noteJSON(
        _ formats: [String: FieldFormat], of fields: [InferredModel.Property], _ operation: inout ImportedOperation
    ) {
        for field in fields where formats[field.key]?.isJSON == true && !field.type.isScalar {
            operation.text.comments.append("'\(field.key)' is sent with brackets, not as JSON")
        }
    }

    /// Adds the parameter for the whole body to an operation.
    ///
    /// The parameter is optional if the document doesn't require the body, or if the body may be null.
    private static func add(
        _ type: InferredType, _ body: RequestBodyObject, _ content: RequestContent, name: String = "body",
        note: String = "", to operation: inout ImportedOperation
    ) {
        let (type, isNull) = type.unwrapped
        operation.text.parameters.append(
            .init(
                key: "", place: .body, type: type, isOptional: !body.isRequired || isNull, note: note,
                value: content.mediaType.examples.first?.value, name: name))
    }

    /// Names the model of a body after the operation, unless the document names it.
    ///
    /// The model of a PATCH request is marked as a change. Types without a model need no name.
    private static func name(_ type: InferredType, of operation: ImportedOperation, _ types: inout SchemaTypes) {
        guard let model = type.model else { return }
        types.name(model, words: operation.bodyWords)
        if operation.method == "PATCH" { model.isChange = true }
    }

    /// Returns a media type with only the characters that a media type may have, cut off after 60 characters.
    ///
    /// `text/"plain"` → `text/plain`
    private static func header(_ contentType: String) -> String {
        let allowed = contentType.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "!#$&^_.+-/*;= ".contains($0)) }
        return String(allowed.prefix(60))
    }
}

extension InferredType {
    /// Whether values may be objects with any fields: dictionaries, and JSON of any kind.
    fileprivate var isFormOfAnyFields: Bool { jsonKind == nil || jsonKind == .object }
}

extension FieldFormat {
    /// Returns the formats of a form's fields by key, as the encodings say.
    ///
    /// A field without an encoding has no format in the result. An encoding's `style` decides how a list is written,
    /// and its content type counts only if it has no `style` and names exactly one type without `*`.
    static func formats(
        of fields: [InferredModel.Property], _ encodings: [String: EncodingObject]
    ) -> [String: FieldFormat] {
        var formats: [String: FieldFormat] = [:]
        for field in fields {
            guard let encoding = encodings[field.key] else { continue }
            var format = FieldFormat()
            if let style = encoding.style {
                let isList = if case .array = field.type { true } else { false }
                if style == .deepObject {
                    format.list = .indexed
                } else if !encoding.isExploded, isList {
                    format.list = .joined(style.separator)
                }
            } else if encoding.contentTypes.count == 1, !encoding.contentTypes[0].contains("*") {
                format.contentType = encoding.contentTypes[0]
            }
            formats[field.key] = format
        }
        return formats
    }

    /// Whether each list of a form is written with one item for each element: `tag=a&tag=b`.
    ///
    /// Positions make no difference to a field that holds no list.
    static func areUsual(_ formats: [String: FieldFormat], of fields: [InferredModel.Property]) -> Bool {
        fields.allSatisfy { field in
            let list = formats[field.key]?.list ?? .items
            return list == .items || (list == .indexed && !field.type.holdsList)
        }
    }

    /// Whether each list of a form is written with the positions of its elements: `tag[0]=a&tag[1]=b`.
    ///
    /// A field that holds no list looks the same without positions.
    static func areIndexed(_ formats: [String: FieldFormat], of fields: [InferredModel.Property]) -> Bool {
        fields.allSatisfy { field in
            let list = formats[field.key]?.list ?? .items
            return list == .indexed || (list == .items && !field.type.holdsList)
        }
    }
}

extension InferredType {
    /// Whether values are lists, or may hold lists.
    fileprivate var holdsList: Bool {
        switch unwrapped.type {
        case .bool, .integer, .decimal, .double, .string, .date: false
        case .model(let model): !model.isListed
        default: true
        }
    }
}
