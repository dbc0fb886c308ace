import EndpointKit
import JSONText

/// A form of a value that is compared as a whole: a text, number or boolean with its rules, or the values of an enum.
enum TokenForm {
    case scalar(Shape.Scalar)
    case values(ValueSet)

    /// Whether a value has a form.
    enum Fit {
        case fits
        /// The value is of another kind of JSON.
        case wrongType
        /// The kind is right, but the value breaks a rule, such as a bound.
        case wrongValue
    }

    /// The names of the kinds of JSON that the form has, as JSON Schema calls them. A date is a `string`.
    var kindNames: [String] {
        switch self {
        case .scalar(.boolean): ["boolean"]
        case .scalar(.integer): ["integer"]
        case .scalar(.number): ["number"]
        case .scalar(.string), .scalar(.url), .scalar(.uuid), .scalar(.date), .scalar(.data): ["string"]
        case .values(let values): values.kindNames
        }
    }

    // MARK: Comparing

    /// Returns whether a value has the form.
    func fit(_ value: JSONValue) -> Fit {
        switch self {
        case .values(let values):
            if values.contains(value) { return .fits }
            return values.hasKind(value.kind) ? .wrongValue : .wrongType
        case .scalar(.boolean):
            return value.kind == .boolean ? .fits : .wrongType
        case .scalar(.integer(let bounds)):
            guard value.kind == .number else { return .wrongType }
            return Self.isInteger(value, within: bounds) ? .fits : .wrongValue
        case .scalar(.number(let bounds)):
            guard let text = value.number else { return .wrongType }
            // Infinite for a number beyond those of a double, which is compared correctly.
            let number = Double(text) ?? .nan
            return bounds?.contains(number) ?? true ? .fits : .wrongValue
        case .scalar(let scalar):
            guard value.kind == .string else { return .wrongType }
            guard let text = value.document.string(at: value.slot) else { return .wrongValue }
            return Self.isText(text, of: scalar) ? .fits : .wrongValue
        }
    }

    /// Whether a number is an integer within bounds, also if it is written `1.0` or has more than 64 bits.
    ///
    /// Without bounds, an integer may have any number of digits, because JSON Schema sets no limit.
    private static func isInteger(_ value: JSONValue, within bounds: ClosedRange<Int>?) -> Bool {
        if let integer = value.integer(Int.self) { return bounds?.contains(integer) ?? true }
        let number = DecimalNumber(value.number ?? "")
        guard number.isInteger else { return false }
        guard let bounds else { return true }
        // The number is beyond 64 bits, so only a bound that means unbounded lets it pass.
        return number < DecimalNumber("0") ? bounds.lowerBound == .min : bounds.upperBound == .max
    }

    /// Whether a string is the text of a URL, a UUID, a date or bytes.
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

    /// Returns a description of the form for a value that breaks its rules, in the decoder's words: `a UUID`.
    func expectation(for value: JSONValue) -> String {
        switch self {
        case .values(let values):
            return values.text
        case .scalar(.boolean):
            return "boolean"
        case .scalar(.integer(let bounds)):
            guard let bounds, DecimalNumber(value.number ?? "").isInteger else { return "integer" }
            let lower = bounds.lowerBound == .min ? nil : "\(bounds.lowerBound)"
            let upper = bounds.upperBound == .max ? nil : "\(bounds.upperBound)"
            return Self.text("integer", from: lower, to: upper)
        case .scalar(.number(let bounds)):
            let lower = bounds.flatMap { Self.text(ofBound: $0.lowerBound) }
            let upper = bounds.flatMap { Self.text(ofBound: $0.upperBound) }
            return Self.text("number", from: lower, to: upper)
        case .scalar(let scalar):
            guard value.document.string(at: value.slot) != nil else { return "string without lone surrogates" }
            return Self.text(of: scalar)
        }
    }

    /// Returns a number with its bounds in words: `integer from 1 to 500`, `integer of at least 1`.
    private static func text(_ name: String, from lower: String?, to upper: String?) -> String {
        switch (lower, upper) {
        case (let lower?, let upper?): "\(name) from \(lower) to \(upper)"
        case (let lower?, nil): "\(name) of at least \(lower)"
        case (nil, let upper?): "\(name) of at most \(upper)"
        case (nil, nil): name
        }
    }

    /// Returns a bound without `.0`; nil if it is infinite.
    private static func text(ofBound bound: Double) -> String? {
        guard bound.isFinite else { return nil }
        return Int(exactly: bound).map { "\($0)" } ?? "\(bound)"
    }

    /// Returns the description of a string of a certain form.
    private static func text(of scalar: Shape.Scalar) -> String {
        switch scalar {
        case .url: "a URL"
        case .uuid: "a UUID"
        case .date: "an ISO 8601 date"
        case .data: "Base64 text"
        case .string, .boolean, .integer, .number: scalar.name
        }
    }
}
