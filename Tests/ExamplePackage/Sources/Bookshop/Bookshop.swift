import EndpointKit

/// The server of a bookshop: people log in, look through its books, and add pictures of covers.
public enum Bookshop: API {
    case logIn(user: String, password: String)
    case refresh(token: String)
    case books(page: Int?)
    case addCover(book: Int, file: String)

    public static let api = APIInfo(
        name: "bookshop",
        servers: [Server("production", url: "https://books.example.com/v1")],
        coding: Coding(keys: .convertFromSnakeCase),
        credentials: [.bearer(variable: "BOOKSHOP_TOKEN")],
        samples: Samples(PackageResources.bookshop_json),
        errorModel: BookshopError.self)
    public static let examples: [Bookshop] = [.books(page: 1)]
    public static let placeholders: [Bookshop] = [
        .logIn(user: "ada", password: "PASSWORD"), .refresh(token: "TOKEN"), .addCover(book: 1, file: "cover.png"),
    ]

    public var endpoint: Endpoint {
        switch self {
        case .logIn(let user, let password):
            .post(
                "/login", body: .object(["user": user, "password": password]), returns: Tokens.self,
                summary: "Log in", credentials: [])
        case .refresh(let token):
            .post(
                "/refresh", body: .object(["refresh_token": token]), returns: Tokens.self, summary: "Get another token",
                credentials: [])
        case .books(let page):
            .get(
                "/books", query: ["page": page], returns: BookPage.self, summary: "Books by title",
                pages: .number("page", last: "last_page", items: "books"))
        case .addCover(let book, let file):
            .post(
                "/books/\(book)/cover", body: .multipart([.file("cover", path: file, contentType: "image/png")]),
                returns: EmptyResponse.self, summary: "Add the picture of a cover")
        }
    }
}

/// The tokens that a password is exchanged for: one for requests, and one that renews it after it has expired.
public struct Tokens: Codable, Sendable {
    public let accessToken: String
    public let refreshToken: String
}

/// One page of the list of books.
public struct BookPage: Codable, Sendable {
    public let page: Int
    public let lastPage: Int
    public let books: [Book]
}

/// A book of the shop.
public struct Book: Codable, Sendable, Equatable {
    public let id: Int
    public let title: String
}

/// The body of a failed response.
public struct BookshopError: ErrorModel {
    public let message: String
}
