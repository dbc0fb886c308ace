/// Which products are in which collections.
public struct CollectList: Codable, Sendable, Equatable {
    public let collects: [Collect]
}

/// A product's place in a collection.
public struct Collect: Codable, Sendable, Equatable, Identifiable {
    public let id: Int
    public let collectionID: Int?
    public let productID: Int?
    public let createdAt: String?
    public let updatedAt: String?
    public let position: Int?
    /// The position as sortable text.
    public let sortValue: String?

    enum CodingKeys: String, CodingKey {
        case id
        case collectionID = "collection_id"
        case productID = "product_id"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case position
        case sortValue = "sort_value"
    }
}
