import JSONText

/// The keywords of a schema, merged with the keywords of all schemas in its `allOf`.
///
/// A value has to match all of these schemas, so each keyword narrows the values that the others allow.
package struct SchemaKeywords {
    /// The rule for members that `properties` does not name.
    package enum OtherMembers {
        /// The schema has no rule.
        case unspecified
        /// `"additionalProperties": false`.
        case forbidden
        /// `"additionalProperties": true`.
        case allowed
        /// `"additionalProperties": {…}`: the value has to match one of these schemas.
        case schemas([JSONValue])

        /// Replaces the rule by the rule of another schema if that is stricter.
        ///
        ///     allowed, schemas         →  schemas
        ///     schemas, forbidden       →  forbidden
        ///     schemas, schemas         →  the first schemas
        ///
        /// Strictly, a value would have to match two lists of schemas. The second list is ignored, because a shape has
        /// no way to express both.
        mutating func formIntersection(_ other: OtherMembers) {
            switch (self, other) {
            // In order of strictness: unspecified, allowed, schemas, forbidden.
            case (.unspecified, _), (.allowed, .schemas), (_, .forbidden): self = other
            default: break
            }
        }
    }

    /// A member that `properties` names.
    package struct Property {
        package let name: String
        /// The schemas of the value. The value has to match all of them.
        package fileprivate(set) var schemas: [JSONValue]
    }

    /// The names of the types, such as `integer`; nil if all types are allowed.
    package internal(set) var types: [String]?
    /// Whether null is allowed beside the other types.
    package internal(set) var isNullable = false
    package internal(set) var format: String?
    /// Whether a string holds the bytes of a file.
    ///
    /// The schema says so with `format: binary`, with `type: file` in Swagger 2.0, or with a `contentMediaType` other
    /// than text and without a `contentEncoding`.
    var isFile = false
    /// Whether the values are received and never sent.
    var isReadOnly = false
    /// Whether the values are sent and never received.
    var isWriteOnly = false
    /// The values of `enum` or `const`; nil if the schema has neither.
    package internal(set) var values: [JSONValue]?
    var bounds = SchemaBounds()
    /// The members that `properties` names, in the order of the document.
    package private(set) var properties: [Property] = []
    /// The index in ``properties`` of each member, by the member's name.
    private var propertyIndexes: [String: Int] = [:]
    /// The names of the members that an object must have.
    package internal(set) var required: Set<String> = []
    /// The rule of `additionalProperties` and `patternProperties`.
    package internal(set) var otherMembers = OtherMembers.unspecified
    /// The schema of the elements of an array.
    package internal(set) var items: JSONValue?
    /// The alternatives of `oneOf` and `anyOf`; nil if there are none.
    package internal(set) var alternatives: [JSONValue]?
    /// The Discriminator Object of the alternatives.
    package internal(set) var discriminator: JSONValue?
    /// The texts that a discriminator allows for a member, by the member's name: `["kind": ["cat"]]` for a cat.
    private(set) var tags: [String: [String]] = [:]
    /// The keywords that the shape of the schema leaves out.
    var ignoredKeywords: [String] = []

    /// Whether the schema allows any JSON.
    package var isAny: Bool {
        types == nil && values == nil && items == nil && alternatives == nil && !hasObjectKeywords
    }
    /// Whether the schema has a rule for members that `properties` does not name.
    private var hasOtherMembers: Bool { if case .unspecified = otherMembers { false } else { true } }
    /// Whether the schema has keywords of objects, such as `properties` or `required`.
    package var hasObjectKeywords: Bool { !properties.isEmpty || hasOtherMembers || !required.isEmpty }

    /// The types that the keywords of a schema without `type` imply: `object` for `properties`, `array` for `items`.
    var impliedTypes: [String] {
        var types: [String] = []
        if hasObjectKeywords { types.append("object") }
        if items != nil { types.append("array") }
        return types
    }

    /// Whether all values are objects or null.
    var isObject: Bool {
        if values != nil || distinctAlternatives != nil { return false }
        return (types ?? impliedTypes) == ["object"]
    }

    /// Whether all values are objects or null, and `properties` names members of the objects.
    var isObjectWithProperties: Bool { isObject && !properties.isEmpty }

    /// The alternatives of `oneOf` and `anyOf` if they describe different values; nil without such alternatives.
    ///
    /// Alternatives that only say which members are required together are not distinct. This object has the members
    /// `a` and `b`, and needs one of them: `"anyOf": [{"required": ["a"]}, {"required": ["b"]}]`.
    var distinctAlternatives: [JSONValue]? {
        guard let alternatives else { return nil }
        if properties.isEmpty { return alternatives }
        return alternatives.allSatisfy(Self.onlyRequiresMembers) ? nil : alternatives
    }

    /// Whether a schema says nothing about values but which members are required.
    private static func onlyRequiresMembers(_ schema: JSONValue) -> Bool {
        let keys = schema.members?.map(\.key) ?? []
        return !keys.isEmpty && keys.allSatisfy { ["required", "title", "description"].contains($0) }
    }

    /// Adds schemas that the value of a member has to match.
    ///
    /// The member is added if `properties` does not have it yet. A schema that the member has already is not repeated.
    mutating func addProperty(_ name: String, schemas: [JSONValue]) {
        if let index = propertyIndexes[name] {
            let knownPlaces = Set(properties[index].schemas.map(DocumentPlace.init))
            properties[index].schemas += schemas.filter { !knownPlaces.contains(DocumentPlace($0)) }
        } else {
            propertyIndexes[name] = properties.count
            properties.append(Property(name: name, schemas: schemas))
        }
    }

    /// Adds the members of another schema. The value of a member that both have has to match the schemas of both.
    private mutating func addProperties(of other: SchemaKeywords) {
        if properties.isEmpty {
            // Copying the whole list is faster than adding the members one by one.
            properties = other.properties
            propertyIndexes = other.propertyIndexes
        } else {
            for property in other.properties { addProperty(property.name, schemas: property.schemas) }
        }
    }

    /// Returns the schemas of a member that `properties` names; empty for any other member.
    package func schemas(of name: String) -> [JSONValue] {
        guard let index = propertyIndexes[name] else { return [] }
        return properties[index].schemas
    }

    /// Requires a member, and allows it only the texts by which a discriminator identifies the object.
    ///
    /// - Parameters:
    ///   - texts: The texts, such as `["cat"]`.
    ///   - name: The name of the member, such as `kind`. It is added if `properties` does not have it.
    mutating func setTags(_ texts: [String], of name: String) {
        addProperty(name, schemas: [])
        tags[name] = texts
        required.insert(name)
    }

    /// Narrows the keywords so that they only allow values that match another schema too.
    ///
    /// The keywords `{"minimum": 1}` and `{"minimum": 3}` become `{"minimum": 3}`. Some keywords can't be merged, such
    /// as two formats. In that case this schema's keyword is kept.
    mutating func formIntersection(_ other: SchemaKeywords) {
        isNullable = becomesNullable(with: other)
        types = Self.commonTypes(of: types, and: other.types)
        format = format ?? other.format
        values = Self.commonValues(of: values, and: other.values)
        bounds.formIntersection(other.bounds)
        isFile = isFile || other.isFile
        // JSON Schema Validation 2020-12, section 9.4: one `readOnly` makes the value read-only.
        isReadOnly = isReadOnly || other.isReadOnly
        isWriteOnly = isWriteOnly || other.isWriteOnly
        addProperties(of: other)
        // Taking over a whole set is faster than adding its members one by one.
        if required.isEmpty { required = other.required } else { required.formUnion(other.required) }
        otherMembers.formIntersection(other.otherMembers)
        items = items ?? other.items
        // A value would have to match an alternative of each list. A shape can only express one list.
        if alternatives != nil, other.alternatives != nil { ignoredKeywords.append("oneOf") }
        alternatives = alternatives ?? other.alternatives
        discriminator = discriminator ?? other.discriminator
        ignoredKeywords += other.ignoredKeywords
        tags.merge(other.tags) { texts, _ in texts }
    }

    /// Whether null matches both this schema and another one.
    ///
    /// A schema without other keywords that is `nullable` makes the result nullable. Strictly, it should not, but
    /// documents use it to make a reference nullable: `{"nullable": true, "allOf": [{"$ref": "#/…/Pet"}]}`.
    private func becomesNullable(with other: SchemaKeywords) -> Bool {
        if isAny || other.isAny { return isNullable || other.isNullable }
        return isNullable && other.isNullable
    }

    /// Returns the values that two lists have in common. Nil stands for all values.
    private static func commonValues(of values: [JSONValue]?, and others: [JSONValue]?) -> [JSONValue]? {
        guard let values, let others else { return values ?? others }
        let otherValues = Set(others)
        return values.filter(otherValues.contains)
    }

    /// Returns the types that two lists have in common. Nil stands for all types.
    ///
    ///     [integer, string] and [number]    →  [integer], because an integer is a number too
    ///     [integer] and nil                 →  [integer]
    ///     [integer] and [string]            →  [integer]
    ///
    /// Lists without a common type are an error in the document. The result is the first list.
    private static func commonTypes(of types: [String]?, and others: [String]?) -> [String]? {
        guard let types, let others else { return types ?? others }
        var sharedTypes: [String] = []
        for type in types {
            let sharedType: String
            if others.contains(type) || (type == "integer" && others.contains("number")) {
                sharedType = type
            } else if type == "number", others.contains("integer") {
                sharedType = "integer"
            } else {
                continue
            }
            // Both integer and number can lead to integer.
            if !sharedTypes.contains(sharedType) { sharedTypes.append(sharedType) }
        }
        return sharedTypes.isEmpty ? types : sharedTypes
    }
}
