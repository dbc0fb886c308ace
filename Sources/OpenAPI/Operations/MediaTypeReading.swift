import JSONText

/// Reads the Media Type Objects and examples of OpenAPI 3.
enum MediaTypeReading {
    /// Returns the media types of a `content` map.
    ///
    /// - Throws: ``PartFailure`` if the map, or something in it, is not what it should be.
    static func content(_ value: JSONValue?, _ references: ReferenceResolver) throws(PartFailure)
        -> [MediaTypeObject]
    {
        var content: [MediaTypeObject] = []
        for (contentType, value) in try references.members(value) {
            let mediaType = try references.object(value)
            let schema = mediaType["schema"].map(BodySchema.schema) ?? mediaType["itemSchema"].map(BodySchema.items)
            content.append(
                MediaTypeObject(
                    contentType: contentType, schema: schema, examples: try examples(of: mediaType, references),
                    encodings: try encodings(mediaType["encoding"], references)))
        }
        return content
    }

    /// Returns the value of `example` and those of `examples`. References that lead nowhere are left out.
    static func examples(of value: JSONValue, _ references: ReferenceResolver) throws(PartFailure)
        -> [ExampleObject]
    {
        var result: [ExampleObject] = []
        if let example = value["example"] {
            result.append(ExampleObject(name: nil, summary: nil, value: example, isSerialized: false))
        }
        // Other documents than those of OpenAPI 3 have a list here, which holds the examples themselves.
        guard let examples = value["examples"], examples.kind == .object else { return result }
        for (name, example) in try references.members(examples) {
            guard let target = try? references.object(example) else { continue }
            let data = target["dataValue"] ?? target["value"]
            guard let shown = data ?? target["serializedValue"] else { continue }
            result.append(
                ExampleObject(name: name, summary: target["summary"]?.string, value: shown, isSerialized: data == nil))
        }
        return result
    }

    /// Returns the encodings of the fields of a form by their names.
    private static func encodings(_ value: JSONValue?, _ references: ReferenceResolver) throws(PartFailure)
        -> [String: EncodingObject]
    {
        var result: [String: EncodingObject] = [:]
        for (name, encoding) in try references.members(value) {
            // Each of these fields makes the content type irrelevant (OpenAPI 3.1, section 4.8.15).
            let isStyled = encoding["explode"] != nil || encoding["allowReserved"] != nil
            let style = try ParameterReading.style(encoding["style"]) ?? (isStyled ? .form : nil)
            let types = encoding["contentType"]?.string?.split(separator: ",") ?? []
            result[name] = EncodingObject(
                contentTypes: types.map { String($0.drop { $0 == " " }) }, style: style,
                isExploded: encoding["explode"]?.bool ?? ParameterReading.isExplodedByDefault(style ?? .form),
                allowsReserved: encoding["allowReserved"]?.bool ?? false)
        }
        return result
    }
}
