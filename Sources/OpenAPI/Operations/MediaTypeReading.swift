import JSONText

/// Reads the Media Type Objects and examples of OpenAPI 3.
enum MediaTypeReading {
    /// Returns the media types of a `content` map, such as that of a request body.
    ///
    /// The schema of a media type is that of its `schema`. Without one, `itemSchema` counts, which describes each item
    /// of a sequence (OpenAPI 3.2, section 4.14).
    ///
    /// - Parameters:
    ///   - value: The map from content types to Media Type Objects; nil if there is none.
    ///   - references: Follows references.
    /// - Returns: The media types in the order of the document.
    /// - Throws: ``PartFailure`` if the map or a media type is no object, if a reference leads nowhere, or if the style
    ///   of an encoding is unknown.
    static func content(_ value: JSONValue?, _ references: ReferenceResolver) throws(PartFailure)
        -> [MediaTypeObject]
    {
        var content: [MediaTypeObject] = []
        for (contentType, mediaTypeValue) in try references.members(value) {
            let mediaType = try references.object(mediaTypeValue)
            let wholeSchema = mediaType["schema"].map(BodySchema.schema)
            let itemSchema = mediaType["itemSchema"].map(BodySchema.items)
            content.append(
                MediaTypeObject(
                    contentType: contentType, schema: wholeSchema ?? itemSchema,
                    examples: try examples(of: mediaType, references),
                    encodings: try encodings(mediaType["encoding"], references)))
        }
        return content
    }

    /// Returns the value of `example`, followed by those of `examples` (OpenAPI 3.2, section 4.19).
    ///
    /// An Example Object has its value in `dataValue` or `value`, or else as written text in `serializedValue`. One
    /// without any of these, or whose reference leads nowhere, is left out.
    ///
    /// - Parameters:
    ///   - value: A Media Type Object or Parameter Object.
    ///   - references: Follows references.
    /// - Throws: ``PartFailure`` if `examples` is a reference that leads nowhere.
    static func examples(of value: JSONValue, _ references: ReferenceResolver) throws(PartFailure)
        -> [ExampleObject]
    {
        var result: [ExampleObject] = []
        if let example = value["example"] {
            result.append(ExampleObject(name: nil, summary: nil, value: example, isSerialized: false))
        }
        // Some documents have a list of values here, as JSON Schema does. OpenAPI 3 has an object of Example Objects.
        guard let examples = value["examples"], examples.kind == .object else { return result }
        for (name, example) in try references.members(examples) {
            // A broken example costs no more than the example: the parameter or body can still be used.
            guard let target = try? references.object(example) else { continue }
            let data = target["dataValue"] ?? target["value"]
            guard let exampleValue = data ?? target["serializedValue"] else { continue }
            result.append(
                ExampleObject(
                    name: name, summary: target["summary"]?.string, value: exampleValue, isSerialized: data == nil))
        }
        return result
    }

    /// Returns the encodings of the fields of a form by the names of the fields (OpenAPI 3.1, section 4.8.15).
    ///
    /// - Parameters:
    ///   - value: The map from names of fields to Encoding Objects; nil if there is none.
    ///   - references: Follows references.
    /// - Throws: ``PartFailure`` if the map is not an object, or if a style is unknown.
    private static func encodings(_ value: JSONValue?, _ references: ReferenceResolver) throws(PartFailure)
        -> [String: EncodingObject]
    {
        var result: [String: EncodingObject] = [:]
        for (name, encoding) in try references.members(value) {
            var style = try ParameterReading.style(encoding["style"])
            // Each of these members alone demands a style (OpenAPI 3.1, section 4.8.15).
            if encoding["explode"] != nil || encoding["allowReserved"] != nil { style = style ?? .form }
            let isExplodedByDefault = ParameterReading.isExplodedByDefault(style ?? .form)
            result[name] = EncodingObject(
                contentTypes: contentTypes(encoding["contentType"]?.string ?? ""), style: style,
                isExploded: encoding["explode"]?.bool ?? isExplodedByDefault,
                allowsReserved: encoding["allowReserved"]?.bool ?? false)
        }
        return result
    }

    /// Returns the content types of a list with commas: `image/png` and `image/jpeg` of `image/png, image/jpeg`.
    private static func contentTypes(_ list: String) -> [String] {
        list.split(separator: ",").map { String($0.drop { $0 == " " }) }
    }
}
