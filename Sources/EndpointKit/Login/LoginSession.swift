/// Makes the calls of a login that ``Login/session(_:lifetime:_:)`` declares.
public struct LoginSession: Sendable {
    private let client: Client
    /// Shows a person the address of a page, and returns when the person has approved the login there.
    private let waitForApproval: @Sendable (_ page: String) async throws -> Void

    /// Creates the session of a login.
    ///
    /// - Parameters:
    ///   - client: Sends the calls.
    ///   - approval: Shows a person the address of a page, and returns when the person has approved the login there.
    package init(_ client: Client, approval: @escaping @Sendable (_ page: String) async throws -> Void) {
        self.client = client
        waitForApproval = approval
    }

    /// Sends a call and returns its response, decoded.
    ///
    /// - Parameters:
    ///   - call: A call of the login, such as one that asks for a token.
    ///   - model: The model that the endpoint declares.
    /// - Throws: The errors of ``Client/send(_:as:)``.
    public func send<Model: Decodable & Sendable, Call: API>(
        _ call: Call, as model: Model.Type = Model.self
    ) async throws -> Model {
        try await client.send(call, as: model)
    }

    /// Sends a call and checks that the status of its response is 2xx. The body is discarded.
    ///
    /// - Throws: The errors of ``Client/send(_:)``.
    public func send(_ call: some API) async throws {
        try await client.send(call)
    }

    /// Shows a person a page, waits until the person has approved the login there, and sends a call.
    ///
    /// - Parameters:
    ///   - page: The address of the page.
    ///   - call: The call that needs the approval.
    ///   - model: The model that the endpoint declares.
    /// - Throws: The errors of ``Client/send(_:as:)``.
    public func approve<Model: Decodable & Sendable, Call: API>(
        _ page: String, then call: Call, as model: Model.Type = Model.self
    ) async throws -> Model {
        try await waitForApproval(page)
        return try await client.send(call, as: model)
    }
}
