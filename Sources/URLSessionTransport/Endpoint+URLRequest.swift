import EndpointKit
import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Endpoint {
    /// Makes an endpoint with the method, URL, headers and body of a request.
    ///
    ///     var endpoint: Endpoint { Endpoint(urlRequest, returns: Pet.self) }
    ///
    /// The URL must begin with that of one of the API's servers, which is taken off. A credential in the request is
    /// found by ``API/lint()``: it belongs to the API's credentials. The rest is as in an endpoint with a path.
    ///
    /// A body from `httpBodyStream` can be sent once, because an `InputStream` can be read once. A second attempt, such
    /// as a retry, fails with a `TransportError`.
    ///
    /// `timeoutInterval`, `cachePolicy` and the other settings of the request are not taken. Set those of the client
    /// (`client.transfer`) and of the session's configuration.
    public init(
        _ request: URLRequest, returns model: any (Decodable & Sendable).Type, summary: String = "",
        notes: [ParameterName: String] = [:], rules: [ParameterRule] = [], credentials: [Credential]? = nil,
        pages: Paging? = nil, sample: Sample? = nil, file: String = #filePath, line: Int = #line
    ) {
        // The headers are sorted, because the order of a dictionary differs from run to run.
        let headers = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        // The empty path stands for that of the request's URL, which is set below.
        self.init(
            HTTPMethod(rawValue: request.httpMethod ?? "GET"), "", returns: model, summary: summary, notes: notes,
            rules: rules, credentials: credentials, pages: pages, sample: sample, file: file, line: line)
        setURL(request.url?.absoluteString ?? "", headers: headers, body: request.httpBody.map { [UInt8]($0) })
        if body == nil, let input = request.httpBodyStream {
            let contentType = request.value(forHTTPHeaderField: "Content-Type") ?? "application/octet-stream"
            body = .stream(BodyStream(input), contentType: contentType)
        }
    }
}

extension BodyStream {
    /// Creates a stream of what an `InputStream` has, which can be read once.
    fileprivate init(_ input: InputStream) {
        let chunks = InputChunks(input)
        self.init { AsyncThrowingStream(unfolding: chunks.next) }
    }
}

/// Reads an `InputStream` chunk by chunk.
private final class InputChunks: Sendable {
    /// The stream. It is used with the lock held only, so that two threads never use it at once.
    private struct State: @unchecked Sendable {
        let input: InputStream
        var isOpen = false
    }

    private let state: Lock<State>

    init(_ input: InputStream) { state = Lock(State(input: input)) }

    deinit { state.withLock { $0.input.close() } }

    /// Returns the next bytes, at most 64 KiB; nil at the end of the stream.
    ///
    /// - Throws: `TransportError` if the stream can't be read.
    @Sendable func next() async throws -> [UInt8]? {
        try state.withLock { state in
            if !state.isOpen {
                guard state.input.streamStatus == .notOpen else {
                    throw TransportError(.invalidRequest, detail: "the body's stream has been read before")
                }
                state.input.open()
                state.isOpen = true
            }
            var chunk = [UInt8](repeating: 0, count: 64 << 10)
            let count = state.input.read(&chunk, maxLength: chunk.count)
            if count < 0 {
                let reason = state.input.streamError?.localizedDescription ?? "unknown error"
                throw TransportError(.invalidRequest, detail: "the body's stream can't be read: \(reason)")
            }
            return count == 0 ? nil : Array(chunk[..<count])
        }
    }
}
