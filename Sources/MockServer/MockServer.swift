import Locking
import SystemCalls

/// An HTTP/1.1 server on this machine that responds as configured.
///
///     let server = try MockServer { request in .json(#"{"path": "\#(request.path)"}"#) }
///     // … send requests to server.baseURL …
///     server.stop()
///
/// Each connection has its own thread, so a slow one delays no other.
public final class MockServer: Sendable {
    /// The largest requests and the longest waits that the server accepts.
    package struct Limits: Sendable, Equatable {
        /// The request line and the headers (status 431).
        package var head: Int
        /// The body (status 413).
        package var body: Int
        /// Simultaneous connections; one more gets status 503.
        package var connections: Int
        /// The longest time in which a client neither sends nor receives a byte; nil is no limit.
        ///
        /// Within a request the client then gets status 408. Otherwise the connection just ends.
        package var idle: Duration?
        /// The longest time from a request's first byte to its last (status 408); nil is no limit.
        package var request: Duration?

        /// Creates limits.
        ///
        /// The defaults are 1 MiB for the headers, 256 MiB for the body, 1024 connections and no time limit.
        package init(
            head: Int = 1 << 20, body: Int = 256 << 20, connections: Int = 1024, idle: Duration? = nil,
            request: Duration? = nil
        ) {
            self.head = head
            self.body = body
            self.connections = connections
            self.idle = idle
            self.request = request
        }
    }

    /// The address it listens on, as given.
    package let host: String
    /// The port it listens on.
    package let port: UInt16
    let core: Core

    /// Starts a server on 127.0.0.1. Every request is kept in memory for ``received``.
    ///
    /// - Parameters:
    ///   - port: The port; 0 picks a free one.
    ///   - respond: Called on the connections' threads, concurrently. It may block; ``stop()`` waits for it.
    /// - Throws: ``MockServerError`` if the server can't listen.
    public convenience init(
        port: UInt16 = 0, respond: @escaping @Sendable (ReceivedRequest) -> MockResponse
    ) throws {
        try self.init(host: "127.0.0.1", port: port, respond: respond)
    }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - host: The address to listen on.
    ///   - port: The port; 0 picks a free one.
    ///   - limits: The largest requests and the longest waits.
    ///   - recording: Whether requests are kept for ``received``.
    ///   - refuse: Responds to input that can't be read as a request, before the connection is closed.
    ///   - respond: Called on the connections' threads, concurrently.
    /// - Throws: ``MockServerError``, whose cause tells whether the host, the port or the system is the problem.
    package init(
        host: String = "127.0.0.1", port: UInt16 = 0, limits: Limits = Limits(), recording: Bool = true,
        refuse: @escaping @Sendable (_ status: Int, _ reason: String) -> MockResponse = {
            .text($1 + "\n", status: $0, fields: [("Connection", "close")])
        },
        respond: @escaping @Sendable (ReceivedRequest) -> MockResponse
    ) throws(MockServerError) {
        // The cause of an error in the next step.
        var cause = MockServerError.Cause.system
        do throws(SystemError) {
            core = try Core(limits, recording, refuse, respond)
            cause = .host
            let listener = try Socket.listen(host: host, port: port)
            cause = .system
            self.host = host
            self.port = listener.port
            // The thread holds the core, not the server. Else the server would never be released.
            try core.start(listener.descriptor) { [core] in core.acceptConnections(listener.descriptor) }
        } catch {
            // EACCES: a port below 1024 needs permissions.
            let portErrors = [EADDRINUSE, EACCES].map(SystemError.init(number:))
            if portErrors.contains(error) { cause = .port }
            throw MockServerError(
                cause: cause, description: "could not listen on \(host) port \(port): \(error.reason)")
        }
    }

    deinit { stop() }

    /// The URL of the server: `http://127.0.0.1:8080`. An IPv6 address is in brackets (RFC 3986, section 3.2.2).
    public var baseURL: String {
        host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
    }

    /// All requests so far, in order of completion; none without `recording`.
    public var received: [ReceivedRequest] { core.received.withLock(\.self).map(\.request) }

    /// How many connections have been accepted so far.
    package var connectionCount: Int { core.connections.withLock { $0 } }

    /// Closes the port and all connections and waits for their threads. Calling it again does nothing.
    public func stop() {
        core.stop.fire()
        drain()
    }

    /// Closes the port and idle connections, and waits until the responses under way have been sent.
    ///
    /// There is no time limit for that.
    package func drain() {
        core.closing.fire()
        core.threads.waitForOthers()
    }
}

/// The server can't start.
public struct MockServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The part of the set-up that failed.
    public enum Cause: Sendable {
        /// The address is not one of this machine's.
        case host
        /// The port is taken, or needs other permissions.
        case port
        /// The system has no resources left.
        case system
    }

    /// The part of the set-up that failed.
    public let cause: Cause
    /// The failed action and its reason, in one sentence without a full stop.
    public let description: String
}

extension MockServer {
    /// The state that the server's threads share. It does not hold the server, so releasing the server stops it.
    final class Core: Sendable {
        let limits: Limits
        /// Whether requests are kept in ``received``.
        private let recording: Bool
        /// Responds to input that can't be read as a request, by the status and the reason.
        private let refuse: @Sendable (Int, String) -> MockResponse
        /// Responds to a request.
        private let respond: @Sendable (ReceivedRequest) -> MockResponse
        /// Fires when the server closes: no more requests are read.
        let closing: StopSignal
        /// Fires when the server stops: nothing more is sent, either.
        let stop: StopSignal
        /// Connections over the limit that get a 503; any more are closed at once.
        private static let maxRefused = 32
        let threads = ThreadGroup()
        /// A request that the server received.
        struct Record: Sendable {
            let request: ReceivedRequest
            /// Whether the request makes a call that was stubbed before it came.
            let isExpected: Bool
        }

        /// All requests so far, in order of completion.
        let received = Lock<[Record]>([])
        /// How many connections have been accepted so far.
        let connections = Lock(0)
        /// The calls for which responses were chosen, or that are expected.
        let stubs = CallStubs()
        /// Plays the logins of the APIs that are served; nil if no API is.
        let logins = Lock<MockLogins?>(nil)
        /// The routes of the APIs that are served; nil if no API is.
        let servedRoutes = Lock<CallRoutes?>(nil)
        /// The routes of the APIs that single calls were chosen or read of.
        let routesByAPI = Lock<[ObjectIdentifier: CallRoutes]>([:])

        /// Creates the state of a server that does not listen yet.
        ///
        /// - Parameters:
        ///   - limits: The largest requests and the longest waits.
        ///   - recording: Whether requests are kept in ``received``.
        ///   - refuse: Responds to input that can't be read as a request, by the status and the reason.
        ///   - respond: Responds to a request.
        /// - Throws: `SystemError` if there are no descriptors left for the two signals.
        init(
            _ limits: Limits, _ recording: Bool, _ refuse: @escaping @Sendable (Int, String) -> MockResponse,
            _ respond: @escaping @Sendable (ReceivedRequest) -> MockResponse
        ) throws(SystemError) {
            self.limits = limits
            self.recording = recording
            self.refuse = refuse
            self.respond = respond
            closing = try StopSignal()
            stop = try StopSignal()
        }

        /// Runs `body` on a new thread, which closes `descriptor` in the end.
        ///
        /// - Throws: `SystemError` if there is no thread. Then the descriptor is closed at once.
        func start(_ descriptor: Int32, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
            do throws(SystemError) {
                try threads.start {
                    body()
                    SystemCall.close(descriptor)
                }
            } catch {
                SystemCall.close(descriptor)
                throw error
            }
        }

        /// Accepts connections, and starts to serve each on a thread of its own, until the server closes.
        func acceptConnections(_ listener: Int32) {
            while closing.wait(of: listener, until: nil) {
                switch Socket.accept(listener) {
                case .connection(let descriptor): serveOrRefuse(descriptor)
                case .none: continue
                case .outOfResources:
                    // The connection still waits, so the next attempt would follow at once. A pause keeps the processor
                    // free until another connection has ended.
                    _ = closing.pause(for: .milliseconds(20))
                }
            }
        }

        /// Serves a new connection on a new thread, or refuses it there if there are too many connections.
        ///
        /// If too many are being refused already, it is closed without a response.
        private func serveOrRefuse(_ descriptor: Int32) {
            let number = connections.withLock { count in
                count += 1
                return count
            }
            // The count includes the current thread, which accepts connections, but not yet that of the new connection.
            let excess = threads.count - limits.connections
            guard excess <= Self.maxRefused else {
                SystemCall.close(descriptor)
                return
            }
            // Without a thread the connection is closed, and the client sees that.
            try? start(descriptor) { self.serve(descriptor, number, isExcess: excess > 0) }
        }

        /// Serves the requests of one connection, one after the other, until it ends or the server closes.
        ///
        /// Input that is not a request gets the response of `refuse`, and the connection ends.
        ///
        /// - Parameters:
        ///   - descriptor: The socket.
        ///   - number: The number of the connection, from 1.
        ///   - isExcess: Whether there are too many connections, so that this one only gets status 503.
        private func serve(_ descriptor: Int32, _ number: Int, isExcess: Bool) {
            var stream = ConnectionStream(descriptor, self, number: number)
            do throws(ConnectionEnd) {
                if isExcess { throw .refused(503, "there are \(limits.connections) connections already") }
                while !closing.isFired {
                    let request = try stream.request()
                    let stub = stubs.count(request)
                    if recording {
                        let record = Record(request: request, isExpected: stub != nil)
                        received.withLock { $0.append(record) }
                    }
                    let response = stub?.nextResponse ?? respond(request)
                    // Fails if the client does not take the response. Then nothing else is sent to it, either.
                    let keepsConnection = try? stream.perform(response, to: request)
                    guard keepsConnection == true else { return }
                }
            } catch .refused(let status, let reason) {
                // Fails if the client does not wait for the response. Then it needs none.
                _ = try? stream.perform(refuse(status, reason), to: nil)
            } catch {
                // The connection has ended, so there is nobody to respond to.
            }
        }
    }
}
