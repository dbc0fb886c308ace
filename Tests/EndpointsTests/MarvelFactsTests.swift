import EndpointKit
import Endpoints
import Testing

/// Marvel's responses that differ from the samples.
@Suite struct MarvelFactsTests {
    private let page = #""data": {"offset": 0, "limit": 20, "total": 0, "count": 0, "results": []}"#

    @Test func codeIsANumber() throws {
        let response = try CharacterResponse.decoded(#"{"code": 200, "status": "Ok", \#(page)}"#, by: Marvel.self)
        #expect(response.code == 200)
        #expect(response.data.characters.isEmpty)
    }

    @Test(arguments: [#""InvalidCredentials""#, "200.5", "null", "99999999999999999999"])
    func aCodeThatIsNoIntegerIsAMismatch(_ code: String) {
        #expect(throws: ModelMismatch.self) {
            try CharacterResponse.decoded(#"{"code": \#(code), "status": "Ok", \#(page)}"#, by: Marvel.self)
        }
    }

    @Test func timesStayAsTheyCame() throws {
        let sample = try #require(Catalogue.declaration("marvel.character")?.endpoint.sample)
        let character = try #require(
            try Marvel.api.coding.decode(CharacterResponse.self, from: sample.bytes).data.characters.first)
        #expect(character.modified == "1969-12-31T19:00:00-0500")
        #expect(character.stories?.items.map(\.type) == ["cover", "interiorStory"])
        #expect(character.comics?.items.map(\.type) == [nil, nil])
    }
}
