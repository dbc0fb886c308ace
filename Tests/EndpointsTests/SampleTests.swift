import EndpointKit
import Endpoints
import JSONText
import Testing

/// Every endpoint has a sample, and it fits the declared response.
@Suite struct SampleTests {
    /// A sample that is decoded and encoded again is the same, value by value; only nulls may be missing.
    @Test(arguments: Catalogue.names) func fitsItsModel(_ name: String) throws {
        let declaration = try #require(Catalogue.declaration(name))
        let (endpoint, coding) = (declaration.endpoint, declaration.api.coding)
        let sample = try #require(endpoint.sample)
        #expect(sample.bytes.count < 20_000)
        switch endpoint.response.kind {
        case .json:
            #expect(sample.contentType == "application/json")
            let model = try endpoint.response.decode(JSONDocument(sample.bytes), coding: coding)
            let encodable = try #require(model as? any Encodable)
            #expect(try Meaning(coding.encode(encodable)) == Meaning(sample.bytes))
        case .empty:
            #expect(sample.bytes.isEmpty)
        case .bytes:
            break
        }
    }

    /// The content type and the length in bytes of a sample that is no JSON.
    struct OtherSample: Sendable, CustomTestStringConvertible {
        let endpoint: String
        let contentType: String
        let length: Int

        init(of endpoint: String, contentType: String, length: Int) {
            self.endpoint = endpoint
            self.contentType = contentType
            self.length = length
        }

        var testDescription: String { endpoint }
    }

    @Test(arguments: [
        OtherSample(of: "httpbin.bytes", contentType: "application/octet-stream", length: 64),
        OtherSample(of: "httpbin.stream-bytes", contentType: "application/octet-stream", length: 64),
        OtherSample(of: "httpbin.drip", contentType: "application/octet-stream", length: 10),
        OtherSample(of: "httpbin.range", contentType: "application/octet-stream", length: 26),
        OtherSample(of: "httpbin.robots", contentType: "text/plain", length: 30),
        OtherSample(of: "httpbin.xml", contentType: "application/xml", length: 522),
        OtherSample(of: "httpbin.base64", contentType: "text/html; charset=utf-8", length: 18),
        OtherSample(of: "httpbin.status", contentType: "", length: 0),
        OtherSample(of: "httpbin.head", contentType: "", length: 0),
        OtherSample(of: "httpbin.options", contentType: "", length: 0),
    ])
    func aSampleOtherThanJSONHasItsContentTypeAndLength(_ expected: OtherSample) throws {
        let sample = try #require(Catalogue.declaration(expected.endpoint)?.endpoint.sample)
        #expect(sample.contentType == expected.contentType)
        #expect(sample.bytes.count == expected.length)
    }

    @Test func theSampleOfAnImageIsAPNG() throws {
        let sample = try #require(Catalogue.declaration("httpbin.image")?.endpoint.sample)
        #expect(sample.contentType == "image/png")
        #expect(sample.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    }

    @Test func theSampleOfAStreamHasADocumentPerLine() throws {
        let sample = try #require(Catalogue.declaration("httpbin.stream")?.endpoint.sample)
        let documents = try sample.bytes.split(separator: UInt8(ascii: "\n")).map { line in
            try Coding().decode(JSONValue.self, from: Array(line))
        }
        #expect(documents.count == 3)
    }

    @Test func theSampleOfMoviesIsAPageOfKnownFilms() throws {
        let sample = try #require(Catalogue.declaration("movies.popular")?.endpoint.sample)
        let page = try Movies.api.coding.decode(MoviePage.self, from: sample.bytes)
        #expect(page.movies.count == 20)
        #expect(page.movies.prefix(3).map(\.title) == ["The Godfather", "The Shawshank Redemption", "Fight Club"])
        #expect((page.page, page.totalPages, page.totalMovies) == (1, 500, 10000))
    }
}
