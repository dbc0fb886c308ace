import EndpointKit
import Endpoints
import Testing

/// The shop's responses have prices as text, and an image that may be missing, null or an object.
@Suite struct ShopifyFactsTests {
    @Test(
        arguments: [
            ("", nil),
            (#", "image": null"#, nil),
            (
                #"""
                , "image": {"created_at": "2018-12-17T13:51:48-05:00", "alt": null,
                "src": "https://cdn.example/a.jpg"}
                """#,
                "https://cdn.example/a.jpg"
            ),
        ] as [(String, String?)])
    func theImageOfACollectionIsOptional(_ text: String, _ source: String?) throws {
        let collection = try CustomCollection.decoded(
            #"{"id": 1, "handle": "a", "title": "A", "updated_at": "", "sort_order": "manual"\#(text)}"#,
            by: Shopify.self)
        #expect(collection.image?.source == source)
        #expect(collection.bodyHtml == nil)
    }

    @Test func productsHaveTagsPricesAndImages() throws {
        let sample = try #require(Catalogue.declaration("shopify.products")?.endpoint.sample)
        let products = try Shopify.api.coding.decode(ProductList.self, from: sample.bytes).products
        #expect(products.map(\.tags) == ["Aerodynamic, Clock, Concrete", "Aerodynamic, Concrete, Lamp", ""])
        #expect(products.compactMap(\.variants).flatMap { $0 }.map(\.price) == ["21.40", "17.77", "70.97", "0.00"])
        #expect(products.compactMap(\.variants).flatMap { $0 }.map(\.compareAtPrice) == [nil, "19.99", "", nil])
        #expect(products.map { $0.image != nil } == [true, false, false])
    }

    @Test func aPriceAsANumberIsAMismatch() throws {
        let sample = try #require(Catalogue.declaration("shopify.products")?.endpoint.sample)
        let text = String(decoding: sample.bytes, as: UTF8.self).replacing(#""21.40""#, with: "21.40")
        #expect(throws: ModelMismatch.self) { try ProductList.decoded(text, by: Shopify.self) }
    }
}
