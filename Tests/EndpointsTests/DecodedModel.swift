import EndpointKit
import JSONText
import Testing

extension Decodable where Self: Encodable & Sendable {
    /// A model decoded from JSON text and validated, as a call does it.
    static func decoded(_ text: String) throws -> Self {
        try #require(try ResponseModel(Self.self).decode(JSONDocument(Array(text.utf8))) as? Self)
    }
}
