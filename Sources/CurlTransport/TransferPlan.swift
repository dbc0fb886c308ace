import EndpointKit

/// A request in libcurl's form: made by the task that sends it, read by the loop's thread.
struct TransferPlan: Sendable {
    /// How libcurl has to treat the request, whatever its method is called.
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
    /// With secrets redacted; empty if nobody asks for times.
    let shownURL: String
    /// `Name: value` in libcurl's notation, each ending with a zero byte.
    let headerLines: [[UInt8]]
    /// Whether to ask for compressed responses, and to decompress them.
    let decompresses: Bool
    /// The limit to name in an error: of it only `maxMilliseconds` may be left.
    let maxTime: Duration?
    let maxMilliseconds: Int?
    /// How long the server may be silent.
    let idleSeconds: Int?
    let connectMilliseconds: Int?
    let connection: ConnectionPlan
    /// Whether the request may be repeated if a connection ends without a response (RFC 9110, section 9.2.2).
    let isRepeatable: Bool
    let onTimes: (@Sendable (TransferTimes) -> Void)?
    let onEvent: (@Sendable (TransferEvent) -> Void)?
    let server: TransportError.Peer

    init(_ request: Request, options: TransferOptions) throws {
        method = request.method
        guard !method.rawValue.isEmpty, method.rawValue.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw TransportError(.invalidRequest, detail: "the request's method is not one word")
        }
        url = try request.revealedURL().exactBytes + [0]
        guard url.dropLast().allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw TransportError(.invalidRequest, detail: "the request's URL holds a space or a control character")
        }
        shownURL = options.onTimes == nil ? "" : request.redactedURL
        kind =
            if let body = request.body {
                .upload(try UploadSource(body))
            } else if request.method == .head {
                .head
            } else if [.post, .put, .patch].contains(request.method) {
                // They send `Content-Length: 0` if they have no body (RFC 9110, section 8.6).
                .upload(try UploadSource(RequestBody([])))
            } else {
                .withoutBody
            }
        headerLines = try Self.headerLines(of: request, kind)
        decompresses = !request.specifies(header: "Accept-Encoding")
        maxTime = options.maxTime
        maxMilliseconds = options.remainingTime.flatMap(Self.milliseconds)
        idleSeconds = options.idleTimeout.flatMap(Self.milliseconds).map { ($0 + 999) / 1000 }
        connectMilliseconds = options.connectTimeout.flatMap(Self.milliseconds)
        connection = try ConnectionPlan(options.connection)
        isRepeatable = request.method.isIdempotent
        onTimes = options.onTimes
        onEvent = options.onEvent
        server = TransportError.Peer(request.base, unixSocket: options.connection.unixSocket)
    }

    private static func headerLines(of request: Request, _ kind: Kind) throws -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for header in request.headers {
            let name = Array(try header.checked().name.utf8)
            let value = try header.value.reveal().exactBytes
            // To libcurl "Name:" means to leave the header out, "Name;" to send it empty.
            let isBlank = value.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            lines.append(isBlank ? name + Array(";\0".utf8) : name + Array(": ".utf8) + value + [0])
        }
        for name in request.withheldHeaders where name.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) {
            lines.append(Array("\(name):\0".utf8))
        }
        // libcurl would otherwise declare a body without a type to be a form.
        if case .upload = kind, !request.specifies(header: "Content-Type") {
            lines.append(Array("Content-Type:\0".utf8))
        }
        return lines
    }

    /// `duration` in whole milliseconds, at least one; nil (no limit) beyond three weeks, more than libcurl's numbers hold.
    private static func milliseconds(_ duration: Duration) -> Int? {
        guard duration > .zero else { return 1 }
        guard duration < .seconds(2_000_000) else { return nil }
        let (seconds, attoseconds) = duration.components
        return max(1, Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}
