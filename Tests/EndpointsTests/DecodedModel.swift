import EndpointKit
import JSONText
import Testing

extension Decodable where Self: Encodable & Sendable {
    /// A model decoded from JSON text and validated, as a call of `api` does it.
    static func decoded(_ text: String, by api: any API.Type) throws -> Self {
        let document = try JSONDocument(Array(text.utf8))
        return try #require(try ResponseModel(Self.self).decode(document, coding: api.api.coding) as? Self)
    }
}
