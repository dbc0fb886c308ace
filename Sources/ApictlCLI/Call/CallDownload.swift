import EndpointKit
import Synchronization
import SystemCalls

/// A download with `--continue -o FILE`, which resumes an interrupted one. If it is interrupted itself, it keeps what was
/// received.
///
/// Each attempt sends one request: for the rest of the file, with `Range` and `If-Range`, if a part of it has been kept, and
/// otherwise for the whole.
struct CallDownload {
    private let exchange: Exchange
    private let file: PartialFile

    /// Prepares a download to `path`.
    ///
    /// - Throws: ``FileError`` if nothing can be written there.
    init(_ exchange: Exchange, to path: String) throws {
        file = try exchange.context.environment.files.resume(path)
        var exchange = exchange
        exchange.client.transport = ResumingTransport(base: exchange.client.transport, file: file)
        self.exchange = exchange
    }

    /// Requests what is missing of the file, and puts the whole into its place.
    ///
    /// - Throws: What sending and writing throw, perhaps in an ``AnnotatedError``.
    func run() async throws -> ExitCode {
        defer { file.discard() }
        do {
            try await exchange.run(into: file) { try await receive($0) }
            try file.commit()
            try exchange.printer().noteSaved(file.length)
            return .success
        } catch  where file.validator != nil && Self.isTransient(error) {
            let kept = "\(ByteCountText.shown(file.length)) kept in \(file.path)"
            throw AnnotatedError(error, hint: .fact(kept + "; run the same command to resume."))
        }
    }

    /// Whether the same command may succeed later.
    private static func isTransient(_ error: any Error) -> Bool {
        if let failed = error as? FailedStatus { return failed.isTransient }
        return error is TransportError || error is FileError
    }

    /// Writes what a response has of the file.
    private func receive(_ response: StreamedResponse) async throws {
        let head = response.head
        if head.isSuccess, head.hasContentCoding {
            let compressed = "the response is compressed (\(head["Content-Encoding"] ?? ""))"
            throw UnusableResponse(
                description: "\(compressed) although it was requested uncompressed; leave out --continue")
        }
        let range = ContentRange(head)
        switch head.status {
        case 206: try await receiveRest(response, range)
        case 200..<300:
            if file.length > 0 { note("the server sent the whole file; starting over") }
            try file.begin(validator: head.validator)
            try await write(response)
        case 416:
            // There are no bytes after the saved ones.
            guard range?.total == file.length else { throw unusable("status 416 for a file of another length") }
            note("\(file.path) is complete")
        default: throw try await exchange.printer().failures.failure(of: response)
        }
    }

    /// Writes the rest of the file, after the bytes that are kept.
    private func receiveRest(_ response: StreamedResponse, _ range: ContentRange?) async throws {
        guard let validator = file.validator else { throw UnusableResponse.part }
        // RFC 9110, section 15.3.7
        guard let range, range.start == file.length, response.head["ETag"] == validator else {
            throw unusable("another part of the file than what is missing")
        }
        var rest = response
        let excess = unusable("more bytes than its Content-Range announced")
        rest.body = response.body.limited(to: range.total - file.length, excess)
        try await write(rest)
        if file.length != range.total {
            let cause = TransportError.Cause.cutShort(.inBody(expected: Int64(range.total)))
            throw TransportError(cause, receivedBytes: Int64(file.length))
        }
    }

    private func write(_ response: StreamedResponse) async throws {
        _ = try await exchange.printer(file: file, start: file.length).printBody(of: response)
    }

    private func note(_ text: String) { try? exchange.notes?.write(text.safeToShow + "\n") }

    private func unusable(_ what: String) -> UnusableResponse {
        UnusableResponse(description: "the server sent \(what); remove \(file.path) to start over")
    }
}

/// Sends each request for what is missing of a file at that time, so that a retry resumes where the previous attempt ended.
private struct ResumingTransport: Transport {
    let base: any Transport
    let file: PartialFile

    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        try await base.send(request.resuming(file), options: options)
    }
}

extension Request {
    /// The reason why a response to this request can't be resumed; nil if it can.
    var reasonNotResumable: String? {
        // Range requests are only defined for GET (RFC 9110, section 14.2).
        if method != .get { return "the method \(method)" }
        return ["Range", "If-Range"].first { name in headers.contains { $0.isNamed(name) } }.map { "the header \($0)" }
    }

    /// Returns this request for what is missing of `file`.
    ///
    /// It asks for an uncompressed response, because a part of compressed bytes could not be appended.
    func resuming(_ file: PartialFile) -> Request {
        var request = self
        for name in ["Accept-Encoding", "Range", "If-Range"] {
            request.headers.removeAll { $0.isNamed(name) }
            request.withheldHeaders.removeAll { Header($0, "").isNamed(name) }
        }
        request.headers.append(Header("Accept-Encoding", "identity"))
        if let validator = file.validator {
            request.headers += [Header("Range", "bytes=\(file.length)-"), Header("If-Range", validator)]
        }
        return request
    }
}

extension ResponseHead {
    /// The entity tag that identifies the bytes of this version of the body; nil without a strong one (RFC 9110, section 8.8.3).
    fileprivate var validator: String? { self["ETag"].flatMap { $0.isStrongTag ? $0 : nil } }
}

/// The `Content-Range` of a 206 or a 416: `bytes 100-199/200`, `bytes */200` (RFC 9110, section 14.4).
private struct ContentRange {
    /// The first byte that the response has; nil if it has none.
    let start: Int?
    /// The length of the whole.
    let total: Int

    /// Reads the header of a response. Nil without it, and if it does not state the length of the whole.
    init?(_ head: ResponseHead) {
        let text = (head["Content-Range"] ?? "").lowercased()
        let parts = text.split(omittingEmptySubsequences: false) { " -/".contains($0) }
        guard parts[0] == "bytes", let total = Int(digits: parts[parts.count - 1]) else { return nil }
        start = parts.count == 4 ? Int(digits: parts[1]) : nil
        self.total = total
    }
}
