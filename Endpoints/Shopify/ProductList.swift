/// Products of the shop.
public struct ProductList: Codable, Sendable, Equatable {
    public let products: [Product]
}

/// A product, which is sold as one or more variants.
public struct Product: Codable, Sendable, Equatable, Identifiable {
    public let id: Int
    public let title: String
    public let bodyHtml: String?
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
    public let adminGraphqlApiId: String?
    public let variants: [ProductVariant]?
    public let options: [Option]?
    public let images: [ProductImage]?
    /// The first of the images.
    public let image: ProductImage?

    /// A property in which variants differ, such as the colour.
    public struct Option: Codable, Sendable, Equatable {
        public let id: Int
        public let productId: Int?
        public let name: String
        public let position: Int?
        public let values: [String]?
    }
}
