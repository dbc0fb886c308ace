import EndpointKit

/// A request in libcurl's form. The task that sends it makes it, and the loop's thread reads it.
struct TransferPlan: Sendable {
    /// The way in which libcurl has to treat the request, whatever its method is called.
    enum Kind: Sendable {
        case withoutBody
        /// The response has no body whatever its headers say.
        case head
        case upload(UploadSource)
    }

    let method: HTTPMethod
    let kind: Kind
    /// Ends with a zero byte.
    let url: [UInt8]
    /// The URL with its secrets redacted, or an empty text if nobody asks for times.
    let shownURL: String
    /// `Name: value` in libcurl's notation, each ending with a zero byte.
    let headerLines: [[UInt8]]
    /// The cookies of the request's own headers, ending with a zero byte, or nil if there are none, or without a jar.
    let cookieText: [UInt8]?
    /// The cookies to send and to keep, or nil to send and keep none.
    let cookies: CookieJar?
    /// Whether to ask for compressed responses, and to decompress them.
    let decompresses: Bool
    /// The limit to name in an error. Earlier requests of the same call may have left only ``maxMilliseconds`` of it.
    let maxTime: Duration?
    let maxMilliseconds: Int?
    /// How long the server may be silent.
    let idleSeconds: Int?
    let connectMilliseconds: Int?
    let connection: ConnectionPlan
    /// Whether the request may be repeated if a connection ends without a response (RFC 9110, section 9.2.2).
    let isRepeatable: Bool
    let onTimes: (@Sendable (TransferTimes) -> Void)?
    let onSent: (@Sendable (_ count: Int64, _ total: Int64) -> Void)?
    let onEvent: (@Sendable (TransferEvent) -> Void)?
    let server: TransportError.Peer

    /// Checks a request and puts it into the form that libcurl needs: texts in bytes that end with a zero byte.
    ///
    /// - Throws: `TransportError` for what can't be sent, `MissingCredential` if a secret's variable is not set, and
    ///   `RequestError` if a header could end the request's headers.
    init(_ request: Request, options: TransferOptions) throws {
        method = try Self.checked(request.method)
        kind = try Self.kind(of: request)
        url = try Self.url(of: request)
        // Only the report of times has the URL.
        shownURL = options.onTimes == nil ? "" : request.redactedURL
        var request = request
        // `-H Cookie:` sends no cookies at all.
        let isCookieWithheld = request.withheldHeaders.contains { HTTPField($0, "").isNamed("Cookie") }
        cookies = isCookieWithheld ? nil : options.cookies
        cookieText = cookies == nil ? nil : try Self.removeCookieHeaders(from: &request)
        headerLines = try Self.headerLines(of: request, kind: kind)
        decompresses = !request.specifies(header: "Accept-Encoding")
        // Errors name the whole limit. This transfer may take what earlier ones have left of it.
        maxTime = options.maxTime
        maxMilliseconds = options.remainingTime.flatMap(Self.milliseconds)
        // In whole seconds, rounded up.
        idleSeconds = options.idleTimeout.flatMap(Self.milliseconds).map { ($0 + 999) / 1000 }
        connectMilliseconds = options.connectTimeout.flatMap(Self.milliseconds)
        connection = try ConnectionPlan(options.connection)
        isRepeatable = request.method.isIdempotent
        onTimes = options.onTimes
        onSent = options.onSent
        onEvent = options.onEvent
        server = TransportError.Peer(request.base, unixSocket: options.connection.unixSocket)
    }

    /// Returns a method if it can be sent: it must be one word of visible ASCII characters.
    private static func checked(_ method: HTTPMethod) throws(TransportError) -> HTTPMethod {
        let isOneWord = !method.rawValue.isEmpty && method.rawValue.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard isOneWord else { throw TransportError(.invalidRequest, detail: "the request's method is not one word") }
        return method
    }

    /// Returns how libcurl has to treat a request: with a body or without one, or as a HEAD request. The files of a
    /// body are opened.
    ///
    /// - Throws: `TransportError` if a file of the body can't be opened.
    private static func kind(of request: Request) throws(TransportError) -> Kind {
        if let body = request.body { return .upload(try UploadSource(body)) }
        switch request.method {
        case .head: return .head
        // These methods send `Content-Length: 0` without a body (RFC 9110, section 8.6).
        case .post, .put, .patch: return .upload(try UploadSource(RequestBody([])))
        default: return .withoutBody
        }
    }

    /// Returns a request's URL with its secrets filled in and a zero byte at the end.
    ///
    /// - Throws: `TransportError` if the URL has a blank or a control character, and `MissingCredential`.
    private static func url(of request: Request) throws -> [UInt8] {
        let url = try request.revealedURL().exactBytes
        guard url.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw TransportError(.invalidRequest, detail: "the request's URL holds a space or a control character")
        }
        return url + [0]
    }

    /// Removes the `Cookie` headers from a request that has a cookie jar, because libcurl sends their cookies in one
    /// header with those of the jar.
    ///
    /// - Returns: The cookies of the headers as `a=1; b=2` with a zero byte at the end, or nil if there are none. Then
    ///   the headers stay in the request.
    private static func removeCookieHeaders(from request: inout Request) throws -> [UInt8]? {
        let headers = try request.headers.filter { $0.isNamed("Cookie") }.map { try $0.checked() }
        let values = try headers.map { try $0.revealedValue().exactBytes }
        if values.allSatisfy(\.isEmpty) { return nil }
        request.headers.removeAll { $0.isNamed("Cookie") }
        return Array(values.joined(separator: "; ".utf8)) + [0]
    }

    /// Returns the headers of a request in libcurl's notation, each line with a zero byte at its end.
    ///
    ///     Name: value    sends the header
    ///     Name;          sends the header with an empty value
    ///     Name:          leaves out a header that libcurl would add itself
    ///
    /// - Parameters:
    ///   - request: The request, whose secrets are filled in.
    ///   - kind: How libcurl treats the request.
    /// - Throws: `RequestError` if a header could end the request's headers, and `MissingCredential`.
    private static func headerLines(of request: Request, kind: Kind) throws -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for header in request.headers {
            let name = Array(try header.checked().name.utf8)
            let value = try header.revealedValue().exactBytes
            let isBlank = value.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            if isBlank {
                lines.append(name + Array(";\0".utf8))
            } else {
                lines.append(name + Array(": ".utf8) + value + [0])
            }
        }
        for name in request.withheldHeaders {
            // libcurl adds no header with a blank or a control character in its name.
            let mayBeHeaderName = name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
            if mayBeHeaderName { lines.append(Array("\(name):\0".utf8)) }
        }
        // libcurl would otherwise declare a body without a type to be a form.
        if case .upload = kind, !request.specifies(header: "Content-Type") {
            lines.append(Array("Content-Type:\0".utf8))
        }
        return lines
    }

    /// Returns a limit in whole milliseconds, rounded up and at least 1, because libcurl takes 0 for no limit.
    ///
    /// - Returns: The milliseconds, or nil (no limit) from 2,000,000 seconds on, some three weeks: where libcurl's
    ///   numbers have 32 bits, they hold no more than 2^31 milliseconds.
    private static func milliseconds(_ duration: Duration) -> Int? {
        guard duration > .zero else { return 1 }
        guard duration < .seconds(2_000_000) else { return nil }
        let (seconds, attoseconds) = duration.components
        let attosecondsPerMillisecond: Int64 = 1_000_000_000_000_000
        let millisecondsOfFraction = (attoseconds + attosecondsPerMillisecond - 1) / attosecondsPerMillisecond
        return max(1, Int(seconds) * 1000 + Int(millisecondsOfFraction))
    }
}
