import EndpointKit
import Synchronization
import TestSupport
import Testing

/// Tests of `client.pages(of:)` and `client.items(of:)`.
struct PageSequenceTests {
    enum Shelf: API {
        case books(offset: Int?)
        case reports
        case one

        struct Page: Codable, Sendable, Equatable {
            var books: [Int]
            var total: Int
        }

        struct Report: Codable, Sendable, Validated {
            var books: [Int]
            var failure: String?

            func validate() throws(ReportedFailure) {
                if let failure { throw ReportedFailure(failure) }
            }
        }

        static let api = APIInfo(name: "shelf", servers: [Server("main", url: "https://shelf.test")])
        static let examples: [Shelf] = []

        var endpoint: Endpoint {
            switch self {
            case .books(let offset):
                .get(
                    "/books", query: ["offset": offset], returns: Page.self, summary: "",
                    pages: .offset("offset", total: "total", items: "books"))
            case .reports:
                .get(
                    "/reports", returns: Report.self, summary: "", pages: .number("page", items: "books"))
            case .one: .get("/one", returns: Page.self, summary: "")
            }
        }
    }

    private static let first = StubTransport.Response.json(#"{"books":[1,2],"total":3}"#)
    private static let last = StubTransport.Response.json(#"{"books":[3],"total":3}"#)

    private static func urls(_ stub: StubTransport) -> [String] { stub.done().map(\.redactedURL) }

    @Test func `Every page is decoded as the model`() async throws {
        let stub = StubTransport(Self.first, Self.last)
        var pages: [Shelf.Page] = []
        for try await page: Shelf.Page in Client(transport: stub).pages(of: Shelf.books(offset: nil)) {
            pages.append(page)
        }
        #expect(pages == [Shelf.Page(books: [1, 2], total: 3), Shelf.Page(books: [3], total: 3)])
        #expect(Self.urls(stub) == ["https://shelf.test/books", "https://shelf.test/books?offset=2"])
    }

    @Test func `Items start with the page of the call`() async throws {
        let stub = StubTransport(Self.last)
        var items: [Int] = []
        for try await item in Client(transport: stub).items(of: Shelf.books(offset: 2), as: Int.self) {
            items.append(item)
        }
        #expect(items == [3])
        #expect(Self.urls(stub) == ["https://shelf.test/books?offset=2"])
    }

    @Test func `A page is requested when it is asked for`() async throws {
        let stub = StubTransport(Self.first, Self.last)
        let pages = Client(transport: stub).pages(of: Shelf.books(offset: nil), as: Shelf.Page.self)
        var iterator = pages.makeAsyncIterator()
        #expect(stub.requestCount == 0)
        _ = try await iterator.next()
        #expect(stub.requestCount == 1)
        _ = try await iterator.next()
        #expect(try await iterator.next() == nil)
        #expect(stub.done().count == 2)
    }

    @Test func `Leaving the loop ends the requests`() async throws {
        let stub = StubTransport(Self.first)
        for try await item in Client(transport: stub).items(of: Shelf.books(offset: nil), as: Int.self) {
            if item == 2 { break }
        }
        #expect(stub.done().count == 1)
    }

    @Test func `A cancelled task requests no page`() async throws {
        let stub = StubTransport()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            for try await _ in Client(transport: stub).items(of: Shelf.books(offset: nil), as: Int.self) {}
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(stub.done().isEmpty)
    }

    @Test func `A model that the endpoint does not declare is an error, and nothing is sent`() async throws {
        let stub = StubTransport()
        var pages = Client(transport: stub).pages(of: Shelf.books(offset: nil), as: Shelf.Report.self)
            .makeAsyncIterator()
        await #expect(throws: RequestError.wrongModel(declared: "Page", given: "Report")) { try await pages.next() }
        #expect(stub.done().isEmpty)
    }

    @Test func `A page that reports a failure ends the sequence`() async throws {
        let failed = StubTransport.Response.json(#"{"books":[2],"failure":"closed"}"#)
        let closed = ResponseError.reportedFailure(ReportedFailure("closed"))
        let stub = StubTransport(.json(#"{"books":[1]}"#), failed, failed)
        let client = Client(transport: stub)
        var items = client.items(of: Shelf.reports, as: Int.self).makeAsyncIterator()
        #expect(try await items.next() == 1)
        await #expect(throws: closed) { try await items.next() }
        var pages = client.pages(of: Shelf.reports, as: Shelf.Report.self).makeAsyncIterator()
        await #expect(throws: closed) { try await pages.next() }
        #expect(stub.done().count == 3)
    }

    /// The sequence advances only after a success.
    @Test func `A page that failed is requested again`() async throws {
        let stub = StubTransport(Self.first, .status(500), Self.last)
        var items = Client(transport: stub).items(of: Shelf.books(offset: nil), as: Int.self).makeAsyncIterator()
        #expect(try await items.next() == 1)
        #expect(try await items.next() == 2)
        await #expect(throws: ResponseError.self) { try await items.next() }
        #expect(try await items.next() == 3)
        #expect(stub.done().count == 3)
    }

    @Test func `An endpoint without pages is an error`() async throws {
        let client = Client(transport: StubTransport())
        await #expect(throws: RequestError.pagesNotDeclared) {
            for try await _ in client.pages(of: Shelf.one, as: Shelf.Page.self) {}
        }
    }
}
