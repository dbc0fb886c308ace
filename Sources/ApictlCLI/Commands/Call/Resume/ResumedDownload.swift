import EndpointKit
import Synchronization

/// `--continue -o FILE`: a download that resumes an interrupted one, and keeps what was received if it is interrupted itself.
struct ResumedDownload {
    let file: any PartialFile
    /// Where notes are written; nil if they are not wanted.
    let notes: (any ByteOutput)?
    /// The longest body of one response, in bytes; nil is no limit.
    let maxBytes: Int?

    /// What one response achieved.
    private enum Outcome {
        case complete
        /// More must be requested. If the server does not state the whole length, `openEnd` is the length at which the file may be complete.
        case incomplete(openEnd: Int?)
        case failed(ExitCode)
    }

    /// Sends `request` for the rest of the file until the file is complete.
    ///
    /// `save` writes a response's body to the file; `fail` prints a response with a failure status. Throws ``InterruptedDownload`` for a
    /// failure after which the same command can resume.
    func run(
        _ request: Request, _ client: Client, save: (StreamedResponse, DownloadExtent) async throws -> Void,
        fail: (StreamedResponse) async throws -> ExitCode
    ) async throws -> ExitCode {
        var client = client
        client.transport = ResumingTransport(base: client.transport, file: file)
        var openEnd: Int?
        do {
            while true {
                let outcome = try await client.exchange(request) { response in
                    try await receive(response, openEnd: openEnd, save: save, fail: fail)
                }
                switch outcome {
                case .complete: return .success
                case .incomplete(let end): openEnd = end
                case .failed(let code): return code
                }
            }
        } catch let error where Self.isTemporary(error) && file.length > 0 {
            throw InterruptedDownload(cause: error, path: file.path, length: file.length)
        }
    }

    private func receive(
        _ response: StreamedResponse, openEnd: Int?,
        save: (StreamedResponse, DownloadExtent) async throws -> Void,
        fail: (StreamedResponse) async throws -> ExitCode
    ) async throws -> Outcome {
        let point = ResumePoint(file)
        switch try point.action(for: response.head, isOpenEnded: openEnd == file.length) {
        case .failure:
            return .failed(try await fail(response))
        case .complete(let note):
            try write(note)
            return .complete
        case .restart(let note):
            try write(note)
            try file.begin(note: "")
            return .incomplete(openEnd: nil)
        case .replace(let note):
            let version = FileVersion(response.head)
            var whole = try response.limited(to: maxBytes, isHead: false)
            try write(note)
            whole.body = whole.body.onFirstChunk { [file] in try file.begin(note: version.text) }
            try await save(whole, DownloadExtent(start: 0, total: version.length))
            return .complete
        case .append(let last, let total, let note):
            try write(note)
            return try await append(response, to: point, last: last, total: total, save: save)
        }
    }

    private func append(
        _ response: StreamedResponse, to point: ResumePoint, last: Int, total: Int?,
        save: (StreamedResponse, DownloadExtent) async throws -> Void
    ) async throws -> Outcome {
        let version = (point.version ?? FileVersion()).completed(by: FileVersion(response.head))
        var part = response
        part.body = part.body.limited(
            to: last - point.length + 1,
            UnusableResponse(description: "the server sent more bytes than its Content-Range announced")
        )
        // Saved with the first bytes: a later response must be of the same version.
        .onFirstChunk { [file] in try file.keep(note: version.text) }
        try await save(part, DownloadExtent(start: point.length, total: total))
        guard file.length > last else {
            throw TransportError(.cutShort(.inBody(expected: Int64(last + 1))), receivedBytes: Int64(file.length))
        }
        // A server may send a shorter part than requested without stating the whole length.
        guard let total else { return .incomplete(openEnd: file.length) }
        return total > file.length ? .incomplete(openEnd: nil) : .complete
    }

    private func write(_ note: String?) throws {
        guard let note else { return }
        try notes?.write(note.safeToShow + "\n")
    }

    /// Whether the same command may succeed later.
    private static func isTemporary(_ error: any Error) -> Bool {
        switch error {
        case is TransportError, is CancellationError, is FileError: true
        case let error as StatusFailure: error.head.status >= 500 || error.head.status == 429
        default: false
        }
    }
}

/// A download ended early, and what was received is kept.
struct InterruptedDownload: Error {
    let cause: any Error
    let path: String
    let length: Int

    var description: String {
        "\(ByteCountText.shown(length)) kept in \(path); run the same command to resume."
    }
}

extension ResponseBody {
    /// This body, which runs `action` before it returns its first chunk or its end, but not if it fails before that.
    fileprivate func onFirstChunk(_ action: @escaping @Sendable () throws -> Void) -> ResponseBody {
        let body = self
        let hasRun = Mutex(false)
        return ResponseBody {
            var chunks = body.makeAsyncIterator()
            let chunk = try await chunks.next()
            let isFirst = hasRun.withLock { hasRun in
                defer { hasRun = true }
                return !hasRun
            }
            if isFirst { try action() }
            return chunk
        }
    }
}
