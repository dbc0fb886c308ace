/// Sends single requests and returns their responses.
///
/// A transport does not follow redirects or retry. It may be used from many tasks at once.
public protocol Transport: Sendable {
    /// Starts in the background the set-up that the first request would wait for. Calling it is optional.
    func prepare()

    /// Sends `request` and returns once the final response's headers have arrived; the body is read on demand.
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
    /// The longest time for the whole transfer; nil is no limit.
    public var maxTime: Duration?
    /// When ``maxTime`` ends, if it began before this transfer: it limits redirects and further attempts together.
    package var deadline: ContinuousClock.Instant?
    /// The longest time to connect, including name lookup and TLS; nil is the transport's default.
    public var connectTimeout: Duration?
    /// The longest time without a byte sent or received, rounded up to whole seconds; nil is no limit.
    public var idleTimeout: Duration?
    /// How the connection is made.
    public var connection = ConnectionOptions()
    /// Called when a transfer has ended, successfully or not, before its last result is returned; nil costs nothing.
    package var onTimes: (@Sendable (TransferTimes) -> Void)?
    /// Called with each event on the wire, in order; nil costs nothing.
    public var onEvent: (@Sendable (TransferEvent) -> Void)?

    /// Options without time limits and callbacks.
    public init() {}

    /// What is left of ``maxTime``, at least zero; nil is no limit.
    public var remainingTime: Duration? {
        deadline.map { max($0 - .now, .zero) } ?? maxTime
    }
}

/// An event on the wire. The bytes are as sent and received: **they may hold secrets**.
public enum TransferEvent: Sendable, Equatable {
    /// The request line and headers.
    case requestHead([UInt8])
    /// A status line and its headers, also of interim responses.
    case responseHead([UInt8])
    /// A line about the transfer: name lookup, connection, TLS.
    case information(String)
}
