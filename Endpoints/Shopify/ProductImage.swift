/// A picture of a product.
public struct ProductImage: Codable, Sendable, Equatable, Identifiable {
    public let id: Int
    public let productId: Int?
    public let position: Int?
    public let createdAt: String?
    public let updatedAt: String?
    public let alt: String?
    public let width: Int?
    public let height: Int?
    public let source: String?
    /// The ids of the variants in the picture.
    public let variantIds: [Int]?
    public let adminGraphqlApiId: String?

    enum CodingKeys: String, CodingKey {
        case id
        case productId
        case position
        case createdAt
        case updatedAt
        case alt
        case width
        case height
        case source = "src"
        case variantIds
        case adminGraphqlApiId
    }
}
