import EndpointKit
import EndpointTools
import Synchronization
import Testing

@testable import ApictlCLI

/// An API with a login of OAuth, which a person approves in a browser or on another device.
enum Forge: API {
    case user, search(q: String)

    static let api = APIInfo(
        name: "forge",
        servers: [
            Server("production", url: "https://api.forge.test"), Server("staging", url: "https://staging.forge.test"),
        ],
        credentials: [.bearer(variable: "FORGE_TOKEN")],
        logins: [
            .oauth(
                "FORGE_TOKEN", token: "https://forge.test/token", device: "https://forge.test/device",
                authorize: "https://forge.test/authorize", revoke: "https://forge.test/revoke", client: .id("c1"),
                scopes: ["repo", "gist"])
        ])
    static let examples: [Forge] = [
        .user, .search(q: "a"), .search(q: "b"), .search(q: "c"), .search(q: "d"), .search(q: "e"),
    ]

    var endpoint: Endpoint {
        switch self {
        case .user: .get("/user", returns: JSONValue.self, summary: "Who is logged in")
        case .search(let q): .get("/search", query: ["q": q], returns: JSONValue.self, summary: "Search")
        }
    }
}

/// An API whose client logs in itself.
enum ClientShop: API {
    case items

    static let api = APIInfo(
        name: "shop",
        servers: [Server("production", url: "https://shop.test")],
        credentials: [.bearer(variable: "SHOP_TOKEN")],
        logins: [
            .oauth(
                "SHOP_TOKEN", token: "https://id.shop.test/token", client: .secret(id: "SHOP_ID", secret: "SHOP_SECRET")
            )
        ])
    static let examples: [ClientShop] = [.items]

    var endpoint: Endpoint { .get("/items", returns: JSONValue.self, summary: "Items") }
}

/// An API that logs in with its own endpoints.
enum Cinema: API {
    case newToken, newSession(String), account

    static let api = APIInfo(
        name: "cinema",
        servers: [Server("production", url: "https://cinema.test")],
        credentials: [.query("session_id", variable: "CINEMA_SESSION")],
        logins: [
            .session("CINEMA_SESSION", lifetime: .seconds(3600)) { login in
                let token: Token = try await login.send(Cinema.newToken)
                let session = try await login.approve(
                    "https://cinema.test/approve/\(token.token)", then: Cinema.newSession(token.token), as: Session.self
                )
                return session.session
            }
        ])
    static let examples: [Cinema] = [.account]

    struct Token: Codable, Sendable { var token: String }
    struct Session: Codable, Sendable { var session: String }

    var endpoint: Endpoint {
        switch self {
        case .newToken: .get("/token", returns: Token.self, summary: "A token", credentials: [])
        case .newSession(let token):
            .get("/session/\(token)", returns: Session.self, summary: "A session", credentials: [])
        case .account: .get("/account", returns: JSONValue.self, summary: "The account")
        }
    }
}

/// Logins in memory.
final class MemoryLogins: LoginStore {
    private let logins: Mutex<[LoginKey: StoredLogin]>

    init(_ logins: [LoginKey: StoredLogin] = [:]) { self.logins = Mutex(logins) }

    var all: [LoginKey: StoredLogin] { logins.withLock(\.self) }

    func read(_ key: LoginKey) -> StoredLogin? { logins.withLock { $0[key] } }
    func write(_ login: StoredLogin, for key: LoginKey) { logins.withLock { $0[key] = login } }
    func remove(_ key: LoginKey) { logins.withLock { $0[key] = nil } }
    func keys() -> [LoginKey] { logins.withLock { $0.keys.sorted { $0.origin < $1.origin } } }
    func lock(_ key: LoginKey) -> (any LoginLock)? { Lock() }

    private final class Lock: LoginLock {}
}

extension LoginKey {
    static let forge = LoginKey(api: "forge", variable: "FORGE_TOKEN", origin: "https://api.forge.test:443")
    static let shop = LoginKey(api: "shop", variable: "SHOP_TOKEN", origin: "https://shop.test:443")
    static let cinema = LoginKey(api: "cinema", variable: "CINEMA_SESSION", origin: "https://cinema.test:443")
}

/// Runs command lines of APIs with logins, without a network. The time is 1,000 seconds after 1970.
struct LoginRunner: Sendable {
    var store = MemoryLogins()
    var variables: [String: String] = [:]
    var apis: [any API.Type] = [Forge.self, ClientShop.self, Cinema.self]
    var stdin = ""
    /// Whether there is a place to store logins.
    var stores = true
    /// Gets the address of a page that a browser would open.
    var openPage: @Sendable (String) -> Void = { _ in }
    /// The times that were waited.
    let waits = SharedList<Duration>()
    /// The time limit of each request that was sent.
    let limits = SharedList<Duration?>()

    static let now = 1_000

    /// Runs a command line.
    ///
    /// - Parameters:
    ///   - words: The words of the command line.
    ///   - respond: Responds to each request, which it gets as a line: `POST https://forge.test/token grant_type=…`.
    /// - Returns: The outcome, and the requests as `METHOD URL body` with their `Authorization`.
    func run(
        _ words: some CommandWordList, _ respond: @escaping @Sendable (String) async throws -> StubResponse
    ) async throws -> (outcome: Outcome, requests: [String]) {
        let out = BufferOutput()
        let err = BufferOutput()
        let sent = SharedList<String>()
        let transport = StubTransport { request in
            let line = try Self.line(request)
            sent.append(line)
            return try await respond(line)
        }
        var environment = ProcessEnvironment.test(
            out: out, err: err, stdin: MemoryInput(stdin.exactBytes), variables: variables, transport: transport)
        if stores { environment.logins = store }
        environment.secondsSince1970 = { Self.now }
        environment.sleep = { [waits] in waits.append($0) }
        environment.openPage = openPage
        let code = await Apictl.run(words.words, apis: apis, environment: environment)
        let outcome = Outcome(out: String(exactBytes: out.bytes), err: String(exactBytes: err.bytes), code: code)
        for options in transport.options { limits.append(options.maxTime) }
        return (outcome, sent.values)
    }

    /// Returns a request as one line, with its secrets.
    private static func line(_ request: Request) throws -> String {
        let authorization = try request.headers.first { $0.isNamed("Authorization") }?.revealedValue()
        let body = request.body?.bytes.map { String(exactBytes: $0) }
        return [request.method.rawValue, try request.revealedURL(), body, authorization].compactMap(\.self)
            .joined(separator: " ")
    }
}

/// A list that several tasks append to.
final class SharedList<Element: Sendable>: Sendable {
    private let list = Mutex<[Element]>([])
    var values: [Element] { list.withLock(\.self) }

    func append(_ element: Element) { list.withLock { $0.append(element) } }
}
