import EndpointKit
import JSONText

/// The values of enums with raw values that accept no others.
enum AllowedValues {
    /// Returns the raw values of the cases of a type, if the type is an enum that refuses all other values.
    ///
    /// A type with an `init(from:)` of its own may accept values outside its list, for example as its case `unknown`.
    /// So one value that is not in the list is decoded on trial.
    ///
    /// - Parameters:
    ///   - draft: The type, with the kinds of values that it reads.
    ///   - coding: How the API writes keys, dates and numbers.
    /// - Returns: The values; nil if the type is no such enum.
    static func values(ofClosedEnum draft: TypeDraft, coding: Coding) -> [JSONValue]? {
        // Types that read objects or lists can't be enums with raw values. They are ruled out first, because the cast
        // below is slow: it searches all conformances of the program.
        guard draft.valueDraft.isScalar else { return nil }
        guard let type = draft.type as? any (RawRepresentable & CaseIterable & Decodable).Type else { return nil }
        return rawValues(ofClosedEnum: type, coding: coding)
    }

    /// Returns the raw values of all cases of an enum, if the enum refuses a value that is not among them.
    ///
    /// For example, `"small"` and `"large"` are all that `Size` reads if decoding `"xsmalllarge"` throws. If it
    /// succeeds, the list is not complete, and the type is treated as one that reads other texts or numbers too.
    ///
    /// - Returns: The values; nil if the type accepts others, has no cases, or has raw values that are not JSON.
    private static func rawValues<Enum: RawRepresentable & CaseIterable & Decodable>(
        ofClosedEnum type: Enum.Type, coding: Coding
    ) -> [JSONValue]? {
        var listedValues: [JSONValue] = []
        for enumCase in type.allCases {
            guard let value = jsonValue(of: enumCase.rawValue) else { return nil }
            listedValues.append(value)
        }
        guard let otherValue = unlistedValue(besides: listedValues) else { return nil }
        // A value that decodes although no case has it proves that the type accepts more than its cases.
        let acceptsOtherValues = canDecode(type, from: otherValue, coding: coding)
        return acceptsOtherValues ? nil : listedValues
    }

    /// Returns whether a type can be decoded from a JSON value.
    private static func canDecode<T: Decodable>(_ type: T.Type, from value: JSONValue, coding: Coding) -> Bool {
        guard let document = try? JSONDocument(Array(value.written)) else { return false }
        return (try? JSONTextDecoder(coding: coding).decode(type, from: document)) != nil
    }

    /// Returns a raw value as JSON; nil if it is neither a text nor a number, or if it is an integer beyond 64 bits.
    private static func jsonValue(of rawValue: Any) -> JSONValue? {
        switch rawValue {
        case let text as String: JSONValue(text)
        case let integer as any BinaryInteger: Int(exactly: integer).map { JSONValue($0) }
        case let number as any BinaryFloatingPoint: JSONValue(Double(number))
        default: nil
        }
    }

    /// Returns a value that an enum does not list, of the same kind as the values that it lists.
    ///
    ///     "small", "large"    →    "xsmalllarge"      longer than each of the texts
    ///     1, 7                →    8                  greater than each of the numbers
    ///
    /// - Parameter listedValues: Texts or numbers, but not both.
    /// - Returns: The value; nil if no values are listed.
    private static func unlistedValue(besides listedValues: [JSONValue]) -> JSONValue? {
        guard let firstValue = listedValues.first else { return nil }
        if firstValue.string != nil {
            let texts = listedValues.compactMap(\.string)
            return JSONValue("x" + texts.joined())
        }
        let numbers = listedValues.compactMap { Double($0.text) }
        // From zero on: if all numbers are negative, the value is 1.
        let greatest = numbers.reduce(0, max)
        let nextInteger = Int(exactly: greatest.rounded() + 1)
        // Beyond 64 bits there is no next integer. Zero is rarely a case of an enum with such large numbers.
        return JSONValue(nextInteger ?? 0)
    }
}
