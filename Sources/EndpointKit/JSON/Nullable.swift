/// A value that may be an explicit null in JSON.
///
/// A field of type `Nullable<String>?` is absent if it is nil. Otherwise it is null or a text.
///
///     struct Changes: Codable, Sendable {
///         var nickname: Nullable<String>?
///     }
public enum Nullable<Value> {
    /// An explicit null.
    case null
    /// A value.
    case value(Value)
}

extension Nullable: Sendable where Value: Sendable {}
extension Nullable: Equatable where Value: Equatable {}
extension Nullable: Hashable where Value: Hashable {}

extension Nullable: Encodable where Value: Encodable {
    /// Encodes the value, or an explicit null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .value(let value): try container.encode(value)
        }
    }
}

extension Nullable: Decodable where Value: Decodable {
    /// Decodes null or a value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
    }
}

extension KeyedDecodingContainer {
    /// Decodes the value of a member that is present, even if it is null.
    ///
    /// Synthesised conformances call this for fields of type `Nullable<Value>?`. The usual function would return nil
    /// for null.
    ///
    /// - Returns: The value; nil if the member is absent.
    /// - Throws: `DecodingError` if the value is of another type.
    public func decodeIfPresent<Value: Decodable>(
        _ type: Nullable<Value>.Type, forKey key: Key
    ) throws -> Nullable<Value>? {
        if contains(key) { return try decode(type, forKey: key) }
        // A decoder that records what a type reads learns of the member in this way.
        return try askForAbsentMember(type, forKey: key)
    }

    /// Asks the decoder for a member that is absent, and returns nil.
    ///
    /// The generic parameter makes this call the container's own `decodeIfPresent`, not the one for ``Nullable``.
    private func askForAbsentMember<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try decodeIfPresent(type, forKey: key)
    }
}
