import JSONText

/// A value that paths and queries can contain as a single text, such as a number or a date.
public protocol ScalarParameter: Encodable, Sendable {
    /// Returns the text that is sent, not yet percent-encoded.
    ///
    /// - Parameter coding: How the API writes dates. Other values do not depend on it.
    func parameterText(_ coding: Coding) -> String
}

extension ScalarParameter where Self: CustomStringConvertible {
    /// Returns the value's description.
    public func parameterText(_ coding: Coding) -> String { description }
}

extension ScalarParameter where Self: BinaryFloatingPoint & CustomStringConvertible {
    /// Returns the number as in JSON: `2`, not `2.0`.
    public func parameterText(_ coding: Coding) -> String {
        description.hasSuffix(".0") ? String(description.dropLast(2)) : description
    }
}

extension ScalarParameter where Self: RawRepresentable, RawValue: ScalarParameter {
    /// Returns the text of the raw value.
    public func parameterText(_ coding: Coding) -> String { rawValue.parameterText(coding) }
}

extension String: ScalarParameter {}
extension Bool: ScalarParameter {}
extension Int: ScalarParameter {}
extension Int8: ScalarParameter {}
extension Int16: ScalarParameter {}
extension Int32: ScalarParameter {}
extension Int64: ScalarParameter {}
extension UInt: ScalarParameter {}
extension UInt8: ScalarParameter {}
extension UInt16: ScalarParameter {}
extension UInt32: ScalarParameter {}
extension UInt64: ScalarParameter {}
extension Float: ScalarParameter {}
extension Double: ScalarParameter {}
extension Decimal: ScalarParameter {}
extension UUID: ScalarParameter {}

extension URL: ScalarParameter {
    /// Returns the whole URL, resolved against its base.
    public func parameterText(_ coding: Coding) -> String { absoluteString }
}

extension Date: ScalarParameter {
    /// Returns the date as in the API's JSON. Unless declared, that is ISO 8601 in UTC, with a fraction only if it is
    /// not zero.
    public func parameterText(_ coding: Coding) -> String { coding.text(of: self) }
}

extension Collection where Element: ScalarParameter {
    /// Returns the elements as one text with `separator` between them: `"ids": ids?.joined(by: ",")`.
    ///
    /// - Returns: The text. Nil if there are no elements, so that nothing is sent.
    public func joined(by separator: String) -> (some ScalarParameter)? {
        isEmpty ? nil : JoinedScalars(elements: Array(self), separator: separator)
    }
}

/// A list that is sent as one text, such as `1,2,3`.
private struct JoinedScalars: ScalarParameter {
    let elements: [any ScalarParameter]
    let separator: String

    /// Returns the texts of the elements with the separator between them.
    func parameterText(_ coding: Coding) -> String {
        elements.map { $0.parameterText(coding) }.joined(separator: separator)
    }

    /// Encodes the joined text, with dates as the API writes them if the encoder is one of this library.
    func encode(to encoder: any Encoder) throws {
        let coding = (encoder as? any CodingEncoder)?.coding ?? Coding()
        var container = encoder.singleValueContainer()
        try container.encode(parameterText(coding))
    }
}
