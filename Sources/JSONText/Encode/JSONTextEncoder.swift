/// Encodes a value straight to JSON text, its keys in the order in which the value encodes them.
///
/// A synthesised `encode(to:)` encodes in declaration order. Numbers are exact: every integer, `Decimal` and the
/// shortest text that reads back as the same `Float` or `Double`, without `.0`. `URL` and `UUID` are their text; keys, dates, data
/// and special numbers are as ``coding`` says. Dictionaries become objects with
/// sorted keys, so that the text is the same each time; dictionaries whose keys are neither text, `Int` nor
/// `CodingKeyRepresentable` become arrays of keys and values by turns, as the standard library has it.
public struct JSONTextEncoder: Sendable {
    /// The strategies for keys, dates, data and special numbers.
    public var coding: Coding

    /// An encoder with these strategies; it can be used any number of times.
    public init(coding: Coding = Coding()) {
        self.coding = coding
    }

    /// The JSON text of `value` as one line, without a line break at its end.
    ///
    /// Throws `EncodingError.invalidValue` with the coding path for a number that is not finite, unless ``coding`` has a text for it, for
    /// a date outside the years 1 to 9999, and for a value that encodes nothing; and whatever the value's own `encode(to:)` throws.
    public func encode(_ value: some Encodable) throws -> [UInt8] {
        var text = try encode(value, formattedBy: JSONFormatter(style: .compact))
        text.removeLast()
        return text
    }

    /// The JSON text of `value` as `formatter`, which must not have been used yet, lays it out.
    ///
    /// - Parameter length: How many bytes it probably has: growing as it is written would take more memory.
    ///
    /// Throws as ``encode(_:)`` does.
    package func encode(
        _ value: some Encodable, formattedBy formatter: JSONFormatter, length: Int = 0
    ) throws -> [UInt8] {
        guard formatter.prints else {
            _ = try encode(value)
            return []
        }
        return try EncodingSession(coding: coding, formatter: formatter, length: length).encodeTop(value)
    }
}
