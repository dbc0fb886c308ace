import EndpointKit
import Synchronization
import SystemCalls

/// A download with `--continue -o FILE`. It resumes the download of an earlier run, and keeps what it has received if
/// it is interrupted itself.
///
/// The bytes are kept in `FILE.part` until the file is complete. Each attempt sends one request. If a part of the
/// file has been kept, the request is for the rest, with `Range` and `If-Range`. Otherwise it is for the whole file.
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

    /// Requests the missing bytes of the file. Once the file is complete, it gets its name.
    ///
    /// - Throws: The errors of sending and writing. An error after which the same command can resume is an
    ///   ``AnnotatedError`` that says so.
    func run() async throws -> ExitCode {
        defer { file.discard() }
        do {
            do {
                try await exchange.run(into: file) { try await receive($0) }
                if file.isCompleteAlready { return .success }
            } catch is OtherLength {
                file.forgetExisting()
                try await exchange.run(into: file) { try await receive($0) }
            } catch is ChangedVersion {
                // The server has ignored `If-Range`. Without kept bytes, the request is for the whole.
                note("the file has changed on the server; starting over")
                try file.begin(validator: nil)
                try await exchange.run(into: file) { try await receive($0) }
            }
            try file.commit()
            try exchange.printer().noteSaved(file.length, in: exchange.output.file)
            return .success
        } catch  where file.validator != nil && Self.isTransient(error) {
            // Without a validator, a later run could not tell whether the bytes belong to the same version of the file.
            let kept = "\(ByteCountText.shown(file.length)) kept in \(file.path)"
            throw AnnotatedError(error, hint: .fact(kept + "; run the same command to resume."))
        }
    }

    /// The error that a part is of another version of the file than the kept bytes.
    private struct ChangedVersion: Error {}

    /// The error that the existing file has another length than the one on the server, so that it is fetched again.
    private struct OtherLength: Error {}

    /// Whether the same command may succeed later.
    private static func isTransient(_ error: any Error) -> Bool {
        if let failed = error as? FailedStatus { return failed.isTransient }
        return error is TransportError || error is FileError
    }

    /// Writes the bytes of a response to the file.
    ///
    /// | Status | Meaning |
    /// |---|---|
    /// | 206 | the bytes after those that are kept |
    /// | 204, 205 | no content, which is not the rest of a file of which bytes are kept |
    /// | other 2xx | the whole file, because it has changed or the server does not support ranges |
    /// | 416 | nothing is missing, if the length is that of the kept bytes and the one that was announced with them |
    ///
    /// Without kept bytes, but with an existing file, the bytes after that file were requested: a 416 with its length
    /// says that it is complete.
    ///
    /// - Throws: ``UnusableResponse`` for a response that does not fit the kept bytes, and ``FailedStatus`` for any
    ///   other status.
    private func receive(_ response: StreamedResponse) async throws {
        let head = response.head
        if head.isSuccess, head.hasContentCoding {
            let compressed = "the response is compressed (\(head["Content-Encoding"] ?? ""))"
            throw UnusableResponse(
                description: "\(compressed) although it was requested uncompressed; leave out --continue")
        }
        let range = ContentRange(head)
        if let existing = file.existingLength, [206, 416].contains(head.status) {
            guard head.status == 416, range?.total == existing else { throw OtherLength() }
            file.keepExisting()
            note("\(exchange.output.file ?? "") is complete")
            return
        }
        switch head.status {
        case 206: try await receiveRest(response, range)
        case 204 where file.length > 0, 205 where file.length > 0: throw unusable("no content (\(head.status))")
        case 200..<300:
            if file.length > 0 { note("the server sent the whole file; starting over") }
            try file.begin(validator: head.validator, announcedLength: head.bodyLength)
            try await write(response)
        case 416:
            // There are no bytes after the saved ones.
            let length = file.length
            guard range?.total == length, file.announcedLength ?? length == length else {
                throw unusable("status 416 for a file of another length")
            }
            note("\(file.path) is complete")
        default: throw try await exchange.printer().failures.failure(of: response)
        }
    }

    /// Writes the bytes of a response with the status 206 after those that are kept.
    ///
    /// - Parameter range: The bytes that the response says it has; nil if it does not say so.
    /// - Throws: ``UnusableResponse`` if the bytes are not the missing ones, ``ChangedVersion`` if they are of another
    ///   version of the file, and `TransportError` if they end too early.
    private func receiveRest(_ response: StreamedResponse, _ range: ContentRange?) async throws {
        // Without a validator, the whole file was requested.
        guard let validator = file.validator else { throw UnusableResponse.part }
        // The response must continue the kept bytes, in the same version of the file (RFC 9110, section 15.3.7).
        if let other = response.head.validator, other != validator { throw ChangedVersion() }
        guard let range, range.start == file.length, response.head["ETag"] == validator else {
            throw unusable("another part of the file than what is missing")
        }
        guard file.announcedLength ?? range.total == range.total else {
            throw unusable("a part of a file of another length")
        }
        note("resuming at \(ByteCountText.shown(file.length)) of \(ByteCountText.shown(range.total))")
        var rest = response
        let excess = unusable("more bytes than its Content-Range announced")
        rest.body = response.body.limited(to: range.total - file.length, excess)
        try await write(rest)
        if file.length != range.total {
            let cause = TransportError.Cause.cutShort(.inBody(expected: Int64(range.total)))
            throw TransportError(cause, receivedBytes: Int64(file.length))
        }
    }

    /// Appends the body of a response to the file.
    private func write(_ response: StreamedResponse) async throws {
        _ = try await exchange.printer(file: file, start: file.length).printBody(of: response)
    }

    /// Writes a note on stderr. A note that can't be written must not stop the download.
    private func note(_ text: String) { try? exchange.notes?.write(text.safeToShow + "\n") }

    /// Returns the error that a response does not fit the kept bytes, with the advice to remove them.
    ///
    /// - Parameter what: What the server sent, as the end of a sentence.
    private func unusable(_ what: String) -> UnusableResponse {
        UnusableResponse(description: "the server sent \(what); remove \(file.path) to start over")
    }
}

/// Changes each request to one for the bytes that are missing when it is sent. So a retry resumes where the attempt
/// before it ended.
private struct ResumingTransport: Transport {
    let base: any Transport
    let file: PartialFile

    /// Sends the request, changed to one for the bytes that are missing now.
    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        try await base.send(request.resuming(file), options: options)
    }
}

extension Request {
    /// The part of this request because of which its response can't be resumed: `the method POST`, `the header
    /// Range`. Nil if the response can be resumed.
    var reasonNotResumable: String? {
        // Range requests are only defined for GET (RFC 9110, section 14.2).
        if method != .get { return "the method \(method)" }
        return ["Range", "If-Range"].first { name in headers.contains { $0.isNamed(name) } }.map { "the header \($0)" }
    }

    /// Returns this request, changed to one for the missing bytes of a file.
    ///
    /// The response must be uncompressed, because compressed bytes could not be appended. If no bytes are kept, the
    /// request is for the whole file.
    func resuming(_ file: PartialFile) -> Request {
        var request = self
        for name in ["Accept-Encoding", "Range", "If-Range"] {
            request.headers.removeAll { $0.isNamed(name) }
            request.withheldHeaders.removeAll { HTTPField($0, "").isNamed(name) }
        }
        request.headers.append(HTTPField("Accept-Encoding", "identity"))
        if let validator = file.validator {
            request.headers += [HTTPField("Range", "bytes=\(file.length)-"), HTTPField("If-Range", validator)]
        } else if let existing = file.existingLength {
            request.headers.append(HTTPField("Range", "bytes=\(existing)-"))
        }
        return request
    }
}

extension ResponseHead {
    /// The entity tag that identifies the bytes of this version of the body; nil without a strong one (RFC 9110,
    /// section 8.8.3).
    fileprivate var validator: String? { self["ETag"].flatMap { $0.isStrongTag ? $0 : nil } }
}

/// The `Content-Range` of a 206 or a 416: `bytes 100-199/200`, `bytes */200` (RFC 9110, section 14.4).
private struct ContentRange {
    /// The first byte that the response has; nil if it has none.
    let start: Int?
    /// The length of the whole.
    let total: Int

    /// Reads the header of a response. Nil if there is no such header, or if it does not state the length of the
    /// whole body.
    init?(_ head: ResponseHead) {
        let text = (head["Content-Range"] ?? "").lowercased()
        let parts = text.split(omittingEmptySubsequences: false) { " -/".contains($0) }
        guard parts[0] == "bytes", let total = Int(digits: parts[parts.count - 1]) else { return nil }
        start = parts.count == 4 ? Int(digits: parts[1]) : nil
        self.total = total
    }
}
