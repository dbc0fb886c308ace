import Bookshop
import Foundation
import MockServer
import Testing

/// The app's store and a server in the same process.
@Suite struct StoreTests {
    private let server: MockServer
    private let store: Store

    init() throws {
        server = try MockServer(Bookshop.self)
        store = try Store(baseURL: server.baseURL)
    }

    private static func page(_ number: Int, of last: Int, _ title: String) -> MockResponse {
        .json(#"{"page": \#(number), "last_page": \#(last), "books": [{"id": \#(number), "title": "\#(title)"}]}"#)
    }

    @Test func allPagesAreLoaded() async throws {
        try server.expect(Bookshop.logIn(user: "ada", password: "secret"))
        try server.respond(to: Bookshop.books(page: 1), with: Self.page(1, of: 2, "Emma"))
        try server.respond(to: Bookshop.books(page: 2), with: Self.page(2, of: 2, "Dracula"))

        await store.logIn(user: "ada", password: "secret")
        await store.loadBooks()
        #expect(await store.books.map(\.title) == ["Emma", "Dracula"])
        #expect(await store.alert == nil)
        try server.verify()
    }

    @Test func wrongPassword() async throws {
        try server.respond(
            to: Bookshop.logIn(user: "ada", password: "x"),
            with: .json(#"{"message": "The password is wrong."}"#, status: 403))

        await store.logIn(user: "ada", password: "x")
        #expect(await store.alert == "The password is wrong.")
        try server.verify()
    }

    @Test("Without a login nothing is sent")
    func nobodyIsLoggedIn() async throws {
        await store.loadBooks()
        #expect(await store.alert == "Please log in.")
        try server.verify()
    }

    @Test("A token that has expired is replaced, and the call is sent once more")
    func expiredToken() async throws {
        try server.expect(Bookshop.logIn(user: "ada", password: "secret"))
        try server.expect(Bookshop.refresh(token: "r1"))
        try server.respond(to: Bookshop.books(page: 1), with: .response(401), Self.page(1, of: 1, "Emma"))

        await store.logIn(user: "ada", password: "secret")
        await store.loadBooks()
        #expect(await store.books.map(\.title) == ["Emma"])
        let tokens = server.received.filter { $0.path == "/books" }.map { $0["Authorization"] }
        #expect(tokens == ["Bearer a1", "Bearer a2"])
        try server.verify()
    }

    @Test("Each person's requests have their own token, and none after the logout")
    func twoPeople() async throws {
        try server.respond(
            to: Bookshop.logIn(user: "ada", password: "1"),
            with: .json(#"{"access_token": "a", "refresh_token": "r"}"#))
        try server.respond(
            to: Bookshop.logIn(user: "bob", password: "2"),
            with: .json(#"{"access_token": "b", "refresh_token": "r"}"#))

        await store.logIn(user: "ada", password: "1")
        await store.loadBooks()
        await store.logIn(user: "bob", password: "2")
        await store.loadBooks()
        await store.logOut()
        await store.loadBooks()
        #expect(await store.alert == "Please log in.")
        let tokens = server.received.filter { $0.path == "/books" }.map { $0["Authorization"] }
        #expect(tokens == ["Bearer a", "Bearer b"])
    }

    @Test func coverIsSentWithProgress() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "cover-\(UUID().uuidString).png")
        try Data(repeating: 7, count: 1_000_000).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try server.expect(Bookshop.logIn(user: "ada", password: "secret"))
        try server.expect(Bookshop.addCover(book: 1, file: file.path))

        await store.logIn(user: "ada", password: "secret")
        let (shares, reporting) = AsyncStream<Double>.makeStream()
        await store.addCover(file.path, to: 1) { reporting.yield($0) }
        reporting.finish()
        let shown = await shares.reduce(into: [Double]()) { $0.append($1) }
        #expect(await store.alert == nil)
        #expect(shown == shown.sorted() && shown.last == 1)
        #expect(server.received.last?.body.count ?? 0 > 1_000_000)
        try server.verify()
    }
}
