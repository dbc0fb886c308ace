/// Collections with products chosen by hand.
public struct CustomCollectionList: Codable, Sendable, Equatable {
    public let collections: [CustomCollection]

    enum CodingKeys: String, CodingKey {
        case collections = "custom_collections"
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
    public let bodyHTML: String?
    /// Nil if it is hidden.
    public let publishedAt: String?
    public let sortOrder: String?
    public let templateSuffix: String?
    public let publishedScope: String?
    public let adminGraphQLAPIID: String?
    public let image: Image?

    enum CodingKeys: String, CodingKey {
        case id
        case handle
        case title
        case updatedAt = "updated_at"
        case bodyHTML = "body_html"
        case publishedAt = "published_at"
        case sortOrder = "sort_order"
        case templateSuffix = "template_suffix"
        case publishedScope = "published_scope"
        case adminGraphQLAPIID = "admin_graphql_api_id"
        case image
    }

    /// The collection's picture.
    public struct Image: Codable, Sendable, Equatable {
        public let createdAt: String?
        public let alt: String?
        public let width: Int?
        public let height: Int?
        public let source: String?

        enum CodingKeys: String, CodingKey {
            case createdAt = "created_at"
            case alt
            case width
            case height
            case source = "src"
        }
    }
}
