import Synchronization
import SystemCalls

/// An HTTP/1.1 server on this machine that answers as it is told.
///
///     let server = try MockServer { request in .json(#"{"path": "\#(request.path)"}"#) }
///     // … send requests to server.baseURL …
///     server.stop()
///
/// Each connection has a thread of its own, so a slow one delays no other.
public final class MockServer: Sendable {
    /// How much the server takes before it refuses a request, in bytes.
    public struct Limits: Sendable, Equatable {
        /// The request line and the header fields (status 431).
        public var head: Int
        /// The body (status 413).
        public var body: Int
        /// Connections at the same time; one more is closed at once.
        public var connections: Int

        /// Limits of 1 MiB for the head, 256 MiB for the body and 1024 connections, unless given.
        public init(head: Int = 1 << 20, body: Int = 256 << 20, connections: Int = 1024) {
            self.head = head
            self.body = body
            self.connections = connections
        }
    }

    /// The address it listens on, as given.
    public let host: String
    /// The port it listens on.
    public let port: UInt16
    private let core: Core

    /// Listens on `host`; port 0 picks a free one. Throws ``MockServerError`` where it can't.
    ///
    /// `respond` is called on the connection's thread, from many threads at once, and may take its time; but ``stop()`` waits
    /// for it. With `recording` every request is kept in memory for ``received``.
    public init(
        host: String = "127.0.0.1", port: UInt16 = 0, limits: Limits = Limits(), recording: Bool = true,
        respond: @escaping @Sendable (ReceivedRequest) -> Answer
    ) throws(MockServerError) {
        do throws(SystemError) {
            core = Core(limits: limits, recording: recording, respond: respond, stop: try StopSignal())
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

    /// All requests so far, in the order they were complete; none without `recording`.
    public var received: [ReceivedRequest] { core.state.withLock(\.received) }

    /// How many connections have been accepted so far.
    public var connectionCount: Int { core.state.withLock(\.connections) }

    /// Closes the port and all connections and waits for their threads; a second time does nothing.
    public func stop() {
        core.stop.fire()
        core.threads.waitForOthers()
    }
}

/// A server can't start.
public struct MockServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What could not be done and why, in one sentence without a full stop.
    public let message: String

    public var description: String { message }
}

extension MockServer {
    /// What the server's threads share. It does not hold the server, so letting go of the server stops it.
    final class Core: Sendable {
        struct State {
            var received: [ReceivedRequest] = []
            var connections = 0
        }

        let limits: Limits
        let recording: Bool
        let respond: @Sendable (ReceivedRequest) -> Answer
        let stop: StopSignal
        let threads = ThreadGroup()
        let state = Mutex(State())

        init(
            limits: Limits, recording: Bool, respond: @escaping @Sendable (ReceivedRequest) -> Answer, stop: StopSignal
        ) {
            self.limits = limits
            self.recording = recording
            self.respond = respond
            self.stop = stop
        }

        /// Accepts connections until the server stops; closes `listener`.
        func acceptConnections(_ listener: Int32) {
            defer { SystemCall.close(listener) }
            while stop.wait(for: .readable, of: listener) {
                guard let descriptor = Socket.accept(listener) else {
                    // With no descriptor left the listener stays readable; a short rest keeps the processor free.
                    if Socket.isOutOfResources { _ = stop.pause(for: .milliseconds(20)) }
                    continue
                }
                let number = state.withLock { state in
                    state.connections += 1
                    return state.connections
                }
                // One of the threads is this one.
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

        /// Answers the requests of one connection and closes it.
        private func serve(_ descriptor: Int32, _ number: Int) {
            defer { SystemCall.close(descriptor) }
            var stream = ConnectionStream(descriptor, stop: stop)
            let reader = RequestReader(limits: limits, connection: number)
            do throws(RequestReader.Failure) {
                while true {
                    let request = try reader.next(&stream)
                    if recording { state.withLock { $0.received.append(request) } }
                    guard AnswerWriter.write(respond(request), to: request, &stream) else { return }
                }
            } catch {
                guard case .refused(let status, let reason) = error else { return }
                let answer = Answer.text(reason + "\n", status: status, fields: [("Connection", "close")])
                _ = AnswerWriter.write(answer, to: nil, &stream)
            }
        }
    }
}
