import EndpointKit
import Foundation
import Synchronization
import Testing

@testable import ApictlCLI

/// An API with one endpoint for each thing that a check can meet.
enum Shop: API {
    case items(page: Int?)
    case item(_ id: Int)
    case add(name: String)
    case orders
    case receipt
    case logo

    static let api = APIInfo(
        name: "shop",
        servers: [
            Server("production", url: "https://shop.test/v1"), Server("staging", url: "https://staging.shop.test"),
        ])
    static let examples: [Shop] = [.items(page: 1), .item(1), .add(name: "Tea"), .item(2), .orders, .receipt, .logo]

    var endpoint: Endpoint {
        switch self {
        case .items(let page):
            .get(
                "/items", query: ["page": page], returns: ItemPage.self, summary: "All items",
                sample: .json(Array(#"{"items": [{"id": 1, "name": "Tea"}]}"#.utf8)))
        case .item(let id):
            .get(
                "/items/\(id)", returns: Item.self, summary: "One item",
                sample: .json(Array(#"{"id": 1, "name": "Tea", "note": "hot"}"#.utf8)))
        case .add(let name):
            .post("/items", body: .json(["name": name]), returns: Item.self, summary: "Add an item")
        case .orders:
            .get(
                "/orders", returns: [Item].self, summary: "Orders", credentials: [.bearer(variable: "SHOP_TOKEN")])
        case .receipt:
            .get(
                "/receipt", returns: Receipt.self, summary: "The last receipt",
                credentials: [.bearer(variable: "RECEIPT_TOKEN").optional])
        case .logo: .get("/logo", returns: RawResponse.self, summary: "The logo")
        }
    }

    struct ItemPage: Codable, Sendable {
        var items: [Item]
        var next: String?
    }

    struct Item: Codable, Sendable {
        var id: Int
        var name: String
        var note: String?
    }
}

extension StubTransport {
    /// Responds by `METHOD /path`.
    ///
    /// The responses of a path are given in turn, and the last one again and again. A path without a response gets one
    /// that passes its check.
    convenience init(routes: [String: [StubResponse]]) {
        let routes = Mutex(Self.fine.merging(routes) { $1 })
        self.init { request in
            let key = "\(request.method) \(request.path)"
            let response = routes.withLock { routes -> StubResponse? in
                guard let list = routes[key], let first = list.first else { return nil }
                if list.count > 1 { routes[key] = Array(list.dropFirst()) }
                return first
            }
            return try #require(response, "\(key)")
        }
    }

    private static let fine: [String: [StubResponse]] = [
        "GET /items": [.json(#"{"items": [{"id": 1, "name": "Tea", "note": null}], "next": "b"}"#)],
        "GET /items/1": [.json(#"{"id": 1, "name": "Tea", "note": "hot"}"#)],
        "GET /items/2": [.json(#"{"id": 2, "name": "Milk"}"#)],
        "POST /items": [.json(#"{"id": 3, "name": "Tea", "note": "new"}"#, 201, "Created")],
        "GET /orders": [.json("[]")], "GET /receipt": [.json(#"{"status": "OK", "reason": "none"}"#)],
        "GET /logo": [.typed("image/png", "x")],
    ]
}

extension StubTransport {
    /// Responds to a request once all of these have come, each `METHOD URL`.
    convenience init(meeting awaited: Set<String>, _ routes: [String: [StubResponse]] = [:]) {
        let routes = StubTransport(routes: routes)
        let come = Mutex<Set<String>>([])
        self.init { request in
            come.withLock { _ = $0.insert("\(request.method) \(request.redactedURL)") }
            let end = ContinuousClock.now + .seconds(60)
            while !come.withLock({ awaited.isSubset(of: $0) }), .now < end {
                try await Task.sleep(for: .milliseconds(1))
            }
            return .now < end ? try await routes.respond(request) : .failing(.notConnected)
        }
    }
}

/// Runs `check` on the shop, one check at a time so that responses come in order, with all times as `T`.
func check(
    _ words: String, _ routes: [String: [StubResponse]] = [:], transport: (any Transport)? = nil,
    variables: [String: String] = [:], files: MemoryFiles = MemoryFiles(), stdin: String? = nil,
    apis: [any API.Type] = [Shop.self]
) async -> Outcome {
    let jobs = words.contains("--jobs") ? "" : " --jobs 1"
    var outcome = await run(
        "check \(words)\(jobs)", variables: variables, stdin: stdin, files: files,
        transport: transport ?? StubTransport(routes: routes), apis: apis)
    outcome.out = outcome.out.withoutTimes
    outcome.err = outcome.err.withoutTimes
    return outcome
}

extension String {
    /// The text with `T` in place of each time.
    var withoutTimes: String {
        replacing(/\s*\d+ ms/, with: " T").replacing(/time="\d+\.\d+"/, with: "time=\"T\"")
            .replacing(/"milliseconds":\d+/, with: "\"milliseconds\":0")
    }
}
