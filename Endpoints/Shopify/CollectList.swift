/// Which products are in which collections.
public struct CollectList: Codable, Sendable, Equatable {
    public let collects: [Collect]
}

/// A product's place in a collection.
public struct Collect: Codable, Sendable, Equatable, Identifiable {
    public let id: Int
    public let collectionId: Int?
    public let productId: Int?
    public let createdAt: String?
    public let updatedAt: String?
    public let position: Int?
    /// The position as sortable text.
    public let sortValue: String?
}
