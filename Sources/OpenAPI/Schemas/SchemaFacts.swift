import JSONText

/// The keywords of a schema, and of all schemas in its `allOf`, brought together.
struct SchemaFacts {
    /// The rule for members that `properties` does not name.
    enum OtherMembers {
        /// The schema does not say.
        case unspecified
        case forbidden
        case allowed
        /// Members with values of one of these schemas.
        case schemas([JSONValue])

        /// Narrows the rule to that of another schema too. Of two lists of schemas, the first one counts.
        mutating func formIntersection(_ other: OtherMembers) {
            switch (self, other) {
            case (.unspecified, _), (.allowed, .schemas), (_, .forbidden): self = other
            default: break
            }
        }
    }

    /// A member of the object.
    struct Property {
        let name: String
        /// The schemas of the value, which all count.
        var schemas: [JSONValue]
    }

    /// The names of the types; nil if all are allowed.
    var types: [String]?
    var isNullable = false
    var format: String?
    /// Whether a string holds the bytes of a file: `format: binary`, a `contentMediaType` that is no text without a
    /// `contentEncoding`, or `type: file` of Swagger 2.0.
    var isFile = false
    /// Whether the values are not sent.
    var isReadOnly = false
    /// Whether the values are not received.
    var isWriteOnly = false
    /// The values that are allowed; nil if all are.
    var values: [JSONValue]?
    var bounds = SchemaBounds()
    private(set) var properties: [Property] = []
    private var propertyIndexes: [String: Int] = [:]
    var required: Set<String> = []
    var otherMembers = OtherMembers.unspecified
    var items: JSONValue?
    /// The alternatives of `oneOf` and `anyOf`; nil if there are none.
    var alternatives: [JSONValue]?
    var discriminator: JSONValue?
    /// The texts of a member that tells alternatives apart, by its name.
    var tags: [String: [String]] = [:]
    /// The keywords that are not understood.
    var ignoredKeywords: [String] = []
    /// Whether nothing is known: any JSON is allowed.
    var isAny: Bool {
        types == nil && values == nil && properties.isEmpty && items == nil && alternatives == nil
            && !hasOtherMembers && required.isEmpty
    }
    /// Whether the schema speaks about members that `properties` does not name.
    var hasOtherMembers: Bool { if case .unspecified = otherMembers { false } else { true } }
    /// Whether the schema has keywords of objects.
    var hasObjectKeywords: Bool { !properties.isEmpty || hasOtherMembers || !required.isEmpty }

    /// Adds a schema of a member.
    mutating func addProperty(_ name: String, _ schemas: [JSONValue]) {
        if let index = propertyIndexes[name] {
            let known = Set(properties[index].schemas.map(DocumentPlace.init))
            properties[index].schemas += schemas.filter { !known.contains(DocumentPlace($0)) }
        } else {
            propertyIndexes[name] = properties.count
            properties.append(Property(name: name, schemas: schemas))
        }
    }

    /// Adds the members of another schema.
    private mutating func addProperties(of other: SchemaFacts) {
        guard !properties.isEmpty else {
            properties = other.properties
            propertyIndexes = other.propertyIndexes
            return
        }
        for property in other.properties { addProperty(property.name, property.schemas) }
    }

    /// Returns the schemas of a member; empty if there are none.
    func schemas(of name: String) -> [JSONValue] { propertyIndexes[name].map { properties[$0].schemas } ?? [] }

    /// Narrows a member to texts that tell the object from its alternatives. The member is required.
    mutating func setTags(_ texts: [String], of name: String) {
        addProperty(name, [])
        tags[name] = texts
        required.insert(name)
    }

    /// Narrows the facts to values that match another schema too.
    mutating func formIntersection(_ other: SchemaFacts) {
        // A value is null only if all schemas allow it. But `nullable` beside or inside an `allOf`, without a type, is
        // what documents write to make a reference nullable.
        isNullable = isAny || other.isAny ? isNullable || other.isNullable : isNullable && other.isNullable
        types = Self.common(types, other.types)
        format = format ?? other.format
        if let values, let others = other.values {
            let known = Set(others)
            self.values = values.filter(known.contains)
        } else {
            values = values ?? other.values
        }
        bounds.formIntersection(other.bounds)
        isFile = isFile || other.isFile
        // As JSON Schema Validation 2020-12 recommends in section 9.4.
        isReadOnly = isReadOnly || other.isReadOnly
        isWriteOnly = isWriteOnly || other.isWriteOnly
        addProperties(of: other)
        if required.isEmpty { required = other.required } else { required.formUnion(other.required) }
        otherMembers.formIntersection(other.otherMembers)
        items = items ?? other.items
        if alternatives != nil, other.alternatives != nil { ignoredKeywords.append("oneOf") }
        alternatives = alternatives ?? other.alternatives
        discriminator = discriminator ?? other.discriminator
        ignoredKeywords += other.ignoredKeywords
        tags.merge(other.tags) { own, _ in own }
    }

    /// Returns the types that both lists allow. An integer is a number too. Lists that contradict each other are an
    /// error of the document, and the first one counts.
    private static func common(_ types: [String]?, _ others: [String]?) -> [String]? {
        guard let types, let others else { return types ?? others }
        var common: [String] = []
        for type in types {
            if others.contains(type) || type == "integer" && others.contains("number") {
                common.append(type)
            } else if type == "number", others.contains("integer") {
                common.append("integer")
            }
        }
        return common.isEmpty ? types : common
    }
}

/// The bounds of a number.
struct SchemaBounds {
    private(set) var minimum = -Double.infinity
    private(set) var maximum = Double.infinity
    private(set) var excludesMinimum = false
    private(set) var excludesMaximum = false
    private(set) var isValid = true

    /// Reads the bounds of a schema.
    ///
    /// `exclusiveMinimum` is a number in JSON Schema 2020-12, and a boolean beside `minimum` before OpenAPI 3.1.
    init(_ schema: JSONValue) {
        minimum = bound(schema["minimum"]) ?? minimum
        maximum = bound(schema["maximum"]) ?? maximum
        if let flag = schema["exclusiveMinimum"]?.bool {
            excludesMinimum = flag
        } else if let bound = bound(schema["exclusiveMinimum"]), bound >= minimum {
            minimum = bound
            excludesMinimum = true
        }
        if let flag = schema["exclusiveMaximum"]?.bool {
            excludesMaximum = flag
        } else if let bound = bound(schema["exclusiveMaximum"]), bound <= maximum {
            maximum = bound
            excludesMaximum = true
        }
    }

    init() {}

    /// Returns a bound, and notes one that is no number.
    private mutating func bound(_ value: JSONValue?) -> Double? {
        guard let value else { return nil }
        if value.double == nil { isValid = false }
        return value.double
    }

    /// Narrows the bounds to those of another schema too.
    mutating func formIntersection(_ other: SchemaBounds) {
        if other.minimum > minimum || other.minimum == minimum && other.excludesMinimum {
            minimum = other.minimum
            excludesMinimum = other.excludesMinimum
        }
        if other.maximum < maximum || other.maximum == maximum && other.excludesMaximum {
            maximum = other.maximum
            excludesMaximum = other.excludesMaximum
        }
        isValid = isValid && other.isValid
    }

    /// Returns the bounds of an integer, which are `Int.min` and `Int.max` without bounds.
    ///
    /// - Parameter format: `int32` has bounds of its own.
    /// - Returns: The bounds; nil if there are none, or if no integer is between them.
    func integers(format: String?) -> ClosedRange<Int>? {
        var lower = Self.integer(minimum.rounded(.up))
        var upper = Self.integer(maximum.rounded(.down))
        if excludesMinimum, minimum == minimum.rounded(), lower < Int.max { lower += lower == .min ? 0 : 1 }
        if excludesMaximum, maximum == maximum.rounded(), upper > Int.min { upper -= upper == .max ? 0 : 1 }
        if format == "int32" {
            lower = max(lower, Int(Int32.min))
            upper = min(upper, Int(Int32.max))
        }
        guard lower <= upper, lower != .min || upper != .max else { return nil }
        return lower...upper
    }

    /// Returns an integer, or the nearest one of 64 bits.
    private static func integer(_ value: Double) -> Int { Int(exactly: value) ?? (value < 0 ? .min : .max) }

    /// The bounds of a number; nil if there are none, or if no number is between them. A bound that is excluded counts
    /// as included.
    var numbers: ClosedRange<Double>? {
        guard minimum <= maximum, minimum.isFinite || maximum.isFinite else { return nil }
        return minimum...maximum
    }

    /// Whether some number is between the bounds.
    var areSatisfiable: Bool { isValid && minimum <= maximum }
}
