import ApictlCLI
import CurlTransport
import EndpointKit

// A catalogue of 780 endpoints, to measure what grows with it: 39 APIs of the same 20 endpoints, each with models of its own.
Apictl.main(apis: Wide.all, tool: "widectl", version: "1.0") { variable in
    CurlTransport(configuration: CurlConfiguration(variables: variable))
}

/// What tells one API from another.
protocol Part: Sendable {
    static var number: Int { get }
}

enum Zero: Part { static let number = 0 }
enum Next<Before: Part>: Part { static var number: Int { Before.number + 1 } }

enum Wide {
    static let all: [any API.Type] = {
        var apis: [any API.Type] = []
        func add<Area: Part>(_ area: Area.Type) {
            apis.append(Shop<Area>.self)
            if apis.count < 39 { add(Next<Area>.self) }
        }
        add(Zero.self)
        return apis
    }()
}

struct Item<Area: Part>: Codable, Sendable {
    var id: Int
    var name: String
    var price: Double?
    var tags: [String]?
    var owner: Owner<Area>?
}

struct Owner<Area: Part>: Codable, Sendable {
    var login: String
    var email: String?
    var site: String?
}

struct Page<Area: Part>: Codable, Sendable {
    var total: Int
    var items: [Item<Area>]
}

/// Twenty endpoints.
enum Shop<Area: Part>: API {
    case things(page: Int?, name: String?), thing(_ id: Int), addThing(name: String, price: Double?), dropThing(
        _ id: Int)
    case orders(page: Int?, state: String?), order(_ id: Int), addOrder(name: String, price: Double?), dropOrder(
        _ id: Int)
    case users(page: Int?, login: String?), user(_ id: Int), addUser(name: String, price: Double?), dropUser(_ id: Int)
    case teams(page: Int?, topic: String?), team(_ id: Int), addTeam(name: String, price: Double?), dropTeam(_ id: Int)
    case bills(page: Int?, since: String?), bill(_ id: Int), addBill(name: String, price: Double?), dropBill(_ id: Int)

    static var name: String { "shop\(Area.number)" }
    static var summary: String { "Part \(Area.number) of a wide API" }
    static var servers: [Server] { [Server("production", "https://shop\(Area.number).example.com/v1")] }
    static var credentials: [Credential] { [.bearer(variable: "SHOP_TOKEN")] }
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
        case .things(let page, let name): list("things", page, "name", name)
        case .orders(let page, let state): list("orders", page, "state", state)
        case .users(let page, let login): list("users", page, "login", login)
        case .teams(let page, let topic): list("teams", page, "topic", topic)
        case .bills(let page, let since): list("bills", page, "since", since)
        case .thing(let id): one("things", id)
        case .order(let id): one("orders", id)
        case .user(let id): one("users", id)
        case .team(let id): one("teams", id)
        case .bill(let id): one("bills", id)
        case .addThing(let name, let price): add("things", name, price)
        case .addOrder(let name, let price): add("orders", name, price)
        case .addUser(let name, let price): add("users", name, price)
        case .addTeam(let name, let price): add("teams", name, price)
        case .addBill(let name, let price): add("bills", name, price)
        case .dropThing(let id): drop("things", id)
        case .dropOrder(let id): drop("orders", id)
        case .dropUser(let id): drop("users", id)
        case .dropTeam(let id): drop("teams", id)
        case .dropBill(let id): drop("bills", id)
        }
    }

    private func list(_ kind: String, _ page: Int?, _ name: String, _ text: String?) -> Endpoint {
        .get(
            "/\(kind)", query: ["page": page, "filter": text], returns: Page<Area>.self, summary: "A page of \(kind)",
            notes: [name: "only \(kind) that have it"], rules: [.range("page", 1...500)],
            sample: .json(
                Array(#"{"total": 1, "items": [{"id": 1, "name": "tea", "price": 2.5, "tags": ["hot"]}]}"#.utf8)))
    }

    private func one(_ kind: String, _ id: Int) -> Endpoint {
        .get(
            "/\(kind)/\(id)", returns: Item<Area>.self, summary: "One of the \(kind)",
            sample: .json(
                Array(#"{"id": 1, "name": "tea", "owner": {"login": "ann", "email": "ann@example.com"}}"#.utf8)))
    }

    private func add(_ kind: String, _ name: String, _ price: Double?) -> Endpoint {
        .post(
            "/\(kind)", body: .object(["name": name, "price": price]), returns: Item<Area>.self,
            summary: "Add to the \(kind)",
            sample: .json(Array(#"{"id": 2, "name": "tea", "price": 2.5}"#.utf8)))
    }

    private func drop(_ kind: String, _ id: Int) -> Endpoint {
        .delete("/\(kind)/\(id)", returns: EmptyResponse.self, summary: "Remove one of the \(kind)", sample: .empty)
    }
}
