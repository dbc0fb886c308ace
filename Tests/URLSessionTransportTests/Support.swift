import EndpointKit
import MockServer
import URLSessionTransport

extension MockServer {
    /// Returns a request to this server.
    func request(
        _ method: HTTPMethod = .get, _ path: String = "/", query: [QueryItem] = [], headers: [HTTPField] = [],
        body: RequestBody? = nil
    ) throws -> Request {
        Request(method, try BaseURL(baseURL), path: path, query: query, headers: headers, body: body)
    }
}

extension URLSessionTransport {
    /// Sends a request and returns the response with its whole body.
    func answer(to request: Request, _ options: TransferOptions = TransferOptions()) async throws -> Response {
        let response = try await send(request, options: options)
        return Response(head: response.head, body: try await response.body.collect())
    }
}

/// Runs `body` and returns the error that it throws, or nil if it throws none.
func failure(_ body: () async throws -> Void) async -> (any Error)? {
    do {
        try await body()
        return nil
    } catch {
        return error
    }
}

/// Runs `body` and returns the time that it takes.
func time(_ body: () async throws -> Void) async rethrows -> Duration {
    let clock = ContinuousClock()
    return try await clock.measure { try await body() }
}
