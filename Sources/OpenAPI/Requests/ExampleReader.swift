import EndpointKit
import JSONText

/// Finds values for parameters in the examples of a document.
struct ExampleReader {
    /// The most arrays and objects around a value that has an example. Deeper ones have none. Values that people give
    /// as examples have a few levels.
    private static let maxDepth = 6
    /// The most bytes of examples that are put together from the examples of properties. Each one is a copy, and
    /// schemas that name each other many times would multiply.
    private static let maxCopiedBytes = 200_000

    /// The values that are put together from the examples of their parts, if they have none themselves.
    enum Assembly {
        /// An array of one example of its elements.
        case arrays
        /// Arrays, and objects of all properties that are sent and have an example.
        case arraysAndObjects
    }

    private let references: ReferenceResolver
    private let schemas: SchemaLibrary
    private let assembly: Assembly
    /// The example of a schema that was read before.
    private enum Finding {
        case example(JSONValue)
        /// The schema has no example, or it is being read at the moment.
        case noExample

        /// The example; nil if there is none.
        var value: JSONValue? {
            if case .example(let value) = self { value } else { nil }
        }
    }

    /// The findings by the places of the schemas, so that each schema is read once.
    private var findings: [DocumentPlace: Finding] = [:]
    /// The bytes that may still be copied, of ``maxCopiedBytes``.
    private var remainingBytes = ExampleReader.maxCopiedBytes

    /// Makes a reader that has read no examples yet.
    ///
    /// - Parameters:
    ///   - document: The document with the schemas.
    ///   - assembly: The values that are put together from the examples of their parts.
    init(_ document: OpenAPIDocument, _ assembly: Assembly) {
        references = document.references
        schemas = document.schemas
        self.assembly = assembly
    }

    /// Returns the first example that is not null, or else a value from the schema.
    ///
    /// - Parameters:
    ///   - examples: The examples of the parameter or body.
    ///   - schema: The schema; nil if there is none.
    ///   - isJSON: Whether the text of a serialised example is JSON.
    /// - Returns: The value; nil if there is no example, and none can be made from the schema.
    mutating func value(_ examples: [ExampleObject], _ schema: JSONValue?, isJSON: Bool) -> JSONValue? {
        for example in examples where !example.value.isNull {
            guard example.isSerialized, isJSON, let text = example.value.string else { return example.value }
            // A serialised example that is no JSON after all is left out, because the body could not be made of it.
            if let value = try? JSONValue(text: Array(text.utf8)) { return value }
        }
        return schema.flatMap { value(of: $0, depth: 0) }
    }

    /// Returns an object of the examples of a form's fields in Swagger 2.0; nil if none has one.
    mutating func value(_ fields: [FormField]) -> JSONValue? {
        object(fields.map { (key: $0.name, value: $0.schema) }, depth: 0)
    }

    /// Returns an example of a schema: that of one of its keywords, or else one of the examples of its parts.
    ///
    /// - Parameters:
    ///   - schema: The schema, which may be a reference.
    ///   - depth: The number of arrays and objects around the value.
    /// - Returns: The example; nil if there is none, or if it would be deeper than ``maxDepth``.
    private mutating func value(of schema: JSONValue, depth: Int) -> JSONValue? {
        guard depth < Self.maxDepth, let target = try? references.object(schema) else { return nil }
        // `example` and `default` beside a `$ref` are about this use of the schema, so they go before its own keywords.
        for key in ["example", "default"] {
            if let value = schema[key], !value.isNull { return value }
        }
        let place = DocumentPlace(target)
        if let finding = findings[place] { return finding.value }
        // A schema that is one of its own parts has no example there. Without this entry, it would be read for ever.
        findings[place] = .noExample
        let example = keywordValue(target) ?? partsValue(target, depth: depth)
        findings[place] = example.map(Finding.example) ?? .noExample
        return example
    }

    /// Returns the first value that a keyword of a schema gives: an example, the default, or an allowed value.
    ///
    /// - Returns: The value; nil if no keyword gives one, or if the value is null.
    private func keywordValue(_ schema: JSONValue) -> JSONValue? {
        // Null is the example of nothing, so it counts as absent.
        func member(_ key: String) -> JSONValue? {
            guard let value = references.member(key, of: schema), !value.isNull else { return nil }
            return value
        }
        return member("example") ?? member("examples")?.elements?.first ?? member("x-example") ?? member("default")
            ?? member("const") ?? member("enum")?.elements?.first { !$0.isNull }
    }

    /// Returns an array or object that is made of the examples of the schema's parts.
    ///
    /// An array has one element. An object is only made with ``Assembly/arraysAndObjects``.
    ///
    /// - Parameters:
    ///   - schema: The schema of the array or object, with references followed.
    ///   - depth: The number of arrays and objects around the value.
    /// - Returns: The value; nil if no part has an example, or if too many bytes would be copied.
    private mutating func partsValue(_ schema: JSONValue, depth: Int) -> JSONValue? {
        if let items = references.member("items", of: schema) {
            // An example that would become too large is left out, because the parameter can do without.
            guard let element = value(of: items, depth: depth + 1), canCopy(element) else { return nil }
            return JSONValue([element])
        }
        guard case .arraysAndObjects = assembly else { return nil }
        let properties = references.member("properties", of: schema)?.members ?? []
        let sentProperties = properties.filter { !schemas.leavesOut([$0.value], .request) }
        return object(sentProperties, depth: depth)
    }

    /// Returns an object of the examples of its members; nil if no member has an example.
    ///
    /// - Parameters:
    ///   - schemas: The names of the members with their schemas.
    ///   - depth: The number of arrays and objects around the object.
    private mutating func object(_ schemas: [(key: String, value: JSONValue)], depth: Int) -> JSONValue? {
        var members: [(String, JSONValue)] = []
        for (name, schema) in schemas {
            guard let value = value(of: schema, depth: depth + 1) else { continue }
            // The members so far are an example all the same.
            guard canCopy(value) else { break }
            members.append((name, value))
        }
        if members.isEmpty { return nil }
        return JSONValue(members)
    }

    /// Counts the bytes of a value that is copied, so that schemas that name each other can't multiply.
    ///
    /// - Returns: Whether so many bytes may still be copied.
    private mutating func canCopy(_ value: JSONValue) -> Bool {
        remainingBytes -= value.written.count
        return remainingBytes > 0
    }
}

// MARK: Parameters

extension ExampleReader {
    /// Returns the parameter of a call for a parameter of the document.
    ///
    /// Its example is one that the document gives, or a value from its schema, which may stand in the media type of its
    /// `content`.
    mutating func callParameter(_ identified: IdentifiedParameter) -> CallParameter {
        let parameter = identified.object
        var schema = parameter.schema
        if case .schema(let contentSchema) = parameter.content?.schema { schema = contentSchema }
        let isJSON = parameter.content.map { MediaTypeName($0.contentType).isJSON } ?? false
        return CallParameter(
            identifier: identified.identifier, name: parameter.name,
            location: CallParameter.Location(parameter.location),
            isRequired: parameter.isRequired, isDeprecated: parameter.isDeprecated,
            note: parameter.summary?.firstParagraph,
            example: value(parameter.examples, schema, isJSON: isJSON))
    }

    /// Returns the parameter of a call for the body.
    ///
    /// - Parameters:
    ///   - body: The body, with its description.
    ///   - content: The content that is sent.
    ///   - identifier: The identifier of the parameter.
    mutating func callParameter(
        _ body: RequestBodyObject, _ content: RequestContent, _ identifier: String
    ) -> CallParameter {
        let examples = content.mediaType.examples
        let isJSON = content.format == .json
        // `itemSchema` describes one item, while the body is a sequence of items. So only the examples of the body
        // count there.
        let example: JSONValue? =
            switch content.mediaType.schema {
            case .schema(let schema): value(examples, schema, isJSON: isJSON)
            case .form(let fields): value(fields)
            case .items, nil: value(examples, nil, isJSON: isJSON)
            }
        return CallParameter(
            identifier: identifier, name: "", location: .body, isRequired: body.isRequired, isDeprecated: false,
            note: body.summary?.firstParagraph, example: example)
    }
}
