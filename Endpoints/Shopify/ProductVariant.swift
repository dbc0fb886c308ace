/// A product in a colour or a size, which is what customers buy.
public struct ProductVariant: Codable, Sendable, Equatable, Identifiable {
    public let id: Int
    public let productId: Int?
    public let title: String
    /// An exact amount as text, such as `21.40`.
    public let price: String
    public let sku: String?
    public let position: Int?
    public let inventoryPolicy: String?
    /// The price before a sale; nil or empty if it is not on sale.
    public let compareAtPrice: String?
    public let fulfillmentService: String?
    public let inventoryManagement: String?
    public let option1: String?
    public let option2: String?
    public let option3: String?
    public let createdAt: String?
    public let updatedAt: String?
    public let isTaxable: Bool?
    public let barcode: String?
    public let grams: Int?
    public let imageId: Int?
    public let weight: Double?
    public let weightUnit: String?
    public let inventoryItemId: Int?
    /// How many are in stock; negative if more were sold.
    public let inventoryQuantity: Int?
    public let oldInventoryQuantity: Int?
    public let requiresShipping: Bool?
    public let adminGraphqlApiId: String?

    enum CodingKeys: String, CodingKey {
        case id
        case productId
        case title
        case price
        case sku
        case position
        case inventoryPolicy
        case compareAtPrice
        case fulfillmentService
        case inventoryManagement
        case option1
        case option2
        case option3
        case createdAt
        case updatedAt
        case isTaxable = "taxable"
        case barcode
        case grams
        case imageId
        case weight
        case weightUnit
        case inventoryItemId
        case inventoryQuantity
        case oldInventoryQuantity
        case requiresShipping
        case adminGraphqlApiId
    }
}
