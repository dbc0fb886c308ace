/// Collections with products chosen by hand.
public struct CustomCollectionList: Codable, Sendable, Equatable {
    public let collections: [CustomCollection]

    enum CodingKeys: String, CodingKey {
        case collections = "customCollections"
    }
}

/// A collection of products.
public struct CustomCollection: Codable, Sendable, Equatable, Identifiable {
    public let id: Int
    /// The name in URLs.
    public let handle: String?
    public let title: String
    /// The time as sent by the server, like all times of this API.
    public let updatedAt: String?
    public let bodyHtml: String?
    /// Nil if it is hidden.
    public let publishedAt: String?
    public let sortOrder: String?
    public let templateSuffix: String?
    public let publishedScope: String?
    public let adminGraphqlApiId: String?
    public let image: Image?

    /// The collection's picture.
    public struct Image: Codable, Sendable, Equatable {
        public let createdAt: String?
        public let alt: String?
        public let width: Int?
        public let height: Int?
        public let source: String?

        enum CodingKeys: String, CodingKey {
            case createdAt
            case alt
            case width
            case height
            case source = "src"
        }
    }
}
