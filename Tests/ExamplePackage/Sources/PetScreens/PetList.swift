import EndpointKit
import Pets
import URLSessionTransport

/// A screen that lists pets and opens one.
public struct PetList {
    public private(set) var rows: [String] = []
    public private(set) var alert: String?
    private var client = Client(transport: URLSessionTransport())

    public init(baseURL: String) throws { client.options.base = try BaseURL(baseURL) }

    public mutating func show(_ status: Pets.Status) async {
        do {
            rows = try await client.send(Pets.find(status: status, limit: 20), as: [Pet].self).map(\.name)
        } catch {
            alert = "\(error)"
        }
    }

    func pet(_ id: Int) async -> String {
        do {
            let pet: Pet = try await client.send(Pets.get(id))
            return pet.name
        } catch ResponseError.status(let error) where error.status == 404 {
            return "no such pet"
        } catch RequestError.missingCredential(let missing) {
            return "set \(missing.alternatives.joined().joined(separator: " or "))"
        } catch let error as TransportError where error.cause == .notConnected {
            return "offline"
        } catch {
            return "\(error)"
        }
    }

    public mutating func open(_ id: Int) async {
        do {
            let pet: Pet = try await client.send(Pets.get(id))
            rows = [pet.name]
        } catch {
            alert = "\(error)"
        }
    }
}
