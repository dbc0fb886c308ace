import EndpointTools
import JSONText

/// Copies schemas from documents that are read into a document that is written.
///
/// A schema that a `$ref` names becomes a component, even if it is in another file:
///
///     {"$ref": "parts/pets.yaml#/Pet"}    →  {"$ref": "#/components/schemas/Pet"}
///
/// Named schemas are copied one after the other instead of inside each other, so recursive schemas and long chains of
/// references need no deep stack. A copy is written as text, which takes time in proportion to its length.
struct CopiedSchemas {
    /// A schema, with the document that uses it. The schema itself may be in another file.
    private struct UsedSchema {
        let value: JSONValue
        let document: OpenAPIDocument

        /// Returns a schema inside of this one.
        func inner(_ value: JSONValue) -> UsedSchema { UsedSchema(value: value, document: document) }
    }

    /// A named schema that has not been copied yet.
    private struct PendingSchema {
        let name: String
        let schema: UsedSchema
    }

    /// The most schemas around a schema. A schema that is nested more deeply becomes `true`, which allows everything.
    ///
    /// The limit bounds the stack. The limit of ``SchemaReader`` is lower, so no shape loses anything.
    private static let maxDepth = 100

    /// Makes the names of components unique: `Pet`, or `Pet-2` if another component is called `Pet`.
    private var uniqueNames: UniqueNames
    /// The component name of each schema that has one.
    private var componentNames: [DocumentPlace: String] = [:]
    /// The named schemas that a copy refers to. Each of them becomes a component.
    private var referencedSchemas: Set<DocumentPlace> = []
    /// The schemas in ``referencedSchemas`` that have not been copied yet.
    private var pendingSchemas: [PendingSchema] = []

    /// Creates an empty list of copies.
    ///
    /// - Parameter names: The names of other components in the document that is written. No copy gets one of them.
    init(besides names: [String]) { uniqueNames = UniqueNames(separator: "-", inUse: Set(names)) }

    /// Reserves the names of a document's components for these components.
    ///
    /// A component `Pet` of the document keeps its name. A schema `Pet` in another file is called `Pet-2`.
    mutating func reserveNames(of document: OpenAPIDocument) {
        let root = document.references.root
        let schemas = document.version is Swagger2 ? root["definitions"] : root["components"]?["schemas"]
        for (name, schema) in schemas?.members ?? [] where componentNames[DocumentPlace(schema)] == nil {
            componentNames[DocumentPlace(schema)] = uniqueNames.addName(name.componentName)
        }
    }

    /// Returns the copy of a schema in the keywords of OpenAPI 3.1.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - document: The document that uses the schema. The schema itself may be in another file.
    mutating func copy(_ schema: JSONValue, of document: OpenAPIDocument) -> JSONValue {
        var text: [UInt8] = []
        appendSchema(UsedSchema(value: schema, document: document), depth: 0, to: &text)
        return Self.parsedValue(of: text)
    }

    /// Copies all schemas that the copies so far refer to, and returns them by their component names.
    ///
    /// The list of pending schemas is empty after the call.
    mutating func copyPendingComponents() -> SchemaWriter.Members {
        var components: SchemaWriter.Members = []
        // A copy may refer to further schemas, which are added to `pendingSchemas`.
        while let pendingSchema = pendingSchemas.popLast() {
            components.append((pendingSchema.name, copy(pendingSchema.schema.value, of: pendingSchema.schema.document)))
        }
        return components
    }

    /// Returns the value of a JSON text that this type has written.
    private static func parsedValue(of text: [UInt8]) -> JSONValue {
        // The text is valid, and nested no deeper than the document. So there is no error.
        (try? JSONValue(text: text)) ?? [:]
    }

    // MARK: Texts

    /// Appends the copy of a schema to a text.
    ///
    /// A value that is not a schema becomes `true`, which allows everything. So does a schema inside of too many other
    /// schemas.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - depth: The number of schemas around this one.
    ///   - text: The copy is appended to it.
    private mutating func appendSchema(_ schema: UsedSchema, depth: Int, to text: inout [UInt8]) {
        guard schema.value.kind == .object, depth <= Self.maxDepth else {
            text += schema.value.bool == false ? "false".utf8 : "true".utf8
            return
        }
        let translation = SchemaTranslation(schema.value, version: schema.document.version)
        // A `$ref` that can't be resolved is left out, so that any value is allowed.
        let keywords = translation.keywords.filter { keyword in
            guard case .reference(let reference) = keyword.value else { return true }
            return resolvableTarget(of: reference, in: schema) != nil
        }
        Self.appendList(keywords, opening: "{", closing: "}", to: &text) { keyword, text in
            Self.appendString(keyword.key, to: &text)
            text.append(UInt8(ascii: ":"))
            appendKeywordValue(keyword.value, in: schema, depth: depth + 1, to: &text)
        }
    }

    /// Appends the copy of a keyword's value to a text.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - schema: The schema with the keyword. References in the value are relative to its file.
    ///   - depth: The number of schemas around the schemas in the value.
    ///   - text: The copy is appended to it.
    private mutating func appendKeywordValue(
        _ value: SchemaTranslation.Value, in schema: UsedSchema, depth: Int, to text: inout [UInt8]
    ) {
        switch value {
        case .plain(let value):
            text += value.written
        case .schema(let innerSchema):
            appendSchema(schema.inner(innerSchema), depth: depth, to: &text)
        case .schemas(let innerSchemas):
            Self.appendList(innerSchemas, opening: "[", closing: "]", to: &text) { innerSchema, text in
                appendSchema(schema.inner(innerSchema), depth: depth, to: &text)
            }
        case .namedSchemas(let members):
            Self.appendList(members, opening: "{", closing: "}", to: &text) { member, text in
                Self.appendString(member.key, to: &text)
                text.append(UInt8(ascii: ":"))
                appendSchema(schema.inner(member.value), depth: depth, to: &text)
            }
        case .reference(let reference):
            // The caller has left out references that can't be resolved.
            let copiedReference = makeComponentReference(to: reference, in: schema) ?? reference
            Self.appendString(copiedReference, to: &text)
        case .discriminator(let member, let mapping):
            let copiedMapping = mapping.map { ($0.key, copyMappedReference($0.value, in: schema)) }
            var members: SchemaWriter.Members = [("propertyName", JSONValue(member))]
            if !copiedMapping.isEmpty { members.append(("mapping", JSONValue(copiedMapping))) }
            text += JSONValue(members).written
        }
    }

    /// Appends a JSON array or object to a text, with commas between its elements.
    ///
    /// - Parameters:
    ///   - list: The elements of the array, or the members of the object.
    ///   - start: The bracket or brace before the list.
    ///   - end: The bracket or brace after the list.
    ///   - text: The list is appended to it.
    ///   - appendElement: Appends one element or member to the text.
    private static func appendList<Element>(
        _ list: [Element], opening start: Unicode.Scalar, closing end: Unicode.Scalar, to text: inout [UInt8],
        appendElement: (Element, inout [UInt8]) -> Void
    ) {
        text.append(UInt8(ascii: start))
        for (index, element) in list.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            appendElement(element, &text)
        }
        text.append(UInt8(ascii: end))
    }

    /// Appends a JSON string to a text.
    private static func appendString(_ string: String, to text: inout [UInt8]) {
        text += JSONQuoting.quoted(string).utf8
    }

    // MARK: References

    /// Makes the target of a `$ref` a component of the written document, and returns the reference to the component.
    ///
    ///     parts/pets.yaml#/Pet    →  #/components/schemas/Pet
    ///
    /// The first reference to a schema gives the schema its component name, and adds the schema to the list of schemas
    /// that have to be copied. Further references to the schema use the same name.
    ///
    /// - Parameters:
    ///   - reference: The text of the `$ref` in the document that is read.
    ///   - schema: The schema with the `$ref`.
    /// - Returns: The reference; nil if the `$ref` can't be resolved.
    private mutating func makeComponentReference(to reference: String, in schema: UsedSchema) -> String? {
        guard let target = resolvableTarget(of: reference, in: schema) else { return nil }
        let targetPlace = DocumentPlace(target)
        let componentName =
            componentNames[targetPlace] ?? uniqueNames.addName(ModelName.baseName(of: reference).componentName)
        componentNames[targetPlace] = componentName
        let isFirstReference = referencedSchemas.insert(targetPlace).inserted
        if isFirstReference {
            pendingSchemas.append(PendingSchema(name: componentName, schema: schema.inner(target)))
        }
        return "#/components/schemas/" + componentName
    }

    /// Returns the schema that a reference names. The schema may be a `$ref` to another schema.
    ///
    /// - Parameters:
    ///   - reference: The text of the `$ref`.
    ///   - schema: The schema with the `$ref`.
    /// - Returns: The schema; nil if the end of the chain of references can't be found.
    private func resolvableTarget(of reference: String, in schema: UsedSchema) -> JSONValue? {
        let references = schema.document.references
        guard let target = try? references.findTarget(of: reference, from: schema.value) else { return nil }
        guard (try? references.resolve(target)) != nil else { return nil }
        return target
    }

    /// Translates a value in the mapping of a discriminator (OpenAPI 3.1, section 4.8.25). It names a schema, which
    /// becomes a component of the written document.
    ///
    ///     Cat                        →  #/components/schemas/Cat
    ///     parts/pets.yaml#/Cat       →  #/components/schemas/Cat
    ///
    /// A value that names no schema stays as it is.
    ///
    /// - Parameters:
    ///   - value: The name of a component, or a reference to a schema.
    ///   - schema: The schema with the discriminator.
    private mutating func copyMappedReference(_ value: JSONValue, in schema: UsedSchema) -> JSONValue {
        let text = value.string ?? ""
        let isReference = text.contains { $0 == "/" || $0 == "#" }
        let reference = isReference ? text : "#/components/schemas/" + text
        let copiedReference = makeComponentReference(to: reference, in: schema)
        return copiedReference.map { JSONValue($0) } ?? value
    }
}

extension String {
    /// The text as the name of a component: `Page_Pet_` for `Page<Pet>`.
    ///
    /// Names of components consist of ASCII letters, digits, `.`, `_` and `-` (OpenAPI 3.1, section 4.8.7).
    var componentName: String {
        String(map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" })
    }
}
