/// A movie in a list.
public struct Movie: Codable, Sendable, Equatable, Identifiable {
    public let isAdult: Bool?
    /// A path relative to the image server; many movies have none.
    public let backdropPath: String?
    public let genreIds: [Int]?
    public let id: Int
    public let originalLanguage: String?
    public let originalTitle: String?
    public let overview: String?
    public let popularity: Double?
    /// A path relative to the image server; many movies have none.
    public let posterPath: String?
    /// A day such as `1999-10-15`; empty or absent if none is announced.
    public let releaseDate: String?
    public let title: String
    public let isVideo: Bool?
    /// 0 to 10.
    public let rating: Double?
    public let voteCount: Int?
    /// Only present in recommendations.
    public let mediaType: String?

    enum CodingKeys: String, CodingKey {
        case isAdult = "adult"
        case backdropPath
        case genreIds
        case id
        case originalLanguage
        case originalTitle
        case overview
        case popularity
        case posterPath
        case releaseDate
        case title
        case isVideo = "video"
        case rating = "voteAverage"
        case voteCount
        case mediaType
    }
}
