import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The routers of an app as they were before its API was declared.
enum Before {
    enum PetRoute {
        case list(status: String?, limit: Int)
        case pet(id: Int)
        case add(name: String)

        var method: String {
            switch self {
            case .list, .pet: "GET"
            case .add: "POST"
            }
        }

        var path: String {
            switch self {
            case .list, .add: "/pets"
            case .pet(let id): "/pets/\(id)"
            }
        }

        var parameters: [String: String?] {
            switch self {
            case .list(let status, let limit): ["status": status, "limit": "\(limit)"]
            case .pet, .add: [:]
            }
        }

        var body: Data? {
            switch self {
            case .list, .pet: nil
            case .add(let name): try? JSONEncoder().encode(["name": name])
            }
        }
    }

    enum OrderRoute {
        case orders(page: Int)
        case order(id: Int)
        case cancel(id: Int)

        static let baseURL = "https://orders.example.com/v2"

        var urlRequest: URLRequest {
            let (method, path) =
                switch self {
                case .orders(let page): ("GET", "/orders?page=\(page)")
                case .order(let id): ("GET", "/orders/\(id)")
                case .cancel(let id): ("DELETE", "/orders/\(id)")
                }
            var request = URLRequest(url: url(Self.baseURL + path))
            request.httpMethod = method
            request.setValue("Bearer \(Session.token)", forHTTPHeaderField: "Authorization")
            return request
        }
    }

    enum Session { static let token = "" }

    struct VisitService {
        func visits(pet: Int) async throws -> [Visit] { try await get("/pets/\(pet)/visits") }
        func visit(id: Int) async throws -> Visit { try await get("/visits/\(id)") }

        private func get<Model: Decodable>(_ path: String) async throws -> Model {
            let address = url("https://visits.example.com" + path)
            let (data, response) = try await URLSession.shared.data(from: address)
            guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
            return try JSONDecoder().decode(Model.self, from: data)
        }
    }
}

func url(_ text: String) -> URL { URL(string: text) ?? URL(filePath: text) }
