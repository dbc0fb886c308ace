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
        /// The greatest length of the request line and the headers, in bytes. A longer head gets the status 431.
        package var head: Int
        /// The greatest length of the body, in bytes. A longer body gets the status 413.
        package var body: Int
        /// The greatest number of simultaneous connections. One more gets the status 503.
        package var connections: Int
        /// The longest time in which a client neither sends nor receives a byte; nil is no limit.
        ///
        /// Within a request the client then gets status 408. Otherwise the connection just ends.
        package var idle: Duration?
        /// The longest time from a request's first byte to its last (status 408); nil is no limit.
        package var request: Duration?

        /// Creates limits.
        ///
        /// - Parameters:
        ///   - head: The greatest length of the request line and the headers, in bytes: 1 MiB by default.
        ///   - body: The greatest length of the body, in bytes: 256 MiB by default.
        ///   - connections: The greatest number of simultaneous connections.
        ///   - idle: The longest time in which a client neither sends nor receives a byte; nil is no limit.
        ///   - request: The longest time from a request's first byte to its last; nil is no limit.
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

    /// The address on which the server listens, as given.
    package let host: String
    /// The port on which the server listens.
    package let port: UInt16
    /// The state that the server's threads share.
    let core: Core

    /// Starts a server on 127.0.0.1. Every request is kept in memory for ``received``.
    ///
    /// - Parameters:
    ///   - port: The port. With 0, the system picks a free one.
    ///   - respond: Returns the response to a request. It is called on the connections' threads, concurrently. It may
    ///     block, and ``stop()`` waits for it.
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
    ///   - port: The port. With 0, the system picks a free one.
    ///   - limits: The largest requests and the longest waits.
    ///   - recording: Whether requests are kept for ``received``.
    ///   - refuse: Returns the response to input that can't be read as a request. Then the connection is closed.
    ///   - respond: Returns the response to a request. It is called on the connections' threads, concurrently.
    /// - Throws: ``MockServerError``, whose cause tells whether the host, the port or the system is the problem.
    package init(
        host: String = "127.0.0.1", port: UInt16 = 0, limits: Limits = Limits(), recording: Bool = true,
        refuse: @escaping @Sendable (_ status: Int, _ reason: String) -> MockResponse = { status, reason in
            .text(reason + "\n", status: status, fields: [("Connection", "close")])
        },
        respond: @escaping @Sendable (ReceivedRequest) -> MockResponse
    ) throws(MockServerError) {
        let startup = Startup(host: host, port: port)
        core = try startup.runStep(reporting: .system) { () throws(SystemError) in
            try Core(limits: limits, recording: recording, refuse: refuse, respond: respond)
        }
        let listener = try startup.runStep(reporting: .host) { () throws(SystemError) in
            try Socket.listen(host: host, port: port)
        }
        self.host = host
        self.port = listener.port
        // The thread holds the core, not the server. Otherwise the server would never be released.
        try startup.runStep(reporting: .system) { [core] () throws(SystemError) in
            try core.startThread(owning: listener.descriptor) { core.acceptConnections(of: listener.descriptor) }
        }
    }

    /// Stops the server.
    deinit { stop() }

    /// The URL of the server: `http://127.0.0.1:8080`. An IPv6 address is in brackets (RFC 3986, section 3.2.2).
    public var baseURL: String {
        host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
    }

    /// All requests so far, in order of completion. It is empty if the server does not record requests.
    public var received: [ReceivedRequest] { core.records.withLock(\.self).map(\.request) }

    /// The number of connections that have been accepted so far.
    package var connectionCount: Int { core.connectionCount.withLock { $0 } }

    /// Closes the port and all connections, and waits for their threads. Calling it again does nothing.
    public func stop() {
        core.stopSignal.fire()
        drain()
    }

    /// Closes the port and idle connections, and waits until the responses under way have been sent.
    ///
    /// There is no time limit for that.
    package func drain() {
        core.closeSignal.fire()
        core.threads.waitForOthers()
    }
}

/// Runs the steps in which a server starts, and converts errors of the system to ``MockServerError``.
private struct Startup {
    /// The address that the server shall listen on.
    let host: String
    /// The port that the server shall listen on.
    let port: UInt16

    /// Runs a step of the server's start, and converts its error.
    ///
    /// - Parameters:
    ///   - cause: The cause to report if the step fails. An error about the port has the cause `port` in any case.
    ///   - step: The step, such as listening on the port.
    /// - Returns: The result of `step`.
    /// - Throws: ``MockServerError`` for any error of `step`.
    func runStep<Result>(
        reporting cause: MockServerError.Cause, _ step: () throws(SystemError) -> Result
    ) throws(MockServerError) -> Result {
        do throws(SystemError) {
            return try step()
        } catch {
            // EADDRINUSE: the port is taken. EACCES: a port below 1024 needs permissions.
            let portErrors = [EADDRINUSE, EACCES].map(SystemError.init(number:))
            let isAboutPort = portErrors.contains(error)
            throw MockServerError(
                cause: isAboutPort ? .port : cause,
                description: "could not listen on \(host) port \(port): \(error.reason)")
        }
    }
}

/// The error of a server that can't start.
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
        /// A request that the server received.
        struct Record: Sendable {
            let request: ReceivedRequest
            /// Whether the request makes a call that was stubbed before it came.
            let isExpected: Bool
        }

        /// The largest requests and the longest waits.
        let limits: Limits
        /// Whether requests are kept in ``records``.
        private let recording: Bool
        /// Returns the response to input that can't be read as a request, for a status and a reason.
        private let refuse: @Sendable (Int, String) -> MockResponse
        /// Returns the response to a request.
        private let respond: @Sendable (ReceivedRequest) -> MockResponse
        /// Fires when the server closes. Then no more requests are read, but responses are still sent.
        let closeSignal: StopSignal
        /// Fires when the server stops. Then nothing is sent any more, either.
        let stopSignal: StopSignal
        /// The number of connections over the limit that get the status 503 at the same time. Any more are closed at
        /// once, so that a flood of connections does not take a thread for each.
        private static let maxRefusedConnections = 32
        /// The threads that accept connections and serve them.
        let threads = ThreadGroup()

        /// All requests so far, in order of completion.
        let records = Lock<[Record]>([])
        /// The number of connections that have been accepted so far.
        let connectionCount = Lock(0)
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
        ///   - recording: Whether requests are kept in ``records``.
        ///   - refuse: Returns the response to input that can't be read as a request, for a status and a reason.
        ///   - respond: Returns the response to a request.
        /// - Throws: `SystemError` if there are no descriptors left for the two signals.
        init(
            limits: Limits, recording: Bool, refuse: @escaping @Sendable (Int, String) -> MockResponse,
            respond: @escaping @Sendable (ReceivedRequest) -> MockResponse
        ) throws(SystemError) {
            self.limits = limits
            self.recording = recording
            self.refuse = refuse
            self.respond = respond
            closeSignal = try StopSignal()
            stopSignal = try StopSignal()
        }

        /// Runs `body` on a new thread, which closes `descriptor` in the end.
        ///
        /// - Throws: `SystemError` if there is no thread. Then the descriptor is closed at once.
        func startThread(owning descriptor: Int32, body: @escaping @Sendable () -> Void) throws(SystemError) {
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
        ///
        /// - Parameter listener: The socket that listens.
        func acceptConnections(of listener: Int32) {
            // A listening socket is readable when a connection waits to be accepted.
            while closeSignal.wait(for: .readable, of: listener, until: nil) {
                switch Socket.accept(listener) {
                case .connection(let descriptor):
                    serveOrRefuse(descriptor)
                case .none:
                    // The client has given the connection up meanwhile.
                    continue
                case .outOfResources:
                    // The connection still waits, so the next attempt would follow at once. A pause keeps the processor
                    // free until another connection has ended.
                    _ = closeSignal.pause(for: .milliseconds(20))
                }
            }
        }

        /// Counts a new connection and serves it on a new thread, or refuses it there if there are too many
        /// connections.
        ///
        /// If too many are being refused already, the connection is closed without a response.
        ///
        /// - Parameter connection: The socket of the connection.
        private func serveOrRefuse(_ connection: Int32) {
            let number = connectionCount.withLock { count in
                count += 1
                return count
            }
            // The count includes the current thread, which accepts connections, but not yet that of the new connection.
            let excessCount = threads.count - limits.connections
            guard excessCount <= Self.maxRefusedConnections else {
                SystemCall.close(connection)
                return
            }
            // If no thread can be started, the connection is closed, and the client sees that.
            try? startThread(owning: connection) {
                var stream = ConnectionStream(connection, server: self, number: number)
                if excessCount > 0 {
                    self.refuseInput(
                        of: &stream, status: 503, reason: "there are \(self.limits.connections) connections already")
                } else {
                    self.serve(&stream)
                }
            }
        }

        /// Serves the requests of one connection, one after the other, until it ends or the server closes.
        ///
        /// Input that can't be read as a request is refused, and the connection ends.
        private func serve(_ stream: inout ConnectionStream) {
            do throws(ConnectionEnd) {
                while !closeSignal.isFired {
                    let request = try stream.readRequest()
                    let response = recordAndRespond(to: request)
                    do {
                        let keepsConnection = try stream.perform(response, to: request)
                        if !keepsConnection { return }
                    } catch {
                        // The client does not take the response, so nothing else is sent to it.
                        return
                    }
                }
            } catch .refused(let status, let reason) {
                refuseInput(of: &stream, status: status, reason: reason)
            } catch {
                // The connection has ended, so there is nobody to respond to.
            }
        }

        /// Counts a request for the stubbed call that it makes, records it, and returns the response to it.
        private func recordAndRespond(to request: ReceivedRequest) -> MockResponse {
            let stub = stubs.countRequest(request)
            if recording {
                let record = Record(request: request, isExpected: stub != nil)
                records.withLock { $0.append(record) }
            }
            return stub?.nextResponse ?? respond(request)
        }

        /// Sends the response of ``refuse`` to input that is not served, and ends the connection.
        ///
        /// Sending fails if the client does not wait for the response. Then it needs none.
        private func refuseInput(of stream: inout ConnectionStream, status: Int, reason: String) {
            _ = try? stream.perform(refuse(status, reason), to: nil)
        }
    }
}
