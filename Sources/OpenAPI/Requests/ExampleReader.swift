import EndpointKit
import JSONText

/// Finds example values for parameters and bodies in a document.
struct ExampleReader {
    /// The most arrays and objects around a value. A value that is nested more deeply gets no example. Examples that
    /// people write have a few levels.
    private static let maxDepth = 6
    /// The most bytes that are copied into composed examples. Without a limit, examples would grow exponentially with
    /// schemas that each refer to the next one several times.
    private static let maxCopiedBytes = 200_000

    /// The values that are composed of the examples of their parts if they have no example of their own.
    enum Composition {
        /// Only arrays: an array of one example of its elements.
        case arrays
        /// Arrays, and objects of the examples of their properties.
        case arraysAndObjects
    }

    private let references: ReferenceResolver
    private let schemas: SchemaLibrary
    private let composition: Composition
    /// The result of searching a schema for an example.
    private enum SearchResult {
        case example(JSONValue)
        /// The schema has no example, or it is being searched at the moment.
        case noExample

        /// The example; nil if there is none.
        var example: JSONValue? {
            if case .example(let value) = self { value } else { nil }
        }
    }

    /// The results for the schemas that were searched, by the places of the schemas. Each schema is searched once.
    private var searchResults: [DocumentPlace: SearchResult] = [:]
    /// The number of bytes that may still be copied.
    private var remainingBytes = ExampleReader.maxCopiedBytes

    /// Creates a reader for the examples of a document.
    ///
    /// - Parameters:
    ///   - document: The document with the schemas.
    ///   - composition: The values that are composed of the examples of their parts.
    init(_ document: OpenAPIDocument, composing composition: Composition) {
        references = document.references
        schemas = document.schemas
        self.composition = composition
    }

    /// Returns the first example of a parameter or body that is not null, or else an example of its schema.
    ///
    /// - Parameters:
    ///   - examples: The examples of the parameter or body.
    ///   - schema: The schema of the parameter or body; nil if there is none.
    ///   - isJSON: Whether values are sent as JSON. A serialised example such as `"{\"id\": 1}"` is parsed then.
    /// - Returns: The value; nil if there is no example.
    mutating func findExample(in examples: [ExampleObject], schema: JSONValue?, isJSON: Bool) -> JSONValue? {
        for example in examples where !example.value.isNull {
            guard example.isSerialized, isJSON, let text = example.value.string else { return example.value }
            // A serialised example that breaks the rules of JSON is skipped.
            if let value = try? JSONValue(text: Array(text.utf8)) { return value }
        }
        return schema.flatMap { findExample(of: $0, depth: 0) }
    }

    /// Returns an object with the examples of the fields of a form in Swagger 2.0; nil if no field has an example.
    mutating func composeFormExample(_ fields: [FormField]) -> JSONValue? {
        composeObject(memberSchemas: fields.map { (key: $0.name, value: $0.schema) }, depth: 0)
    }

    /// Returns an example of a schema: the value of a keyword such as `example`, or a composed value.
    ///
    /// The result is stored, so that a schema with many references to it is searched once.
    ///
    /// - Parameters:
    ///   - schema: The schema, which may be a reference.
    ///   - depth: The number of arrays and objects around the value.
    /// - Returns: The example; nil if there is none, or if it would be nested more deeply than ``maxDepth``.
    private mutating func findExample(of schema: JSONValue, depth: Int) -> JSONValue? {
        guard depth < Self.maxDepth, let target = try? references.resolveObject(schema) else { return nil }
        // An `example` or `default` beside a `$ref` is more specific than one in the schema that the `$ref` names.
        for key in ["example", "default"] {
            if let value = schema[key], !value.isNull { return value }
        }
        let place = DocumentPlace(target)
        if let result = searchResults[place] { return result.example }
        // This entry ends the recursion if the schema contains itself. It stays if nothing is found, even if only the
        // depth was too great here: no schema is searched twice.
        searchResults[place] = .noExample
        guard let example = exampleFromKeywords(of: target) ?? composeExample(of: target, depth: depth) else {
            return nil
        }
        searchResults[place] = .example(example)
        return example
    }

    /// Returns the value of the first keyword that has one: an example, a default, or an allowed value.
    ///
    /// - Parameter schema: The schema, with references followed.
    /// - Returns: The value; nil if there is no such keyword, or if its value is null.
    private func exampleFromKeywords(of schema: JSONValue) -> JSONValue? {
        if let example = notNullMember("example", of: schema) { return example }
        if let example = notNullMember("examples", of: schema)?.elements?.first { return example }
        for key in ["x-example", "default", "const"] {
            if let value = notNullMember(key, of: schema) { return value }
        }
        return notNullMember("enum", of: schema)?.elements?.first { !$0.isNull }
    }

    /// Returns the value of a member; nil if the schema does not have the member, or if the value is null.
    private func notNullMember(_ key: String, of schema: JSONValue) -> JSONValue? {
        guard let value = references.member(key, of: schema), !value.isNull else { return nil }
        return value
    }

    /// Returns an array or object that is composed of the examples of its parts.
    ///
    ///     {"items": {"example": 5}}                   →  [5]
    ///     {"properties": {"id": {"example": 5}}}      →  {"id": 5}, only with `Composition.arraysAndObjects`
    ///
    /// - Parameters:
    ///   - schema: The schema of the array or object, with references followed.
    ///   - depth: The number of arrays and objects around the value.
    /// - Returns: The value; nil if no part has an example, or if too many bytes would be copied.
    private mutating func composeExample(of schema: JSONValue, depth: Int) -> JSONValue? {
        if let items = references.member("items", of: schema) {
            guard let element = findExample(of: items, depth: depth + 1), reserveCopy(of: element) else { return nil }
            return JSONValue([element])
        }
        guard case .arraysAndObjects = composition else { return nil }
        let properties = references.member("properties", of: schema)?.members ?? []
        let sentProperties = properties.filter { !schemas.leavesOut([$0.value], in: .request) }
        return composeObject(memberSchemas: sentProperties, depth: depth)
    }

    /// Returns an object with an example of each member; nil if no member has an example.
    ///
    /// - Parameters:
    ///   - schemas: The schemas of the members by the names of the members.
    ///   - depth: The number of arrays and objects around the object.
    private mutating func composeObject(memberSchemas schemas: [(key: String, value: JSONValue)], depth: Int)
        -> JSONValue?
    {
        var members: [(String, JSONValue)] = []
        for (name, schema) in schemas {
            guard let value = findExample(of: schema, depth: depth + 1) else { continue }
            // An object with some of its members is still a useful example.
            guard reserveCopy(of: value) else { break }
            members.append((name, value))
        }
        if members.isEmpty { return nil }
        return JSONValue(members)
    }

    /// Subtracts the bytes of a value that is about to be copied from the bytes that may still be copied.
    ///
    /// - Returns: Whether the value may be copied. False means that ``maxCopiedBytes`` have been copied.
    private mutating func reserveCopy(of value: JSONValue) -> Bool {
        remainingBytes -= value.written.count
        return remainingBytes > 0
    }
}

// MARK: Parameters

extension ExampleReader {
    /// Returns the description of a parameter for calls, with an example.
    ///
    /// The example is one of the parameter's examples in the document, or else an example of its schema. The schema is
    /// in the parameter itself, or in the media type of its `content`.
    mutating func makeCallParameter(for identified: IdentifiedParameter) -> CallParameter {
        let parameter = identified.object
        var schema = parameter.schema
        if case .schema(let contentSchema) = parameter.content?.schema { schema = contentSchema }
        let isJSON = parameter.content.map { MediaTypeName($0.contentType).isJSON } ?? false
        return CallParameter(
            identifier: identified.identifier, name: parameter.name,
            location: CallParameter.Location(parameter.location),
            isRequired: parameter.isRequired, isDeprecated: parameter.isDeprecated,
            note: parameter.summary?.firstParagraph,
            example: findExample(in: parameter.examples, schema: schema, isJSON: isJSON))
    }

    /// Returns the description of a body as a parameter of calls, with an example.
    ///
    /// - Parameters:
    ///   - body: The body of the operation.
    ///   - content: The body in the media type that is sent.
    ///   - identifier: The key of the body among the values of a call.
    mutating func makeBodyParameter(
        for body: RequestBodyObject, content: RequestContent, identifier: String
    ) -> CallParameter {
        let examples = content.mediaType.examples
        let isJSON = content.format == .json
        // The schema of `.items` describes one item. An example of it would not be an example of the whole body, which
        // is a sequence of items.
        let example: JSONValue? =
            switch content.mediaType.schema {
            case .schema(let schema): findExample(in: examples, schema: schema, isJSON: isJSON)
            case .form(let fields): composeFormExample(fields)
            case .items, nil: findExample(in: examples, schema: nil, isJSON: isJSON)
            }
        return CallParameter(
            identifier: identifier, name: "", location: .body, isRequired: body.isRequired, isDeprecated: false,
            note: body.summary?.firstParagraph, example: example)
    }
}
