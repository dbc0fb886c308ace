import EndpointKit

/// The bytes that end each line of a request's head: a carriage return and a line feed.
private let lineBreak: [UInt8] = [0x0D, 0x0A]

/// Reading requests strictly by RFC 9112: what two readers could understand differently is refused.
extension ConnectionStream {
    /// Waits for the next request and reads it to its end.
    ///
    /// - Throws: ``ConnectionEnd/refused(_:_:)`` with the status of the response for input that is not a request, and
    ///   ``ConnectionEnd/ended`` if the client or the server ends the connection.
    mutating func readRequest() throws(ConnectionEnd) -> ReceivedRequest {
        try beginRequest()
        // The time limit of a request ends with its last byte.
        defer { deadline = nil }
        var request = try readHead()
        try readBody(of: &request)
        return request
    }

    /// Reads the request line and the headers, and returns the request without its body.
    ///
    /// - Throws: ``ConnectionEnd/refused(_:_:)`` for a malformed line, and unless there is exactly one `Host` field,
    ///   which only HTTP/1.0 may omit (RFC 9112, section 3.2).
    private mutating func readHead() throws(ConnectionEnd) -> ReceivedRequest {
        let head = try readHeadLines()
        let requestLine = try RequestLine(head.lines[0])
        var fields: [HTTPField] = []
        for line in head.lines.dropFirst() {
            guard let field = HTTPField(line: line[...]) else {
                throw .refused(400, "a header field is not `name: value`, or holds a control character")
            }
            fields.append(field)
        }
        let request = ReceivedRequest(
            method: requestLine.method, target: requestLine.target, version: requestLine.version, fields: fields,
            head: head.bytes, connection: number)
        let hostCount = request.values(of: "Host").count
        let mayOmitHost = request.version == "HTTP/1.0"
        guard hostCount == 1 || (hostCount == 0 && mayOmitHost) else {
            throw .refused(400, "there must be one Host field")
        }
        return request
    }

    /// The request line and the headers of a request, as received.
    private struct HeadLines {
        /// All bytes, with the empty line that ends the headers.
        var bytes: [UInt8] = []
        /// The request line and the headers, without their line breaks.
        var lines: [[UInt8]] = []
    }

    /// Reads up to the empty line that ends the headers.
    ///
    /// - Throws: ``ConnectionEnd/refused(_:_:)`` if all lines together are longer than the limit of the server.
    private mutating func readHeadLines() throws(ConnectionEnd) -> HeadLines {
        var head = HeadLines()
        while true {
            let line = try readHeadLine(limit: server.limits.head - head.bytes.count)
            // Empty lines before the request line are ignored (RFC 9112, section 2.2). They are not kept, and so do not
            // count against the limit.
            if head.lines.isEmpty, line.isEmpty { continue }
            head.bytes += line
            head.bytes += lineBreak
            if line.isEmpty { return head }
            head.lines.append(line)
        }
    }

    /// Reads a line of the headers or of the chunked coding, and returns it without its line break.
    ///
    /// - Parameter limit: The greatest number of bytes of the line.
    /// - Throws: ``ConnectionEnd/refused(_:_:)`` for a longer line, and for one that does not end with CRLF.
    private mutating func readHeadLine(limit: Int) throws(ConnectionEnd) -> [UInt8] {
        guard var line = try readLine(limit: limit) else {
            throw .refused(431, "the head is longer than \(server.limits.head) bytes")
        }
        // A line feed alone is refused. RFC 9112, section 2.2, would also allow accepting it.
        guard line.suffix(lineBreak.count).elementsEqual(lineBreak) else {
            throw .refused(400, "a line does not end with CRLF")
        }
        line.removeLast(lineBreak.count)
        return line
    }

    /// Reads the body, whose length the headers say (RFC 9112, section 6.3).
    ///
    /// A request with neither `Transfer-Encoding` nor `Content-Length` has no body. A request with both is refused,
    /// because a proxy could read another length than this server does (request smuggling).
    private mutating func readBody(of request: inout ReceivedRequest) throws(ConnectionEnd) {
        let codings = request.values(of: "Transfer-Encoding")
        let lengths = request.values(of: "Content-Length")
        if codings.isEmpty, lengths.isEmpty { return }
        if codings.isEmpty {
            let length = try bodyLength(lengths)
            // A client may wait for `100 Continue` before it sends the body.
            try askForBody(of: request)
            try read(length, into: &request.body)
            return
        }
        // HTTP/1.0 has no transfer codings, so a proxy of that version would ignore the header.
        guard lengths.isEmpty, request.version == "HTTP/1.1" else {
            throw .refused(400, "the length of the body can be read in two ways")
        }
        guard codings.map({ $0.lowercased() }) == ["chunked"] else {
            throw .refused(501, "the only transfer coding is chunked")
        }
        try askForBody(of: request)
        request.body = try readChunkedBody()
    }

    /// Returns the length of the body, in bytes, that the headers `Content-Length` announce.
    ///
    /// There may be several of these headers if their values are equal (RFC 9110, section 8.6).
    ///
    /// - Parameter headerValues: The values of the headers, at least one.
    /// - Throws: ``ConnectionEnd/refused(_:_:)`` with 400 for anything but one number, and 413 for a longer body than
    ///   the limit of the server.
    private func bodyLength(_ headerValues: [String]) throws(ConnectionEnd) -> Int {
        let digits = headerValues[0]
        guard Set(headerValues).count == 1, !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else {
            throw .refused(400, "the Content-Length is not a number")
        }
        // A number that is too large for an Int exceeds the limit, too.
        guard let length = Int(digits), length <= server.limits.body else { throw bodyTooLarge }
        return length
    }

    /// Tells a client that has sent `Expect: 100-continue` and waits to send the body (RFC 9110, section 10.1.1).
    ///
    /// A client that has sent a part of the body already does not wait. HTTP/1.0 has no such header.
    private func askForBody(of request: ReceivedRequest) throws(ConnectionEnd) {
        guard let expectation = request["Expect"], request.version == "HTTP/1.1" else { return }
        guard expectation.lowercased() == "100-continue" else {
            throw .refused(417, "only 100-continue can be expected")
        }
        if !holdsBytes { try send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
    }

    /// Reads a body in the chunked coding and returns the data of all chunks (RFC 9112, section 7.1).
    ///
    /// The body `abc` may be two chunks, each with its size in hexadecimal digits, and a chunk of size 0 at the end:
    ///
    ///     2␍␊ab␍␊1;name=value␍␊c␍␊0␍␊␍␊
    ///
    /// Extensions of a chunk, which follow a `;` after the size, and trailer fields after the last chunk are read and
    /// ignored. Together they may be as long as the headers of a request.
    ///
    /// - Throws: ``ConnectionEnd/refused(_:_:)`` with 413 for a body beyond the limit, 431 for too long extensions, and
    ///   400 for what is not in the chunked coding.
    private mutating func readChunkedBody() throws(ConnectionEnd) -> [UInt8] {
        var body: [UInt8] = []
        // The number of bytes that the next extensions and the trailer may still have.
        var extensionLimit = server.limits.head
        while true {
            let line = try readHeadLine(limit: extensionLimit)
            let sizeDigits = line.prefix { $0 != UInt8(ascii: ";") }.trimmingBlanks()
            let size = try chunkSize(sizeDigits)
            extensionLimit -= line.count - sizeDigits.count
            if size == 0 { break }
            guard size <= server.limits.body - body.count else { throw bodyTooLarge }
            try read(size, into: &body)
            guard try readLine(limit: lineBreak.count) == lineBreak else {
                throw .refused(400, "a chunk is longer than its size")
            }
        }
        try skipTrailer(limit: extensionLimit)
        return body
    }

    /// Returns the size of a chunk in bytes, from the hexadecimal digits in its first line: 26 for `1a`.
    ///
    /// - Throws: ``ConnectionEnd/refused(_:_:)`` for anything but such digits.
    private func chunkSize(_ digits: some BidirectionalCollection<UInt8>) throws(ConnectionEnd) -> Int {
        // `Int(_:radix:)` would also accept a sign before the digits.
        let startsWithDigit = digits.first?.isLetterOrDigit == true
        // A number of sixteen digits may be too large for an Int.
        let maxDigitCount = 15
        guard startsWithDigit, digits.count <= maxDigitCount,
            let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw .refused(400, "a chunk has no size") }
        return size
    }

    /// Reads and ignores the trailer fields after the last chunk, up to the empty line that ends them.
    ///
    /// - Parameter limit: The greatest number of bytes of all fields together.
    private mutating func skipTrailer(limit: Int) throws(ConnectionEnd) {
        var remainingCount = limit
        while true {
            let line = try readHeadLine(limit: remainingCount)
            remainingCount -= line.count
            if line.isEmpty { return }
        }
    }

    /// The reason to refuse a request whose body is longer than the limit of the server.
    private var bodyTooLarge: ConnectionEnd { .refused(413, "the body is longer than \(server.limits.body) bytes") }
}

/// The first line of a request: `GET /movie/popular HTTP/1.1` (RFC 9112, section 3).
private struct RequestLine {
    /// The method, such as `GET`.
    let method: String
    /// The request target, such as `/movie/popular`.
    let target: String
    /// `HTTP/1.1` or `HTTP/1.0`.
    let version: String

    /// Parses a request line: method, target and version, with exactly one space between them.
    ///
    /// - Parameter line: The line without its line break.
    /// - Throws: ``ConnectionEnd/refused(_:_:)`` with status 505 for another major version of HTTP, and otherwise 400.
    init(_ line: [UInt8]) throws(ConnectionEnd) {
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy(\.isTokenByte) else {
            throw .refused(400, "the request line is not `method target version`")
        }
        method = String(decoding: words[0], as: UTF8.self)
        guard Self.isTarget(words[1], of: method) else {
            throw .refused(400, "the target is neither a path nor an http URL")
        }
        target = String(exactBytes: words[1])
        version = try Self.version(String(decoding: words[2], as: UTF8.self))
    }

    /// Returns the version as which a request is read: `HTTP/1.1` or `HTTP/1.0`.
    ///
    /// A later minor version such as 1.2 is read as 1.1 (RFC 9110, section 2.5).
    ///
    /// - Throws: ``ConnectionEnd/refused(_:_:)`` for any other version.
    private static func version(_ text: String) throws(ConnectionEnd) -> String {
        guard text.hasPrefix("HTTP/") else { throw .refused(400, "the version is not HTTP's") }
        let hasMinorDigit = text.utf8.count == "HTTP/1.1".utf8.count && text.utf8.last?.isDigit == true
        guard text.hasPrefix("HTTP/1."), hasMinorDigit else {
            throw .refused(505, "only HTTP/1.1 and HTTP/1.0 are spoken here")
        }
        return text == "HTTP/1.0" ? "HTTP/1.0" : "HTTP/1.1"
    }

    /// Returns whether the target has one of the forms of RFC 9112, section 3.2: a path, an http URL, host and port for
    /// CONNECT, or `*` for OPTIONS.
    private static func isTarget(_ target: ArraySlice<UInt8>, of method: String) -> Bool {
        let hasBlanksOrControls = target.contains { $0 <= 0x20 || $0 == 0x7F }
        if target.isEmpty || hasBlanksOrControls { return false }
        if target.first == UInt8(ascii: "/") || method == "CONNECT" { return true }
        if target.elementsEqual("*".utf8) { return method == "OPTIONS" }
        let scheme = "http://"
        return String(decoding: target.prefix(scheme.utf8.count), as: UTF8.self).lowercased() == scheme
    }
}

extension HTTPField {
    /// Parses a header line, `name: value`. Returns nil for any other line, and for one with control characters.
    package init?(line: ArraySlice<UInt8>) {
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        guard name.count < line.count else { return nil }
        let value = line.dropFirst(name.count + 1).trimmingBlanks()
        self.init(String(decoding: name, as: UTF8.self), String(exactBytes: value))
        if (try? HTTPField(self.name, self.value).checked()) == nil { return nil }
    }
}
