import EndpointKit

enum PetRoute: API {
    case list(status: String?, limit: Int)
    case pet(id: Int)
    case add(name: String)

    static let api = APIInfo(name: "pets", servers: [Server("production", url: "https://pets.example.com/v1")])
    static let examples: [PetRoute] = [.list(status: "sold", limit: 20), .pet(id: 7), .add(name: "Rex")]

    var method: HTTPMethod {
        switch self {
        case .list, .pet: "GET"
        case .add: "POST"
        }
    }

    var path: Endpoint.Path {
        switch self {
        case .list, .add: "/pets"
        case .pet(let id): "/pets/\(id)"
        }
    }

    var parameters: Endpoint.Query {
        switch self {
        case .list(let status, let limit): ["status": status, "limit": "\(limit)"]
        case .pet, .add: [:]
        }
    }

    var body: Body? {
        switch self {
        case .list, .pet: nil
        case .add(let name): .json(["name": name])
        }
    }

    var model: any (Decodable & Sendable).Type {
        switch self {
        case .list: [Pet].self
        case .pet, .add: Pet.self
        }
    }

    var endpoint: Endpoint { Endpoint(method, path, query: parameters, body: body, returns: model) }
}

struct Pet: Codable, Sendable {
    var id: Int
    var name: String
}
