import JSONText

/// The keywords of a schema and of all schemas in its `allOf`, brought together.
///
/// A value has to match all of these schemas, so each keyword narrows what the others allow.
package struct SchemaFacts {
    /// The rule for members that `properties` does not name.
    package enum OtherMembers {
        /// The schema has no rule.
        case unspecified
        case forbidden
        case allowed
        /// Members with values of one of these schemas.
        case schemas([JSONValue])

        /// Replaces the rule by the one of another schema, if that is stricter.
        ///
        /// Of two lists of schemas, the first one is kept, although a value would have to match a schema of each.
        mutating func formIntersection(_ other: OtherMembers) {
            switch (self, other) {
            case (.unspecified, _), (.allowed, .schemas), (_, .forbidden): self = other
            default: break
            }
        }
    }

    /// A member of the object.
    package struct Property {
        package let name: String
        /// The schemas of the value, which all count.
        package fileprivate(set) var schemas: [JSONValue]
    }

    /// The names of the types, such as `integer`; nil if all types are allowed.
    package internal(set) var types: [String]?
    /// Whether null is allowed too.
    package internal(set) var isNullable = false
    package internal(set) var format: String?
    /// Whether a string holds the bytes of a file: `format: binary`, a `contentMediaType` that is no text without a
    /// `contentEncoding`, or `type: file` of Swagger 2.0.
    var isFile = false
    /// Whether the values are received and never sent.
    var isReadOnly = false
    /// Whether the values are sent and never received.
    var isWriteOnly = false
    /// The values that are allowed; nil if all are.
    package internal(set) var values: [JSONValue]?
    var bounds = SchemaBounds()
    /// The members that `properties` names, in the order in which they were met.
    package private(set) var properties: [Property] = []
    /// The indexes in ``properties`` by the names of members.
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
    /// The only texts that members may have, by the names of the members. They tell the object from its alternatives.
    private(set) var tags: [String: [String]] = [:]
    /// The keywords that are not understood.
    var ignoredKeywords: [String] = []

    /// Whether the schema allows any JSON.
    package var isAny: Bool {
        types == nil && values == nil && items == nil && alternatives == nil && !hasObjectKeywords
    }
    /// Whether the schema has a rule for members that `properties` does not name.
    private var hasOtherMembers: Bool { if case .unspecified = otherMembers { false } else { true } }
    /// Whether the schema has keywords of objects.
    package var hasObjectKeywords: Bool { !properties.isEmpty || hasOtherMembers || !required.isEmpty }

    /// Adds schemas that the value of a member has to match. A schema that the member has already is not added again.
    mutating func addProperty(_ name: String, _ schemas: [JSONValue]) {
        guard let index = propertyIndexes[name] else {
            propertyIndexes[name] = properties.count
            properties.append(Property(name: name, schemas: schemas))
            return
        }
        let knownPlaces = Set(properties[index].schemas.map(DocumentPlace.init))
        properties[index].schemas += schemas.filter { !knownPlaces.contains(DocumentPlace($0)) }
    }

    /// Adds the members of another schema. A member that both have must match the schemas of both.
    private mutating func addProperties(of other: SchemaFacts) {
        guard !properties.isEmpty else {
            // Copying is faster than adding one by one.
            properties = other.properties
            propertyIndexes = other.propertyIndexes
            return
        }
        for property in other.properties { addProperty(property.name, property.schemas) }
    }

    /// Returns the schemas of a member; empty if there are none.
    package func schemas(of name: String) -> [JSONValue] {
        guard let index = propertyIndexes[name] else { return [] }
        return properties[index].schemas
    }

    /// Allows a member only the texts that tell the object from its alternatives, and makes the member required.
    ///
    /// - Parameters:
    ///   - texts: The texts.
    ///   - name: The name of the member, which is added if the object does not name it.
    mutating func setTags(_ texts: [String], of name: String) {
        addProperty(name, [])
        tags[name] = texts
        required.insert(name)
    }

    /// Narrows the facts to values that match another schema too.
    ///
    /// Of keywords that can't be brought together, such as two formats, the one of this schema counts.
    mutating func formIntersection(_ other: SchemaFacts) {
        isNullable = isNullable(with: other)
        types = Self.commonTypes(types, other.types)
        format = format ?? other.format
        values = Self.commonValues(values, other.values)
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

    /// Whether null matches both this schema and another one, or the document means that it does.
    private func isNullable(with other: SchemaFacts) -> Bool {
        // Documents make a reference nullable with `nullable` in a schema that has no other keywords beside an `allOf`.
        if isAny || other.isAny { return isNullable || other.isNullable }
        return isNullable && other.isNullable
    }

    /// Returns the values that two lists have in common. A list that is nil has all values.
    private static func commonValues(_ values: [JSONValue]?, _ others: [JSONValue]?) -> [JSONValue]? {
        guard let values, let others else { return values ?? others }
        let otherValues = Set(others)
        return values.filter(otherValues.contains)
    }

    /// Returns the types that two lists have in common. A list that is nil has all types.
    ///
    ///     integer, string    and    number    →    integer
    ///
    /// An integer is a number too. Lists without a common type are an error of the document, and the first one counts.
    private static func commonTypes(_ types: [String]?, _ others: [String]?) -> [String]? {
        guard let types, let others else { return types ?? others }
        var common: [String] = []
        for type in types {
            if others.contains(type) || (type == "integer" && others.contains("number")) {
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
    /// Whether all bounds are numbers.
    private var isValid = true

    /// Reads the bounds of a schema.
    ///
    /// `exclusiveMinimum` is a number in JSON Schema 2020-12, and a boolean beside `minimum` before OpenAPI 3.1. Of two
    /// numbers, the stricter bound counts. The same goes for the maximum.
    init(_ schema: JSONValue) {
        minimum = bound(schema["minimum"]) ?? minimum
        maximum = bound(schema["maximum"]) ?? maximum
        if let isExclusive = schema["exclusiveMinimum"]?.bool {
            excludesMinimum = isExclusive
        } else if let exclusiveMinimum = bound(schema["exclusiveMinimum"]), exclusiveMinimum >= minimum {
            minimum = exclusiveMinimum
            excludesMinimum = true
        }
        if let isExclusive = schema["exclusiveMaximum"]?.bool {
            excludesMaximum = isExclusive
        } else if let exclusiveMaximum = bound(schema["exclusiveMaximum"]), exclusiveMaximum <= maximum {
            maximum = exclusiveMaximum
            excludesMaximum = true
        }
    }

    /// Makes bounds that include all numbers.
    init() {}

    /// Returns the number of a bound; nil if there is none. A bound that is no number makes the bounds invalid.
    private mutating func bound(_ value: JSONValue?) -> Double? {
        guard let value else { return nil }
        if value.double == nil { isValid = false }
        return value.double
    }

    /// Narrows the bounds to numbers that are between the bounds of another schema too.
    ///
    /// Of two equal bounds, the one that excludes its number is stricter.
    mutating func formIntersection(_ other: SchemaBounds) {
        if other.minimum > minimum || (other.minimum == minimum && other.excludesMinimum) {
            minimum = other.minimum
            excludesMinimum = other.excludesMinimum
        }
        if other.maximum < maximum || (other.maximum == maximum && other.excludesMaximum) {
            maximum = other.maximum
            excludesMaximum = other.excludesMaximum
        }
        isValid = isValid && other.isValid
    }

    /// Returns the range of the integers between the bounds.
    ///
    ///     minimum 1, exclusiveMaximum 10    1...9
    ///     minimum 1                         1...Int.max
    ///     no bounds, format int32           Int(Int32.min)...Int(Int32.max)
    ///     no bounds                         nil
    ///
    /// - Parameter format: The format of the integers. `int32` has bounds of its own.
    /// - Returns: The range; nil if it would include all integers, or none.
    func integers(format: String?) -> ClosedRange<Int>? {
        var lower = leastInteger
        var upper = greatestInteger
        if format == "int32" {
            lower = max(lower, Int(Int32.min))
            upper = min(upper, Int(Int32.max))
        }
        let includesAll = lower == .min && upper == .max
        if includesAll || lower > upper { return nil }
        return lower...upper
    }

    /// The least integer that the minimum allows; `Int.min` if there is no minimum of 64 bits.
    private var leastInteger: Int {
        let integer = Self.nearestInteger(to: minimum.rounded(.up))
        let isExcluded = excludesMinimum && Double(integer) == minimum
        // A minimum of more than 64 bits has become the greatest integer, after which there is none.
        if !isExcluded || integer == .min || integer == .max { return integer }
        return integer + 1
    }

    /// The greatest integer that the maximum allows; `Int.max` if there is no maximum of 64 bits.
    private var greatestInteger: Int {
        let integer = Self.nearestInteger(to: maximum.rounded(.down))
        // A maximum of more than 64 bits has become the least integer, before which there is none.
        let isExcluded = excludesMaximum && Double(integer) == maximum
        if !isExcluded || integer == .min || integer == .max { return integer }
        return integer - 1
    }

    /// Returns the integer of 64 bits that is nearest to a whole number.
    private static func nearestInteger(to value: Double) -> Int { Int(exactly: value) ?? (value < 0 ? .min : .max) }

    /// The range of the numbers between the bounds, in which a bound that is excluded is included.
    ///
    /// It is nil if it would include all numbers, or none.
    var numbers: ClosedRange<Double>? {
        guard minimum <= maximum, minimum.isFinite || maximum.isFinite else { return nil }
        return minimum...maximum
    }

    /// Whether the bounds are numbers, and some number is between them.
    var areSatisfiable: Bool { isValid && minimum <= maximum }
}
