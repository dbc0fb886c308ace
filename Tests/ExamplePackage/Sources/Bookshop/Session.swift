import EndpointKit

/// The login of a person: gets tokens for a password, and other ones when they have expired.
actor Session {
    private let client: Client
    private var tokens: Tokens?

    /// Creates a session in which nobody is logged in.
    init(client: Client) { self.client = client }

    /// Logs a person in.
    func logIn(user: String, password: String) async throws {
        tokens = try await client.send(Bookshop.logIn(user: user, password: password))
    }

    /// Logs the person out.
    func logOut() { tokens = nil }

    /// Returns the token for a request.
    ///
    /// - Parameter isRejected: Whether the server has rejected the last one, so that another one is needed.
    func accessToken(isRejected: Bool) async throws -> String {
        guard let known = tokens else { throw NotLoggedIn() }
        if !isRejected { return known.accessToken }
        let fresh: Tokens = try await client.send(Bookshop.refresh(token: known.refreshToken))
        tokens = fresh
        return fresh.accessToken
    }
}

/// A call needs a login, and nobody is logged in.
public struct NotLoggedIn: Error, CustomStringConvertible {
    public var description: String { "Please log in." }
}
