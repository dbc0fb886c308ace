import EndpointKit
import Foundation
import URLSessionTransport

/// Ways to send a call and to read its response.
enum Sending {
    static func makeAClient(token: String) -> Client {
        Client(transport: URLSessionTransport(), variables: ["GARDEN_TOKEN": token])
    }

    static func sendACall(_ client: Client) async throws -> String {
        let plant: Plant = try await client.send(Garden.plant(7))
        return plant.name
    }

    static func nameTheModel(_ client: Client) async throws -> [String] {
        try await client.send(Garden.plants(status: .growing, kinds: ["rose"]), as: [Plant].self).map(\.name)
    }

    static func sendACallWithoutAResult(_ client: Client) async throws {
        try await client.send(Garden.remove(id: 7))
    }

    static func readAHeader(_ client: Client) async throws -> String? {
        let response = try await client.response(to: Garden.plant(7), as: Plant.self)
        return response.head["ETag"]
    }

    static func acceptAnyStatus(_ client: Client) async throws -> (Int, Data) {
        let response = try await client.rawResponse(to: Garden.plant(7))
        return (response.head.status, Data(response.body))
    }

    static func chooseAServer(_ client: Client) throws -> Client {
        var client = client
        client.options.base = try BaseURL("https://staging.garden.example.com/v1")
        return client
    }

    static func addAHeaderToEveryRequest(_ client: Client) -> Client {
        var client = client
        client.options.headers.append(HTTPField("X-Request-Source", "widget"))
        return client
    }

    static func limitTheTimeOfOneCall(_ client: Client) async throws -> Plant {
        try await client.with { $0.transfer.maxTime = .seconds(5) }.send(Garden.plant(7))
    }

    static func retryTwice(_ client: Client) -> Client {
        var client = client
        client.retry = RetryPolicy(count: 2)
        return client
    }

    static func showTheRequestWithoutSendingIt(_ client: Client) throws -> String {
        try Garden.plant(7).request(client.options).curlCommand
    }

    static func readAStoredResponse(_ file: Data) throws -> [Plant] {
        try Garden.api.coding.decode([Plant].self, from: Array(file))
    }

    static func readAnUnknownValue(_ plant: Plant) -> String {
        switch plant.kind {
        case .known(let kind): kind.rawValue
        case .other(let text): "a new kind: \(text)"
        }
    }
}
