/// Products of the shop.
public struct ProductList: Codable, Sendable, Equatable {
    public let products: [Product]
}

/// A product, which is sold as one or more variants.
public struct Product: Codable, Sendable, Equatable, Identifiable {
    public let id: Int
    public let title: String
    public let bodyHTML: String?
    public let vendor: String?
    public let productType: String?
    public let createdAt: String?
    /// The name in URLs.
    public let handle: String?
    public let updatedAt: String?
    /// Nil if it is hidden.
    public let publishedAt: String?
    public let templateSuffix: String?
    public let publishedScope: String?
    /// A comma-separated text.
    public let tags: String?
    public let adminGraphQLAPIID: String?
    public let variants: [ProductVariant]?
    public let options: [Option]?
    public let images: [ProductImage]?
    /// The first of the images.
    public let image: ProductImage?

    enum CodingKeys: String, CodingKey {
        case id
        case title
        case bodyHTML = "body_html"
        case vendor
        case productType = "product_type"
        case createdAt = "created_at"
        case handle
        case updatedAt = "updated_at"
        case publishedAt = "published_at"
        case templateSuffix = "template_suffix"
        case publishedScope = "published_scope"
        case tags
        case adminGraphQLAPIID = "admin_graphql_api_id"
        case variants
        case options
        case images
        case image
    }

    /// A property in which variants differ, such as the colour.
    public struct Option: Codable, Sendable, Equatable {
        public let id: Int
        public let productID: Int?
        public let name: String
        public let position: Int?
        public let values: [String]?

        enum CodingKeys: String, CodingKey {
            case id
            case productID = "product_id"
            case name
            case position
            case values
        }
    }
}
