import EndpointKit
import JSONText

/// The values of enums with raw values that accept no others.
enum AllowedValues {
    /// Returns the raw values of the cases of a type, if the type lists them and refuses all others.
    ///
    /// A type with an `init(from:)` of its own may accept values outside its list, for example as its case `unknown`.
    /// So one value that is not in the list is decoded on trial.
    ///
    /// - Parameters:
    ///   - draft: The type, with the kinds of values that it reads.
    ///   - coding: The coding of the API.
    /// - Returns: The values; nil if the type is no such enum.
    static func of(_ draft: TypeDraft, _ coding: Coding) -> [JSONValue]? {
        // Only a type that reads a text or a number can be one. The cast is slow, because it searches all conformances
        // of the program.
        guard draft.value.isScalar else { return nil }
        guard let type = draft.type as? any (RawRepresentable & CaseIterable & Decodable).Type else { return nil }
        return values(of: type, coding)
    }

    /// Returns the raw values of all cases, if the type refuses a value that is not among them.
    ///
    /// For example, `"small"` and `"large"` are all that `Size` reads if decoding `"xsmalllarge"` throws. If it
    /// succeeds, the list is not complete, and the type is treated as one that reads other texts or numbers too.
    ///
    /// - Returns: The values; nil if the type accepts others, has no cases, or has raw values that are not JSON.
    private static func values<T: RawRepresentable & CaseIterable & Decodable>(
        of type: T.Type, _ coding: Coding
    ) -> [JSONValue]? {
        var values: [JSONValue] = []
        for value in type.allCases {
            guard let json = json(value.rawValue) else { return nil }
            values.append(json)
        }
        guard let unlisted = unlistedValue(values) else { return nil }
        // A value that decodes although no case has it proves that the type accepts more than its cases.
        return accepts(unlisted, type, coding) ? nil : values
    }

    /// Returns whether a type can be decoded from a value.
    private static func accepts<T: Decodable>(_ value: JSONValue, _ type: T.Type, _ coding: Coding) -> Bool {
        guard let document = try? JSONDocument(Array(value.written)) else { return false }
        return (try? JSONTextDecoder(coding: coding).decode(type, from: document)) != nil
    }

    /// Returns a raw value as JSON; nil if it is no text and no number, or an integer beyond 64 bits.
    private static func json(_ rawValue: Any) -> JSONValue? {
        switch rawValue {
        case let text as String: JSONValue(text)
        case let integer as any BinaryInteger: Int(exactly: integer).map { JSONValue($0) }
        case let number as any BinaryFloatingPoint: JSONValue(Double(number))
        default: nil
        }
    }

    /// Returns a value of the same kind as `values` that differs from all of them; nil if there are none.
    ///
    ///     "small", "large"    →    "xsmalllarge"      longer than each of the texts
    ///     1, 7                →    8                  greater than each of the numbers
    ///
    private static func unlistedValue(_ values: [JSONValue]) -> JSONValue? {
        guard let first = values.first else { return nil }
        if first.string != nil {
            let texts = values.compactMap(\.string)
            return JSONValue("x" + texts.joined())
        }
        let numbers = values.compactMap { Double($0.text) }
        let greatest = max(numbers.max() ?? 0, 0)
        return JSONValue(Int(exactly: greatest.rounded() + 1) ?? 0)
    }
}
