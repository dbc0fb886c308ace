import EndpointKit
import TestSupport
import Testing

/// The public functions of the client throw errors that an app catches by pattern.
struct ErrorPatternTests {
    enum Store: API {
        case item(page: Int)
        case token
        case path(String)
        case header(String)
        case numbers([Double])
        case list

        struct Item: Codable, Sendable, Equatable {
            var itemNumber: Int
        }

        /// A model of a response that reports a failure.
        struct Report: Codable, Sendable, Validated {
            var status: String

            func validate() throws(ReportedFailure) {
                if status != "OK" { throw ReportedFailure(status) }
            }
        }

        static let api = APIInfo(
            name: "store",
            servers: [Server("main", url: "https://store.test")],
            coding: Coding(keys: .convertFromSnakeCase))
        static let examples: [Store] = []

        var endpoint: Endpoint {
            switch self {
            case .item(let page):
                .get("/item", query: ["page": page], returns: Item.self, summary: "", rules: [.range("page", 1...9)])
            case .token:
                .get("/token", returns: Report.self, summary: "", credentials: [.bearer(variable: "TOKEN")])
            case .path(let value): .get("/\(value)", returns: Item.self, summary: "")
            case .header(let value): .get("/", headers: ["X-Value": value], returns: Item.self, summary: "")
            case .numbers(let numbers): .post("/", body: .json(numbers), returns: Item.self, summary: "")
            case .list: .get("/list", returns: Item.self, summary: "", pages: .link(items: "items"))
            }
        }
    }

    /// Returns the name of the pattern that catches the error of `operation`.
    private static func pattern(_ operation: () async throws -> Void) async throws -> String {
        do {
            try await operation()
            return "no error"
        } catch RequestError.missingCredential(let missing) {
            return "missing \(missing.alternatives)"
        } catch RequestError.ruleViolation(.outOfBounds(let parameter, let value, let bounds)) {
            return "\(parameter) is \(value), not \(bounds)"
        } catch RequestError.wrongModel(let declared, let given) {
            return "\(given), not \(declared)"
        } catch RequestError.emptyPathValue {
            return "empty value"
        } catch RequestError.invalidHeaderValue(let name, _) {
            return "header \(name)"
        } catch RequestError.invalidServer(let name, _, .scheme(let scheme)) {
            return "server \(name) with \(scheme)"
        } catch RequestError.notEncodable {
            return "not encodable"
        } catch RequestError.pagesNotDeclared {
            return "no pages"
        } catch ResponseError.status(let error) where error.status == 404 {
            return "not found: \(error.serverMessage ?? "")"
        } catch ResponseError.notJSON(let error) {
            return "not JSON at line \(error.line)"
        } catch ResponseError.modelMismatch(let mismatch) {
            return "\(mismatch.path): \(mismatch.problem)"
        } catch ResponseError.reportedFailure(let failure) {
            return "reported \(failure.message)"
        } catch ResponseError.bodyTooLarge(let limit) {
            return "longer than \(limit)"
        } catch ResponseError.paging(.noList(let path)) {
            return "no list at \(path)"
        } catch let error as TransportError where error.cause == .notConnected {
            return "not connected while \(error.phase)"
        }
    }

    static let requests: [Row<Store, String>] = [
        Row("rule", .item(page: 10), "page is 10, not 1 to 9"),
        Row("path", .path(""), "empty value"),
        Row("header", .header("a\nb"), "header X-Value"),
        Row("infinity", .numbers([.infinity]), "not encodable"),
        Row("model", .token, "Item, not Report"),
    ]

    @Test(arguments: requests)
    func `A request that can't be made is a RequestError`(_ row: Row<Store, String>) async throws {
        let stub = StubTransport()
        let client = Client(transport: stub)
        let typed = try await Self.pattern { _ = try await client.send(row.input, as: Store.Item.self) }
        #expect(typed == row.expected)
        #expect(stub.done().isEmpty)
    }

    @Test func `Every function of the client throws the same errors`() async throws {
        let client = Client(transport: StubTransport())
        let missing = #"missing [["TOKEN"]]"#
        #expect(try await Self.pattern { try await client.send(Store.token) } == missing)
        #expect(try await Self.pattern { _ = try await client.send(Store.token, as: Store.Report.self) } == missing)
        #expect(try await Self.pattern { _ = try await client.rawResponse(to: Store.token) } == missing)
        #expect(try await Self.pattern { _ = try await client.stream(Store.token) } == missing)
        #expect(try await Self.pattern { _ = try Store.token.request() } == missing)
        let unpaged = try await Self.pattern {
            for try await _ in client.items(of: Store.token, as: Store.Item.self) {}
        }
        #expect(unpaged == "no pages")
    }

    @Test func `An invalid URL of a server is a RequestError`() async throws {
        enum Lost: API {
            case home
            static let api = APIInfo(name: "lost", servers: [Server("main", url: "ftp://lost.test")])
            static let examples: [Lost] = []
            var endpoint: Endpoint { .get("/", returns: EmptyResponse.self, summary: "") }
        }
        let client = Client(transport: StubTransport())
        #expect(try await Self.pattern { try await client.send(Lost.home) } == "server main with ftp")
    }

    static let responses: [Row<StubTransport.Response, String>] = [
        Row("status", .json(404, #"{"message":"gone"}"#), "not found: gone"),
        Row("not JSON", .json("\n<html>"), "not JSON at line 2"),
        Row("mismatch", .json(#"{"item_number":"x"}"#), #"$.item_number: expected integer, found string "x""#),
        Row("too large", .json("[\(String(repeating: " ", count: 100))]"), "longer than 50"),
        Row("not connected", .failing(.notConnected), "not connected while connecting"),
    ]

    @Test(arguments: responses)
    func `A failed call is a ResponseError or a TransportError`(_ row: Row<StubTransport.Response, String>) async throws
    {
        let stub = StubTransport(row.input)
        var client = Client(transport: stub)
        client.maxBodySize = 50
        let caught = try await Self.pattern { _ = try await client.send(Store.item(page: 1), as: Store.Item.self) }
        #expect(caught == row.expected)
        #expect(stub.done().count == 1)
    }

    @Test func `A failure that the body reports is a ResponseError`() async throws {
        let client = Client(transport: StubTransport(.json(#"{"status":"CLOSED"}"#)), variables: ["TOKEN": "t"])
        let caught = try await Self.pattern { _ = try await client.send(Store.token, as: Store.Report.self) }
        #expect(caught == "reported CLOSED")
    }

    @Test func `A page that does not lead to the next one is a ResponseError`() async throws {
        let client = Client(transport: StubTransport(.json(#"{"item_number":1}"#)))
        let caught = try await Self.pattern {
            for try await _ in client.items(of: Store.list, as: Store.Item.self) {}
        }
        #expect(caught == "no list at items")
    }

    @Test func `The body of a failed response is decoded as the API writes JSON`() async throws {
        let client = Client(transport: StubTransport(.json(409, #"{"item_number":7}"#), .json(409, "no")))
        let error = try await statusError { try await client.send(Store.item(page: 1)) }
        #expect(try error.body(as: Store.Item.self) == Store.Item(itemNumber: 7))
        let text = try await statusError { try await client.send(Store.item(page: 1)) }
        #expect(try await Self.pattern { _ = try text.body(as: Store.Item.self) } == "not JSON at line 1")
    }

    @Test func `Errors of other code are thrown as they are`() async throws {
        struct OwnError: Error {}
        struct Strict: Decodable, Sendable {
            init(from decoder: any Decoder) throws { throw OwnError() }
        }
        enum Own: API {
            case home
            static let api = APIInfo(name: "own", servers: [Server("main", url: "https://own.test")])
            static let examples: [Own] = []
            var endpoint: Endpoint { .get("/", returns: Strict.self, summary: "") }
        }
        let client = Client(transport: StubTransport(.json("{}")))
        await #expect(throws: OwnError.self) { try await client.send(Own.home, as: Strict.self) }
    }
}
