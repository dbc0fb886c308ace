import JSONText

extension Decoder {
    /// Decodes the members of an object that a structure has no property for.
    ///
    ///     struct Bucket: Codable, Sendable {
    ///         var id: String
    ///         var additionalProperties: [String: JSONValue]
    ///
    ///         init(from decoder: any Decoder) throws {
    ///             let container = try decoder.container(keyedBy: CodingKeys.self)
    ///             id = try container.decode(String.self, forKey: .id)
    ///             additionalProperties = try decoder.additionalProperties(besides: CodingKeys.self)
    ///         }
    ///     }
    ///
    /// In `encode(to:)`, `try additionalProperties.encode(to: encoder)` writes them beside the other members.
    ///
    /// - Parameter keys: The keys of the structure's own members.
    /// - Returns: The values of all other members by their keys.
    /// - Throws: An error if a value is of another type.
    public func additionalProperties<Keys: CodingKey & CaseIterable, Value: Decodable>(
        besides keys: Keys.Type
    ) throws -> [String: Value] {
        let container = try container(keyedBy: PositionKey.self)
        let declaredKeys = Set(keys.allCases.map(\.stringValue))
        var additionalProperties: [String: Value] = [:]
        for key in container.allKeys where !declaredKeys.contains(key.stringValue) {
            additionalProperties[key.stringValue] = try container.decode(Value.self, forKey: key)
        }
        return additionalProperties
    }
}
