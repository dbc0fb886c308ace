import EndpointKit

/// An API with a login.
public enum Orders: API {
    case list

    public static let api = APIInfo(
        name: "orders",
        servers: [Server("production", url: "https://orders.example.com")],
        credentials: [.bearer(variable: "ORDERS_TOKEN")],
        logins: [
            .oauth(
                "ORDERS_TOKEN", token: "https://id.example.com/token", device: "https://id.example.com/device",
                authorize: "https://id.example.com/authorize", revoke: "https://id.example.com/revoke",
                client: .id("orders-cli"), scopes: ["orders"])
        ])
    public static let examples: [Orders] = [.list]

    public var endpoint: Endpoint { .get("/orders", returns: [String].self, summary: "All orders") }
}
