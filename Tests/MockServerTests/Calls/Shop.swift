import EndpointKit
import Foundation

/// An API with a parameter in each place of a request, and with routes that several endpoints share.
enum Shop: API {
    case list(page: Int?, tags: [String]?, sort: Sort?, since: Date?)
    case item(id: Int, language: String?)
    case part(_ id: UUID, range: String?)
    case add(item: Item)
    case change(id: Int, price: Double?, inStock: Bool?, sizes: [Int]?)
    case order(name: String, quantity: UInt8, gift: Bool?)
    case upload(title: String, file: String)
    case note(text: String)
    case films(query: String)
    case books(query: String)
    case fixed
    case secret(a: Int, b: Int)
    case file(path: String)
    case many(ids: [Int]?, limit: Int?, all: Bool?)
    case listed(name: String)
    case newest
    case newestOfA
    case near(latitude: Double, longitude: Double)
    case pages(page: Int?)
    case filter(by: [String: String]?, item: Item?, limits: JSONValue?, page: Int?, expand: [String]?)
    case find(_ options: Options?)
    case buy(_ basket: Basket, note: String?)
    case token(code: String)
    case rate(stars: Int)
    case tag(_ tags: [String: String])
    case restock(_ item: Item?)
    case tenant(tenant: Int, name: String?)
    case options

    enum Sort: String, Codable, CaseIterable, ScalarParameter {
        case title, price
    }

    struct Item: Codable, Sendable, Equatable {
        var shortName: String
        var price: Double
        var maker: Maker?
        var parts: [Maker]?
    }

    struct Options: Codable, Sendable {
        var maxPrice: Double?
        var colours: [String]?
    }

    struct Basket: Codable, Sendable {
        var customerNumber: Int
        var lines: [Item]
        var expand: [String]?
        var extra: [String: String]?
    }

    struct Maker: Codable, Sendable, Equatable {
        var fullName: String
        var site: String?
    }

    /// The fields that ``change`` sends.
    private struct Change: Encodable {
        var price: Double?
        var inStock: Bool?
        var sizes: [Int]?
    }

    static let api = APIInfo(
        name: "shop",
        servers: [Server("production", url: "https://shop.test/v1")],
        coding: Coding(keys: .convertFromSnakeCase),
        headers: ["X-Version": "2"])
    static let examples: [Shop] = [
        .list(page: 1, tags: nil, sort: nil, since: nil), .item(id: 1, language: nil),
        .part(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)), range: nil),
        .add(
            item: Item(
                shortName: "clock", price: 2, maker: Maker(fullName: "A", site: nil), parts: [Maker(fullName: "B")])),
        .change(id: 1, price: 2, inStock: true, sizes: nil), .order(name: "x", quantity: 1, gift: nil),
        .upload(title: "t", file: "a.txt"), .note(text: "n"), .films(query: "x"), .books(query: "x"), .fixed,
        .secret(a: 1, b: 2), .file(path: "a/b.txt"), .many(ids: [1], limit: 2, all: nil),
        .listed(name: "x"), .newest, .newestOfA, .near(latitude: -33.5, longitude: 151), .pages(page: 1),
        .filter(by: ["colour": "red"], item: nil, limits: nil, page: 2, expand: nil),
        .find(nil),
        .buy(Basket(customerNumber: 1, lines: [Item(shortName: "pen", price: 2.5)], expand: ["a", "b"]), note: "n"),
        .token(code: "x"), .rate(stars: 3), .tag(["a": "x"]), .restock(nil), .tenant(tenant: 1, name: nil), .options,
    ]

    var endpoint: Endpoint {
        switch self {
        case .list(let page, let tags, let sort, let since):
            .get(
                "/items", query: ["page": page, "tag": tags, "sort": sort, "since": since], returns: [Item].self,
                summary: "Items", sample: .json(Array("[]".utf8)))
        case .item(let id, let language):
            .get("/items/\(id)", headers: ["Accept-Language": language], returns: Item.self, summary: "An item")
        case .part(let id, let range):
            .get(
                "/parts/\(id).bin", headers: ["Range": range.map { "bytes=\($0)" }], returns: RawResponse.self,
                summary: "Bytes")
        case .tenant(let tenant, let name):
            .get(
                "/tenants/\(tenant)", query: ["tenant": tenant, "name": name], headers: ["X-Tenant": "t\(tenant)"],
                returns: EmptyResponse.self, summary: "A parameter at three places")
        case .options: Endpoint(.options, "/many", returns: EmptyResponse.self, summary: "What many takes")
        case .restock(let item):
            .put("/stock", body: item.map { .json($0) }, returns: EmptyResponse.self, summary: "Restock")
        case .add(let item): .post("/items", body: .json(item), returns: Item.self, summary: "Add one")
        case .change(let id, let price, let inStock, let sizes):
            .patch(
                "/items/\(id)", body: .json(Change(price: price, inStock: inStock, sizes: sizes)), returns: Item.self,
                summary: "Change one")
        case .order(let name, let quantity, let gift):
            .post(
                "/orders", body: .form(["name": name, "quantity": quantity, "gift": gift]),
                returns: EmptyResponse.self, summary: "Order", sample: .empty)
        case .upload(let title, let file):
            .post(
                "/orders", body: .multipart([.field("title", title), .file("file", path: file)]),
                returns: EmptyResponse.self, summary: "Upload", sample: .empty)
        case .note(let text):
            .post(
                "/orders", body: .data(Array(text.utf8), contentType: "text/plain"), returns: EmptyResponse.self,
                summary: "Note", sample: .empty)
        case .films(let query):
            .get(
                "/search", query: ["kind": "film", "q": query], returns: [Item].self, summary: "Films",
                sample: .json(Array("[]".utf8)))
        case .books(let query):
            .get(
                "/search", query: ["kind": "book", "q": query], returns: [Item].self, summary: "Books",
                sample: .json(Array("[1]".utf8)))
        case .fixed: .get("/search", returns: [Item].self, summary: "All")
        case .file(let path): .get("/files/\(segments: path)", returns: RawResponse.self, summary: "A file")
        case .many(let ids, let limit, let all):
            .get(
                "/many", query: ["ids": ids?.joined(by: ","), "limit": limit, "all": all], returns: [Item].self,
                summary: "Items by their ids", rules: [.range("limit", 1...10), .mutuallyExclusive("limit", "all")])
        case .listed(let name):
            .get("/list/\(name)", headers: ["X-Kind": "a"], returns: [Item].self, summary: "A list")
        case .newest: .get("/list/new", returns: EmptyResponse.self, summary: "The new ones")
        case .newestOfA: .get("/list/new", headers: ["X-Kind": "a"], returns: [Item].self, summary: "The new ones of a")
        case .near(let latitude, let longitude):
            .get("/near", query: ["at": "\(latitude),\(longitude)"], returns: [Item].self, summary: "Near a place")
        case .pages(let page):
            .get(
                "/pages", query: ["page": page], returns: [Item].self, summary: "Pages", pages: .link(),
                sample: .json(Array("[1, 2, 3, 4]".utf8)))
        case .filter(let by, let item, let limits, let page, let expand):
            .get(
                "/filter",
                query: ["kind": "x", "by": by, "item": item, "limits": limits, "page": page]
                    + .indexed(["expand": expand]),
                returns: [Item].self, summary: "By values")
        case .find(let options):
            .get(
                "/find", query: ["colours": options?.colours, "max_price": options?.maxPrice], returns: [Item].self,
                summary: "Find by options")
        case .buy(let basket, let note):
            .post(
                "/buy", body: .form(["note": note] + .indexed(Endpoint.Query(basket))), returns: EmptyResponse.self,
                summary: "Buy")
        case .token(let code):
            .post(
                "/token", body: .form(["grant_type": "code", "code": code]), returns: EmptyResponse.self,
                summary: "Token")
        case .rate(let stars):
            .put("/rate", body: .object(["stars": stars, "version": 2]), returns: EmptyResponse.self, summary: "Rate")
        case .tag(let tags): .put("/tags", body: .json(tags), returns: EmptyResponse.self, summary: "Tag")
        case .secret(let a, let b): .get("/sum/\(a + b)", returns: [Item].self, summary: "Of two numbers")
        }
    }
}
