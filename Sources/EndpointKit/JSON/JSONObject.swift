import JSONText

/// A JSON object of values of any types, in the order in which they are written.
///
/// A member that is nil is left out. ``Nullable/null`` is sent as null.
///
///     body: .object(["name": name, "tags": tags, "version": 2])
///
/// Keys are sent as written here, whatever the `Coding` of the API says.
public struct JSONObject: Sendable, Encodable, ExpressibleByDictionaryLiteral {
    private let members: [(key: String, value: any Encodable & Sendable)]

    /// Makes an object of a literal `[key: value]`, without the members whose value is nil.
    public init(dictionaryLiteral elements: (String, (any Encodable & Sendable)?)...) {
        members = elements.compactMap { key, value in value.map { (key, $0) } }
    }

    /// Makes an object of members whose keys are data.
    package init(_ members: [(key: String, value: any Encodable & Sendable)]) { self.members = members }

    /// Encodes the members. The key strategy of another library's encoder changes their keys.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PositionKey.self)
        for (key, value) in members { try container.encode(value, forKey: PositionKey(stringValue: key)) }
    }
}
