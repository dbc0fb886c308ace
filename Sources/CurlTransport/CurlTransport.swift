import EndpointKit
import Synchronization

/// Sends requests over the system's libcurl.
///
/// The first request, or ``prepare()`` before it, starts the transport's thread. It loads libcurl, runs all transfers, and keeps
/// connections open for reuse. It ends once the transport and all bodies from it are released. Requests that differ in
/// ``ConnectionOptions`` share neither a thread nor a connection.
public final class CurlTransport: Transport {
    /// A loop that is dropped finishes its transfers; its connections close with them.
    private static let maxLoops = 4

    private let trust: TrustStore
    /// One for each set of connection options, the most recently used first, each with its own connections and addresses: what was connected
    /// to, trusted or looked up for one request never serves one with other options, whatever libcurl compares before it reuses a connection.
    private let loops = Mutex<[(options: ConnectionOptions, loop: CurlLoop)]>([])

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
    /// Throws ``TransportError`` (`libraryMissing` without libcurl), ``MissingCredential``, ``RequestProblem`` if a header could end
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
            if let first = loops.first, first.options == options { return first.loop }
            if let index = loops.firstIndex(where: { $0.options == options }) {
                loops.insert(loops.remove(at: index), at: 0)
            } else {
                loops.insert((options, try CurlLoop(trust: trust)), at: 0)
                if loops.count > Self.maxLoops { loops.removeLast() }
            }
            return loops[0].loop
        }
    }
}

/// The task's side of one transfer: starts it, delivers its body, and stops it with the last reference to the reader.
final class BodyReader: Sendable {
    private let loop: CurlLoop
    private let delivery = Delivery()

    init(loop: CurlLoop) { self.loop = loop }

    deinit { stop() }

    /// Starts the transfer and returns the head of the final response.
    func start(_ plan: TransferPlan) async throws -> ResponseHead {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                delivery.awaitHead(waiter)
                loop.post(.start(plan, delivery))
            }
        } onCancel: {
            stop()
        }
    }

    /// The body's next chunk; nil at its end.
    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                if delivery.awaitBytes(waiter) { loop.post(.resume(delivery)) }
            }
        } onCancel: {
            stop()
        }
    }

    /// The waiting task is resumed at once; the loop closes the connection in its own time.
    private func stop() {
        if delivery.abandon() { loop.post(.stop(delivery)) }
    }
}

/// Settings for every transfer of a ``CurlTransport``.
public struct CurlConfiguration: Sendable, Equatable {
    /// A file of certificates in PEM form, trusted instead of the bundle that libcurl was built with (curl's `--cacert`).
    package var certificateBundle: String?
    /// A directory of such certificates with hash links (`openssl rehash`), trusted instead of the one that libcurl was built with
    /// (curl's `--capath`).
    package var certificateDirectory: String?

    /// A configuration with those paths; nil leaves the choice to libcurl.
    public init(certificateBundle: String? = nil, certificateDirectory: String? = nil) {
        self.certificateBundle = certificateBundle
        self.certificateDirectory = certificateDirectory
    }

    /// The configuration that variables ask for; an empty one counts as not set.
    ///
    /// `CURL_CA_BUNDLE` replaces the bundle and hides the other two, as for the curl tool. Else `SSL_CERT_FILE` replaces the bundle and
    /// `SSL_CERT_DIR` the directory, as for OpenSSL. What none of them replaces is as libcurl was built. A request's
    /// ``EndpointKit/ConnectionOptions/certificateAuthorities`` (`--cacert`) are trusted instead of all of these.
    public init(variables: (String) -> String?) {
        func value(_ name: String) -> String? { variables(name).flatMap { $0.isEmpty ? nil : $0 } }
        if let bundle = value("CURL_CA_BUNDLE") {
            self.init(certificateBundle: bundle)
        } else {
            self.init(certificateBundle: value("SSL_CERT_FILE"), certificateDirectory: value("SSL_CERT_DIR"))
        }
    }
}
