/// Carries a request to a server and the response back.
///
/// A transport sends one request and follows no redirect. It may be used from many tasks at once.
public protocol Transport: Sendable {
    /// Starts in the background what the first request would wait for. Calling it is optional.
    func prepare()

    /// Sends `request` and returns once the final response's headers are here; the body is read on demand.
    ///
    /// Throws ``TransportError``, ``MissingCredential``, or `CancellationError` if the task was cancelled, which also stops the
    /// transfer.
    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse
}

extension Transport {
    /// Does nothing.
    public func prepare() {}
}

/// How a request is sent.
public struct TransferOptions: Sendable {
    /// The time the whole transfer may take; nil is no limit.
    public var maxTime: Duration?
    /// The time to connect, name lookup and TLS included; nil is the transport's default.
    public var connectTimeout: Duration?
    /// How long the server may be silent, neither sending nor accepting a byte; nil is no limit. Rounded up to whole seconds.
    public var idleTimeout: Duration?
    /// How the connection is made.
    public var connection: ConnectionOptions
    /// Called once a transfer has ended, successfully or not, before its caller learns of it; nil costs nothing.
    public var onTimes: (@Sendable (TransferTimes) -> Void)?
    /// Called with what happens on the wire, in order; nil costs nothing.
    public var onEvent: (@Sendable (TransferEvent) -> Void)?

    /// Options without limits of time or callbacks, unless given.
    public init(
        maxTime: Duration? = nil, connectTimeout: Duration? = nil, idleTimeout: Duration? = nil,
        connection: ConnectionOptions = ConnectionOptions(),
        onEvent: (@Sendable (TransferEvent) -> Void)? = nil, onTimes: (@Sendable (TransferTimes) -> Void)? = nil
    ) {
        self.maxTime = maxTime
        self.connectTimeout = connectTimeout
        self.idleTimeout = idleTimeout
        self.connection = connection
        self.onTimes = onTimes
        self.onEvent = onEvent
    }
}

/// Something that happened on the wire. The bytes are as sent and received: **they may hold secrets**.
public enum TransferEvent: Sendable, Equatable {
    /// The request line and the header fields.
    case requestHead([UInt8])
    /// A status line and its header fields, of interim responses too.
    case responseHead([UInt8])
    /// A line about the transfer: name lookup, connection, TLS.
    case information(String)
}
