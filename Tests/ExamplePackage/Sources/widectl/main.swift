import ApictlCLI
import CurlTransport
import EndpointKit

// A catalogue of 780 endpoints, to measure what grows with it: 39 APIs of the same 20 endpoints, each with models of its own.
Apictl.main(apis: Wide.all, tool: "widectl", version: "1.0") { variable in
    CurlTransport(configuration: CurlConfiguration(variables: variable))
}

/// A type for each of thirteen numbers: two of them tell one API from another.
protocol Digit: Sendable {
    static var number: Int { get }
}

enum D0: Digit { static let number = 0 }
enum D1: Digit { static let number = 1 }
enum D2: Digit { static let number = 2 }
enum D3: Digit { static let number = 3 }
enum D4: Digit { static let number = 4 }
enum D5: Digit { static let number = 5 }
enum D6: Digit { static let number = 6 }
enum D7: Digit { static let number = 7 }
enum D8: Digit { static let number = 8 }
enum D9: Digit { static let number = 9 }
enum D10: Digit { static let number = 10 }
enum D11: Digit { static let number = 11 }
enum D12: Digit { static let number = 12 }

enum Wide {
    static let all: [any API.Type] = {
        let digits: [any Digit.Type] = [
            D0.self, D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self, D8.self, D9.self, D10.self,
            D11.self,
            D12.self,
        ]
        func shop<A: Digit>(_ first: A.Type, _ second: any Digit.Type) -> any API.Type { shop(of: first, and: second) }
        func shop<A: Digit, B: Digit>(of first: A.Type, and second: B.Type) -> any API.Type { Shop<A, B>.self }
        return digits.prefix(3).flatMap { first in digits.map { second in shop(first, second) } }
    }()
}

struct Item<A: Digit, B: Digit>: Codable, Sendable {
    var id: Int
    var name: String
    var price: Double?
    var tags: [String]?
    var owner: Owner<A, B>?
}

struct Owner<A: Digit, B: Digit>: Codable, Sendable {
    var login: String
    var email: String?
    var site: String?
}

struct Page<A: Digit, B: Digit>: Codable, Sendable {
    var total: Int
    var items: [Item<A, B>]
}

/// Twenty endpoints.
enum Shop<A: Digit, B: Digit>: API {
    case things(page: Int?, name: String?), thing(_ id: Int), addThing(name: String, price: Double?), dropThing(
        _ id: Int)
    case orders(page: Int?, state: String?), order(_ id: Int), addOrder(name: String, price: Double?), dropOrder(
        _ id: Int)
    case users(page: Int?, login: String?), user(_ id: Int), addUser(name: String, price: Double?), dropUser(_ id: Int)
    case teams(page: Int?, topic: String?), team(_ id: Int), addTeam(name: String, price: Double?), dropTeam(_ id: Int)
    case bills(page: Int?, since: String?), bill(_ id: Int), addBill(name: String, price: Double?), dropBill(_ id: Int)

    private static var number: Int { A.number * 13 + B.number }
    static var api: APIInfo {
        APIInfo(
            name: "shop\(number)",
            summary: "Part \(number) of a wide API",
            servers: [Server("production", url: "https://shop\(number).example.com/v1")],
            credentials: [.bearer(variable: "SHOP_TOKEN")])
    }
    static var examples: [Self] {
        [
            .things(page: 1, name: "tea"), .thing(1), .addThing(name: "tea", price: 2.5), .dropThing(1),
            .orders(page: 1, state: "open"), .order(1), .addOrder(name: "tea", price: 2.5), .dropOrder(1),
            .users(page: 1, login: "ann"), .user(1), .addUser(name: "tea", price: 2.5), .dropUser(1),
            .teams(page: 1, topic: "tea"), .team(1), .addTeam(name: "tea", price: 2.5), .dropTeam(1),
            .bills(page: 1, since: "2026-01-01"), .bill(1), .addBill(name: "tea", price: 2.5), .dropBill(1),
        ]
    }

    var endpoint: Endpoint {
        switch self {
        case .things(let page, let name): list("/things", page, "name", name)
        case .orders(let page, let state): list("/orders", page, "state", state)
        case .users(let page, let login): list("/users", page, "login", login)
        case .teams(let page, let topic): list("/teams", page, "topic", topic)
        case .bills(let page, let since): list("/bills", page, "since", since)
        case .thing(let id): one("/things/\(id)")
        case .order(let id): one("/orders/\(id)")
        case .user(let id): one("/users/\(id)")
        case .team(let id): one("/teams/\(id)")
        case .bill(let id): one("/bills/\(id)")
        case .addThing(let name, let price): add("/things", name, price)
        case .addOrder(let name, let price): add("/orders", name, price)
        case .addUser(let name, let price): add("/users", name, price)
        case .addTeam(let name, let price): add("/teams", name, price)
        case .addBill(let name, let price): add("/bills", name, price)
        case .dropThing(let id): drop("/things/\(id)")
        case .dropOrder(let id): drop("/orders/\(id)")
        case .dropUser(let id): drop("/users/\(id)")
        case .dropTeam(let id): drop("/teams/\(id)")
        case .dropBill(let id): drop("/bills/\(id)")
        }
    }

    private func list(_ path: Endpoint.Path, _ page: Int?, _ name: ParameterName, _ text: String?) -> Endpoint {
        .get(
            path, query: ["page": page, "filter": text], returns: Page<A, B>.self, summary: "A page of a list",
            notes: [name: "only those that have it"], rules: [.range("page", 1...500)],
            sample: .json(
                Array(#"{"total": 1, "items": [{"id": 1, "name": "tea", "price": 2.5, "tags": ["hot"]}]}"#.utf8)))
    }

    private func one(_ path: Endpoint.Path) -> Endpoint {
        .get(
            path, returns: Item<A, B>.self, summary: "One of a list",
            sample: .json(
                Array(#"{"id": 1, "name": "tea", "owner": {"login": "ann", "email": "ann@example.com"}}"#.utf8)))
    }

    private func add(_ path: Endpoint.Path, _ name: String, _ price: Double?) -> Endpoint {
        .post(
            path, body: .object(["name": name, "price": price]), returns: Item<A, B>.self, summary: "Add to a list",
            sample: .json(Array(#"{"id": 2, "name": "tea", "price": 2.5}"#.utf8)))
    }

    private func drop(_ path: Endpoint.Path) -> Endpoint {
        .delete(path, returns: EmptyResponse.self, summary: "Remove one of a list", sample: .empty)
    }
}
