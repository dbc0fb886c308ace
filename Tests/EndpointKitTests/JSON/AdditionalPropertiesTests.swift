import EndpointKit
import JSONText
import Testing

/// Members of an object that a structure has no property for.
struct AdditionalPropertiesTests {
    private struct Bucket: Codable {
        var id: Int
        var note: String?
        var additionalProperties: [String: Int]

        private enum CodingKeys: String, CodingKey, CaseIterable { case id, note }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(Int.self, forKey: .id)
            note = try container.decodeIfPresent(String.self, forKey: .note)
            additionalProperties = try decoder.additionalProperties(besides: CodingKeys.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id)
            try container.encodeIfPresent(note, forKey: .note)
            try additionalProperties.encode(to: encoder)
        }
    }

    @Test(arguments: [
        (#"{"id":1}"#, [:]), (#"{"id":1,"note":"n"}"#, [:]), (#"{"id":1,"x":2}"#, ["x": 2]),
    ])
    func `Members without a property are decoded and encoded again`(text: String, others: [String: Int]) throws {
        let bucket = try Coding().decode(Bucket.self, from: Array(text.utf8))
        #expect(bucket.additionalProperties == others)
        #expect(String(decoding: try Coding().encode(bucket), as: UTF8.self) == text)
    }

    @Test func `A member with a value of another type is an error`() {
        #expect(throws: (any Error).self) {
            try Coding().decode(Bucket.self, from: Array(#"{"id":1,"x":"text"}"#.utf8))
        }
    }

    @Test func `A JSON part contains encoded JSON, or null for a value without a JSON form`() {
        #expect(Part.json("a", ["name": "x"]) == .text("a", #"{"name":"x"}"#, contentType: "application/json"))
        #expect(Part.json("a", Double.infinity) == .text("a", "null", contentType: "application/json"))
    }
}
