import Synchronization
import SystemCalls

/// An HTTP/1.1 server on this machine that responds as told.
///
///     let server = try MockServer { request in .json(#"{"path": "\#(request.path)"}"#) }
///     // … send requests to server.baseURL …
///     server.stop()
///
/// Each connection has its own thread, so a slow one delays no other.
public final class MockServer: Sendable {
    /// The largest request that the server accepts, in bytes.
    package struct Limits: Sendable, Equatable {
        /// The request line and the headers (status 431).
        package var head: Int
        /// The body (status 413).
        package var body: Int
        /// Simultaneous connections; one more is closed at once.
        package var connections: Int
        /// The longest time in which a client neither sends nor receives a byte (status 408 within a request); nil is no limit.
        package var idle: Duration?

        /// Limits of 1 MiB for the headers, 256 MiB for the body, 1024 connections and no time, unless given.
        package init(head: Int = 1 << 20, body: Int = 256 << 20, connections: Int = 1024, idle: Duration? = nil) {
            self.head = head
            self.body = body
            self.connections = connections
            self.idle = idle
        }
    }

    /// The address it listens on, as given.
    package let host: String
    /// The port it listens on.
    public let port: UInt16
    let core: Core

    /// Listens on 127.0.0.1; port 0 picks a free one. Throws ``MockServerError`` if that fails.
    ///
    /// `respond` is called on the connections' threads, concurrently, and may block; ``stop()`` waits for it. Every request is kept in memory
    /// for ``received``.
    public convenience init(
        port: UInt16 = 0, respond: @escaping @Sendable (ReceivedRequest) -> MockResponse
    ) throws(MockServerError) {
        try self.init(host: "127.0.0.1", port: port, respond: respond)
    }

    /// Listens on `host`; requests are kept if it is `recording`.
    package init(
        host: String = "127.0.0.1", port: UInt16 = 0, limits: Limits = Limits(), recording: Bool = true,
        respond: @escaping @Sendable (ReceivedRequest) -> MockResponse
    ) throws(MockServerError) {
        do throws(SystemError) {
            core = Core(
                limits: limits, recording: recording, respond: respond, closing: try StopSignal(),
                stop: try StopSignal())
            self.host = host
            let listener = try Socket.listen(host: host, port: port)
            self.port = listener.port
            do throws(SystemError) {
                try core.threads.start { [core] in core.acceptConnections(listener.descriptor) }
            } catch {
                SystemCall.close(listener.descriptor)
                throw error
            }
        } catch {
            throw MockServerError(message: "could not listen on \(host) port \(port): \(error.reason)")
        }
    }

    deinit { stop() }

    /// `http://`, host and port.
    public var baseURL: String {
        host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
    }

    /// All requests so far, in order of completion; none without `recording`.
    public var received: [ReceivedRequest] { core.state.withLock(\.received) }

    /// How many connections have been accepted so far.
    package var connectionCount: Int { core.state.withLock(\.connections) }

    /// Closes the port and all connections and waits for their threads; a second time does nothing.
    public func stop() {
        core.closing.fire()
        core.stop.fire()
        core.threads.waitForOthers()
    }

    /// Closes the port and idle connections, and waits until the responses under way have been sent, however long that takes.
    package func drain() {
        core.closing.fire()
        core.threads.waitForOthers()
    }
}

/// The server can't start.
public struct MockServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What failed and why, in one sentence without a full stop.
    public let message: String

    public var description: String { message }
}

extension MockServer {
    /// What the server's threads share. It does not hold the server, so releasing the server stops it.
    final class Core: Sendable {
        struct State {
            var received: [ReceivedRequest] = []
            var connections = 0
        }

        let limits: Limits
        let recording: Bool
        let respond: @Sendable (ReceivedRequest) -> MockResponse
        /// No more requests are read.
        let closing: StopSignal
        /// Nothing more is sent, either.
        let stop: StopSignal
        let threads = ThreadGroup()
        let state = Mutex(State())
        /// The responses that were chosen for single calls, the last one first.
        let stubs = Mutex<[Stub]>([])

        init(
            limits: Limits, recording: Bool, respond: @escaping @Sendable (ReceivedRequest) -> MockResponse,
            closing: StopSignal, stop: StopSignal
        ) {
            self.limits = limits
            self.recording = recording
            self.respond = respond
            self.closing = closing
            self.stop = stop
        }

        /// Accepts connections until the server stops; closes `listener`.
        func acceptConnections(_ listener: Int32) {
            defer { SystemCall.close(listener) }
            while closing.wait(for: .readable, of: listener) == .ready {
                guard let descriptor = Socket.accept(listener) else {
                    // Without a free descriptor the listener stays readable; a short pause keeps the processor free.
                    if Socket.isOutOfResources { _ = closing.pause(for: .milliseconds(20)) }
                    continue
                }
                let number = state.withLock { state in
                    state.connections += 1
                    return state.connections
                }
                // One of the threads is the current one.
                guard threads.count <= limits.connections else {
                    SystemCall.close(descriptor)
                    continue
                }
                do throws(SystemError) {
                    try threads.start { self.serve(descriptor, number) }
                } catch {
                    SystemCall.close(descriptor)
                }
            }
        }

        private func response(to request: ReceivedRequest) -> MockResponse {
            stubs.withLock(\.self).first { $0.responds(to: request) }?.response ?? respond(request)
        }

        /// Serves the requests of one connection and closes it.
        private func serve(_ descriptor: Int32, _ number: Int) {
            defer { SystemCall.close(descriptor) }
            var stream = ConnectionStream(descriptor, closing: closing, stop: stop, idle: limits.idle)
            let reader = RequestReader(limits: limits, connection: number)
            do throws(RequestReader.Failure) {
                while !closing.isFired {
                    let request = try reader.next(&stream)
                    if recording { state.withLock { $0.received.append(request) } }
                    guard ResponseWriter.write(response(to: request), to: request, &stream) else { return }
                }
            } catch {
                guard case .refused(let status, let reason) = error else { return }
                let response = MockResponse.text(reason + "\n", status: status, fields: [("Connection", "close")])
                _ = ResponseWriter.write(response, to: nil, &stream)
            }
        }
    }
}
