import Testing

@testable import JSONText

/// Keys of a snake-case API that the conversion to camel case and back would change.
struct WrittenKeysTests {
    struct Model: Codable {
        var id: String?
        var dbSize: Int?
        var userName: String?
        var iso6391: String?
        var peers: [Peer]?
        var labels: [String: Peer]?

        struct Peer: Codable {
            var peerURLs: [String]?
            var dbSize: Int?
        }

        private enum CodingKeys: String, CodingKey {
            case id = "ID"
            case dbSize, userName, iso6391, peers, labels
        }
    }

    static let texts = [
        #"{"ID":"a","dbSize":1,"user_name":"b","iso_639_1":"en"}"#,
        #"{"user_name":"b","peers":[{"peerURLs":["x"],"dbSize":2}]}"#,
        // The same key in two spellings, in different objects.
        #"{"db_size":1,"peers":[{"dbSize":2},{"peerURLs":[]}]}"#,
        #"{"labels":{"a_b":{"peerURLs":[],"dbSize":3}}}"#,
        #"{"peers":[]}"#,
    ]

    @Test(arguments: texts)
    func areWrittenAsTheyWereRead(_ text: String) throws {
        let coding = Coding(keys: .convertFromSnakeCase)
        let document = try JSONDocument(Array(text.utf8))
        let model = try JSONTextDecoder(coding: coding).decode(Model.self, from: document)
        let written = try JSONTextEncoder(coding: coding.writingKeys(asIn: document)).encode(model)
        #expect(String(decoding: written, as: UTF8.self) == text)
    }

    @Test func aKeyThatOnlyItselfIsReadInto() {
        let coding = Coding(keys: .convertFromSnakeCase)
        let names = ["ID", "userName", "peerURLs", "plain"].map {
            coding.name(of: PositionKey(stringValue: $0), path: [])
        }
        #expect(names == ["ID", "user_name", "peerURLs", "plain"])
    }
}
