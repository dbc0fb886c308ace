import EndpointKit
import EndpointTools
import MockServer
import Movies
import Testing
import URLSessionTransport

@Test func popularMoviesAreRead() async throws {
    #expect(Movies.lint() == [])
    let server = try MockServer(Movies.self)
    try server.respond(to: Movies.movie(id: 550), with: .json(#"{"id": 550, "title": "Fight Club"}"#))

    var client = Client(transport: URLSessionTransport(), variables: ["TMDB_API_KEY": "key"])
    // Only in tests: without this line, requests go to the API's first server.
    client.options.base = try BaseURL(server.baseURL)
    let page: MoviePage = try await client.send(Movies.popular(page: 1))
    #expect(page.results.map(\.title) == ["The Godfather", "Fight Club"])
    let movie: Movie = try await client.send(Movies.movie(id: 550))
    #expect(movie.title == "Fight Club")
}
