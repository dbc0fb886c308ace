import EndpointKit
import JSONText

/// Writes the fields of forms (OpenAPI 3.1, sections 4.8.14.4 and 4.8.15).
struct FormFields: Sendable {
    /// The Encoding Objects of fields by the names of the fields.
    let encodings: [String: EncodingObject]
    /// The names of the fields that are files. The value of such a field is the path of a file.
    let fileFieldNames: Set<String>

    // MARK: application/x-www-form-urlencoded

    /// Returns the members of an object as items of a form or query.
    ///
    ///     {"name": "Rex"}           →  name=Rex
    ///     {"tags": ["a", "b"]}      →  tags=a&tags=b
    ///     {"owner": {"id": 3}}      →  owner={"id":3}
    ///     {"owner": null}           →  no item
    ///
    /// An Encoding Object may choose another style for a member.
    func items(_ members: [(key: String, value: JSONValue)]) -> [QueryItem] {
        members.flatMap { name, value -> [QueryItem] in
            if value.isNull { return [] }
            let encoding = encodings[name]
            if isWrittenAsJSON(value, encoding: encoding) { return [QueryItem(name, StyledValue.jsonText(of: value))] }
            return Self.style(ofField: name, encoding: encoding).queryItems(value)
        }
    }

    /// Whether the value of a field is sent as JSON text.
    ///
    /// Without an encoding, objects are sent as JSON. An encoding with a `style` says how to write an object without
    /// JSON, and its `contentType` is ignored then (OpenAPI 3.1, section 4.8.15).
    private func isWrittenAsJSON(_ value: JSONValue, encoding: EncodingObject?) -> Bool {
        guard let encoding else { return value.kind == .object }
        if encoding.style != nil { return false }
        if let contentType = encoding.contentTypes.first { return MediaTypeName(contentType).isJSON }
        return value.kind == .object
    }

    /// Returns the style in which a field is written: exploded `form`, unless the encoding has another style.
    private static func style(ofField name: String, encoding: EncodingObject?) -> ValueStyle {
        ValueStyle(
            name: name, style: encoding?.style ?? .form, isExploded: encoding?.isExploded ?? true,
            allowsReserved: encoding?.allowsReserved ?? false)
    }

    // MARK: multipart/form-data

    /// Returns the members of an object as parts of a multipart body.
    ///
    ///     {"name": "Rex"}           →  a part `name` with the text Rex
    ///     {"tags": ["a", "b"]}      →  two parts `tags`, or one part with a JSON array if the encoding says JSON
    ///     {"owner": {"id": 3}}      →  a part `owner` with a JSON object
    ///     {"owner": null}           →  no part
    func parts(_ members: [(key: String, value: JSONValue)]) -> [Part] {
        members.flatMap { parts(named: $0.key, value: $0.value) }
    }

    /// Returns the parts of a multipart body that one member of an object becomes.
    ///
    /// An encoding with a `style` writes the value as in a query (OpenAPI 3.1.1, section 4.8.15.1). No style can write
    /// the contents of a file.
    private func parts(named name: String, value: JSONValue) -> [Part] {
        let encoding = encodings[name]
        if encoding?.style != nil, !fileFieldNames.contains(name) {
            return Self.style(ofField: name, encoding: encoding).queryItems(value).map {
                .field($0.name, $0.value.description)
            }
        }
        let contentType = Self.contentType(encoding)
        let isJSON = contentType.map { MediaTypeName($0).isJSON } ?? false
        // An array in JSON is one part. Any other array has a part for each element.
        let values = isJSON ? [value] : value.elements ?? [value]
        return values.filter { !$0.isNull }.map { part(named: name, value: $0, declaredType: contentType) }
    }

    /// Returns the content type that an encoding demands for a part.
    ///
    /// - Returns: The content type. Nil if the encoding has none, or leaves a choice: `image/png, image/jpeg` or
    ///   `image/*`.
    private static func contentType(_ encoding: EncodingObject?) -> String? {
        guard let types = encoding?.contentTypes, types.count == 1, !types[0].contains("*") else { return nil }
        return types[0]
    }

    /// Returns a part of a multipart body: a file, JSON text for an object or array, or plain text for a scalar.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - value: The value. If the field is a file, a string is the path of the file.
    ///   - declaredType: The content type that the document demands; nil if it demands none.
    private func part(named name: String, value: JSONValue, declaredType: String?) -> Part {
        let isFile = fileFieldNames.contains(name)
        if isFile, let path = value.string {
            return .file(name, path: path, contentType: declaredType ?? "application/octet-stream")
        }
        let isContainer = value.kind == .object || value.kind == .array
        let defaultType = isContainer ? "application/json" : nil
        guard let contentType = declaredType ?? defaultType else {
            return .field(name, StyledValue.text(of: value))
        }
        let isJSON = MediaTypeName(contentType).isJSON
        let text = isJSON ? StyledValue.jsonText(of: value) : StyledValue.text(of: value)
        return .text(name, text, contentType: contentType)
    }
}

extension FormFields {
    /// Reads the fields of a form: their encodings, and which of them are files or lists of files.
    ///
    /// Only multipart bodies have files. ``OpenAPIDocument/isFile(_:)`` defines which schemas are files.
    init(_ content: RequestContent, in document: OpenAPIDocument) {
        encodings = content.mediaType.encodings
        guard content.format == .multipart else {
            fileFieldNames = []
            return
        }
        switch content.mediaType.schema {
        case .form(let fields):
            fileFieldNames = Set(fields.filter(\.isFile).map(\.name))
        case .schema(let schema), .items(let schema):
            let properties = document.schemas.keywords(ofAll: [schema]).properties
            let files = properties.filter { property in
                property.schemas.contains { document.isFile($0) || document.isListOfFiles($0) }
            }
            fileFieldNames = Set(files.map(\.name))
        case nil:
            fileFieldNames = []
        }
    }
}
