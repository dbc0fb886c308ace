import SystemCalls

/// A connection's bytes, in and out, for the one thread that serves it.
struct ConnectionStream {
    /// The client has gone, or the server stops.
    struct Ended: Error {}

    private let descriptor: Int32
    private let stop: StopSignal
    private var buffer: [UInt8] = []
    private var position = 0

    init(_ descriptor: Int32, stop: StopSignal) {
        self.descriptor = descriptor
        self.stop = stop
    }

    /// Whether bytes have come that were not read yet.
    var holdsBytes: Bool { position < buffer.count }

    /// The next bytes up to and with a line feed, or nil where there is none within `limit` bytes.
    mutating func line(limit: Int) throws(Ended) -> [UInt8]? {
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

    /// Appends the next `count` bytes to `bytes`; memory grows with what comes, not with what was promised.
    mutating func read(_ count: Int, into bytes: inout [UInt8]) throws(Ended) {
        var missing = count
        while missing > 0 {
            if !holdsBytes { try fill() }
            let piece = buffer[position...].prefix(missing)
            bytes += piece
            position += piece.count
            missing -= piece.count
        }
    }

    /// Sends all of `bytes`.
    func send(_ bytes: [UInt8]) throws(Ended) {
        var sent = 0
        while sent < bytes.count {
            guard !stop.isFired else { throw Ended() }
            switch bytes.withUnsafeBytes({ Socket.send(descriptor, UnsafeRawBufferPointer(rebasing: $0[sent...])) }) {
            case .bytes(let count): sent += count
            case .wouldBlock: guard stop.wait(for: .writable, of: descriptor) else { throw Ended() }
            case .ended: throw Ended()
            }
        }
    }

    /// Lets `duration` go by; false once the server stops.
    func pause(for duration: Duration) -> Bool { stop.pause(for: duration) }

    /// Throws away what comes until the client has gone or the server stops.
    mutating func hang() {
        while true {
            do throws(Ended) { try fill() } catch { return }
        }
    }

    /// Ends the connection so that the client can read all that was sent.
    ///
    /// Closing a socket with unread input would reset the connection and could take the answer with it; so the input is
    /// thrown away, for at most two seconds.
    mutating func finish() {
        Socket.endSending(descriptor)
        let deadline = ContinuousClock.now + .seconds(2)
        while stop.wait(forInputOf: descriptor, until: deadline) {
            do throws(Ended) { try fill() } catch { return }
        }
    }

    /// Makes the end of the connection a TCP reset.
    func reset() { Socket.resetOnClose(descriptor) }

    /// Replaces the buffer, which has been read, with what comes next.
    private mutating func fill() throws(Ended) {
        position = 0
        while true {
            guard !stop.isFired else { throw Ended() }
            var transfer = Socket.Transfer.ended
            buffer = [UInt8](unsafeUninitializedCapacity: 65_536) { memory, count in
                transfer = Socket.receive(descriptor, into: UnsafeMutableRawBufferPointer(memory))
                // Exactly so many bytes have been written.
                if case .bytes(let received) = transfer { count = received }
            }
            switch transfer {
            case .bytes: return
            case .wouldBlock: guard stop.wait(for: .readable, of: descriptor) else { throw Ended() }
            case .ended: throw Ended()
            }
        }
    }
}
