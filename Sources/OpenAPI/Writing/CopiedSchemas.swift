import EndpointTools
import JSONText

/// Copies schemas of documents into a document that is written.
///
/// A schema that a `$ref` names becomes a component, whichever file it is in:
///
///     {"$ref": "parts/pets.yaml#/Pet"}     {"$ref": "#/components/schemas/Pet"}
///
/// Named schemas are copied one after the other and not inside of each other, so that neither circles nor long chains
/// of references cost stack. Texts are appended to one buffer, so that the time is in proportion to the document.
struct CopiedSchemas {
    /// A named schema that has not been copied.
    private struct Uncopied {
        let name: String
        let schema: JSONValue
        let document: OpenAPIDocument
    }

    /// The most schemas around a schema that is copied. A schema inside of more of them becomes `true`, which allows
    /// everything.
    ///
    /// The limit bounds the stack. A ``SchemaReader`` stops earlier, so that no shape loses anything.
    private static let maxDepth = 100

    /// The names that no further component may have.
    private var taken: Set<String>
    /// The names of schemas. Those of a document's components have one before they are used.
    private var names: [DocumentPlace: String] = [:]
    /// The number that was appended last to each name.
    private var numbers: [String: Int] = [:]
    /// The named schemas that a copy has referred to, so that each becomes a component once.
    private var used: Set<DocumentPlace> = []
    /// The schemas in ``used`` that are still to be copied.
    private var uncopied: [Uncopied] = []

    /// Begins without schemas.
    ///
    /// - Parameter names: The names of components that copies must not have.
    init(besides names: [String]) { taken = Set(names) }

    /// Gives the components of a document their names, so that no other schema of the document takes them.
    ///
    /// A component keeps its name `Pet`. A schema `Pet` of another file, which becomes a component too, is called
    /// `Pet-2`.
    mutating func reserveNames(of document: OpenAPIDocument) {
        let root = document.references.root
        let schemas = document.version is Swagger2 ? root["definitions"] : root["components"]?["schemas"]
        for (name, schema) in schemas?.members ?? [] where names[DocumentPlace(schema)] == nil {
            names[DocumentPlace(schema)] = newName(name)
        }
    }

    /// Returns the copy of a schema.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - document: The document that uses it. The schema may be in another file.
    mutating func copy(_ schema: JSONValue, of document: OpenAPIDocument) -> JSONValue {
        var text: [UInt8] = []
        append(schema, of: document, depth: 0, to: &text)
        return Self.value(text)
    }

    /// Returns the schemas that copies refer to, by their names.
    ///
    /// The copy of a component may refer to further schemas, so this goes on until all are copied.
    mutating func components() -> SchemaWriter.Members {
        var components: SchemaWriter.Members = []
        while let next = uncopied.popLast() {
            components.append((next.name, copy(next.schema, of: next.document)))
        }
        return components
    }

    /// Reads a text that was just written.
    ///
    /// It is JSON, and its nesting is that of the document, so it is never too deep and the error can't happen.
    private static func value(_ text: [UInt8]) -> JSONValue { (try? JSONValue(text: text)) ?? [:] }

    // MARK: Texts

    /// Appends the text of a schema.
    ///
    /// A value that is no schema becomes `true`, which allows everything, and so does a schema inside of too many
    /// others.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - document: The document that uses it.
    ///   - depth: The number of schemas around this one.
    ///   - text: The text that grows.
    private mutating func append(
        _ schema: JSONValue, of document: OpenAPIDocument, depth: Int, to text: inout [UInt8]
    ) {
        guard schema.kind == .object, depth <= Self.maxDepth else {
            text += schema.bool == false ? "false".utf8 : "true".utf8
            return
        }
        var separator = UInt8(ascii: "{")
        for (key, value) in SchemaTranslation(schema, document.version).keywords {
            // A reference that leads nowhere is left out: any value is accepted.
            if case .reference(let reference) = value, target(of: reference, schema, document) == nil { continue }
            text.append(separator)
            separator = UInt8(ascii: ",")
            Self.append(key, to: &text)
            text.append(UInt8(ascii: ":"))
            append(value, in: schema, of: document, depth: depth + 1, to: &text)
        }
        // A schema without keywords has no separator yet: its text is `{}`.
        if separator == UInt8(ascii: "{") { text.append(separator) }
        text.append(UInt8(ascii: "}"))
    }

    /// Appends the text of a keyword's value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - schema: The schema that has the keyword, from whose file a relative reference leads on.
    ///   - document: The document that uses the schema.
    ///   - depth: The number of schemas around those in the value.
    ///   - text: The text that grows.
    private mutating func append(
        _ value: SchemaTranslation.Value, in schema: JSONValue, of document: OpenAPIDocument, depth: Int,
        to text: inout [UInt8]
    ) {
        switch value {
        case .plain(let value):
            text += value.written
        case .schema(let inner):
            append(inner, of: document, depth: depth, to: &text)
        case .schemas(let schemas):
            Self.appendList(schemas, "[", "]", to: &text) { append($0, of: document, depth: depth, to: &$1) }
        case .namedSchemas(let members):
            Self.appendList(members, "{", "}", to: &text) { member, text in
                Self.append(member.key, to: &text)
                text.append(UInt8(ascii: ":"))
                append(member.value, of: document, depth: depth, to: &text)
            }
        case .reference(let reference):
            // The reference has been followed before, so it leads somewhere.
            Self.append(self.reference(reference, schema, document) ?? reference, to: &text)
        case .discriminator(let member, let mapping):
            let copied = mapping.map { ($0.key, mapped($0.value, schema, document)) }
            var members: SchemaWriter.Members = [("propertyName", JSONValue(member))]
            if !copied.isEmpty { members.append(("mapping", JSONValue(copied))) }
            text += JSONValue(members).written
        }
    }

    /// Appends the elements or members of a list between brackets, with commas between them.
    ///
    /// - Parameters:
    ///   - list: The elements or members.
    ///   - start: The bracket or brace before the list.
    ///   - end: The bracket or brace after the list.
    ///   - text: The text that grows.
    ///   - appendElement: Appends one element or member.
    private static func appendList<Element>(
        _ list: [Element], _ start: Unicode.Scalar, _ end: Unicode.Scalar, to text: inout [UInt8],
        _ appendElement: (Element, inout [UInt8]) -> Void
    ) {
        text.append(UInt8(ascii: start))
        for (index, element) in list.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            appendElement(element, &text)
        }
        text.append(UInt8(ascii: end))
    }

    /// Appends a string in quotes.
    private static func append(_ string: String, to text: inout [UInt8]) { text += JSONQuoting.quoted(string).utf8 }

    // MARK: References

    /// Returns the reference to the component that a schema becomes: `#/components/schemas/Pet` for
    /// `parts/pets.yaml#/Pet`.
    ///
    /// The schema gets a name when it is first referred to, and is then one of those that are still to be copied.
    ///
    /// - Parameters:
    ///   - reference: The text of `$ref`.
    ///   - schema: The schema that holds the reference.
    ///   - document: The document that uses the schema.
    /// - Returns: The reference; nil if `reference` leads nowhere.
    private mutating func reference(
        _ reference: String, _ schema: JSONValue, _ document: OpenAPIDocument
    ) -> String? {
        guard let target = target(of: reference, schema, document) else { return nil }
        let place = DocumentPlace(target)
        let name = names[place] ?? newName(ModelName.baseName(of: reference))
        names[place] = name
        if used.insert(place).inserted {
            uncopied.append(Uncopied(name: name, schema: target, document: document))
        }
        return "#/components/schemas/" + name
    }

    /// Returns the schema that a reference leads to, which may be a reference itself.
    ///
    /// - Returns: The schema; nil if the reference, or one that it leads to, leads nowhere.
    private func target(of reference: String, _ schema: JSONValue, _ document: OpenAPIDocument) -> JSONValue? {
        guard let target = try? document.references.target(of: reference, from: schema),
            (try? document.references.resolved(target)) != nil
        else { return nil }
        return target
    }

    /// Returns the reference that a mapping has for an alternative.
    ///
    /// A mapping names an alternative by the name of a component or by a reference (OpenAPI 3.1, section 4.8.25). A
    /// text without `/` and `#` is taken for a name. A reference that leads nowhere stays as it is.
    private mutating func mapped(
        _ value: JSONValue, _ schema: JSONValue, _ document: OpenAPIDocument
    ) -> JSONValue {
        let text = value.string ?? ""
        let isReference = text.contains { $0 == "/" || $0 == "#" }
        let reference = isReference ? text : "#/components/schemas/" + text
        return self.reference(reference, schema, document).map { JSONValue($0) } ?? value
    }

    // MARK: Names

    /// Returns a name for a component that no other component has: `Pet`, or `Pet-2` if another one is called `Pet`.
    private mutating func newName(_ baseName: String) -> String {
        let baseName = baseName.componentName
        if taken.insert(baseName).inserted { return baseName }
        // Numbers go on from the last one, because a document may have thousands of schemas with the same name.
        var number = numbers[baseName] ?? 1
        repeat { number += 1 } while !taken.insert("\(baseName)-\(number)").inserted
        numbers[baseName] = number
        return "\(baseName)-\(number)"
    }
}

extension String {
    /// The text with `_` in place of characters that the name of a component can't have (OpenAPI 3.1, section 4.8.7).
    var componentName: String {
        String(map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" })
    }
}
