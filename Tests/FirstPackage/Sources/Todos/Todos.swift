import EndpointKit

public enum Todos: API {
    case list(user: Int?, limit: Int?)
    case get(_ id: Int)

    public static let name = "todos"
    public static let servers = [Server("production", "https://jsonplaceholder.typicode.com")]
    public static let examples: [Todos] = [.list(user: 1, limit: 2), .get(1)]

    public var endpoint: Endpoint {
        switch self {
        case .list(let user, let limit):
            .get("/todos", query: ["userId": user, "_limit": limit], returns: [Todo].self, summary: "Todos of a user")
        case .get(let id): .get("/todos/\(id)", returns: Todo.self, summary: "One todo")
        }
    }
}

public struct Todo: Codable, Sendable {
    public var id: Int
    public var title: String
    public var completed: Bool
}
