/// Encodes a value straight to JSON text, its keys in the order in which the value encodes them.
///
/// A synthesised `encode(to:)` encodes in declaration order. Numbers are exact: every integer, `Decimal` and the
/// shortest text that reads back as the same `Float` or `Double`, without `.0`. `Date` is ISO 8601 in UTC with a
/// fraction only if there is one, `URL` and `UUID` are their text, `Data` is Base64. Dictionaries become objects with
/// sorted keys, so that the text is the same each time; dictionaries whose keys are neither text, `Int` nor
/// `CodingKeyRepresentable` become arrays of keys and values by turns, as the standard library has it.
public struct JSONTextEncoder: Sendable {
    /// Handed on to each value that is encoded.
    public var userInfo: [CodingUserInfoKey: any Sendable]

    /// An encoder that hands `userInfo` on to each value; it can be used any number of times.
    public init(userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
        self.userInfo = userInfo
    }

    /// The JSON text of `value` as one line, without a line break at its end.
    ///
    /// Throws `EncodingError.invalidValue` with the coding path for a number that is not finite, for a date outside the
    /// years 1 to 9999, and for a value that encodes nothing; and whatever the value's own `encode(to:)` throws.
    public func encode(_ value: some Encodable) throws -> [UInt8] {
        let session = EncodingSession(userInfo: userInfo)
        let encoded = try session.encode(value, at: .root)
        if let problem = session.problem { throw problem }
        guard let encoded else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: [], debugDescription: "The value encoded nothing."))
        }
        return session.text(of: encoded)
    }

    /// The JSON text of `value` as `formatter`, which must not have been used yet, lays it out.
    ///
    /// Throws as ``encode(_:)`` does.
    public func encode(_ value: some Encodable, formattedBy formatter: JSONFormatter) throws -> [UInt8] {
        var formatter = formatter
        var output: [UInt8] = []
        try formatter.feed(encode(value), into: &output)
        try formatter.finish(into: &output)
        return output
    }
}
