import EndpointKit

/// Reads requests strictly by RFC 9112: what two readers could understand differently is refused.
struct RequestReader {
    let limits: MockServer.Limits
    /// The number of the connection.
    let connection: Int

    /// The next request on `stream`.
    func next(_ stream: inout ConnectionStream) throws(ConnectionEnd) -> ReceivedRequest {
        try stream.beginRequest()
        defer { stream.endRequest() }
        var request = try head(&stream)
        try readBody(of: &request, &stream)
        return request
    }

    // MARK: Request line and headers

    private func head(_ stream: inout ConnectionStream) throws(ConnectionEnd) -> ReceivedRequest {
        var head: [UInt8] = []
        var lines: [ArraySlice<UInt8>] = []
        while true {
            let line = try headLine(&stream, room: limits.head - head.count)
            // Empty lines before the request line are ignored (RFC 9112, section 2.2).
            if head.isEmpty, line.isEmpty { continue }
            head += line + [0x0D, 0x0A]
            if line.isEmpty { break }
            lines.append(line[...])
        }
        let parts = lines[0].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, Self.isToken(parts[0]), !parts[1].isEmpty,
            parts[1].allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { throw .refused(400, "the request line is not `method target version`") }
        let method = String(decoding: parts[0], as: UTF8.self)
        guard Self.isTarget(parts[1], of: method) else {
            throw .refused(400, "the target is neither a path nor an http URL")
        }
        let version = String(decoding: parts[2], as: UTF8.self)
        guard version.hasPrefix("HTTP/1."), version.utf8.count == 8, version.utf8.last?.isDigit == true else {
            throw version.hasPrefix("HTTP/")
                ? .refused(505, "only HTTP/1.1 and HTTP/1.0 are spoken here")
                : .refused(400, "the version is not HTTP's")
        }
        let isOld = version == "HTTP/1.0"
        var fields: [ReceivedRequest.Field] = []
        for line in lines.dropFirst() { fields.append(try field(line)) }
        let request = ReceivedRequest(
            method: method, target: String(exactBytes: parts[1]),
            // A later minor version is read as the latest one known (RFC 9110, section 2.5).
            version: isOld ? "HTTP/1.0" : "HTTP/1.1", fields: fields, head: head, connection: connection)
        let hosts = request.values(of: "Host").count
        guard hosts == 1 || hosts == 0 && isOld else {
            throw .refused(400, "there must be one Host field")
        }
        return request
    }

    /// A line without its line break.
    private func headLine(_ stream: inout ConnectionStream, room: Int) throws(ConnectionEnd) -> [UInt8] {
        guard var line = try stream.line(limit: room) else {
            throw .refused(431, "the head is longer than \(limits.head) bytes")
        }
        guard line.removeLast() == 0x0A, line.popLast() == 0x0D else {
            throw .refused(400, "a line does not end with CRLF")
        }
        return line
    }

    private func field(_ line: ArraySlice<UInt8>) throws(ConnectionEnd) -> ReceivedRequest.Field {
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        guard name.count < line.count, Self.isToken(name) else { throw .refused(400, "a header field has no name") }
        let value = line.dropFirst(name.count + 1).trimmingBlanks()
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw .refused(400, "a header field holds a control character")
        }
        return ReceivedRequest.Field(String(decoding: name, as: UTF8.self), String(exactBytes: value))
    }

    /// Whether the target has one of the forms of RFC 9112, section 3.2.
    private static func isTarget(_ target: ArraySlice<UInt8>, of method: String) -> Bool {
        if target.first == UInt8(ascii: "/") || method == "CONNECT" { return true }
        if target.elementsEqual("*".utf8) { return method == "OPTIONS" }
        return String(decoding: target.prefix(7), as: UTF8.self).lowercased() == "http://"
    }

    private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy(\.isTokenByte)
    }

    // MARK: Body

    /// Reads the body, whose length the headers say (RFC 9112, section 6.3).
    private func readBody(
        of request: inout ReceivedRequest, _ stream: inout ConnectionStream
    ) throws(ConnectionEnd) {
        let codings = request.values(of: "Transfer-Encoding")
        let lengths = request.values(of: "Content-Length")
        if !codings.isEmpty {
            guard lengths.isEmpty, request.version == "HTTP/1.1" else {
                throw .refused(400, "the length of the body can be read in two ways")
            }
            guard codings.map({ $0.lowercased() }) == ["chunked"] else {
                throw .refused(501, "the only transfer coding is chunked")
            }
            try askForBody(of: request, stream)
            request.body = try chunks(&stream)
        } else if let text = lengths.first {
            guard Set(lengths).count == 1, !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else {
                throw .refused(400, "the Content-Length is not a number")
            }
            guard let count = Int(text), count <= limits.body else { throw tooLarge }
            try askForBody(of: request, stream)
            try stream.read(count, into: &request.body)
        }
    }

    /// Tells a client that waits for it to send the body (RFC 9110, section 10.1.1).
    private func askForBody(of request: ReceivedRequest, _ stream: ConnectionStream) throws(ConnectionEnd) {
        guard let expectation = request["Expect"], request.version == "HTTP/1.1" else { return }
        guard expectation.lowercased() == "100-continue" else {
            throw .refused(417, "only 100-continue can be expected")
        }
        if !stream.holdsBytes { try stream.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
    }

    /// The data of all chunks; trailer fields are skipped (RFC 9112, section 7.1).
    private func chunks(_ stream: inout ConnectionStream) throws(ConnectionEnd) -> [UInt8] {
        var body: [UInt8] = []
        // Extensions and trailer fields together have the limit of the headers.
        var room = limits.head
        while true {
            let sizeLine = try headLine(&stream, room: room)
            let digits = sizeLine.prefix { $0 != UInt8(ascii: ";") }.trimmingBlanks()
            // Fewer digits than an Int has, and no sign.
            guard digits.count < 16, digits.first?.isLetterOrDigit == true,
                let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
            else { throw .refused(400, "a chunk has no size") }
            room -= sizeLine.count - digits.count
            if size == 0 { break }
            guard size <= limits.body - body.count else { throw tooLarge }
            try stream.read(size, into: &body)
            guard try stream.line(limit: 2) == [0x0D, 0x0A] else {
                throw .refused(400, "a chunk is longer than its size")
            }
        }
        while true {
            let line = try headLine(&stream, room: room)
            room -= line.count
            if line.isEmpty { return body }
        }
    }

    private var tooLarge: ConnectionEnd { .refused(413, "the body is longer than \(limits.body) bytes") }
}
