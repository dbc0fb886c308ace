import EndpointKit
import JSONText

/// Writes the fields of forms (OpenAPI 3.1, sections 4.8.14.4 and 4.8.15).
struct FormFields: Sendable {
    /// The encodings of fields by name.
    let encodings: [String: EncodingObject]
    /// The names of fields whose values are paths of files.
    let fileNames: Set<String>

    // MARK: application/x-www-form-urlencoded

    /// Returns the items of an object in a form or query.
    ///
    ///     {"name": "Rex", "tags": ["a", "b"], "owner": {"id": 3}}    name=Rex&tags=a&tags=b&owner={"id":3}
    ///
    /// A member that is an object is JSON text, unless its encoding has a style. A member that is null has no item.
    func items(_ members: [(key: String, value: JSONValue)]) -> [QueryItem] {
        members.flatMap { name, value -> [QueryItem] in
            if value.isNull { return [] }
            let encoding = encodings[name]
            if isWrittenAsJSON(value, encoding) { return [QueryItem(name, StyledValue.jsonText(of: value))] }
            return Self.style(name, encoding).queryItems(value)
        }
    }

    /// Whether the value of a field is sent as JSON text: an object, or any value whose encoding says so.
    ///
    /// A style in the encoding decides alone, because it says how an object is written (OpenAPI 3.1, section 4.8.15).
    private func isWrittenAsJSON(_ value: JSONValue, _ encoding: EncodingObject?) -> Bool {
        guard let encoding else { return value.kind == .object }
        if encoding.style != nil { return false }
        if let contentType = encoding.contentTypes.first { return MediaTypeName(contentType).isJSON }
        return value.kind == .object
    }

    /// Returns the style of a field, which is form unless the encoding has another one.
    private static func style(_ name: String, _ encoding: EncodingObject?) -> ValueStyle {
        ValueStyle(
            name: name, style: encoding?.style ?? .form, isExploded: encoding?.isExploded ?? true,
            allowsReserved: encoding?.allowsReserved ?? false)
    }

    // MARK: multipart/form-data

    /// Returns the parts of an object in a multipart body.
    ///
    ///     {"name": "Rex", "tags": ["a", "b"]}    name: Rex, tags: a, tags: b
    ///
    /// Each element of an array becomes a part. An object becomes one part with JSON text. A value whose encoding has
    /// the content type JSON is one part, even if it is an array. A member that is null has no part.
    ///
    /// A `style` in the encoding writes a value as in a query (OpenAPI 3.1.1, section 4.8.15.1), except for files,
    /// whose contents no style can write.
    func parts(_ members: [(key: String, value: JSONValue)]) -> [Part] {
        members.flatMap { name, value -> [Part] in
            let encoding = encodings[name]
            if encoding?.style != nil, !fileNames.contains(name) {
                return Self.style(name, encoding).queryItems(value).map { .field($0.name, $0.value.description) }
            }
            let contentType = Self.contentType(encoding)
            let isWrittenAsJSON = contentType.map { MediaTypeName($0).isJSON } ?? false
            let elements = isWrittenAsJSON ? nil : value.elements
            // A value that is no list, or that is sent as JSON, is one part.
            let partValues = elements ?? [value]
            return partValues.filter { !$0.isNull }.map { part(name, $0, contentType) }
        }
    }

    /// Returns the content type that an encoding demands for a part.
    ///
    /// - Returns: The content type. Nil if the encoding has none, several ones, or a range such as `image/*`, of which
    ///   none can be chosen without knowing the value.
    private static func contentType(_ encoding: EncodingObject?) -> String? {
        guard let types = encoding?.contentTypes, types.count == 1, !types[0].contains("*") else { return nil }
        return types[0]
    }

    /// Returns a part with one value.
    ///
    /// A file has its bytes, an object or array its JSON text, and a scalar its plain text.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - value: The value. A string is the path of a file if the field is a file.
    ///   - declaredType: The content type in the document; nil if there is none.
    private func part(_ name: String, _ value: JSONValue, _ declaredType: String?) -> Part {
        if fileNames.contains(name), let path = value.string {
            return .file(name, path: path, contentType: declaredType ?? "application/octet-stream")
        }
        let isContainer = value.kind == .object || value.kind == .array
        let defaultType = isContainer ? "application/json" : nil
        guard let contentType = declaredType ?? defaultType else { return .field(name, value.text) }
        let isJSON = MediaTypeName(contentType).isJSON
        let text = isJSON ? StyledValue.jsonText(of: value) : StyledValue.text(of: value)
        return .text(name, text, contentType: contentType)
    }
}

extension FormFields {
    /// Reads the encodings of a form's fields, and which fields are files or lists of files.
    ///
    /// ``OpenAPIDocument/isFile(_:)`` says which schemas are files. Only multipart bodies have files.
    init(_ content: RequestContent, _ document: OpenAPIDocument) {
        encodings = content.mediaType.encodings
        guard content.format == .multipart else {
            fileNames = []
            return
        }
        switch content.mediaType.schema {
        case .form(let fields):
            fileNames = Set(fields.filter(\.isFile).map(\.name))
        case .schema(let schema), .items(let schema):
            let properties = document.schemas.facts(ofAll: [schema]).properties
            let files = properties.filter { property in
                property.schemas.contains { document.isFile($0) || document.isListOfFiles($0) }
            }
            fileNames = Set(files.map(\.name))
        case nil:
            fileNames = []
        }
    }
}
