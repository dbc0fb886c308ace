import EndpointKit
import Endpoints
import Testing

/// Fields that movies have or lack.
@Suite struct MovieFactsTests {
    /// Decodes a movie with few fields and those in `changes`.
    private func movie(_ changes: String) throws -> Movie {
        let text = """
            {"adult": false, "genre_ids": [], "id": 1, "original_language": "en", "original_title": "A", "overview": "",
            "popularity": 1, "title": "A", "video": false, "vote_count": 0, \(changes)}
            """
        return try Movie.decoded(text, by: Movies.self)
    }

    /// A member `vote_average` as it is sent, the rating that it is read as, and the text that is written for it.
    struct Rating: Sendable, CustomTestStringConvertible {
        let sent: String
        let rating: Double
        let written: String

        init(_ sent: String, rating: Double, written: String) {
            self.sent = sent
            self.rating = rating
            self.written = written
        }

        var testDescription: String { sent }
    }

    @Test(arguments: [
        Rating(#""vote_average": 7"#, rating: 7, written: "{\"vote_average\":7}"),
        Rating(#""vote_average": 7.25"#, rating: 7.25, written: "{\"vote_average\":7.25}"),
        Rating(#""vote_average": 8.0"#, rating: 8, written: "{\"vote_average\":8}"),
    ])
    func aRatingIsReadAndWrittenAsANumber(_ row: Rating) throws {
        let movie = try movie(row.sent)
        #expect(movie.rating == row.rating)
        let members = try Coding().decode([String: JSONValue].self, from: Movies.api.coding.encode(movie))
        #expect(try Coding().encode(["vote_average": members["vote_average"]]) == Array(row.written.utf8))
    }

    @Test(
        arguments: [
            (#""vote_average": 0, "poster_path": null, "backdrop_path": null, "release_date": """#, ""),
            (#""vote_average": 0, "release_date": null"#, nil),
            (#""vote_average": 0"#, nil),
            (#""vote_average": 0, "release_date": "1999-10-15""#, "1999-10-15"),
        ] as [(String, String?)])
    func fieldsOfAMovieMayBeAbsent(_ text: String, _ releaseDate: String?) throws {
        let movie = try movie(text)
        #expect(movie.releaseDate == releaseDate)
        #expect(movie.posterPath == nil)
        #expect(movie.backdropPath == nil)
        #expect(movie.mediaType == nil)
    }

    @Test func onlyPagesOfMoviesInCinemasHaveDates() throws {
        let sample = try #require(Catalogue.declaration("movies.new-movies")?.endpoint.sample)
        let page = try Movies.api.coding.decode(MoviePage.self, from: sample.bytes)
        #expect(page.dates?.minimum == "2024-03-27")
        #expect(page.dates?.maximum == "2024-05-08")
        let bare = #"{"page": 1, "results": [], "total_pages": 0, "total_results": 0}"#
        #expect(try MoviePage.decoded(bare, by: Movies.self).dates == nil)
    }

    @Test func oldVideosDoNotSayWhetherTheyAreOfficial() throws {
        let sample = try #require(Catalogue.declaration("movies.video")?.endpoint.sample)
        let videos = try Movies.api.coding.decode(VideoList.self, from: sample.bytes).videos
        #expect(videos.map(\.isOfficial) == [true, false, nil, false, true])
    }

    @Test func anErrorInPlaceOfAPageIsAMismatch() {
        #expect(throws: ModelMismatch.self) {
            try MoviePage.decoded(#"{"status_code": 34, "status_message": "Not found."}"#, by: Movies.self)
        }
    }
}
