/// A picture of a product.
public struct ProductImage: Codable, Sendable, Equatable, Identifiable {
    public let id: Int
    public let productID: Int?
    public let position: Int?
    public let createdAt: String?
    public let updatedAt: String?
    public let alt: String?
    public let width: Int?
    public let height: Int?
    public let source: String?
    /// The ids of the variants in the picture.
    public let variantIDs: [Int]?
    public let adminGraphQLAPIID: String?

    enum CodingKeys: String, CodingKey {
        case id
        case productID = "product_id"
        case position
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case alt
        case width
        case height
        case source = "src"
        case variantIDs = "variant_ids"
        case adminGraphQLAPIID = "admin_graphql_api_id"
    }
}
