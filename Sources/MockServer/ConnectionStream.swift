import SystemCalls

/// Why nothing more is read or sent.
enum ConnectionEnd: Error {
    /// The client has closed the connection or does nothing any more, or the server stops.
    case ended
    /// What was received is refused with this status.
    case refused(Int, String)
}

/// Reads and writes a connection, on the one thread that serves it.
struct ConnectionStream {
    /// The most bytes received at once. Small, because every idle connection holds so many.
    private static let bufferSize = 16_384
    /// Bytes that are collected before they are sent, so that headers and a short body go out together.
    private static let batch = 65_536

    private let descriptor: Int32
    let server: MockServer.Core
    /// The number of the connection.
    let number: Int
    /// When the request that is read must be there; nil between requests, and without a limit.
    var deadline: ContinuousClock.Instant?
    private var buffer: [UInt8] = []
    private var position = 0
    /// What is still to be sent.
    private var pending: [UInt8] = []
    /// Whether a byte has been received since ``beginRequest()``, or was left over then.
    private var hasBegun = false

    init(_ descriptor: Int32, _ server: MockServer.Core, number: Int) {
        (self.descriptor, self.server, self.number) = (descriptor, server, number)
    }

    // MARK: Reading

    /// Another request is read from here on. Waits for it, without memory for its bytes.
    mutating func beginRequest() throws(ConnectionEnd) {
        hasBegun = holdsBytes
        if !holdsBytes {
            (buffer, position) = ([], 0)
            try wait(for: .readable, server.closing)
        }
        deadline = server.limits.request.map { .now + $0 }
    }

    /// Whether bytes have been received and not read.
    var holdsBytes: Bool { position < buffer.count }

    /// The next bytes up to and including a line feed; nil if there is none within `limit` bytes.
    mutating func line(limit: Int) throws(ConnectionEnd) -> [UInt8]? {
        var line: [UInt8] = []
        while true {
            let rest = buffer[position...]
            let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
            guard line.count + (end - position) <= limit else { return nil }
            line += rest[..<end]
            position = end
            if line.last == UInt8(ascii: "\n") { return line }
            try fill()
        }
    }

    /// Appends the next `count` bytes to `bytes`; memory grows with what arrives, not with what was announced.
    mutating func read(_ count: Int, into bytes: inout [UInt8]) throws(ConnectionEnd) {
        var missing = count
        while missing > 0 {
            if !holdsBytes { try fill() }
            let chunk = buffer[position...].prefix(missing)
            bytes += chunk
            position += chunk.count
            missing -= chunk.count
        }
    }

    /// Replaces the buffer, which has been read, with the next input.
    private mutating func fill() throws(ConnectionEnd) {
        position = 0
        while true {
            guard !server.closing.isFired else { throw .ended }
            var transfer = Socket.Transfer.ended
            buffer = [UInt8](unsafeUninitializedCapacity: Self.bufferSize) { memory, count in
                transfer = Socket.receive(descriptor, into: UnsafeMutableRawBufferPointer(memory))
                // Exactly so many bytes have been written.
                if case .bytes(let received) = transfer { count = received }
            }
            switch transfer {
            case .bytes:
                hasBegun = true
                return
            case .wouldBlock: try wait(for: .readable, server.closing)
            case .ended: throw .ended
            }
        }
    }

    private func wait(for event: Descriptor.Event, _ signal: StopSignal) throws(ConnectionEnd) {
        let ends = [server.limits.idle.map { .now + $0 }, deadline].compactMap(\.self).min()
        if signal.wait(for: event, of: descriptor, until: ends) { return }
        // A connection that is idle between two requests just ends.
        throw !signal.isFired && event == .readable && hasBegun
            ? .refused(408, "the rest of the request did not come in time") : .ended
    }

    // MARK: Sending

    /// Performs the steps of a response; false if no other request may follow on the connection.
    ///
    /// `request` is nil if it could not be read.
    mutating func perform(_ response: MockResponse, to request: ReceivedRequest?) throws(ConnectionEnd) -> Bool {
        let sendsContent = request?.method != "HEAD"
        for step in response.steps {
            switch step {
            case .bytes(let bytes): try add(bytes)
            case .content(let bytes): if sendsContent { try add(bytes) }
            case .repeating(let bytes, let count):
                for _ in 0..<(sendsContent ? max(count, 0) : 0) { try add(bytes) }
            case .pause(let duration):
                try flush()
                guard server.stop.pause(for: duration) else { return false }
            case .hang:
                try flush()
                while true { try fill() }
            case .close:
                try finish()
                return false
            case .reset:
                try flush()
                Socket.resetOnClose(descriptor)
                return false
            }
        }
        try flush()
        // Whether the client keeps the connection open (RFC 9112, section 9.3).
        let closes = request?.fields.members(of: "Connection").contains { $0.lowercased() == "close" }
        let keeps = request?.version == "HTTP/1.1" && closes != true
        if !keeps { try finish() }
        return keeps
    }

    /// Sends all of `bytes`.
    func send(_ bytes: [UInt8]) throws(ConnectionEnd) {
        var sent = 0
        while sent < bytes.count {
            guard !server.stop.isFired else { throw .ended }
            switch bytes.withUnsafeBytes({ Socket.send(descriptor, UnsafeRawBufferPointer(rebasing: $0[sent...])) }) {
            case .bytes(let count): sent += count
            case .wouldBlock: try wait(for: .writable, server.stop)
            case .ended: throw .ended
            }
        }
    }

    private mutating func add(_ bytes: [UInt8]) throws(ConnectionEnd) {
        if pending.count + bytes.count > Self.batch { try flush() }
        if bytes.count > Self.batch { try send(bytes) } else { pending += bytes }
    }

    private mutating func flush() throws(ConnectionEnd) {
        try send(pending)
        pending = []
    }

    /// Ends the connection so that the client can read everything that was sent.
    ///
    /// Closing a socket with unread input resets the connection and may lose the response, so input is discarded for up to two
    /// seconds.
    private mutating func finish() throws(ConnectionEnd) {
        try flush()
        Socket.endSending(descriptor)
        let deadline = ContinuousClock.now + .seconds(2)
        while server.stop.wait(for: .readable, of: descriptor, until: deadline) { try fill() }
    }
}
