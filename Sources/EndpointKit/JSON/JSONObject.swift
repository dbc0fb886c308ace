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

    /// The object as JSON text. Throws `EncodingError` if a value can't be written as JSON.
    fileprivate func text(_ coding: Coding) throws -> [UInt8] {
        let parts = try members.map { Array((JSONQuoting.quoted($0) + ":").utf8) + (try coding.text(of: $1)) }
        return Array("{".utf8) + parts.joined(separator: ",".utf8) + Array("}".utf8)
    }

    /// Encodes the members; an encoder's key strategy applies.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PositionKey.self)
        for (key, value) in members { try container.encode(value, forKey: PositionKey(stringValue: key)) }
    }
}

extension Coding {
    /// A value as JSON text; the keys of a ``JSONObject`` as they are. Throws `EncodingError`.
    func text(of value: any Encodable) throws -> [UInt8] { try (value as? JSONObject)?.text(self) ?? encode(value) }
}
