import JSONText

/// The member of an object whose text identifies the object's alternative (OpenAPI 3.1, section 4.8.25).
///
/// With `{"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat"}}`, the object `{"kind": "cat"}` is a
/// `Cat`.
package struct Discriminator {
    /// An alternative, with the texts that identify it.
    struct Tag: Hashable {
        /// The schema of the alternative.
        let schema: DocumentPlace
        /// The name of the member.
        let member: String
        /// The texts of the member that identify the alternative.
        let texts: [String]
    }

    /// The name of the member, such as `kind`.
    package let member: String
    /// The texts of the mapping by the schemas that they identify. A mapping names a schema by its name or a
    /// reference.
    private var textsByReference: [String: [String]] = [:]

    /// Reads a Discriminator Object. In Swagger 2.0, it is the name of the member alone.
    ///
    /// - Returns: The discriminator; nil if `value` does not name a member.
    package init?(_ value: JSONValue) {
        guard let member = value["propertyName"]?.string ?? value.string else { return nil }
        self.member = member
        for (text, mappedValue) in value["mapping"]?.members ?? [] {
            if let schemaReference = mappedValue.string { textsByReference[schemaReference, default: []].append(text) }
        }
    }

    /// Returns an alternative with the texts that identify it.
    ///
    /// - Parameters:
    ///   - schema: The schema of the alternative.
    ///   - reference: The `$ref` of the alternative, such as `#/components/schemas/Cat`.
    func tag(of schema: JSONValue, reference: String) -> Tag {
        Tag(schema: DocumentPlace(schema), member: member, texts: texts(of: reference))
    }

    /// Returns the texts that identify an alternative: the texts of the mapping, or else the name of the schema.
    ///
    ///     #/components/schemas/Cat, mapped from cat    →  cat
    ///     #/components/schemas/Cat, not mapped         →  Cat
    ///
    /// - Parameter reference: The `$ref` of the alternative.
    package func texts(of reference: String) -> [String] {
        let name = ModelName.baseName(of: reference)
        let mappedTexts = (textsByReference[reference] ?? []) + (textsByReference[name] ?? [])
        return mappedTexts.isEmpty ? [name] : mappedTexts
    }
}
