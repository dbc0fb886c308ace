import EndpointKit
import JSONText

/// A value that is compared as a whole: a text, a number or a boolean with its bounds, or one of the values of an enum.
enum ScalarAlternative {
    case scalar(Shape.Scalar)
    case oneOf(ValueSet)

    /// The result of comparing a value.
    enum Fit {
        case fits
        /// The value is of another kind of JSON.
        case wrongType
        /// The kind is right, but the value breaks a rule, such as a bound.
        case wrongValue
    }

    /// The kinds of JSON that the value may be, by their names in JSON Schema. A date is a `string`.
    var kindNames: [String] {
        switch self {
        case .scalar(.boolean): ["boolean"]
        case .scalar(.integer): ["integer"]
        case .scalar(.number): ["number"]
        case .scalar(.string), .scalar(.url), .scalar(.uuid), .scalar(.date), .scalar(.data): ["string"]
        case .oneOf(let values): values.kindNames
        }
    }

    // MARK: Comparing

    /// Returns whether a value fits, is of the wrong type, or is of the right type but breaks a rule, such as a bound.
    ///
    /// For example, with an integer from 1 to 500, 7 fits, 0 is a wrong value, and `"7"` is of the wrong type. An enum
    /// has the types of its values. A string with a lone surrogate, which no Swift string holds, is a wrong value.
    func fit(_ value: JSONValue) -> Fit {
        switch self {
        case .oneOf(let values):
            if values.contains(value) { return .fits }
            return values.hasKind(value.kind) ? .wrongValue : .wrongType
        case .scalar(.boolean):
            return value.kind == .boolean ? .fits : .wrongType
        case .scalar(.integer(let bounds)):
            guard value.kind == .number else { return .wrongType }
            return Self.isInteger(value, within: bounds) ? .fits : .wrongValue
        case .scalar(.number(let bounds)):
            guard let text = value.number else { return .wrongType }
            return Self.isNumber(text, within: bounds) ? .fits : .wrongValue
        case .scalar(let scalar):
            // All other scalars are texts, such as a URL.
            guard value.kind == .string else { return .wrongType }
            guard let text = value.stringWithoutLoneSurrogates else { return .wrongValue }
            return Self.isText(text, of: scalar) ? .fits : .wrongValue
        }
    }

    /// Whether a number is within bounds, which may be infinite. Without bounds (nil), any number is.
    private static func isNumber(_ text: String, within bounds: ClosedRange<Double>?) -> Bool {
        guard let bounds else { return true }
        // A number that is too large for a Double becomes infinite, so it is within infinite bounds only. A Double can
        // be read from any number of JSON, so it never becomes NaN.
        let number = Double(text) ?? .nan
        return bounds.contains(number)
    }

    /// Whether a number is an integer within bounds. `1.0` is an integer, and so is one that needs more than 64 bits.
    ///
    /// Without bounds (nil), an integer may have any number of digits, because JSON Schema sets no limit.
    private static func isInteger(_ value: JSONValue, within bounds: ClosedRange<Int>?) -> Bool {
        if let integer = value.integer(Int.self) {
            guard let bounds else { return true }
            return bounds.contains(integer)
        }
        // The caller has checked that the value is a number, so it has a text.
        let number = DecimalNumber(value.number ?? "")
        guard number.isInteger else { return false }
        guard let bounds else { return true }
        // The number is beyond 64 bits, so it is within the bounds only if there is no limit on its side.
        let isNegative = number < DecimalNumber("0")
        let limit = isNegative ? bounds.lowerLimit : bounds.upperLimit
        return limit == nil
    }

    /// Whether a string is the text of a URL, a UUID, a date or bytes, if that is its type.
    private static func isText(_ text: String, of scalar: Shape.Scalar) -> Bool {
        switch scalar {
        case .url: URL(string: text) != nil
        case .uuid: UUID(uuidString: text) != nil
        // RFC 3339, section 5.6: the letters T and Z may be small.
        case .date: DateText.parse(text) != nil || DateText.parse(text.uppercased()) != nil
        case .data: Data(base64Encoded: text) != nil
        case .string, .boolean, .integer, .number: true
        }
    }

    // MARK: Messages

    /// Returns the expectation that a value did not meet, for a message: `a UUID`, or `integer from 1 to 500`.
    ///
    /// The bounds of an integer are only named if the value breaks them.
    ///
    /// - Parameter value: The value, which has the right kind of JSON: a number if an integer is expected, or a string
    ///   if a UUID is.
    func expectation(for value: JSONValue) -> String {
        switch self {
        case .oneOf(let values):
            return values.text
        case .scalar(.boolean):
            return "boolean"
        case .scalar(.integer(let bounds)):
            guard let bounds else { return "integer" }
            // A fraction such as 1.5 is wrong whatever the bounds are.
            let isFraction = !DecimalNumber(value.number ?? "").isInteger
            if isFraction { return "integer" }
            let lowerLimit = bounds.lowerLimit.map { "\($0)" }
            let upperLimit = bounds.upperLimit.map { "\($0)" }
            return Self.words("integer", from: lowerLimit, to: upperLimit)
        case .scalar(.number(let bounds)):
            guard let bounds else { return "number" }
            let lowerLimit = Self.text(ofBound: bounds.lowerBound)
            let upperLimit = Self.text(ofBound: bounds.upperBound)
            return Self.words("number", from: lowerLimit, to: upperLimit)
        case .scalar(let scalar):
            // All other scalars are texts, such as a URL.
            let hasLoneSurrogate = value.stringWithoutLoneSurrogates == nil
            if hasLoneSurrogate { return "string without lone surrogates" }
            return Self.words(for: scalar)
        }
    }

    /// Returns a type with its bounds in words: `integer from 1 to 500`, `integer of at least 1`. A bound that is nil
    /// is left out.
    private static func words(_ typeName: String, from lower: String?, to upper: String?) -> String {
        switch (lower, upper) {
        case (let lower?, let upper?): "\(typeName) from \(lower) to \(upper)"
        case (let lower?, nil): "\(typeName) of at least \(lower)"
        case (nil, let upper?): "\(typeName) of at most \(upper)"
        case (nil, nil): typeName
        }
    }

    /// Returns the text of a bound, `1` for 1.0; nil if the bound is infinite.
    private static func text(ofBound bound: Double) -> String? {
        guard bound.isFinite else { return nil }
        if let integer = Int(exactly: bound) { return "\(integer)" }
        return "\(bound)"
    }

    /// Returns the words for a string of a type, such as `a UUID`.
    private static func words(for scalar: Shape.Scalar) -> String {
        switch scalar {
        case .url: "a URL"
        case .uuid: "a UUID"
        case .date: "an ISO 8601 date"
        case .data: "Base64 text"
        case .string, .boolean, .integer, .number: scalar.name
        }
    }
}

extension ClosedRange<Int> {
    /// The least integer of the bounds of a type; nil if there is no lower limit, for which `Int.min` stands.
    fileprivate var lowerLimit: Int? { lowerBound == .min ? nil : lowerBound }

    /// The greatest integer of the bounds of a type; nil if there is no upper limit, for which `Int.max` stands.
    fileprivate var upperLimit: Int? { upperBound == .max ? nil : upperBound }
}
