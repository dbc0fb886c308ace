import EndpointKit
import Synchronization

/// Sends requests over the system's libcurl.
///
/// The first request, or ``prepare()`` before it, starts the transport's thread, which looks for libcurl and loads it, carries
/// all transfers, and keeps connections open for the next ones. It ends once the transport and all the bodies it has given
/// out are gone. Requests that differ in ``ConnectionOptions`` share no thread and
/// no connection.
public final class CurlTransport: Transport {
    private let configuration: CurlConfiguration
    private let loops = Mutex(LoopShelf())

    /// A transport that loads nothing and opens no connection before it is used.
    public init(configuration: CurlConfiguration = CurlConfiguration()) {
        self.configuration = configuration
    }

    /// Starts the thread for requests with the usual ``ConnectionOptions``, which loads libcurl: that takes most of the time of a
    /// short request.
    public func prepare() {
        // What goes wrong here goes wrong again, and is told, when a request is sent.
        _ = try? loop(for: ConnectionOptions())
    }

    /// Sends `request` and returns once the final response's head is there.
    ///
    /// Throws ``TransportError`` (`libraryMissing` where there is no libcurl), ``MissingCredential``, ``InvalidHeader`` where a
    /// header field could end the request's head, or `CancellationError`. `options.onEvent` is called on the transport's
    /// thread: whoever waits there holds up every transfer.
    public func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        let plan = try TransferPlan(request, options: options)
        let reader = BodyReader(loop: try loop(for: options.connection))
        let head = try await reader.start(plan)
        return StreamedResponse(head: head, body: ResponseBody { try await reader.next() })
    }

    /// The name and version of libcurl and what it is built with, such as `libcurl/7.88.1 OpenSSL/3.0.19 zlib/1.2.13`;
    /// nil where there is no libcurl. This loads the library.
    public static func libraryVersion() -> String? {
        (try? LibCurl.shared.get())?.version
    }

    /// Runs tasks on the thread that carries the transfers with the usual ``ConnectionOptions``: an answer does not change threads.
    ///
    /// That makes many small requests cheaper:
    ///
    ///     try await withTaskExecutorPreference(transport.executor()) { … }
    ///
    /// No transfer goes on while such a task works or blocks, so it should do little between its requests. Throws
    /// ``TransportError`` where there is no libcurl.
    public func executor() throws -> any TaskExecutor {
        _ = try LibCurl.shared.get()
        return LoopExecutor(try loop(for: ConnectionOptions()))
    }

    private func loop(for options: ConnectionOptions) throws -> CurlLoop {
        try loops.withLock { shelf in
            try shelf.loop(for: options) { () throws(TransportError) in
                try CurlLoop(configuration: configuration)
            }
        }
    }
}
