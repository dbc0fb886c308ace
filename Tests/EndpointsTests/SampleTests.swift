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

    @Test(arguments: [
        ("httpbin.bytes", "application/octet-stream", 64),
        ("httpbin.stream-bytes", "application/octet-stream", 64),
        ("httpbin.drip", "application/octet-stream", 10),
        ("httpbin.range", "application/octet-stream", 26),
        ("httpbin.robots", "text/plain", 30),
        ("httpbin.xml", "application/xml", 522),
        ("httpbin.base64", "text/html; charset=utf-8", 18),
        ("httpbin.status", "", 0),
        ("httpbin.head", "", 0),
        ("httpbin.options", "", 0),
    ])
    func otherThanJSON(_ name: String, _ contentType: String, _ length: Int) throws {
        let sample = try #require(Catalogue.declaration(name)?.endpoint.sample)
        #expect(sample.contentType == contentType)
        #expect(sample.bytes.count == length)
    }

    @Test func picture() throws {
        let sample = try #require(Catalogue.declaration("httpbin.image")?.endpoint.sample)
        #expect(sample.contentType == "image/png")
        #expect(sample.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    }

    @Test func streamedDocuments() throws {
        let sample = try #require(Catalogue.declaration("httpbin.stream")?.endpoint.sample)
        let documents = try sample.bytes.split(separator: UInt8(ascii: "\n")).map { line in
            try Coding().decode(JSONValue.self, from: Array(line))
        }
        #expect(documents.count == 3)
    }

    @Test func moviesArePagesOfKnownFilms() throws {
        let sample = try #require(Catalogue.declaration("movies.popular")?.endpoint.sample)
        let page = try Movies.api.coding.decode(MoviePage.self, from: sample.bytes)
        #expect(page.movies.count == 20)
        #expect(page.movies.prefix(3).map(\.title) == ["The Godfather", "The Shawshank Redemption", "Fight Club"])
        #expect((page.page, page.totalPages, page.totalMovies) == (1, 500, 10000))
    }
}
