import JSONText

/// A JSON object of values of any types, in the order in which they are written.
///
/// A member that is nil is left out. ``Nullable/null`` is sent as null.
///
///     body: .object(["name": name, "tags": tags, "version": 2])
///
/// Keys are sent as they are in the literal, whatever the `Coding` of the API says.
public struct JSONObject: Sendable, Encodable, ExpressibleByDictionaryLiteral {
    private let members: [(key: String, value: any Encodable & Sendable)]

    /// Creates an object from a literal `[key: value]`, without the members whose value is nil.
    public init(dictionaryLiteral elements: (String, (any Encodable & Sendable)?)...) {
        var members: [(key: String, value: any Encodable & Sendable)] = []
        for case (let key, let value?) in elements { members.append((key, value)) }
        self.members = members
    }

    /// Creates an object of members whose keys are data.
    package init(_ members: [(key: String, value: any Encodable & Sendable)]) { self.members = members }

    /// Encodes the members in order.
    ///
    /// An encoder of this library keeps their keys. The key strategy of another encoder, such as `JSONEncoder`, changes
    /// them.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PositionKey.self)
        for (key, value) in members { try container.encode(value, forKey: PositionKey(stringValue: key)) }
    }
}
