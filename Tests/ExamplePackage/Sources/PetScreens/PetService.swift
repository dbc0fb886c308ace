import EndpointKit
import Foundation
import Pets
import URLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Gets tokens from the server that the user has logged in to.
public protocol PetSession: Sendable {
    func token(isRejected: Bool) async throws -> String
}

/// The network layer of an app as it was written by hand.
enum Before {
    actor PetService {
        private let session: any PetSession
        private var token: String?

        init(_ session: any PetSession) { self.session = session }

        func pet(_ id: Int) async throws -> Pet { try await load("/pets/\(id)") }

        private func load<Model: Decodable>(_ path: String, isRejected: Bool = false) async throws -> Model {
            guard let url = URL(string: "https://petstore.example.com/v1" + path) else { throw URLError(.badURL) }
            if token == nil || isRejected { token = try await session.token(isRejected: isRejected) }
            var request = URLRequest(url: url)
            request.setValue("Bearer \(token ?? "")", forHTTPHeaderField: "Authorization")
            request.setValue("4.2", forHTTPHeaderField: "X-App-Version")
            let (data, response) = try await URLSession.shared.data(for: request)
            let status = (response as? HTTPURLResponse)?.statusCode
            if status == 401, !isRejected { return try await load(path, isRejected: true) }
            guard status == 200 else { throw URLError(.badServerResponse) }
            return try JSONDecoder().decode(Model.self, from: data)
        }
    }
}

/// The network layer of an app that sends the cases of its API.
public struct PetService: Sendable {
    private var client = Client(transport: URLSessionTransport())

    public init(_ session: any PetSession) {
        client.credentials = { challenge in
            ["PETS_TOKEN": try await session.token(isRejected: challenge.reason == .rejected)]
        }
        client.interceptors = [
            Interceptor { request, next in
                var request = request
                request.setHeader("X-App-Version", "4.2")
                return try await next(request)
            }
        ]
    }

    public func pet(_ id: Int) async throws -> Pet { try await client.send(Pets.get(id)) }
}

enum Photos: API {
    case add(pet: Int, photo: BodyStream)

    static let api = APIInfo(
        name: "photos", servers: [Server("production", url: "https://petstore.example.com/v1")])
    static let examples: [Photos] = [.add(pet: 7, photo: BodyStream(path: "rex.jpg"))]

    var endpoint: Endpoint {
        switch self {
        case .add(let pet, let photo):
            .post(
                "/pets/\(pet)/photos",
                body: .multipart([.stream("photo", photo, filename: "rex.jpg", contentType: "image/jpeg")]),
                returns: EmptyResponse.self, summary: "Adds a photo of a pet")
        }
    }
}

extension PetService {
    func add(
        _ chunks: @escaping @Sendable () -> AsyncStream<[UInt8]>, to pet: Int,
        show: @escaping @Sendable (Double) -> Void
    ) async throws {
        let photo = BodyStream { chunks() }
        let client = client.with { $0.transfer.onSent = { count, total in show(Double(count) / Double(total)) } }
        try await client.send(Photos.add(pet: pet, photo: photo))
    }

    /// Connects to another server, such as one of a test.
    public init(_ session: any PetSession, baseURL: String) throws {
        self.init(session)
        client.options.base = try BaseURL(baseURL)
    }

    func petQuickly(_ id: Int) async throws -> Pet {
        try await client.with { $0.transfer.maxTime = .seconds(5) }.send(Pets.get(id))
    }

    mutating func writeLog() { client.log = ClientLog { print($0) } }

    mutating func showProgress(_ show: @escaping @Sendable (Double) -> Void) {
        client.transfer.onReceived = { count, total in
            if let total { show(Double(count) / Double(total)) }
        }
    }
}
