import JSONText

/// Reads the Media Type Objects and examples of OpenAPI 3.
enum MediaTypeReader {
    /// Reads the `content` of a body, a response or a parameter.
    ///
    /// - Parameters:
    ///   - value: The object `content`, with Media Type Objects by content types; nil if it is missing.
    ///   - references: Resolves the references of the document.
    /// - Returns: The media types in the order of the document.
    /// - Throws: ``PartFailure`` if `content` or a media type is not an object, if a reference can't be resolved, or
    ///   if the style of an encoding is unknown.
    static func readContent(_ value: JSONValue?, references: ReferenceResolver) throws(PartFailure)
        -> [MediaTypeObject]
    {
        var content: [MediaTypeObject] = []
        for (contentType, mediaTypeValue) in try references.resolveMembers(of: value) {
            let mediaType = try references.resolveObject(mediaTypeValue)
            // `itemSchema` describes each item of a sequence (OpenAPI 3.2, section 4.14).
            let wholeSchema = mediaType["schema"].map(BodySchema.schema)
            let itemSchema = mediaType["itemSchema"].map(BodySchema.items)
            content.append(
                MediaTypeObject(
                    contentType: contentType, schema: wholeSchema ?? itemSchema,
                    examples: try readExamples(of: mediaType, references: references),
                    encodings: try readEncodings(mediaType["encoding"], references: references)))
        }
        return content
    }

    /// Reads the members `example` and `examples` of a media type or parameter (OpenAPI 3.2, section 4.19).
    ///
    /// An Example Object has its value in `dataValue` or `value`, or its text in `serializedValue`. An Example Object
    /// without any of these is left out.
    ///
    /// - Parameters:
    ///   - value: A Media Type Object or Parameter Object.
    ///   - references: Resolves the references of the document.
    /// - Throws: ``PartFailure`` if `examples` is a reference that can't be resolved.
    static func readExamples(of value: JSONValue, references: ReferenceResolver) throws(PartFailure)
        -> [ExampleObject]
    {
        var exampleObjects: [ExampleObject] = []
        if let example = value["example"] {
            exampleObjects.append(ExampleObject(name: nil, summary: nil, value: example, isSerialized: false))
        }
        // Some documents have a list of values in `examples`, as JSON Schema has. OpenAPI 3 requires an object.
        guard let examples = value["examples"], examples.kind == .object else { return exampleObjects }
        for (name, example) in try references.resolveMembers(of: examples) {
            // A broken example is ignored, because the parameter or body can be used without it.
            guard let target = try? references.resolveObject(example) else { continue }
            let unserializedValue = target["dataValue"] ?? target["value"]
            guard let exampleValue = unserializedValue ?? target["serializedValue"] else { continue }
            exampleObjects.append(
                ExampleObject(
                    name: name, summary: target["summary"]?.string, value: exampleValue,
                    isSerialized: unserializedValue == nil))
        }
        return exampleObjects
    }

    /// Returns the encodings of the fields of a form by the names of the fields (OpenAPI 3.1, section 4.8.15).
    ///
    /// - Parameters:
    ///   - value: The object `encoding`, with Encoding Objects by the names of fields; nil if it is missing.
    ///   - references: Resolves the references of the document.
    /// - Throws: ``PartFailure`` if `encoding` is not an object, or if a style is unknown.
    private static func readEncodings(_ value: JSONValue?, references: ReferenceResolver) throws(PartFailure)
        -> [String: EncodingObject]
    {
        var encodings: [String: EncodingObject] = [:]
        for (name, encoding) in try references.resolveMembers(of: value) {
            let declaredStyle = try ParameterRules.readStyle(encoding["style"])
            // `explode` and `allowReserved` only make sense with a style (OpenAPI 3.1, section 4.8.15).
            let impliesStyle = encoding["explode"] != nil || encoding["allowReserved"] != nil
            let style = declaredStyle ?? (impliesStyle ? .form : nil)
            let isExplodedByDefault = ParameterRules.isExplodedByDefault(style ?? .form)
            encodings[name] = EncodingObject(
                contentTypes: contentTypes(encoding["contentType"]?.string ?? ""), style: style,
                isExploded: encoding["explode"]?.bool ?? isExplodedByDefault,
                allowsReserved: encoding["allowReserved"]?.bool ?? false)
        }
        return encodings
    }

    /// Splits a list of content types at its commas: `image/png, image/jpeg` becomes `image/png` and `image/jpeg`.
    private static func contentTypes(_ list: String) -> [String] {
        list.split(separator: ",").map { String($0.drop { $0 == " " }) }
    }
}
