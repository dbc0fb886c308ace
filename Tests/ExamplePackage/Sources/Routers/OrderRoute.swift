import EndpointKit
import Foundation
import URLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

enum OrderRoute: API {
    case orders(page: Int)
    case order(id: Int)
    case cancel(id: Int)

    static let baseURL = "https://orders.example.com/v2"
    static let api = APIInfo(
        name: "orders",
        servers: [Server("production", url: baseURL)],
        credentials: [.bearer(variable: "ORDERS_TOKEN")])
    static let examples: [OrderRoute] = [.orders(page: 1), .order(id: 7), .cancel(id: 7)]

    var urlRequest: URLRequest {
        let (method, path) =
            switch self {
            case .orders(let page): ("GET", "/orders?page=\(page)")
            case .order(let id): ("GET", "/orders/\(id)")
            case .cancel(let id): ("DELETE", "/orders/\(id)")
            }
        var request = URLRequest(url: url(Self.baseURL + path))
        request.httpMethod = method
        return request
    }

    var endpoint: Endpoint {
        switch self {
        case .orders: Endpoint(urlRequest, returns: [Order].self)
        case .order: Endpoint(urlRequest, returns: Order.self)
        case .cancel: Endpoint(urlRequest, returns: EmptyResponse.self)
        }
    }
}

struct Order: Codable, Sendable {
    var id: Int
    var pets: [Int]
}
