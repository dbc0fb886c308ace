/// Characters, in the wrapping that all answers of the API come in.
public struct CharacterResponse: Codable, Sendable, Equatable {
    /// The HTTP status again. Failures, which come with a status of their own, have text here.
    public let code: Int
    public let status: String
    public let copyright: String?
    /// What an app has to show beside the data.
    public let attributionText: String?
    public let attributionHTML: String?
    /// Of the content, for `If-None-Match`.
    public let etag: String?
    public let data: Page

    /// The part of the list that was asked for.
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
