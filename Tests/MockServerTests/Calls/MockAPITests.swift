import EndpointKit
import JSONText
import MockServer
import Testing

/// Tests of a server that responds with an API's samples, as tests of apps use it.
@Suite struct MockAPITests {
    /// Sends a request for `target` and returns the status and the body of the response: `200 {"id":1}`.
    private func get(_ target: String, from server: MockServer, method: String = "GET", body: String = "") throws
        -> String
    {
        let client = try server.sending(
            """
            \(method) \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
            Content-Length: \(body.utf8.count)\r\n\r\n\(body)
            """)
        let parts = client.readToEnd().split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        return "\(parts[0].split(separator: " ")[1]) \(parts.dropFirst().first ?? "")"
    }

    @Test func `A request that fits an endpoint gets the sample`() throws {
        let server = try MockServer(Shop.self)
        #expect(try get("/items", from: server) == "200 []")
        #expect(try get("/v1/items?page=7", from: server) == "200 []")
        #expect(try get("/search?kind=book&q=x", from: server) == "200 [1]")
        #expect(try get("/orders", from: server, method: "POST", body: "name=x&quantity=1") == "204 ")
        #expect(try get("/list/new", from: server) == "204 ")
    }

    @Test func `An endpoint without a sample responds with 501`() throws {
        let server = try MockServer(Shop.self)
        #expect(try get("/items/1", from: server) == "501 {\"message\":\"shop.item has no sample\"}\n")
    }

    @Test func `A request without an endpoint gets 404, or 405 if its path has one`() throws {
        let server = try MockServer(Shop.self)
        #expect(try get("/x", from: server) == "404 {\"message\":\"no endpoint for GET /x\"}\n")
        #expect(
            try get("/items", from: server, method: "PUT")
                == "405 {\"message\":\"no endpoint for PUT /items, only for GET, HEAD, POST, OPTIONS\"}\n")
    }

    @Test("Every page is the whole sample and has no link to another page")
    func pages() throws {
        let server = try MockServer(Shop.self)
        for target in ["/pages?api_key=k", "/pages?page=3"] {
            let client = try server.sending("GET \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            let response = client.readToEnd()
            #expect(response.hasSuffix("\r\n\r\n[1, 2, 3, 4]") && !response.contains("Link: "))
        }
    }

    @Test func `The last response that is chosen for a call replaces the sample`() throws {
        let server = try MockServer(Shop.self)
        try server.respond(to: Shop.list(page: 2, tags: nil, sort: nil, since: nil), with: .json("[2]"))
        try server.respond(to: Shop.item(id: 9, language: nil), with: .response(404))
        #expect(try get("/items?page=2", from: server) == "200 [2]")
        #expect(try get("/items?page=3", from: server) == "200 []")
        #expect(try get("/items/9", from: server) == "404 ")
        try server.respond(to: Shop.list(page: 2, tags: nil, sort: nil, since: nil), with: .json("[3]"))
        #expect(try get("/items?page=2", from: server) == "200 [3]")
    }

    /// An API with query items whose names sound like credentials, only one of which it declares as one.
    enum Tracker: API {
        case issues(projectKey: String, token: String?)

        static let api = APIInfo(
            name: "tracker",
            servers: [],
            credentials: [.query("api_key", variable: "TRACKER_KEY")])
        static let examples: [Tracker] = [.issues(projectKey: "A", token: nil)]

        var endpoint: Endpoint {
            switch self {
            case .issues(let key, let token):
                .get("/issues", query: ["projectKey": key, "token": token], returns: JSONValue.self, summary: "")
            }
        }
    }

    @Test("Only declared credentials are left out when a request is compared with a call")
    func onlyDeclaredCredentialsAreLeftOut() throws {
        let server = try MockServer(Tracker.self)
        try server.respond(to: Tracker.issues(projectKey: "A", token: nil), with: .json("[1]"))
        try server.respond(to: Tracker.issues(projectKey: "B", token: "t"), with: .json("[2]"))
        #expect(try get("/issues?projectKey=A", from: server) == "200 [1]")
        #expect(try get("/issues?projectKey=A&api_key=k", from: server) == "200 [1]")
        #expect(try get("/issues?projectKey=B&token=t", from: server) == "200 [2]")
        #expect(try get("/issues?projectKey=B&token=u", from: server).hasPrefix("501 "))
        #expect(try get("/issues?projectKey=B", from: server).hasPrefix("501 "))
        #expect(try get("/issues?projectKey=A&token=t", from: server).hasPrefix("501 "))
    }

    /// An API whose calls cannot all be read from their requests.
    enum Computed: API {
        enum Kind: String, Codable, CaseIterable, ScalarParameter { case a, b }

        case list(page: Int, kinds: [Kind])
        case change(note: Nullable<String>?)

        static let api = APIInfo(name: "computed", servers: [Server("main", url: "https://h.test")])
        static let examples = [Computed.list(page: 1, kinds: []), .change(note: .value("x"))]

        var endpoint: Endpoint {
            switch self {
            case .list(let page, let kinds):
                .get(
                    "/list", query: ["offset": (page - 1) * 20, "kinds": kinds.joined(by: ",")], returns: [Int].self,
                    summary: "List", sample: .json(Array("[]".utf8)))
            case .change(let note):
                .post("/note", body: .object(["note": note]), returns: EmptyResponse.self, summary: "")
            }
        }
    }

    @Test("A chosen response is sent for the request of its call, even if the call cannot be read from a request")
    func chosenRequests() throws {
        let server = try MockServer(Computed.self)
        try server.respond(to: Computed.list(page: 2, kinds: []), with: .json("[2]"))
        try server.respond(to: Computed.list(page: 1, kinds: [.a, .b]), with: .json("[3]"))
        try server.respond(to: Computed.change(note: .null), with: .response(202))
        #expect(try get("/list?offset=0", from: server) == "200 []")
        #expect(try get("/list?offset=20", from: server) == "200 [2]")
        #expect(try get("/list?offset=20&kinds=a", from: server) == "200 []")
        #expect(try get("/list?offset=0&kinds=a%2Cb", from: server) == "200 [3]")
        #expect(try get("/note", from: server, method: "POST", body: #"{"note": null}"#) == "202 ")
        #expect(try get("/note", from: server, method: "POST", body: #"{}"#) != "202 ")
    }

    @Test func `The received requests that fit an endpoint are returned as calls`() throws {
        let server = try MockServer { _ in .response(204) }
        _ = try get("/items?page=2&tag=a", from: server)
        _ = try get("/nothing", from: server)
        _ = try get("/items?page=two", from: server)
        _ = try get("/items", from: server, method: "POST", body: #"{"short_name": "a", "price": 1}"#)
        _ = try get("/items/7", from: server, method: "PATCH", body: #"{"sizes": []}"#)
        let calls = try server.requests(of: Shop.self)
        #expect(calls.count == 3)
        guard case .change(id: 7, price: nil, inStock: nil, sizes: []) = calls.last else {
            Issue.record("\(calls)")
            return
        }
        guard case .list(page: 2, tags: ["a"], sort: nil, since: nil) = calls.first,
            case .add(let item) = calls.dropLast().last
        else {
            Issue.record("\(calls)")
            return
        }
        #expect(item == Shop.Item(shortName: "a", price: 1))
    }

    /// An API whose case has a name of its own in JSON, and one without a usable server.
    enum Renamed: API {
        case one

        enum CodingKeys: String, CodingKey { case one = "uno" }

        static let api = APIInfo(name: "renamed", servers: [Server("wrong", url: "no URL")])
        static let examples = [Renamed.one]
        var endpoint: Endpoint { .get("/", returns: RawResponse.self, summary: "One") }
    }

    @Test func `An API that cannot be served throws an error`() throws {
        #expect(throws: (any Error).self) { try MockServer(Renamed.self) }
        let server = try MockServer { _ in .response(204) }
        #expect(throws: (any Error).self) { try server.respond(to: Renamed.one, with: .response(200)) }
        #expect(throws: (any Error).self) { try server.requests(of: Renamed.self) }
    }
}
