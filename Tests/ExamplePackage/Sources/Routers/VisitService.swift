import EndpointKit
import URLSessionTransport

struct VisitService {
    var client = Client(transport: URLSessionTransport())

    func visits(pet: Int) async throws -> [Visit] { try await client.send(VisitAPI.visits(pet: pet)) }
    func visit(id: Int) async throws -> Visit { try await client.send(VisitAPI.visit(id: id)) }
}

enum VisitAPI: API {
    case visits(pet: Int)
    case visit(id: Int)

    static let api = APIInfo(name: "visits", servers: [Server("production", url: "https://visits.example.com")])
    static let examples: [VisitAPI] = [.visits(pet: 7), .visit(id: 1)]

    var endpoint: Endpoint {
        switch self {
        case .visits(let pet): .get("/pets/\(pet)/visits", returns: [Visit].self, summary: "Visits of a pet")
        case .visit(let id): .get("/visits/\(id)", returns: Visit.self, summary: "One visit")
        }
    }
}

struct Visit: Codable, Sendable {
    var id: Int
    var note: String?
}
