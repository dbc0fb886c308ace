/// The videos of a movie.
public struct VideoList: Codable, Sendable, Equatable {
    /// The movie's id.
    public let id: Int
    public let videos: [Video]

    enum CodingKeys: String, CodingKey {
        case id
        case videos = "results"
    }
}

/// A trailer, a teaser or a clip on a video site.
public struct Video: Codable, Sendable, Equatable, Identifiable {
    /// The language (ISO 639-1).
    public let language: String?
    /// The country (ISO 3166-1).
    public let country: String?
    public let name: String
    /// The video's name on its site.
    public let key: String
    public let site: String?
    /// The height in pixels.
    public let size: Int?
    public let type: String?
    /// Absent on old videos.
    public let isOfficial: Bool?
    /// The time as sent by the server.
    public let publishedAt: String?
    public let id: String

    enum CodingKeys: String, CodingKey {
        case language = "iso_639_1"
        case country = "iso_3166_1"
        case name
        case key
        case site
        case size
        case type
        case isOfficial = "official"
        case publishedAt
        case id
    }
}
