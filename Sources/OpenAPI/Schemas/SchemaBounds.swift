import JSONText

/// The bounds of a number: `minimum`, `maximum`, `exclusiveMinimum` and `exclusiveMaximum`.
struct SchemaBounds {
    private(set) var minimum = -Double.infinity
    private(set) var maximum = Double.infinity
    private(set) var excludesMinimum = false
    private(set) var excludesMaximum = false
    /// Whether all bounds in the document are numbers.
    private var isValid = true

    /// Reads the bounds of a schema.
    ///
    ///     {"minimum": 1, "exclusiveMinimum": true}    greater than 1 (before OpenAPI 3.1)
    ///     {"exclusiveMinimum": 1}                     greater than 1 (JSON Schema 2020-12)
    ///     {"minimum": 2, "exclusiveMinimum": 1}       2 or greater, because the stricter bound wins
    init(_ schema: JSONValue) {
        minimum = readBound(schema["minimum"]) ?? -.infinity
        maximum = readBound(schema["maximum"]) ?? .infinity
        // If two bounds are equal, the exclusive one is stricter.
        if let isExclusive = schema["exclusiveMinimum"]?.bool {
            excludesMinimum = isExclusive
        } else if let exclusiveMinimum = readBound(schema["exclusiveMinimum"]), exclusiveMinimum >= minimum {
            minimum = exclusiveMinimum
            excludesMinimum = true
        }
        if let isExclusive = schema["exclusiveMaximum"]?.bool {
            excludesMaximum = isExclusive
        } else if let exclusiveMaximum = readBound(schema["exclusiveMaximum"]), exclusiveMaximum <= maximum {
            maximum = exclusiveMaximum
            excludesMaximum = true
        }
    }

    /// Creates bounds that include all numbers.
    init() {}

    /// Reads the value of a keyword such as `minimum`. A value that is not a number makes the bounds invalid.
    ///
    /// - Parameter value: The value of the keyword; nil if the schema does not have the keyword.
    /// - Returns: The number; nil without the keyword, and for a value that is not a number.
    private mutating func readBound(_ value: JSONValue?) -> Double? {
        guard let value else { return nil }
        guard let number = value.double else {
            isValid = false
            return nil
        }
        return number
    }

    /// Narrows the bounds so that they only include numbers between the bounds of another schema too.
    ///
    /// The stricter bound wins. If two bounds are equal, the stricter one is the exclusive one.
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
    ///     minimum 1, exclusiveMaximum 10    →  1...9
    ///     minimum 1                         →  1...Int.max
    ///     format int32                      →  Int(Int32.min)...Int(Int32.max)
    ///     no bounds                         →  nil
    ///
    /// - Parameter format: The `format` of the integers. `int32` has bounds of its own.
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

    /// The least integer that the minimum allows; `Int.min` without a minimum, or if it is below `Int.min`.
    private var leastInteger: Int {
        let integer = Self.nearestInteger(to: minimum.rounded(.up))
        let isExcluded = excludesMinimum && Double(integer) == minimum
        // `nearestInteger` returns `Int.max` for a minimum above it. Adding 1 would overflow.
        if !isExcluded || integer == .min || integer == .max { return integer }
        return integer + 1
    }

    /// The greatest integer that the maximum allows; `Int.max` without a maximum, or if it is above `Int.max`.
    private var greatestInteger: Int {
        let integer = Self.nearestInteger(to: maximum.rounded(.down))
        let isExcluded = excludesMaximum && Double(integer) == maximum
        // `nearestInteger` returns `Int.min` for a maximum below it. Subtracting 1 would overflow.
        if !isExcluded || integer == .min || integer == .max { return integer }
        return integer - 1
    }

    /// Returns the `Int` that is nearest to a whole number: `Int.max` for infinity.
    private static func nearestInteger(to value: Double) -> Int {
        if let integer = Int(exactly: value) { return integer }
        return value < 0 ? .min : .max
    }

    /// The range of the numbers between the bounds; nil if it would include all numbers, or none.
    ///
    /// A range can't leave out its ends, so exclusive bounds are included.
    var numbers: ClosedRange<Double>? {
        guard minimum <= maximum, minimum.isFinite || maximum.isFinite else { return nil }
        return minimum...maximum
    }

    /// Whether all bounds are numbers, and at least one number is between them.
    var areSatisfiable: Bool { isValid && minimum <= maximum }
}
