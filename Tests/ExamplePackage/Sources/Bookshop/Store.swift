import EndpointKit
import URLSessionTransport

/// The state and the actions of the app's screens, without a user interface.
public actor Store {
    /// The books of all pages that have been loaded.
    public private(set) var books: [Book] = []
    /// The message about the last failure, for a person to read; nil after a success.
    public private(set) var alert: String?

    private let client: Client
    private let session: Session

    /// Creates a store that calls a server, such as a `MockServer` in tests.
    public init(baseURL: String) throws {
        var client = Client(transport: URLSessionTransport())
        client.options.base = try BaseURL(baseURL)
        let session = Session(client: client)
        client.credentials = { challenge in
            let token = try await session.accessToken(isRejected: challenge.reason == .rejected)
            return ["BOOKSHOP_TOKEN": token]
        }
        self.client = client
        self.session = session
    }

    /// Logs a person in.
    public func logIn(user: String, password: String) async {
        await showingFailure {
            try await session.logIn(user: user, password: password)
            // The client may have the token of the person before.
            client.forgetCredentials()
        }
    }

    /// Logs the person out.
    public func logOut() async {
        await session.logOut()
        client.forgetCredentials()
        books = []
    }

    /// Loads the books of all pages.
    public func loadBooks() async {
        books = []
        await showingFailure {
            for try await book in client.items(of: Bookshop.books(page: 1), as: Book.self) { books.append(book) }
        }
    }

    /// Sends the picture of a book's cover.
    ///
    /// - Parameters:
    ///   - file: The path of the picture.
    ///   - book: The id of the book.
    ///   - show: Shows the share that has been sent, from 0 to 1.
    public func addCover(_ file: String, to book: Int, show: @escaping @Sendable (Double) -> Void) async {
        await showingFailure {
            let client = client.with {
                $0.transfer.onSent = { count, total in show(Double(count) / Double(total)) }
            }
            try await client.send(Bookshop.addCover(book: book, file: file))
        }
    }

    /// Runs an action, and shows why it failed.
    private func showingFailure(_ action: () async throws -> Void) async {
        do {
            try await action()
            alert = nil
        } catch ResponseError.status(let failure) {
            alert = failure.serverMessage ?? "\(failure)"
        } catch {
            alert = "\(error)"
        }
    }
}
