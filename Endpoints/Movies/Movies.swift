import EndpointKit

/// The Movie Database, version 3 (developer.themoviedb.org).
public enum Movies: API {
    case popular(page: Int?)
    case newMovies(page: Int?)
    case recommended(id: Int, page: Int?)
    case video(id: Int)
    case newToken
    case newSession(requestToken: String)

    public static let api = APIInfo(
        name: "movies",
        summary: "The Movie Database, version 3",
        servers: [
            Server("production", url: "https://api.themoviedb.org/3"),
            Server("staging", url: "https://staging.themoviedb.example/3"),
            Server("qa", url: "https://qa.themoviedb.example/3"),
        ],
        // The names of ISO standards keep their underscores, which do not separate words.
        coding: Coding(keys: .convertFromSnakeCase(except: ["iso_639_1", "iso_3166_1"])),
        credentials: [
            key, .query("session_id", variable: "TMDB_SESSION_ID").optional,
        ],
        // A person approves a token on a page of TMDB, which then becomes a session.
        logins: [
            .session("TMDB_SESSION_ID", lifetime: .seconds(30 * 86_400)) { login in
                let token = try await login.send(Movies.newToken, as: RequestToken.self).requestToken
                let session = try await login.approve(
                    "https://www.themoviedb.org/authenticate/\(token)", then: Movies.newSession(requestToken: token),
                    as: MovieSession.self)
                return session.sessionId
            }
        ],
        samples: Samples(PackageResources.movies_json))
    public static let examples: [Movies] = [
        .popular(page: 1), .newMovies(page: 1), .recommended(id: 550, page: 1), .video(id: 550),
    ]
    public static let placeholders: [Movies] = [.newToken, .newSession(requestToken: "TOKEN")]

    public var endpoint: Endpoint {
        switch self {
        case .popular(let page):
            .get(
                "/movie/popular", query: ["page": page], returns: MoviePage.self, summary: "Popular right now",
                rules: Self.pageRange, pages: Self.pages)
        case .newMovies(let page):
            .get(
                "/movie/now_playing", query: ["page": page], returns: MoviePage.self, summary: "In cinemas now",
                rules: Self.pageRange, pages: Self.pages)
        case .recommended(let id, let page):
            .get(
                "/movie/\(id)/recommendations", query: ["page": page], returns: MoviePage.self,
                summary: "Recommended if you like a movie", notes: ["id": "a movie's id"], rules: Self.pageRange,
                pages: Self.pages)
        case .video(let id):
            .get(
                "/movie/\(id)/videos", returns: VideoList.self, summary: "Trailers and clips of a movie",
                notes: ["id": "a movie's id"])
        case .newToken:
            .get(
                "/authentication/token/new", returns: RequestToken.self, summary: "A token for a login",
                credentials: [Self.key])
        case .newSession(let requestToken):
            .post(
                "/authentication/session/new", body: .json(SessionRequest(requestToken: requestToken)),
                returns: MovieSession.self, summary: "The session of a token that a person has approved",
                credentials: [Self.key])
        }
    }

    private struct SessionRequest: Encodable, Sendable {
        let requestToken: String
    }

    private static let key = Credential.query("api_key", variable: "TMDB_API_KEY", helpURL: keys)
        .or(.bearer(variable: "TMDB_ACCESS_TOKEN", helpURL: keys))
    private static let keys = "https://www.themoviedb.org/settings/api"
    private static let pageRange: [ParameterRule] = [.range("page", 1...500)]
    private static let pages = Paging.number("page", last: "total_pages", items: "results")
}
