import EndpointKit
import Synchronization

/// Sends requests over the system's libcurl.
///
/// The first request, or ``prepare()`` before it, starts the transport's thread. It loads libcurl, runs all transfers, and keeps
/// connections open for reuse. It ends once the transport and all bodies from it are released. Requests that differ in
/// ``ConnectionOptions`` share neither a thread nor a connection.
public final class CurlTransport: Transport {
    private let trust: TrustStore
    private let loops = Mutex(LoopCache())

    /// A transport that loads nothing and opens no connection before it is used.
    public init(configuration: CurlConfiguration = CurlConfiguration()) {
        trust = TrustStore(configuration)
    }

    /// Starts the thread for requests with the default ``ConnectionOptions``, which loads libcurl: most of the time of a short
    /// request.
    public func prepare() {
        // If this fails, so does the first request, with the same error.
        _ = try? loop(for: ConnectionOptions())
    }

    /// Sends `request` and returns once the final response's headers are here.
    ///
    /// Throws ``TransportError`` (`libraryMissing` without libcurl), ``MissingCredential``, ``InvalidHeader`` if a header could end
    /// the request's headers, or `CancellationError`. `options.onEvent` is called on the transport's thread: blocking there delays
    /// every transfer.
    public func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        let plan = try TransferPlan(request, options: options)
        let reader = BodyReader(loop: try loop(for: options.connection))
        let head = try await reader.start(plan)
        return StreamedResponse(head: head, body: ResponseBody { try await reader.next() })
    }

    private func loop(for options: ConnectionOptions) throws -> CurlLoop {
        try loops.withLock { loops in
            try loops.loop(for: options) { () throws(TransportError) in
                try CurlLoop(trust: trust)
            }
        }
    }
}
