import EndpointKit

/// An API that logs in with endpoints of its own.
public enum Cinema: API {
    case newToken
    case newSession(_ token: String)
    case account

    public static let api = APIInfo(
        name: "cinema",
        servers: [Server("production", url: "https://cinema.example.com")],
        credentials: [.query("session_id", variable: "CINEMA_SESSION")],
        logins: [
            .session("CINEMA_SESSION", lifetime: .seconds(30 * 86_400)) { login in
                let token: Token = try await login.send(Cinema.newToken)
                let session = try await login.approve(
                    "https://cinema.example.com/approve/\(token.value)", then: Cinema.newSession(token.value),
                    as: Session.self)
                return session.id
            }
        ])
    public static let examples: [Cinema] = [.account]

    public struct Token: Codable, Sendable { var value: String }
    public struct Session: Codable, Sendable { var id: String }

    public var endpoint: Endpoint {
        switch self {
        case .newToken: .get("/token", returns: Token.self, summary: "A token to approve", credentials: [])
        case .newSession(let token):
            .get("/session/\(token)", returns: Session.self, summary: "The session of a token", credentials: [])
        case .account: .get("/account", returns: JSONValue.self, summary: "The account")
        }
    }
}
