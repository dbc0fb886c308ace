/// One page of a list of movies.
public struct MoviePage: Codable, Sendable, Equatable {
    /// The days that the list covers; only present on `now_playing`.
    public let dates: DateRange?
    public let page: Int
    public let movies: [Movie]
    public let totalPages: Int?
    public let totalMovies: Int?

    enum CodingKeys: String, CodingKey {
        case dates
        case page
        case movies = "results"
        case totalPages
        case totalMovies = "totalResults"
    }

    /// A first and a last day, such as `2024-03-27`.
    public struct DateRange: Codable, Sendable, Equatable {
        public let maximum: String
        public let minimum: String
    }
}
