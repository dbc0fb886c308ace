import CurlTransport
import EndpointKit
import MockServer
import Testing

/// `Client.items(of:as:)` over real sockets.
///
/// Pages are requested one by one, with credentials, and only as far as items are asked for.
struct PagedItemsTests {
    enum Shelf: API {
        case books(page: Int?)
        case films
        case single
        case loans
        case reports

        static let api = APIInfo(name: "shelf", servers: [], credentials: [.query("key", variable: "KEY")])
        static let examples: [Shelf] = [.books(page: 1), .films, .single]

        var endpoint: Endpoint {
            switch self {
            case .books(let page):
                .get(
                    "/books", query: ["page": page], returns: Page.self, summary: "Books by number",
                    pages: .number("page", last: "pages", items: "data.items"))
            case .films:
                .get("/films", returns: [Item].self, summary: "Films by link", pages: .link())
            case .single:
                .get("/single", returns: Item.self, summary: "One item")
            case .loans:
                .get("/loans", returns: Loans.self, summary: "Loans by link", pages: .link(items: "items"))
            case .reports:
                .get("/loans", returns: Report.self, summary: "Reports by link", pages: .link(items: "items"))
            }
        }
    }

    struct Item: Codable, Sendable, Equatable {
        var id: Int
    }

    struct Page: Codable, Sendable {
        struct Data: Codable, Sendable {
            var items: [Item]
        }

        var data: Data
        var pages: Int
    }

    /// A model that the response of `/loans` does not fit.
    struct Loans: Codable, Sendable {
        var total: Int
    }

    /// A model that takes the response of `/loans` for a failure.
    struct Report: Codable, Sendable, Validated {
        var error: String

        func validate() throws(ReportedFailure) { throw ReportedFailure(error) }
    }

    private static func respond(_ request: ReceivedRequest) -> MockResponse {
        func number(_ name: String) -> Int {
            request.queryItems.first { $0.name == name }.flatMap { Int($0.value) } ?? 1
        }
        guard request.queryItems.contains(where: { $0.name == "key" && $0.value == "k y" }) else {
            return .response(401)
        }
        switch request.path {
        case "/books":
            return .json(#"{"data":{"items":[{"id":\#(number("page"))}]},"pages":3}"#)
        case "/films":
            let next = number("after") < 3 ? [("Link", "</films?after=\(number("after") + 1)>; rel=\"next\"")] : []
            return .json(#"[{"id":\#(number("after"))},{"id":0}]"#, fields: next)
        case "/loans":
            return .json(#"{"error":"closed","items":[{"id":7}]}"#)
        default: return .response(404)
        }
    }

    private static func client(_ server: MockServer) throws -> Client {
        var client = Client(transport: CurlTransport(), variables: ["KEY": "k y"])
        client.options.base = try BaseURL(server.baseURL)
        return client
    }

    @Test("All items of all pages", arguments: [(Shelf.books(page: 2), [2, 3]), (.films, [1, 0, 2, 0, 3, 0])])
    func all(_ call: Shelf, _ ids: [Int]) async throws {
        let server = try MockServer { Self.respond($0) }
        var found: [Int] = []
        for try await item in try Self.client(server).items(of: call, as: Item.self) { found.append(item.id) }
        #expect(found == ids)
    }

    @Test("The next page is requested when its first item is asked for")
    func lazily() async throws {
        let server = try MockServer { Self.respond($0) }
        var items = try Self.client(server).items(of: Shelf.films, as: Item.self).makeAsyncIterator()
        _ = try await items.next()
        _ = try await items.next()
        #expect(server.received.count == 1)
        _ = try await items.next()
        #expect(server.received.count == 2)
    }

    @Test("Of a page, only the items are decoded")
    func itemsAlone() async throws {
        let server = try MockServer { Self.respond($0) }
        var found: [Int] = []
        for try await item in try Self.client(server).items(of: Shelf.loans, as: Item.self) { found.append(item.id) }
        #expect(found == [7])
    }

    @Test("A page that reports a failure ends the items")
    func reportedFailure() async throws {
        let server = try MockServer { Self.respond($0) }
        let items = try Self.client(server).items(of: Shelf.reports, as: Item.self)
        await #expect(throws: ResponseError.reportedFailure(ReportedFailure("closed"))) {
            for try await _ in items {}
        }
    }

    @Test("A call without pages, and a page that is refused")
    func errors() async throws {
        let server = try MockServer { Self.respond($0) }
        var client = try Self.client(server)
        await #expect(throws: RequestError.pagesNotDeclared) {
            for try await _ in client.items(of: Shelf.single, as: Item.self) {}
        }
        client.options.variables = { _ in "wrong" }
        let error = await #expect(throws: ResponseError.self) {
            for try await _ in client.items(of: Shelf.films, as: Item.self) {}
        }
        guard case .status(let refusal) = error else { throw try #require(error) }
        #expect(refusal.status == 401)
    }
}
