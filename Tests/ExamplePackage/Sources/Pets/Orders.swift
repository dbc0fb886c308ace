import EndpointKit

/// An API with a login.
public enum Orders: API {
    case list

    public static let name = "orders"
    public static let servers = [Server("production", url: "https://orders.example.com")]
    public static let examples: [Orders] = [.list]

    public static let credentials: [Credential] = [.bearer(variable: "ORDERS_TOKEN")]
    public static let logins: [Login] = [
        .oauth(
            "ORDERS_TOKEN", token: "https://id.example.com/token", device: "https://id.example.com/device",
            authorize: "https://id.example.com/authorize", revoke: "https://id.example.com/revoke",
            client: .id("orders-cli"), scopes: ["orders"])
    ]

    public var endpoint: Endpoint { .get("/orders", returns: [String].self, summary: "All orders") }
}
