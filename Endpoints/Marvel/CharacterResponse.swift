/// Characters, in the envelope of all responses of the API.
public struct CharacterResponse: Codable, Sendable, Equatable {
    /// The HTTP status again; in failures it may be text.
    public let code: Int
    public let status: String
    public let copyright: String?
    /// The attribution that an app has to show with the data.
    public let attributionText: String?
    public let attributionHTML: String?
    /// The entity tag of the content, for `If-None-Match`.
    public let etag: String?
    public let data: Page

    /// The requested part of the list.
    public struct Page: Codable, Sendable, Equatable {
        public let offset: Int?
        public let limit: Int?
        public let total: Int?
        public let count: Int?
        public let characters: [MarvelCharacter]

        enum CodingKeys: String, CodingKey {
            case offset
            case limit
            case total
            case count
            case characters = "results"
        }
    }
}
