import EndpointKit

public enum Movies: API {
    case popular(page: Int?)
    case movie(id: Int)

    public static let api = APIInfo(
        name: "movies", servers: [Server("production", url: "https://api.themoviedb.org/3")],
        credentials: [.query("api_key", variable: "TMDB_API_KEY")],
        samples: Samples(PackageResources.movies_json))
    public static let examples: [Movies] = [.popular(page: 1), .movie(id: 238)]

    public var endpoint: Endpoint {
        switch self {
        case .popular(let page):
            .get("/movie/popular", query: ["page": page], returns: MoviePage.self, summary: "Popular right now")
        case .movie(let id):
            .get("/movie/\(id)", returns: Movie.self, summary: "One movie")
        }
    }
}

public struct MoviePage: Codable, Sendable {
    public var page: Int
    public var results: [Movie]
}

public struct Movie: Codable, Sendable {
    public var id: Int
    public var title: String
}
