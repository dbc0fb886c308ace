import EndpointKit
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport over URLSession, for apps.
///
/// It follows no redirect and answers no password challenge: the 3xx or 401 is the response. URLSession does not report
/// the HTTP version, the reason phrase and the order of the headers; `TransferOptions.onEvent` is never called. Any of
/// `TransferOptions.connection` is refused with an error (`unsupportedOption`): proxies and trust belong to the
/// configuration and the system. URLSession decodes a compressed body; the headers stay as they were sent.
///
/// `TransferOptions.connectTimeout` has no effect, as URLSession does not report when a connection is made. A server
/// may be silent for `TransferOptions.idleTimeout`, else for the configuration's `timeoutIntervalForRequest` or
/// `TransferOptions.maxTime`, whichever is longer.
///
/// On Linux a transfer can't be paused: see ``init(configuration:bufferLimit:)``. There URLSession also holds the body
/// of a redirect until it is complete, loses it without a `Location`, and ends the process if a response has trailer
/// fields (RFC 9110, section 6.5).
public final class URLSessionTransport: Transport {
    private let session: URLSession
    private let delegate = SessionDelegate()
    private let bufferLimit: Int

    /// Makes a transport with a session of its own, by default without cookies, cache and stored passwords.
    ///
    /// - Parameters:
    ///   - configuration: The session's configuration.
    ///   - bufferLimit: The number of bytes of a body that may wait to be read. Beyond it the transfer pauses; on
    ///     Linux, where URLSession can't pause, it fails.
    public init(configuration: URLSessionConfiguration? = nil, bufferLimit: Int = 64 << 20) {
        let configuration = configuration ?? Self.plainConfiguration
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        self.bufferLimit = bufferLimit
    }

    deinit {
        // A session keeps its delegate until it is invalidated; running tasks may finish.
        session.finishTasksAndInvalidate()
    }

    /// A configuration without cookies, cache and stored passwords, so that a request depends on nothing before it.
    private static var plainConfiguration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCredentialStorage = nil
        return configuration
    }

    /// Sends a request, and returns once the headers of the final response have arrived.
    ///
    /// - Throws: `TransportError`, `MissingCredential` or `CancellationError`. It is a `TransportError` too if
    ///   URLSession can't send the request (a body with GET, a header that is not UTF-8) or does not support a
    ///   connection option.
    public func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        try Task.checkCancellation()
        // A request must not take another route, or trust others, than is configured.
        guard options.connection == ConnectionOptions() else {
            throw TransportError(.unsupportedOption, detail: "URLSession can't change the connection of one request")
        }
        let (task, assembledBody) = try await makeTask(for: request, options: options)
        let exchange = Exchange(
            server: TransportError.Peer(request.base), bufferLimit: bufferLimit, onSent: options.onSent)
        delegate.register(exchange, for: task)
        let reader = Reader(exchange: exchange, assembledBody: assembledBody)
        let head = try await withTaskCancellationHandler {
            try await exchange.start(task, options: options)
        } onCancel: {
            exchange.stop(CancellationError())
        }
        // The body holds the reader, whose end stops the transfer.
        return StreamedResponse(head: head, body: ResponseBody { try await reader.exchange.next() })
    }

    /// Makes a task of URLSession that sends a request.
    ///
    /// - Returns: The task. If the body includes streams, or files beside other pieces, also the temporary file from
    ///   which the task reads the body, and which must be kept as long.
    /// - Throws: `TransportError` if URLSession can't send the request as it is, and `MissingCredential`.
    private func makeTask(
        for request: Request, options: TransferOptions
    ) async throws -> (task: URLSessionTask, assembledBody: AssembledBody?) {
        var urlRequest = try URLRequest(request)
        urlRequest.timeoutInterval = idleSeconds(for: options)
        guard let body = request.body else { return (session.dataTask(with: urlRequest), nil) }
        // The length of a stream is nil, so that it counts as a body too.
        if request.method == .get, body.byteCount != 0 {
            throw TransportError(.invalidRequest, detail: "URLSession sends no body with GET")
        }
        if let file = try Self.singleFile(of: body) {
            return (session.uploadTask(with: urlRequest, fromFile: file), nil)
        }
        if let bytes = body.bytes {
            urlRequest.httpBody = Data(bytes)
            return (session.dataTask(with: urlRequest), nil)
        }
        let assembledBody = try await AssembledBody(body)
        return (session.uploadTask(with: urlRequest, fromFile: assembledBody.url), assembledBody)
    }

    /// Returns the file that is the whole body, from which URLSession can read it without a copy.
    ///
    /// - Returns: The URL of the file. Nil for any other body, and for what can be read only once, such as a pipe.
    /// - Throws: `TransportError` if the file can't be read.
    private static func singleFile(of body: RequestBody) throws -> URL? {
        guard body.pieces.count == 1, case .file(let path) = body.pieces[0] else { return nil }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw TransportError(.unreadableBody(path: path))
        }
        // Links are followed, because the type below would be that of a link itself.
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let type = try? FileManager.default.attributesOfItem(atPath: file.path)[.type] as? FileAttributeType
        return type == .typeRegular ? file : nil
    }

    /// The longest silence of a server, in seconds. URLSession on Linux counts milliseconds in an `Int`, and a year is
    /// as good as no limit.
    private static let maxIdleSeconds = 31_536_000.0

    /// Returns how long the server may be silent, in seconds: as long as the options say, else as the session's
    /// configuration says.
    private func idleSeconds(for options: TransferOptions) -> Double {
        if let idle = options.idleTimeout { return min(max(idle / .seconds(1), 0.001), Self.maxIdleSeconds) }
        var seconds = session.configuration.timeoutIntervalForRequest
        if let remaining = options.remainingTime {
            // The limit of the whole transfer ends it first, with an error of its own.
            seconds = max(seconds, remaining / .seconds(1) + 1)
        }
        return min(seconds, Self.maxIdleSeconds)
    }
}

/// The reader of a body: releasing it stops the transfer.
private final class Reader: Sendable {
    let exchange: Exchange
    /// Kept while it may still be sent.
    private let assembledBody: AssembledBody?

    init(exchange: Exchange, assembledBody: AssembledBody?) {
        self.exchange = exchange
        self.assembledBody = assembledBody
    }

    deinit { exchange.stop(CancellationError()) }
}
