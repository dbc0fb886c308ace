import TestSupport

/// An OpenAPI document for tests.
enum ShopDocument {
    static let json = goldenText("Golden/shop.json")
}
