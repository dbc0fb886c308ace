import JSONText

/// The member whose text tells which alternative an object is (OpenAPI 3.1, section 4.8.25).
struct Discriminator {
    /// An alternative with the texts of the member.
    struct Tag: Hashable {
        let schema: DocumentPlace
        let member: String
        let texts: [String]
    }

    /// The name of the member.
    let member: String
    /// The texts of each schema, by its name or reference as the mapping writes it.
    private var texts: [String: [String]] = [:]

    /// Reads a Discriminator Object, or the name of the member, which is what Swagger 2.0 has.
    init?(_ value: JSONValue) {
        guard let member = value["propertyName"]?.string ?? value.string else { return nil }
        self.member = member
        for (text, schema) in value["mapping"]?.members ?? [] {
            if let schema = schema.string { texts[schema, default: []].append(text) }
        }
    }

    /// Returns the texts of an alternative: those that the mapping has for it, else its name.
    ///
    /// - Parameters:
    ///   - schema: The schema of the alternative.
    ///   - reference: The `$ref` of the alternative, such as `#/components/schemas/Cat`.
    func tag(of schema: JSONValue, _ reference: String) -> Tag {
        let name = ModelName.baseName(of: reference)
        let mapped = (texts[reference] ?? []) + (texts[name] ?? [])
        return Tag(schema: DocumentPlace(schema), member: member, texts: mapped.isEmpty ? [name] : mapped)
    }
}
