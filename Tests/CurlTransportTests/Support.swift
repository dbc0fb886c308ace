import CurlTransport
import EndpointKit
import MockServer
import TestSupport
import Testing

extension MockServer {
    /// A request to this server that asks for no compression, so that its head is the same with every libcurl.
    func request(
        _ method: HTTPMethod = .get, _ path: String = "/", headers: [HTTPField] = [], body: RequestBody? = nil
    ) throws -> Request {
        Request(
            method, try BaseURL(baseURL), path: path, headers: [HTTPField("Accept-Encoding", "identity")] + headers,
            body: body)
    }
}

extension Transport {
    /// The whole response.
    func fetch(_ request: Request, options: TransferOptions = TransferOptions()) async throws -> Response {
        let response = try await send(request, options: options)
        return Response(head: response.head, body: try await response.body.collect())
    }

    /// The error that sending the request or reading the body ends with.
    func failure(_ request: Request, options: TransferOptions = TransferOptions()) async -> (any Error)? {
        do {
            _ = try await fetch(request, options: options)
            return nil
        } catch {
            return error
        }
    }
}

/// An id for each row of a table.
protocol Row: Sendable, CustomTestStringConvertible {
    var id: String { get }
}

extension Row {
    var testDescription: String { id }
}

/// `bytes` in gzip's format, by the system's zlib.
func gzip(_ bytes: [UInt8]) throws -> [UInt8] { try #require(Gzip.compress(bytes)) }

extension MockResponse {
    /// A response whose body is `block`, `count` times.
    static func repeating(_ block: [UInt8], count: Int) -> MockResponse {
        .response(200, fields: [("Content-Length", "\(block.count * count)")]).then(
            MockResponse.Step.repeating(block, count: count))
    }
}
