/// What carries a request to a server and its answer back.
///
/// A transport sends one request and follows no redirect. It may be used from many tasks at once.
public protocol Transport: Sendable {
    /// Starts in the background what a first request will wait for. It need not be called, and nothing follows from it alone.
    func prepare()

    /// Sends `request` and returns once the final response's head is there; the body follows as it is asked for.
    ///
    /// Throws ``TransportError``, ``MissingCredential``, or `CancellationError` where the task was cancelled, which also stops the
    /// transfer.
    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse
}

extension Transport {
    /// Does nothing: for a transport that has nothing to prepare.
    public func prepare() {}
}

/// How a request is sent.
public struct TransferOptions: Sendable {
    /// The time the whole transfer may take; nil is no limit.
    public var maxTime: Duration?
    /// The time until the connection stands, name lookup and TLS included; nil is the transport's own.
    public var connectTimeout: Duration?
    /// How long the server may be silent: no byte of the answer, none of the request taken; nil is no limit. Whole seconds count.
    public var idleTimeout: Duration?
    /// How the connection is made.
    public var connection: ConnectionOptions
    /// Called once a transfer has ended, well or not, before its end is told; nil costs nothing.
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
    /// A line of the transport's own: name lookup, connection, TLS.
    case information(String)
}
