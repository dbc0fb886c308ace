import JSONText

/// A JSON object of values of any types, in declaration order; a member that is nil is left out, ``Nullable/null`` is sent.
///
///     body: .object(["name": name, "tags": tags, "version": 2])
///
/// Keys are sent as written here, whatever ``API/coding`` says.
public struct JSONObject: Sendable, Encodable, ExpressibleByDictionaryLiteral {
    private let members: [(key: String, value: any Encodable & Sendable)]

    /// The members of a literal `[key: value]`, without those whose value is nil.
    public init(dictionaryLiteral elements: (String, (any Encodable & Sendable)?)...) {
        members = elements.compactMap { key, value in value.map { (key, $0) } }
    }

    /// An object with these members, whose keys are data.
    package init(_ members: [(key: String, value: any Encodable & Sendable)]) { self.members = members }

    /// Encodes the members; the key strategy of another library's encoder applies.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PositionKey.self)
        for (key, value) in members { try container.encode(value, forKey: PositionKey(stringValue: key)) }
    }
}
