import EndpointKit
import JSONText
import OpenAPI

/// Reads the request bodies of a document's operations.
enum BodyReader {
    /// Adds a body to an operation: how it is sent, the parameter with its value, and comments for people to look at.
    ///
    /// If the document offers several media types, the one that requests use by default is chosen. The operation stays
    /// as it is if none can be chosen.
    ///
    /// - Parameters:
    ///   - body: The body as the document describes it.
    ///   - operation: The operation, which gets the body as its last parameter.
    ///   - types: Makes the Swift type of the body.
    static func read(
        _ body: RequestBodyObject, of operation: inout ImportedOperation, types: inout SchemaTypes
    ) {
        guard let content = try? RequestContent.choose(from: body.content, bodyType: nil, in: types.document) else {
            return
        }
        switch content.format {
        case .bytes:
            operation.text.body = .whole(.bytes(contentType: headerValue(content.contentType)))
            // A parameter called `body` would hide the option `--body`, which can read a file.
            addParameter(
                for: body, type: .bytes, content: content, name: "content", note: "The bytes to send: --body @FILE.",
                to: &operation)
        case .text:
            operation.text.body = .whole(.text(contentType: headerValue(content.contentType)))
            addParameter(for: body, type: .string, content: content, to: &operation)
        case .json:
            readJSON(body, content: content, of: &operation, types: &types)
        case .form, .multipart:
            readFields(body, content: content, of: &operation, types: &types)
        }
    }

    /// Reads a JSON body, which is sent as `.json(body)`.
    ///
    /// If the media type differs from that of `.json`, such as `application/merge-patch+json`, the operation also gets
    /// the header `Content-Type` as a constant.
    ///
    /// - Parameters:
    ///   - body: The body as the document describes it.
    ///   - content: The media type that is sent.
    ///   - operation: The operation, which gets the body as its last parameter.
    ///   - types: Makes the Swift type of the body.
    private static func readJSON(
        _ body: RequestBodyObject, content: RequestContent, of operation: inout ImportedOperation,
        types: inout SchemaTypes
    ) {
        let type = typeOfJSON(content, of: &operation, types: &types)
        operation.text.body = .whole(.json)
        if content.contentTypeHeader != nil {
            let value: SwiftText = "\"\(headerValue(content.contentType))\""
            operation.text.parameters.append(
                .init(key: "Content-Type", place: .header, type: .string, constant: value))
        }
        addParameter(for: body, type: type, content: content, to: &operation)
        nameModel(of: type, after: operation, in: &types)
    }

    /// Returns the type of a JSON body. If it is `JSONValue`, a comment with the reason is added to the operation.
    ///
    /// Some documents have a stand-in for the schema, such as an object with the only property `RAW_BODY`. So if the
    /// example has none of the schema's properties, the schema is ignored, and the body is `JSONValue`.
    ///
    /// - Parameters:
    ///   - content: The media type that is sent, with its schema and examples.
    ///   - operation: The operation, which gets the comment.
    ///   - types: Makes the Swift type of the body.
    private static func typeOfJSON(
        _ content: RequestContent, of operation: inout ImportedOperation, types: inout SchemaTypes
    ) -> InferredType {
        guard let schema = content.mediaType.schema else {
            operation.text.comments.append("the body is any JSON: \(SchemaTypes.undescribed)")
            return .json(SchemaTypes.undescribed)
        }
        let type = types.makeType(ofBody: schema, key: "body")
        let exampleObjects = content.mediaType.examples.compactMap { $0.value.members }
        let exampleKeys = exampleObjects.first?.map(\.key) ?? []
        let schemaKeys = Set(type.model?.fields.map(\.key) ?? [])
        let haveKeys = !exampleKeys.isEmpty && !schemaKeys.isEmpty
        if haveKeys, schemaKeys.isDisjoint(with: exampleKeys) {
            let reason = "its example has none of the schema's properties"
            operation.text.comments.append("the body is any JSON: \(reason)")
            return .json(reason)
        }
        if let comment = type.looseComment("body") { operation.text.comments.append(comment) }
        return type
    }

    /// Reads a form or multipart body, for which a call gives a structure with a property for each field.
    ///
    /// A body without known fields is not sent, except for a form that may have any fields.
    ///
    /// - Parameters:
    ///   - body: The body as the document describes it.
    ///   - content: The media type that is sent.
    ///   - operation: The operation, which gets the body as its last parameter, or a comment.
    ///   - types: Makes the Swift type of the body.
    private static func readFields(
        _ body: RequestBodyObject, content: RequestContent, of operation: inout ImportedOperation,
        types: inout SchemaTypes
    ) {
        let schema = content.mediaType.schema
        if forbidsAllFields(schema, in: types.document) { return }
        let type = types.makeType(ofBody: schema, key: "body").unwrapped.type
        let fields = type.model?.fields ?? []
        let isMultipart = content.format == .multipart
        let mayHaveAnyFields = !isMultipart && type.isFormOfAnyFields
        if fields.isEmpty, !mayHaveAnyFields {
            if !declaresNoFields(schema, in: types.document) {
                operation.text.comments.append("the body is a form without known fields, and not sent")
            }
            return
        }
        let formats = FieldFormat.formats(of: fields, encodings: content.mediaType.encodings)
        if isMultipart {
            operation.text.body = .parts(formats)
        } else {
            operation.text.body = form(of: fields, formats: formats)
            addComments(onJSONIn: fields, formats: formats, to: &operation)
        }
        addParameter(for: body, type: type, content: content, to: &operation)
        nameModel(of: type, after: operation, in: &types)
        if let model = type.model { adaptFields(of: model, isMultipart: isMultipart) }
    }

    /// Returns how a form is written in Swift, by the way in which it writes lists.
    ///
    /// | Lists | Swift |
    /// |---|---|
    /// | each element as an item: `tag=a&tag=b` | `.form(Endpoint.Query(body))` |
    /// | with positions: `tag[0]=a&tag[1]=b` | `.form(.indexed(Endpoint.Query(body)))` |
    /// | other ways, or several | each field: `.form(["tag": body.tag.joined(by: ",")])` |
    ///
    /// - Parameters:
    ///   - fields: The fields of the form.
    ///   - formats: The formats of the fields, by their keys. A field without one has the usual format.
    private static func form(
        of fields: [InferredModel.Property], formats: [String: FieldFormat]
    ) -> EndpointText.Body {
        if FieldFormat.areUsual(formats, of: fields) { return .whole(.form) }
        return FieldFormat.areIndexed(formats, of: fields) ? .whole(.indexedForm) : .fields(formats)
    }

    /// Changes the fields of a structure to what a form or a multipart body can express.
    ///
    /// - A part of a multipart body can't be null.
    /// - A deprecated field gets "Deprecated." in its comment, and no attribute: the generated endpoint reads each
    ///   field, and the compiler would warn of that.
    private static func adaptFields(of model: InferredModel, isMultipart: Bool) {
        // A model without fields may be an enum, which setting fields would make a structure.
        if model.fields.isEmpty { return }
        model.fields = model.fields.map { field in
            var adaptedField = field
            if isMultipart { adaptedField.isNullable = false }
            if field.isDeprecated {
                adaptedField.isDeprecated = false
                adaptedField.summary += field.summary.isEmpty ? "Deprecated." : "\nDeprecated."
            }
            return adaptedField
        }
    }

    /// Whether a schema has no properties and forbids all others. Stripe's document has such a body in each GET.
    private static func forbidsAllFields(_ schema: BodySchema?, in document: OpenAPIDocument) -> Bool {
        guard case .schema(let schema)? = schema else { return false }
        let keywords = document.keywords(ofAll: [schema])
        guard keywords.properties.isEmpty, keywords.alternatives == nil else { return false }
        if case .forbidden = keywords.otherMembers { return true }
        return false
    }

    /// Whether the document says that the body has no fields. It is then left out without a comment.
    private static func declaresNoFields(_ schema: BodySchema?, in document: OpenAPIDocument) -> Bool {
        switch schema {
        case nil: true
        case .form(let fields): fields.isEmpty
        case .schema(let schema), .items(let schema):
            schema["properties"]?.members?.isEmpty == true && document.keywords(ofAll: [schema]).properties.isEmpty
        }
    }

    /// Adds a comment for each field that the document wants as JSON, but that a form writes with brackets: `a[b]=1`.
    private static func addComments(
        onJSONIn fields: [InferredModel.Property], formats: [String: FieldFormat],
        to operation: inout ImportedOperation
    ) {
        for field in fields where formats[field.key]?.isJSON == true && !field.type.isScalar {
            operation.text.comments.append("'\(field.key)' is sent with brackets, not as JSON")
        }
    }

    /// Adds the parameter for the whole body to an operation.
    ///
    /// The parameter is optional if the document does not require the body, or if the body may be null.
    ///
    /// - Parameters:
    ///   - body: The body, which tells whether it is required.
    ///   - type: The type of the body.
    ///   - content: The media type that is sent, with its examples.
    ///   - name: The name of the parameter.
    ///   - note: The description of the parameter.
    ///   - operation: The operation, which gets the parameter as its last one.
    private static func addParameter(
        for body: RequestBodyObject, type: InferredType, content: RequestContent, name: String = "body",
        note: String = "", to operation: inout ImportedOperation
    ) {
        let (nonNullType, mayBeNull) = type.unwrapped
        // An empty key marks the parameter as the whole body.
        operation.text.parameters.append(
            .init(
                key: "", place: .body, type: nonNullType, isOptional: !body.isRequired || mayBeNull, note: note,
                value: content.mediaType.examples.first?.value, name: name))
    }

    /// Names the model of a body after the operation, unless the document names it: `CreatePet`.
    ///
    /// The model of a PATCH request is marked as a change, in which null and an absent field mean different things.
    private static func nameModel(
        of type: InferredType, after operation: ImportedOperation, in types: inout SchemaTypes
    ) {
        guard let model = type.model else { return }
        types.name(model, words: operation.bodyWords)
        if operation.method == "PATCH" { model.isChange = true }
    }

    /// Returns a media type with only the characters that it may have, so that it can stand in a string literal.
    ///
    /// `text/"plain"` → `text/plain`
    private static func headerValue(_ contentType: String) -> String {
        let allowedSigns = "!#$&^_.+-/*;= "
        let allowedText = contentType.filter { character in
            character.isASCII && (character.isLetter || character.isNumber || allowedSigns.contains(character))
        }
        // A longer one might not fit on a line of the generated file.
        let maxLength = 60
        return String(allowedText.prefix(maxLength))
    }
}

extension InferredType {
    /// Whether values may be objects with any fields: dictionaries, and JSON of any kind.
    fileprivate var isFormOfAnyFields: Bool { jsonKind == nil || jsonKind == .object }
}

extension FieldFormat {
    /// Returns how the fields of a form or the parts of a multipart body are written, by their keys.
    ///
    /// A field without an encoding in the document has no format in the result.
    static func formats(
        of fields: [InferredModel.Property], encodings: [String: EncodingObject]
    ) -> [String: FieldFormat] {
        var formats: [String: FieldFormat] = [:]
        for field in fields {
            guard let encoding = encodings[field.key] else { continue }
            let isList = if case .array = field.type { true } else { false }
            formats[field.key] = FieldFormat(encoding, isList: isList)
        }
        return formats
    }

    /// Reads the format that an Encoding Object describes.
    ///
    /// The `style` of the object decides how a list is written. An exploded list keeps the usual format, one item for
    /// each element. Without a style, the content type counts if it names one type, and not several or a range such as
    /// `image/*`.
    ///
    /// - Parameters:
    ///   - encoding: The Encoding Object of a field.
    ///   - isList: Whether the field holds a list.
    private init(_ encoding: EncodingObject, isList: Bool) {
        self.init()
        if let style = encoding.style {
            if style == .deepObject {
                list = .indexed
            } else if !encoding.isExploded, isList {
                list = .joined(style.separator)
            }
        } else if encoding.contentTypes.count == 1, !encoding.contentTypes[0].contains("*") {
            contentType = encoding.contentTypes[0]
        }
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
