/// Performs the steps of a response on a connection.
enum ResponseWriter {
    /// Bytes that are collected before they are sent, so that headers and a short body go out together.
    private static let batch = 65_536

    /// Performs all steps. True if another request may follow on the connection.
    ///
    /// `request` is nil if it could not be read.
    static func write(_ response: MockResponse, to request: ReceivedRequest?, _ stream: inout ConnectionStream) -> Bool
    {
        do {
            return try perform(response.steps, to: request, &stream)
        } catch {
            return false
        }
    }

    private static func perform(
        _ steps: [MockResponse.Step], to request: ReceivedRequest?, _ stream: inout ConnectionStream
    ) throws(ConnectionStream.Ended) -> Bool {
        let sendsContent = request?.method != "HEAD"
        var pending: [UInt8] = []
        for step in steps {
            switch step {
            case .bytes(let bytes):
                try add(bytes, to: &pending, stream)
            case .content(let bytes):
                if sendsContent { try add(bytes, to: &pending, stream) }
            case .repeating(let block, let count):
                if sendsContent { try add(block, count, to: &pending, stream) }
            case .paced(let bytes, let rate):
                try flush(&pending, stream)
                if sendsContent {
                    guard try pace(bytes, max(rate, 1), stream) else { return false }
                }
            case .pause(let duration):
                try flush(&pending, stream)
                guard stream.pause(for: duration) else { return false }
            case .hang:
                try flush(&pending, stream)
                stream.hang()
                return false
            case .close:
                try flush(&pending, stream)
                stream.finish()
                return false
            case .reset:
                try flush(&pending, stream)
                stream.reset()
                return false
            }
        }
        try flush(&pending, stream)
        guard let request, keepsAlive(request) else {
            stream.finish()
            return false
        }
        return true
    }

    /// Whether the client keeps the connection open (RFC 9112, section 9.3).
    private static func keepsAlive(_ request: ReceivedRequest) -> Bool {
        request.version == "HTTP/1.1"
            && !request.values(of: "Connection").contains { value in
                value.split(separator: ",").contains { $0.filter { $0 != " " && $0 != "\t" }.lowercased() == "close" }
            }
    }

    private static func add(
        _ bytes: [UInt8], to pending: inout [UInt8], _ stream: ConnectionStream
    ) throws(ConnectionStream.Ended) {
        guard pending.count + bytes.count > batch else {
            pending += bytes
            return
        }
        try flush(&pending, stream)
        try stream.send(bytes)
    }

    /// Sends `unit`, `count` times, in blocks of about the batch size.
    private static func add(
        _ unit: [UInt8], _ count: Int, to pending: inout [UInt8], _ stream: ConnectionStream
    ) throws(ConnectionStream.Ended) {
        guard !unit.isEmpty, count > 0 else { return }
        let perBlock = min(count, max(1, batch / unit.count))
        var block: [UInt8] = []
        block.reserveCapacity(perBlock * unit.count)
        for _ in 0..<perBlock { block += unit }
        for _ in 0..<(count / perBlock) { try add(block, to: &pending, stream) }
        try add(Array(block.prefix(count % perBlock * unit.count)), to: &pending, stream)
    }

    /// Sends the bytes in parts of a twentieth of a second; false once the server stops.
    private static func pace(
        _ bytes: [UInt8], _ bytesPerSecond: Int, _ stream: ConnectionStream
    ) throws(ConnectionStream.Ended) -> Bool {
        let size = max(bytesPerSecond / 20, 1)
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = rest.prefix(size)
            try stream.send(Array(part))
            rest = rest.dropFirst(size)
            guard stream.pause(for: .seconds(1) * part.count / bytesPerSecond) else { return false }
        }
        return true
    }

    private static func flush(_ pending: inout [UInt8], _ stream: ConnectionStream) throws(ConnectionStream.Ended) {
        try stream.send(pending)
        pending.removeAll(keepingCapacity: true)
    }
}
