import EndpointKit

/// An API with an endpoint for each part that a request may have: a query, each kind of body, headers, credentials.
package enum Shop: API, Equatable {
    case item(id: Int, page: Int?)
    case create(product: Product)
    case login(user: String, note: String?)
    case upload(title: String, path: String)
    case note(text: String)
    case typed
    case picture
    case remove(id: Int)
    case open
    case account
    case localised(language: String?)

    package struct Product: Codable, Sendable, Equatable {
        package var title: String
        package var price: Price
        package var tags: [String]?

        package init(title: String, price: Price, tags: [String]? = nil) {
            self.title = title
            self.price = price
            self.tags = tags
        }

        package struct Price: Codable, Sendable, Equatable {
            package var amount: Double
            package var currency: String

            package init(amount: Double, currency: String) {
                self.amount = amount
                self.currency = currency
            }
        }
    }

    package struct Item: Codable, Sendable, Equatable {
        package var id: Int

        package init(id: Int) { self.id = id }
    }

    package static let api = APIInfo(
        name: "shop",
        servers: [
            Server("production", url: "https://shop.test/v1"), Server("qa", url: "http://qa.test"),
        ],
        credentials: [
            .query("key", variable: "SHOP_KEY").or(.bearer(variable: "SHOP_TOKEN"))
        ],
        headers: ["X-Client": "kit", "Accept-Language": "en"])
    package static let examples: [Shop] = [
        .item(id: 7, page: 1), .create(product: Product(title: "a", price: .init(amount: 1, currency: "EUR"))),
        .login(user: "u", note: nil), .upload(title: "t", path: "/tmp/a.png"), .note(text: "n"), .typed, .picture,
        .remove(id: 7), .open, .account, .localised(language: "de"),
    ]

    package var endpoint: Endpoint {
        switch self {
        case .item(let id, let page):
            .get("/items/\(id)", query: ["page": page], returns: Item.self, summary: "One item")
        case .create(let product):
            .post("/items", body: .json(product), returns: Item.self, summary: "Make an item")
        case .login(let user, let note):
            .post("/login", body: .form(["user": user, "note": note]), returns: Item.self, summary: "Log in")
        case .upload(let title, let path):
            .put(
                "/pictures", body: .multipart([.field("title", title), .file("file", path: path)]),
                returns: Item.self, summary: "Add a picture")
        case .note(let text):
            .patch(
                "/note", body: .data(Array(text.utf8), contentType: "text/plain"), returns: Item.self,
                summary: "Set the note"
            )
        case .typed:
            .post(
                "/typed",
                headers: ["content-type": "application/vnd.shop+json", "ACCEPT": "application/vnd.shop+json"],
                body: .json(["a": 1]), returns: Item.self, summary: "Media types of its own")
        case .picture:
            .get("/picture", returns: RawResponse.self, summary: "An image")
        case .remove(let id):
            .delete("/items/\(id)", returns: EmptyResponse.self, summary: "Remove an item")
        case .open:
            .get("/open", returns: Item.self, summary: "Needs no key", credentials: [])
        case .account:
            .get(
                "/account", returns: Item.self, summary: "Signed another way",
                credentials: [
                    .basic(userVariable: "SHOP_USER", passwordVariable: "SHOP_PASSWORD"),
                    .header("X-Org", variable: "SHOP_ORG").optional,
                ])
        case .localised(let language):
            .get(
                "/text", query: ["q": "a b"], headers: ["accept-language": language, "X-More": "1"], returns: Item.self,
                summary: "Another language")
        }
    }
}
