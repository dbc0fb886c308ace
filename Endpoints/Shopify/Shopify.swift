import EndpointKit

/// The admin API of the shop in Shopify's winter challenge.
public enum Shopify: API {
    case customCollections(page: Int?)
    case collects(collectionID: Int, page: Int?)
    case products(ids: [Int], page: Int?)

    public static let api = APIInfo(
        name: "shopify",
        summary: "Shopify, the shopicruit shop",
        servers: [Server("production", url: "https://shopicruit.myshopify.com")],
        coding: Coding(keys: .convertFromSnakeCase),
        credentials: [.query("access_token", variable: "SHOPIFY_ACCESS_TOKEN")],
        samples: Samples(PackageResources.shopify_json))
    public static let examples: [Shopify] = [
        .customCollections(page: 1),
        .collects(collectionID: 68_424_466_488, page: 1),
        .products(ids: [2_759_137_027, 2_759_143_811, 2_759_162_243], page: 1),
    ]

    public var endpoint: Endpoint {
        switch self {
        case .customCollections(let page):
            .get(
                "/admin/custom_collections.json", query: ["page": page], returns: CustomCollectionList.self,
                summary: "Collections with products chosen by hand", rules: Self.pageRange,
                pages: .number("page", items: "custom_collections"))
        case .collects(let collectionID, let page):
            .get(
                "/admin/collects.json", query: ["collection_id": collectionID, "page": page], returns: CollectList.self,
                summary: "Which products are in a collection", notes: ["collectionID": "a custom collection's id"],
                rules: Self.pageRange, pages: .number("page", items: "collects"))
        case .products(let ids, let page):
            .get(
                "/admin/products.json", query: ["ids": ids.joined(by: ","), "page": page], returns: ProductList.self,
                summary: "Products with their variants", notes: ["ids": "products' ids"], rules: Self.pageRange,
                pages: .number("page", items: "products"))
        }
    }

    private static let pageRange: [ParameterRule] = [.range("page", 1...)]
}
