import JSONText

/// The member whose text tells which alternative an object is (OpenAPI 3.1, section 4.8.25).
///
/// In `{"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat"}}` the member is `kind`, whose text is
/// `cat` if the object is a `Cat`.
package struct Discriminator {
    /// The texts that tell an alternative from the others.
    struct Tag: Hashable {
        /// The schema of the alternative.
        let schema: DocumentPlace
        /// The name of the member.
        let member: String
        /// The texts that the member may have.
        let texts: [String]
    }

    /// The name of the member.
    package let member: String
    /// The texts of the mapping by the schemas that they stand for. A mapping writes a schema as a name or as a
    /// reference.
    private var texts: [String: [String]] = [:]

    /// Reads a Discriminator Object, or the name of the member, which Swagger 2.0 has instead.
    ///
    /// - Returns: The discriminator; nil if `value` names no member.
    package init?(_ value: JSONValue) {
        guard let member = value["propertyName"]?.string ?? value.string else { return nil }
        self.member = member
        for (text, schema) in value["mapping"]?.members ?? [] {
            if let schema = schema.string { texts[schema, default: []].append(text) }
        }
    }

    /// Returns the texts that tell an alternative from the others: those of the mapping, or else the name of the
    /// schema.
    ///
    /// For `#/components/schemas/Cat` without a mapping the text is `Cat`.
    ///
    /// - Parameters:
    ///   - schema: The schema of the alternative.
    ///   - reference: The `$ref` of the alternative, such as `#/components/schemas/Cat`.
    func tag(of schema: JSONValue, _ reference: String) -> Tag {
        Tag(schema: DocumentPlace(schema), member: member, texts: texts(of: reference))
    }

    /// Returns the texts that tell an alternative from the others, as in ``tag(of:_:)``.
    ///
    /// - Parameter reference: The `$ref` of the alternative.
    package func texts(of reference: String) -> [String] {
        let name = ModelName.baseName(of: reference)
        let mappedTexts = (texts[reference] ?? []) + (texts[name] ?? [])
        return mappedTexts.isEmpty ? [name] : mappedTexts
    }
}
