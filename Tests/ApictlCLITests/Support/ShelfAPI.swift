import EndpointKit

/// An API with an endpoint for each thing that a document says.
enum Shelf: API {
    case book(id: Int, depth: UInt8?, cover: Cover?)
    case forget(isbn: String)
    case near(lat: Double, lng: Double, bytes: String?)
    case new
    case lists(tags: [String], ids: [Int]?, filter: [String: String])
    case sold(filter: Filter)
    case file(path: String)
    case login(password: String)
    case add(book: Book)
    case change(id: Int, title: String?, stars: Int?)
    case form(name: String)
    case lines
    case books(page: Int?)
    case find(q: String)
    case purge
    case open

    enum Cover: String, Codable, CaseIterable, ScalarParameter { case soft, hard }
    enum State: String, Codable, CaseIterable { case open, shut }

    final class Book: Codable, Sendable {
        let title: String
        let pages: UInt16?
        let next: Book?

        init(title: String) { (self.title, pages, next) = (title, nil, nil) }
    }

    struct Page<Item: Codable & Sendable>: Codable, Sendable {
        var items: [Item]
        var state: OpenEnum<State>
        var cover: Cover?
        var extra: JSONValue
    }

    struct Filter: Codable, Sendable {
        var author: String
        var year: Int?
        var price: [String: Double]?
    }

    struct Problem: ErrorModel { var message: String }

    static let api = APIInfo(
        name: "shelf",
        servers: [
            Server("main", url: "https://shelf.test"),
            Server(
                "test", url: "https://test.shelf.test",
                credentials: [.header("X-Token", prefix: "T ", variable: "SHELF_TOKEN")]),
        ],
        credentials: [
            .query("key", variable: "SHELF_KEY", helpURL: "https://shelf.test/key")
                .or(.basic(userVariable: "SHELF_USER", passwordVariable: "SHELF_PASSWORD")).optional
        ],
        headers: ["X-Version": "2"],
        errorModel: Problem.self)
    static let examples: [Shelf] = [
        .book(id: 7, depth: 3, cover: nil), .forget(isbn: "x"), .near(lat: 1.5, lng: 2.5, bytes: nil), .new,
        .lists(tags: ["a", "b"], ids: [1, 2], filter: ["colour": "red"]),
        .sold(filter: Filter(author: "A", year: 2001, price: ["min": 1])), .file(path: "a/b"), .login(password: "pw"),
        .add(book: Book(title: "A")), .change(id: 7, title: "B", stars: nil), .form(name: "n"), .lines, .books(page: 1),
        .find(q: "x"), .purge, .open,
    ]

    var endpoint: Endpoint {
        switch self {
        case .book(let id, let depth, let cover):
            .get(
                "/books/\(id)", query: ["depth": depth, "cover": cover],
                returns: Book.self,
                summary: "A book", notes: ["id": "its number"], rules: [.range("depth", ...9)],
                sample: .json(Array(#"{"title": "A </script>", "api_token": "abcdefgh"}"#.utf8)))
        case .forget(let isbn): .delete("/books/\(isbn)", returns: EmptyResponse.self, summary: "Forget a book")
        case .near(let lat, let lng, let bytes):
            .get(
                "/near", query: ["at": "\(lat),\(lng)"], headers: ["Range": bytes.map { "bytes=\($0)" }],
                returns: RawResponse.self, summary: "Near")
        case .new:
            .get("/new", query: ["sort": "new"], headers: ["X-Kind": "list"], returns: [Book].self, summary: "New")
        case .lists(let tags, let ids, let filter):
            .get(
                "/lists", query: ["tags": tags, "ids": ids?.joined(by: ","), "filter": filter], returns: JSONValue.self,
                summary: "Lists", rules: [.range("ids", ...9)])
        case .sold(let filter):
            .get("/sold", query: Endpoint.Query(filter), returns: [Book].self, summary: "Sold books")
        case .file(let path): .get("/files/\(segments: path)/raw", returns: RawResponse.self, summary: "A file")
        case .login(let password): .get("/login/\(password)", returns: EmptyResponse.self, summary: "Log in")
        case .add(let book): .post("/books", body: .json(book), returns: Book.self, summary: "Add a book")
        case .change(let id, let title, let stars):
            .patch(
                "/books/\(id)", body: .object(["title": title, "stars": stars, "version": 2]),
                returns: EmptyResponse.self,
                summary: "Change a book", rules: [.range("stars", 1...5)])
        case .form(let name):
            .post("/form", body: .form(["name": name, "kind": "x"]), returns: EmptyResponse.self, summary: "A form")
        case .lines:
            .get(
                "/lines", returns: [Book].self, summary: "Books on lines",
                sample: Sample("application/x-ndjson", Array("{\"title\": \"A\"}\n{\"title\": \"B\"}\n".utf8)))
        case .books(let page):
            .get(
                "/books", query: ["page": page], returns: Page<Book>.self, summary: "Books",
                pages: .number("page", items: "items"))
        case .find(let text): .get("/books", query: ["q": text], returns: [Book].self, summary: "Find books")
        case .purge: Endpoint(HTTPMethod(rawValue: "PURGE"), "/books", returns: EmptyResponse.self, summary: "Purge")
        case .open: .get("/open", returns: JSONValue.self, summary: "Open")
        }
    }
}

/// An API with secrets where they should not be, and two endpoints that nothing tells apart.
enum Vault: API {
    case login
    case account(token: String)
    case open(door: String)
    case change(settings: Settings)
    case note(text: String)
    case send(token: String, count: Int?)
    case one
    case other

    struct Settings: Codable, Sendable {
        var nickname: String
        var password: String
        var age: Int?
    }

    struct Session: Codable, Sendable { var value: String }

    static let api = APIInfo(name: "vault", servers: [Server("production", url: "https://vault.test")])
    static let examples: [Vault] = [
        .login, .account(token: "t"), .open(door: "d"), .change(settings: Settings(nickname: "n", password: "p")),
        .note(text: "x"), .send(token: "1:a", count: 1), .one, .other,
    ]

    var endpoint: Endpoint {
        switch self {
        case .login: .get("/login", returns: Session.self, summary: "Log in")
        case .account(let token): .get("/account", query: ["t": token], returns: Session.self, summary: "Account")
        case .open(let door):
            .get("/door", headers: ["X-Door-Token": door], returns: Session.self, summary: "Open a door")
        case .change(let settings):
            .put("/settings", body: .json(settings), returns: Session.self, summary: "Change")
        case .note(let text): .get("/note", query: ["text": text], returns: Session.self, summary: "A note")
        case .send(let token, let count):
            .get("/bot\(token)/send", query: ["count": count], returns: EmptyResponse.self, summary: "Send")
        case .one, .other: .get("/x", returns: EmptyResponse.self, summary: "A twin", sample: .empty)
        }
    }
}
