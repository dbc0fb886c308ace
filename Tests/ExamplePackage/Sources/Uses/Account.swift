import EndpointKit
import Foundation

/// Keeps the login of an app.
protocol TokenStore: Sendable {
    func token(isRejected: Bool) async throws -> String
}

/// Ways to give credentials, and to observe requests.
enum Account {
    static func giveTokensWhenTheyAreNeeded(_ client: Client, _ store: any TokenStore) -> Client {
        var client = client
        client.credentials = { challenge in
            ["GARDEN_TOKEN": try await store.token(isRejected: challenge.reason == .rejected)]
        }
        return client
    }

    static func takeCredentialsFromTheEnvironment(_ client: Client) -> Client {
        var client = client
        client.options.variables = { ProcessInfo.processInfo.environment[$0] }
        return client
    }

    static func addAHeaderToEachAttempt(_ client: Client) -> Client {
        var client = client
        client.interceptors.append(
            Interceptor { request, next in
                var request = request
                request.setHeader("X-Request-ID", UUID().uuidString)
                return try await next(request)
            })
        return client
    }

    static func logCurlCommands(_ client: Client) -> Client {
        var client = client
        client.log = ClientLog { print($0) }
        return client
    }

    static func uploadWithProgress(
        _ client: Client, _ file: String, show: @escaping @Sendable (Double) -> Void
    ) async throws {
        var client = client
        client.transfer.onSent = { count, total in show(Double(count) / Double(total)) }
        try await client.send(Garden.upload(id: 7, file: file))
    }

    static func downloadWithProgress(
        _ client: Client, show: @escaping @Sendable (Double) -> Void
    ) async throws -> [UInt8] {
        var client = client
        client.transfer.onReceived = { count, total in
            if let total { show(Double(count) / Double(total)) }
        }
        return try await client.rawResponse(to: Garden.photo(path: "2026/rose.jpg")).body
    }
}
