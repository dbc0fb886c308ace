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

    /// Requests the missing bytes of the file. Once `FILE.part` is complete, renames it to `FILE`.
    ///
    /// - Returns: Success. Any other end is an error.
    /// - Throws: The errors of sending and writing. An error after which the same command can resume is an
    ///   ``AnnotatedError`` that says so.
    func run() async throws -> ExitCode {
        // Keeps `FILE.part` if a later run can continue it, and removes it otherwise.
        defer { file.discard() }
        do {
            try await receiveMissingBytes()
            // The server has confirmed that the FILE of an earlier run is complete. Nothing replaces it.
            if file.keepsExistingFile { return .success }
            try file.commit()
            try exchange.makePrinter().noteSaved(file.length, in: exchange.output.file)
            return .success
        } catch  where file.validator != nil && Self.isTransient(error) {
            // Without a validator, which is the entity tag of the bytes, a later run could not tell whether they belong
            // to the same version of the file.
            let kept = "\(ByteCountText.shown(file.length)) kept in \(file.path)"
            throw AnnotatedError(error, hint: .fact(kept + "; run the same command to resume."))
        }
    }

    /// Requests the missing bytes, and appends them to the file.
    ///
    /// If the earlier bytes turn out to belong to another version of the file, they are dropped, and the whole file is
    /// requested.
    private func receiveMissingBytes() async throws {
        do {
            return try await sendRequest()
        } catch is OtherLength {
            // The existing file is not the one on the server, although it may be an older version of it.
            file.forgetExisting()
        } catch is ChangedVersion {
            // The kept bytes are of an older version than the part that the server has sent.
            note("the file has changed on the server; starting over")
            try file.begin(validator: nil)
        }
        // Without kept bytes, the request is for the whole file.
        try await sendRequest()
    }

    /// Sends a request for the bytes that are missing now, and writes the bytes of the response to the file.
    private func sendRequest() async throws {
        try await exchange.run(into: file) { response in try await receive(response) }
    }

    /// The error that the server has sent a part of another version of the file than the kept bytes, although
    /// `If-Range` forbids that.
    private struct ChangedVersion: Error {}

    /// The error that the existing file has another length than the one on the server, so that it is fetched again.
    private struct OtherLength: Error {}

    /// Whether the same command may succeed later.
    private static func isTransient(_ error: any Error) -> Bool {
        if let failed = error as? FailedStatus { return failed.isTransient }
        return error is TransportError || error is FileError
    }

    // MARK: Responses

    /// Writes the bytes of a response to the file, as its status says.
    ///
    /// The kept bytes are the start of the file that an earlier attempt or an earlier run of the command has received.
    ///
    /// | Status | Meaning |
    /// |---|---|
    /// | 206 | the bytes after those that are kept |
    /// | 204, 205 | an empty file, but an error if bytes are kept, because no content can't be the rest of a file |
    /// | other 2xx | the whole file, because it has changed or the server does not support ranges |
    /// | 416 | no bytes are missing |
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
        // The length is nil if bytes are kept. Otherwise the bytes after the end of the existing file were requested.
        if let existingLength = file.existingLength, [206, 416].contains(head.status) {
            return try acceptExistingFile(ofLength: existingLength, after: head)
        }
        let hasKeptBytes = file.length > 0
        switch head.status {
        case 206: try await appendRest(of: response)
        case 204 where hasKeptBytes, 205 where hasKeptBytes: throw unusable("no content (\(head.status))")
        case 200..<300:
            if hasKeptBytes { note("the server sent the whole file; starting over") }
            try file.begin(validator: head.validator, announcedLength: head.bodyLength)
            try await write(response)
        case 416:
            try requireCompleteFile(head)
            note("\(file.path) is complete")
        default: throw try await exchange.failurePrinter.showFailure(response)
        }
    }

    /// Accepts the existing file as complete if it has the length of the file on the server. Notes that on stderr.
    ///
    /// The bytes after its end were requested. So the status 416 (range not satisfiable) with its length says that
    /// there are none.
    ///
    /// - Throws: ``OtherLength`` if the file on the server has another length.
    private func acceptExistingFile(ofLength existingLength: Int, after head: ResponseHead) throws(OtherLength) {
        guard head.status == 416, ContentRange(head)?.total == existingLength else { throw OtherLength() }
        file.keepExisting()
        note("\(exchange.output.file ?? "") is complete")
    }

    /// Checks after a 416 that the kept bytes are the whole file.
    ///
    /// Their number must be the length of the file on the server, and the length that the server announced when it sent
    /// them.
    ///
    /// - Throws: ``UnusableResponse`` if one of these lengths is different.
    private func requireCompleteFile(_ head: ResponseHead) throws(UnusableResponse) {
        let keptLength = file.length
        let announcedLength = file.announcedLength ?? keptLength
        guard ContentRange(head)?.total == keptLength, announcedLength == keptLength else {
            throw unusable("status 416 for a file of another length")
        }
    }

    /// Writes the bytes of a response with the status 206 after those that are kept.
    ///
    /// - Throws: ``UnusableResponse`` if the bytes are not the missing ones, ``ChangedVersion`` if they are of another
    ///   version of the file, and `TransportError` if they end too early.
    private func appendRest(of response: StreamedResponse) async throws {
        let keptLength = file.length
        let totalLength = try checkedTotalLength(of: response.head)
        note("resuming at \(ByteCountText.shown(keptLength)) of \(ByteCountText.shown(totalLength))")
        var rest = response
        // More bytes than the missing ones would make the file too long.
        let excessError = unusable("more bytes than its Content-Range announced")
        rest.body = response.body.limited(to: totalLength - keptLength, throwing: excessError)
        try await write(rest)
        if file.length != totalLength {
            let cause = TransportError.Cause.cutShort(.inBody(expected: Int64(totalLength)))
            throw TransportError(cause, receivedBytes: Int64(file.length))
        }
    }

    /// Checks that a response with the status 206 continues the kept bytes, and that the file has not changed.
    ///
    /// RFC 9110, section 15.3.7, says when parts of a file may be combined.
    ///
    /// - Returns: The length of the whole file.
    /// - Throws: ``UnusableResponse`` if it continues other bytes, and ``ChangedVersion`` if it is of another version.
    private func checkedTotalLength(of head: ResponseHead) throws -> Int {
        // Without the entity tag of kept bytes, the whole file was requested.
        guard let validator = file.validator else { throw UnusableResponse.part }
        if let otherValidator = head.validator, otherValidator != validator { throw ChangedVersion() }
        guard let range = ContentRange(head), range.start == file.length, head["ETag"] == validator else {
            throw unusable("another part of the file than what is missing")
        }
        if let announcedLength = file.announcedLength, announcedLength != range.total {
            throw unusable("a part of a file of another length")
        }
        return range.total
    }

    /// Appends the body of a response to the file, and shows the progress on a terminal.
    private func write(_ response: StreamedResponse) async throws {
        _ = try await exchange.makePrinter(file: file, earlierBytes: file.length).printBody(of: response)
    }

    /// Writes a note on stderr. A note that can't be written must not stop the download.
    private func note(_ text: String) { try? exchange.notes?.write(text.safeToShow + "\n") }

    /// Returns the error that a response does not fit the kept bytes, with the advice to remove them.
    ///
    /// - Parameter sentContent: A noun for what the server sent: `no content (204)`.
    private func unusable(_ sentContent: String) -> UnusableResponse {
        UnusableResponse(description: "the server sent \(sentContent); remove \(file.path) to start over")
    }
}

/// A transport that changes each request to one for the bytes that are missing when it is sent. So a retry resumes
/// where the attempt before it ended.
private struct ResumingTransport: Transport {
    let base: any Transport
    let file: PartialFile

    /// Sends the request, changed to one for the bytes that are missing now.
    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        try await base.send(request.resuming(file), options: options)
    }
}

extension Request {
    /// The part of this request because of which a download can't be resumed: `the method POST`, `the header Range`.
    /// Nil if it can be resumed.
    var partThatPreventsResuming: String? {
        // Range requests are only defined for GET (RFC 9110, section 14.2).
        if method != .get { return "the method \(method)" }
        for name in ["Range", "If-Range"] where headers.contains(where: { $0.isNamed(name) }) {
            return "the header \(name)"
        }
        return nil
    }

    /// Returns this request, changed to one for the missing bytes of a file: `Range: bytes=100-`.
    ///
    /// If bytes are kept, `If-Range` with their entity tag asks for the whole file in case that it has changed. If
    /// none are kept, the request is for the bytes after the end of an existing file, or else for the whole file. The
    /// response must be uncompressed, because compressed bytes could not be appended.
    func resuming(_ file: PartialFile) -> Request {
        var request = self
        // Only this function sets these headers.
        for name in ["Accept-Encoding", "Range", "If-Range"] {
            request.headers.removeAll { $0.isNamed(name) }
            request.withheldHeaders.removeAll { $0.isSameName(as: name) }
        }
        request.headers.append(HTTPField("Accept-Encoding", "identity"))
        if let validator = file.validator {
            request.headers += [HTTPField("Range", "bytes=\(file.length)-"), HTTPField("If-Range", validator)]
        } else if let existingLength = file.existingLength {
            request.headers.append(HTTPField("Range", "bytes=\(existingLength)-"))
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
    /// The length of the whole body.
    let total: Int

    /// Reads the header of a response. Nil if there is no such header, or if it does not state the length of the
    /// whole body, as in `bytes 100-199/*`.
    init?(_ head: ResponseHead) {
        guard let text = head["Content-Range"]?.lowercased() else { return nil }
        // `bytes 100-199/200` has the parts bytes, 100, 199 and 200; `bytes */200` has bytes, * and 200.
        let parts = text.split(omittingEmptySubsequences: false) { " -/".contains($0) }
        guard parts.first == "bytes", let lastPart = parts.last, let total = Int(digits: lastPart) else { return nil }
        let hasRange = parts.count == 4
        start = hasRange ? Int(digits: parts[1]) : nil
        self.total = total
    }
}
