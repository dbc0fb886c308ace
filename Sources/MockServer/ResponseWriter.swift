/// Performs the steps of a response on a connection.
struct ResponseWriter {
    /// Bytes that are collected before they are sent, so that headers and a short body go out together.
    private static let batch = 65_536

    private let sendsContent: Bool
    private var pending: [UInt8] = []

    /// Performs all steps. True if another request may follow on the connection.
    ///
    /// `request` is nil if it could not be read.
    static func write(_ response: MockResponse, to request: ReceivedRequest?, _ stream: inout ConnectionStream) -> Bool
    {
        var writer = ResponseWriter(sendsContent: request?.method != "HEAD")
        do {
            for step in response.steps {
                guard try writer.perform(step, &stream) else { return false }
            }
            try writer.flush(stream)
        } catch {
            return false
        }
        // Whether the client keeps the connection open (RFC 9112, section 9.3).
        let closes = request?.fields.members(of: "Connection").contains { $0.lowercased() == "close" }
        let keeps = request?.version == "HTTP/1.1" && closes != true
        if !keeps { stream.finish() }
        return keeps
    }

    private init(sendsContent: Bool) { self.sendsContent = sendsContent }

    /// Performs a step; false if it ends the connection.
    private mutating func perform(
        _ step: MockResponse.Step, _ stream: inout ConnectionStream
    ) throws(ConnectionEnd) -> Bool {
        switch step {
        case .bytes(let bytes): try add(bytes, stream)
        case .content(let bytes): if sendsContent { try add(bytes, stream) }
        case .repeating(let unit, let count):
            guard sendsContent, !unit.isEmpty, count > 0 else { break }
            // In blocks of about the batch size.
            let perBlock = min(count, max(1, Self.batch / unit.count))
            let block = Array(repeatElement(unit, count: perBlock).joined())
            for _ in 0..<(count / perBlock) { try add(block, stream) }
            try add(Array(block.prefix(count % perBlock * unit.count)), stream)
        case .pause(let duration):
            try flush(stream)
            return stream.pause(for: duration)
        case .hang:
            try flush(stream)
            stream.hang()
            return false
        case .close:
            try flush(stream)
            stream.finish()
            return false
        case .reset:
            try flush(stream)
            stream.reset()
            return false
        }
        return true
    }

    private mutating func add(_ bytes: [UInt8], _ stream: ConnectionStream) throws(ConnectionEnd) {
        guard pending.count + bytes.count > Self.batch else {
            pending += bytes
            return
        }
        try flush(stream)
        try stream.send(bytes)
    }

    private mutating func flush(_ stream: ConnectionStream) throws(ConnectionEnd) {
        try stream.send(pending)
        pending.removeAll(keepingCapacity: true)
    }
}
