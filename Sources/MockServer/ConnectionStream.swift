import SystemCalls

/// The reason why nothing more is read from a connection or sent on it.
enum ConnectionEnd: Error {
    /// The client has closed the connection or does nothing any more, or the server stops.
    case ended
    /// The client's input is refused with this status, for a reason in one sentence.
    case refused(_ status: Int, _ reason: String)
}

/// Reads and writes a connection, on the one thread that serves it.
struct ConnectionStream {
    /// The greatest number of bytes that are received at once. It is small, because there may be a thousand
    /// connections.
    private static let bufferSize = 16_384
    /// The greatest number of bytes that are collected before they are sent, so that headers and a short body are sent
    /// together.
    private static let maxUnsentCount = 65_536

    /// The socket.
    private let descriptor: Int32
    /// The state of the server, with its limits and signals.
    let server: MockServer.Core
    /// The number of the connection. The server's first one is 1.
    let number: Int
    /// When the request that is being read must be complete; nil between requests, and without a limit.
    var deadline: ContinuousClock.Instant?
    /// The bytes that were received last.
    private var buffer: [UInt8] = []
    /// The first byte of ``buffer`` that has not been read.
    private var position = 0
    /// The bytes of responses that are still to be sent.
    private var unsentBytes: [UInt8] = []
    /// Whether a byte has been received since ``beginRequest()``, or was left over then.
    private var hasRequestBegun = false

    /// Prepares to serve a connection.
    ///
    /// - Parameters:
    ///   - descriptor: The socket, which is non-blocking.
    ///   - server: The server's state, with its limits and the signals to stop.
    ///   - number: The number of the connection, which its requests get.
    init(_ descriptor: Int32, server: MockServer.Core, number: Int) {
        self.descriptor = descriptor
        self.server = server
        self.number = number
    }

    // MARK: Reading

    /// Waits for the first byte of another request, and starts the time limit for the rest of it.
    ///
    /// The buffer is released meanwhile, because most of a thousand open connections may be idle.
    ///
    /// - Throws: ``ConnectionEnd`` if the client closes the connection or is idle for too long, or the server closes.
    mutating func beginRequest() throws(ConnectionEnd) {
        // The client may have sent the start of this request together with the one before it.
        hasRequestBegun = holdsBytes
        if !holdsBytes {
            buffer = []
            position = 0
            try wait(for: .readable, signal: server.closeSignal)
        }
        deadline = server.limits.request.map { .now + $0 }
    }

    /// Whether there are bytes that have been received and not read.
    var holdsBytes: Bool { position < buffer.count }

    /// Reads the next bytes up to and including a line feed.
    ///
    /// - Returns: The bytes; nil if none of the next `limit` bytes is a line feed.
    /// - Throws: ``ConnectionEnd`` if the connection ends, or the line does not arrive in time.
    mutating func readLine(limit: Int) throws(ConnectionEnd) -> [UInt8]? {
        let lineFeed = UInt8(ascii: "\n")
        var line: [UInt8] = []
        while true {
            // Take the bytes up to a line feed, or all of them if there is none yet.
            let unreadBytes = buffer[position...]
            var endOfTaken = unreadBytes.endIndex
            if let lineFeedIndex = unreadBytes.firstIndex(of: lineFeed) { endOfTaken = lineFeedIndex + 1 }
            let takenBytes = unreadBytes[..<endOfTaken]
            guard line.count + takenBytes.count <= limit else { return nil }
            line += takenBytes
            position = endOfTaken
            if line.last == lineFeed { return line }
            try fillBuffer()
        }
    }

    /// Reads the next `count` bytes and appends them to `bytes`.
    ///
    /// Memory grows with what arrives, not with the length that a client announces.
    ///
    /// - Throws: ``ConnectionEnd`` if the connection ends, or the bytes do not arrive in time.
    mutating func read(_ count: Int, into bytes: inout [UInt8]) throws(ConnectionEnd) {
        var missingCount = count
        while missingCount > 0 {
            if !holdsBytes { try fillBuffer() }
            let chunk = buffer[position...].prefix(missingCount)
            bytes += chunk
            position += chunk.count
            missingCount -= chunk.count
        }
    }

    /// Replaces the buffer by the next bytes from the client. Waits until there are some.
    ///
    /// If there are none yet, waits for the socket and the signal to close together. So the wait also ends when the
    /// server closes or a time limit is over.
    ///
    /// Precondition: All bytes of the buffer have been read.
    ///
    /// - Throws: ``ConnectionEnd`` if the client has closed the connection, the server closes, or the client takes too
    ///   long.
    private mutating func fillBuffer() throws(ConnectionEnd) {
        while true {
            guard !server.closeSignal.isFired else { throw .ended }
            switch receiveIntoBuffer() {
            case .bytes:
                hasRequestBegun = true
                return
            case .wouldBlock:
                try wait(for: .readable, signal: server.closeSignal)
            case .ended:
                throw .ended
            }
        }
    }

    /// Replaces the buffer by the bytes that can be received without waiting; it may be empty then.
    ///
    /// - Returns: What the socket says about the transfer.
    private mutating func receiveIntoBuffer() -> Socket.Transfer {
        // The closure below always replaces this value.
        var transfer = Socket.Transfer.ended
        position = 0
        buffer = [UInt8](unsafeUninitializedCapacity: Self.bufferSize) { memory, initializedCount in
            transfer = Socket.receive(descriptor, into: UnsafeMutableRawBufferPointer(memory))
            // If no bytes were received, the count stays 0.
            if case .bytes(let receivedCount) = transfer { initializedCount = receivedCount }
        }
        return transfer
    }

    /// Waits until the socket can be read or written, but not longer than the limits of the server allow.
    ///
    /// A connection that ends between two requests just ends. Within a request, the client gets the status 408 (Request
    /// Timeout; RFC 9110, section 15.5.9).
    ///
    /// - Parameters:
    ///   - event: Whether to wait until the socket can be read or written.
    ///   - signal: Ends the wait when it fires.
    /// - Throws: ``ConnectionEnd`` if the time is over or the signal fires.
    private func wait(for event: Descriptor.Event, signal: StopSignal) throws(ConnectionEnd) {
        let idleEnd = server.limits.idle.map { ContinuousClock.now + $0 }
        let earliestEnd = [idleEnd, deadline].compactMap(\.self).min()
        if signal.wait(for: event, of: descriptor, until: earliestEnd) { return }
        // A client that does not take a response would not take one with the status 408, either.
        let isWithinRequest = event == .readable && hasRequestBegun
        if isWithinRequest, !signal.isFired {
            throw .refused(408, "the rest of the request did not come in time")
        }
        throw .ended
    }

    // MARK: Sending

    /// Performs the steps of a response: sends bytes, pauses, or ends the connection.
    ///
    /// The body is left out in the response to a HEAD request. A response to a request that could not be read always
    /// ends the connection, because nobody knows where the next request would begin.
    ///
    /// - Parameters:
    ///   - response: The response with its steps in order.
    ///   - request: The request that is answered; nil if it could not be read.
    /// - Returns: Whether another request may follow on the connection.
    /// - Throws: ``ConnectionEnd`` if the client or the server ends the connection before the last step.
    mutating func perform(_ response: MockResponse, to request: ReceivedRequest?) throws(ConnectionEnd) -> Bool {
        for step in response.steps {
            let mayContinue = try performStep(step, sendsContent: request?.method != "HEAD")
            // The step has sent everything and ended the connection, or the server stops.
            if !mayContinue { return false }
        }
        try flush()
        guard let request, request.keepsConnection else {
            try endConnection()
            return false
        }
        return true
    }

    /// Performs one step of a response.
    ///
    /// - Parameter sendsContent: Whether the bytes of a body are sent.
    /// - Returns: Whether another step may follow. If not, the connection has ended.
    private mutating func performStep(_ step: MockResponse.Step, sendsContent: Bool) throws(ConnectionEnd) -> Bool {
        switch step {
        case .bytes(let bytes):
            try sendOrCollect(bytes)
        case .content(let bytes):
            if sendsContent { try sendOrCollect(bytes) }
        case .repeating(let bytes, let count):
            guard sendsContent else { break }
            for _ in 0..<max(count, 0) { try sendOrCollect(bytes) }
        case .pause(let duration):
            try flush()
            return server.stopSignal.pause(for: duration)
        case .hang:
            try flush()
            // Discards input until the client closes the connection or the server stops, which throws.
            while true { try fillBuffer() }
        case .close:
            try endConnection()
            return false
        case .reset:
            try flush()
            Socket.resetOnClose(descriptor)
            return false
        }
        return true
    }

    /// Sends all of `bytes`, and waits whenever the client has not yet taken what was sent before.
    ///
    /// - Throws: ``ConnectionEnd`` if the client closes the connection or takes nothing for too long, or the server
    ///   stops.
    func send(_ bytes: [UInt8]) throws(ConnectionEnd) {
        var sentCount = 0
        while sentCount < bytes.count {
            guard !server.stopSignal.isFired else { throw .ended }
            let transfer = bytes.withUnsafeBytes { memory in
                Socket.send(descriptor, UnsafeRawBufferPointer(rebasing: memory[sentCount...]))
            }
            switch transfer {
            case .bytes(let count): sentCount += count
            case .wouldBlock: try wait(for: .writable, signal: server.stopSignal)
            case .ended: throw .ended
            }
        }
    }

    /// Collects bytes that are sent together with others. Many bytes are sent at once, without a copy.
    private mutating func sendOrCollect(_ bytes: [UInt8]) throws(ConnectionEnd) {
        if unsentBytes.count + bytes.count > Self.maxUnsentCount { try flush() }
        if bytes.count > Self.maxUnsentCount {
            try send(bytes)
        } else {
            unsentBytes += bytes
        }
    }

    /// Sends the bytes that were collected.
    private mutating func flush() throws(ConnectionEnd) {
        try send(unsentBytes)
        unsentBytes = []
    }

    /// Ends the connection so that the client can read everything that was sent.
    ///
    /// Closing a socket with unread input resets the connection and may lose the response (RFC 9112, section 9.6). So
    /// input is discarded until the client closes the connection. Two seconds are enough for a client that reads.
    private mutating func endConnection() throws(ConnectionEnd) {
        try flush()
        Socket.endSending(descriptor)
        let latestEnd = ContinuousClock.now + .seconds(2)
        // `fillBuffer()` throws when the client has closed the connection.
        while server.stopSignal.wait(for: .readable, of: descriptor, until: latestEnd) { try fillBuffer() }
    }
}

extension ReceivedRequest {
    /// Whether the client keeps the connection open after the response (RFC 9112, section 9.3).
    package var keepsConnection: Bool {
        let options = fields.members(of: "Connection").map { $0.lowercased() }
        return version == "HTTP/1.1" && !options.contains("close")
    }
}
