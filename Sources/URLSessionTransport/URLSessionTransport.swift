import EndpointKit
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport over URLSession, for apps.
///
/// It follows no redirect and answers no request for a password: the 3xx and the 401 are the answer. What URLSession
/// keeps to itself is missing: the version, the reason phrase and the order of the fields, and
/// `TransferOptions.onEvent` and `onTimes` are never called. What `TransferOptions.connection` asks for is refused
/// with an error (`unsupportedOption`): proxies and trust are the configuration's and the system's business. A
/// compressed body is decoded by URLSession, the fields still say what it was.
///
/// `TransferOptions.connectTimeout` has no counterpart, as URLSession doesn't tell when a connection stands. How long
/// a server may be silent is `TransferOptions.idleTimeout`, else the configuration's `timeoutIntervalForRequest`, or
/// `TransferOptions.maxTime` where that is longer.
///
/// On Linux a transfer can't be held up: see ``init(configuration:bufferLimit:)``. And there URLSession holds the body of
/// a redirect until it is whole, loses it where there is no `Location`, and ends the process over an answer with trailer
/// fields (RFC 9110, section 6.5).
public final class URLSessionTransport: Transport {
    private let session: URLSession
    private let delegate = SessionDelegate()
    private let bufferLimit: Int

    /// A transport with a session of its own.
    ///
    /// `bufferLimit` is how many bytes of a body may wait to be read, 64 MiB by default. Beyond it the transfer waits; on
    /// Linux, where URLSession can't, it fails.
    public init(
        configuration: URLSessionConfiguration = URLSessionTransport.plainConfiguration(), bufferLimit: Int = 64 << 20
    ) {
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        self.bufferLimit = bufferLimit
    }

    deinit {
        // A session holds its delegate until it is told that no more tasks come; those that run may end.
        session.finishTasksAndInvalidate()
    }

    /// A configuration without cookies, cache and stored passwords.
    public static func plainConfiguration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCredentialStorage = nil
        return configuration
    }

    /// Sends `request` and returns once the final response's head is there.
    ///
    /// Throws `TransportError`, also for what URLSession can't send (a body with GET, a header field that is not UTF-8)
    /// and for connection options it does not have; `MissingCredential`; or `CancellationError`.
    public func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        try Task.checkCancellation()
        try options.connection.checkedForURLSession()
        var urlRequest = try URLRequest(request)
        urlRequest.timeoutInterval = silence(options)
        guard request.method != .get || request.body.map({ $0.bytes == [] }) ?? true else {
            throw TransportError(.other, "URLSession sends no body with GET")
        }
        let assembled = try request.body.flatMap { $0.bytes == nil ? try AssembledBody($0) : nil }
        let task: URLSessionTask
        if let assembled {
            task = session.uploadTask(with: urlRequest, fromFile: assembled.url)
        } else {
            urlRequest.httpBody = request.body?.bytes.map { Data($0) }
            task = session.dataTask(with: urlRequest)
        }
        let server = "\(request.base.host) port \(request.base.port ?? (request.base.scheme == "https" ? 443 : 80))"
        let exchange = Exchange(server: server, bufferLimit: bufferLimit)
        delegate.register(exchange, for: task)
        let reader = Reader(exchange: exchange, assembled: assembled)
        let head = try await withTaskCancellationHandler {
            try await exchange.start(task, maxTime: options.maxTime)
        } onCancel: {
            exchange.stop(CancellationError())
        }
        return StreamedResponse(head: head, body: ResponseBody { try await reader.exchange.next() })
    }

    /// How long the server may be silent, in seconds.
    private func silence(_ options: TransferOptions) -> Double {
        if let idle = options.idleTimeout { return min(max(idle / .seconds(1), 0.001), 31_536_000) }
        let maxTime = options.maxTime.map { $0 / .seconds(1) + 1 } ?? 0
        // URLSession on Linux counts milliseconds in an Int; a year is as good as for ever.
        return min(max(session.configuration.timeoutIntervalForRequest, maxTime), 31_536_000)
    }
}

/// Who reads the body: letting go of it stops the transfer.
private final class Reader: Sendable {
    let exchange: Exchange
    /// Kept as long as it may be sent.
    private let assembled: AssembledBody?

    init(exchange: Exchange, assembled: AssembledBody?) {
        self.exchange = exchange
        self.assembled = assembled
    }

    deinit { exchange.stop(CancellationError()) }
}
