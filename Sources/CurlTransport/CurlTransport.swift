import EndpointKit
import Synchronization

/// Sends requests over the system's libcurl.
///
/// The first request, or ``prepare()`` before it, starts the transport's thread. It loads libcurl, runs all transfers,
/// and keeps connections open for reuse. It ends once the transport and all bodies from it are released. Requests that
/// differ in ``ConnectionOptions`` share neither a thread nor a connection.
public final class CurlTransport: Transport {
    /// The greatest number of threads. One that is dropped finishes its transfers; then its connections close.
    private static let maxLoops = 4

    private let trust: TrustStore
    /// One loop for each set of connection options, the most recently used first.
    ///
    /// Each has its own connections and addresses. What was connected to, trusted or looked up for one request never
    /// serves one with other options, whatever libcurl compares before it reuses a connection.
    private let loops = Mutex<[(options: ConnectionOptions, loop: CurlLoop)]>([])

    /// Makes a transport. It loads nothing and opens no connection before it is used.
    public init(configuration: CurlConfiguration = CurlConfiguration()) {
        trust = TrustStore(configuration)
    }

    /// Starts the thread for requests with the default ``ConnectionOptions``, which loads libcurl: most of the time of
    /// a short request.
    public func prepare() {
        // If this fails, so does the first request, with the same error.
        _ = try? findOrStartLoop(for: ConnectionOptions())
    }

    /// Sends `request` and returns once the final response's headers are here.
    ///
    /// `options.onEvent` is called on the transport's thread: blocking there delays every transfer.
    ///
    /// - Throws: ``TransportError`` (`libraryMissing` without libcurl), ``MissingCredential``, ``RequestError`` if a
    ///   header could end the request's headers, or `CancellationError`.
    public func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        let spooled = try await SpooledRequest(request)
        // The files of the body are opened here, so that they can be removed at once.
        let plan = try withExtendedLifetime(spooled) { try TransferPlan(spooled.request, options: options) }
        let reader = BodyReader(loop: try findOrStartLoop(for: options.connection))
        let head = try await reader.start(plan)
        return StreamedResponse(head: head, body: ResponseBody { try await reader.next() })
    }

    /// Returns the loop that sends requests with these connection options, and makes it the most recently used one. If
    /// there is none, a loop is started, which has a thread of its own.
    ///
    /// If there are too many then, the loop that has not been used for the longest time is dropped: its thread ends
    /// after its last transfer.
    private func findOrStartLoop(for options: ConnectionOptions) throws -> CurlLoop {
        try loops.withLock { loops in
            if let index = loops.firstIndex(where: { $0.options == options }) {
                let isMostRecent = index == 0
                if !isMostRecent { loops.insert(loops.remove(at: index), at: 0) }
            } else {
                loops.insert((options, try CurlLoop(trust: trust)), at: 0)
                if loops.count > Self.maxLoops { loops.removeLast() }
            }
            return loops[0].loop
        }
    }
}
