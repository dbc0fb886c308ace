import EndpointKit

public enum Pets: API {
    case find(status: Status?, limit: Int?)
    case get(_ id: Int)
    case add(pet: NewPet)

    public enum Status: String, Codable, CaseIterable, ScalarParameter {
        case available, pending, sold
    }

    public static let api = APIInfo(
        name: "pets",
        servers: [Server("production", url: "https://petstore.example.com/v1")],
        credentials: [.bearer(variable: "PETS_TOKEN").optional])
    public static let examples: [Pets] = [
        .find(status: .available, limit: 10), .get(1), .add(pet: NewPet(name: "Rex", tags: ["dog"])),
    ]

    public var endpoint: Endpoint {
        switch self {
        case .find(let status, let limit):
            .get("/pets", query: ["status": status, "limit": limit], returns: [Pet].self, summary: "Pets by status")
        case .get(let id):
            .get("/pets/\(id)", returns: Pet.self, summary: "One pet")
        case .add(let pet):
            .post(
                "/pets", body: .json(pet), returns: Pet.self, summary: "Add a pet", notes: ["pet": "its name and tags"])
        }
    }
}

public struct NewPet: Codable, Sendable {
    public var name: String
    public var tags: [String]?
}

public struct Pet: Codable, Sendable {
    public var id: Int
    public var name: String
}
