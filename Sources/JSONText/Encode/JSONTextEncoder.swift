/// Encodes a value as JSON text, its keys in the order in which the value encodes them.
///
/// - A synthesised `encode(to:)` encodes in the order of declaration.
/// - Integers and `Decimal` are written exactly. `Float` and `Double` are the shortest text that reads back as the same
///   number, without `.0`.
/// - `URL` and `UUID` are written as their text. Keys, dates, data, infinity and NaN are written as the coding says.
/// - Dictionaries become objects with sorted keys, so that the text is the same each time. If their keys are neither
///   text, `Int` nor `CodingKeyRepresentable`, they become arrays of keys and values by turns, as the standard library
///   has it.
package struct JSONTextEncoder {
    private let coding: Coding

    package init(coding: Coding = Coding()) { self.coding = coding }

    /// Returns the JSON text of `value` as one line, without a line break at its end.
    ///
    /// - Throws: `EncodingError.invalidValue` for a number that is not finite and for which the coding has no text, for
    ///   a date outside of the years 1 to 9999, and for a value that encodes nothing, misuses its encoder or is nested
    ///   too deeply for the thread's stack. Also what the value's own `encode(to:)` throws.
    package func encode(_ value: some Encodable) throws -> [UInt8] {
        let session = EncodingSession(coding)
        let encodedRoot = try session.encode(value, at: nil)
        // Inside another value, nothing would be an empty object. As the whole text, it is a mistake of the type.
        if case .value(let container) = encodedRoot, container.kind == .undecided {
            throw EncodingError.invalidValue(
                value, .init(codingPath: [], debugDescription: "The value encoded nothing."))
        }
        // The value may have misused the encoder in a function that can't throw, for example encoded two values.
        if let misuse = session.firstMisuse { throw misuse }
        var text: [UInt8] = []
        EncodedValue.write(encodedRoot, to: &text)
        return text
    }
}
