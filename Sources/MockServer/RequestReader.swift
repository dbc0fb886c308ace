import EndpointKit

/// Reads requests strictly by RFC 9112: what two readers could understand differently is refused.
extension ConnectionStream {
    /// The next request.
    mutating func request() throws(ConnectionEnd) -> ReceivedRequest {
        try beginRequest()
        // What follows has no time limit but that of an idle connection.
        defer { deadline = nil }
        var request = try head()
        try readBody(of: &request)
        return request
    }

    private mutating func head() throws(ConnectionEnd) -> ReceivedRequest {
        var head: [UInt8] = []
        var lines: [ArraySlice<UInt8>] = []
        while true {
            let line = try headLine(room: server.limits.head - head.count)
            // Empty lines before the request line are ignored (RFC 9112, section 2.2).
            if head.isEmpty, line.isEmpty { continue }
            head += line + [0x0D, 0x0A]
            if line.isEmpty { break }
            lines.append(line[...])
        }
        let parts = lines[0].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(\.isTokenByte) else {
            throw .refused(400, "the request line is not `method target version`")
        }
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
        var fields: [ResponseHead.Field] = []
        for line in lines.dropFirst() {
            guard let field = ResponseHead.Field(line: line) else {
                throw .refused(400, "a header field is not `name: value`, or holds a control character")
            }
            fields.append(field)
        }
        let request = ReceivedRequest(
            method: method, target: String(exactBytes: parts[1]),
            // A later minor version is read as the latest one known (RFC 9110, section 2.5).
            version: isOld ? "HTTP/1.0" : "HTTP/1.1", fields: fields, head: head, connection: number)
        let hosts = request.values(of: "Host").count
        guard hosts == 1 || hosts == 0 && isOld else { throw .refused(400, "there must be one Host field") }
        return request
    }

    /// A line without its line break.
    private mutating func headLine(room: Int) throws(ConnectionEnd) -> [UInt8] {
        guard var line = try line(limit: room) else {
            throw .refused(431, "the head is longer than \(server.limits.head) bytes")
        }
        guard line.removeLast() == 0x0A, line.popLast() == 0x0D else {
            throw .refused(400, "a line does not end with CRLF")
        }
        return line
    }

    /// Whether the target has one of the forms of RFC 9112, section 3.2.
    private static func isTarget(_ target: ArraySlice<UInt8>, of method: String) -> Bool {
        guard target.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return false }
        if target.first == UInt8(ascii: "/") || method == "CONNECT" { return !target.isEmpty }
        if target.elementsEqual("*".utf8) { return method == "OPTIONS" }
        return String(decoding: target.prefix(7), as: UTF8.self).lowercased() == "http://"
    }

    /// Reads the body, whose length the headers say (RFC 9112, section 6.3).
    private mutating func readBody(of request: inout ReceivedRequest) throws(ConnectionEnd) {
        let codings = request.values(of: "Transfer-Encoding")
        let lengths = request.values(of: "Content-Length")
        if !codings.isEmpty {
            guard lengths.isEmpty, request.version == "HTTP/1.1" else {
                throw .refused(400, "the length of the body can be read in two ways")
            }
            guard codings.map({ $0.lowercased() }) == ["chunked"] else {
                throw .refused(501, "the only transfer coding is chunked")
            }
            try askForBody(of: request)
            request.body = try chunks()
        } else if let text = lengths.first {
            guard Set(lengths).count == 1, !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else {
                throw .refused(400, "the Content-Length is not a number")
            }
            guard let count = Int(text), count <= server.limits.body else { throw tooLarge }
            try askForBody(of: request)
            try read(count, into: &request.body)
        }
    }

    /// Tells a client that waits for it to send the body (RFC 9110, section 10.1.1).
    private func askForBody(of request: ReceivedRequest) throws(ConnectionEnd) {
        guard let expectation = request["Expect"], request.version == "HTTP/1.1" else { return }
        guard expectation.lowercased() == "100-continue" else {
            throw .refused(417, "only 100-continue can be expected")
        }
        if !holdsBytes { try send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
    }

    /// The data of all chunks; trailer fields are skipped (RFC 9112, section 7.1).
    private mutating func chunks() throws(ConnectionEnd) -> [UInt8] {
        var body: [UInt8] = []
        // Extensions and trailer fields together have the limit of the headers.
        var room = server.limits.head
        while true {
            let sizeLine = try headLine(room: room)
            let digits = sizeLine.prefix { $0 != UInt8(ascii: ";") }.trimmingBlanks()
            // Fewer digits than an Int has, and no sign.
            guard digits.count < 16, digits.first?.isLetterOrDigit == true,
                let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
            else { throw .refused(400, "a chunk has no size") }
            room -= sizeLine.count - digits.count
            if size == 0 { break }
            guard size <= server.limits.body - body.count else { throw tooLarge }
            try read(size, into: &body)
            guard try line(limit: 2) == [0x0D, 0x0A] else {
                throw .refused(400, "a chunk is longer than its size")
            }
        }
        while true {
            let line = try headLine(room: room)
            room -= line.count
            if line.isEmpty { return body }
        }
    }

    private var tooLarge: ConnectionEnd { .refused(413, "the body is longer than \(server.limits.body) bytes") }
}

extension ResponseHead.Field {
    /// A line of headers; nil if that is not `name: value`.
    package init?(line: ArraySlice<UInt8>) {
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        let value = line.dropFirst(name.count + 1).trimmingBlanks()
        self.init(String(decoding: name, as: UTF8.self), String(exactBytes: value))
        guard name.count < line.count, (try? Header(self.name, self.value).checked()) != nil else { return nil }
    }
}
