import EndpointKit
import Synchronization

/// `--continue -o FILE`: a download that goes on where an earlier one broke off, and that keeps what came where it breaks off too.
struct ContinuedDownload {
    let file: any PartialFile
    /// Where notes go; nil for none.
    let notes: (any ByteOutput)?
    /// The longest body that one answer may have; nil is no limit.
    let maxBytes: Int?

    /// How one answer was taken.
    private enum Outcome {
        case complete
        /// More has to be asked for. At `openEnd` there may be no more: the server does not say how long the whole is.
        case incomplete(openEnd: Int?)
        case failed(ExitCode)
    }

    /// Asks until all is there.
    ///
    /// `keep` writes an answer's body into the file, `fail` tells of an answer with a status of failure. Throws ``DownloadStopped`` for a
    /// failure after which the same command goes on.
    func run(
        _ request: Request, _ client: Client, keep: (StreamedResponse, DownloadExtent) async throws -> Void,
        fail: (StreamedResponse) async throws -> ExitCode
    ) async throws -> ExitCode {
        var client = client
        client.transport = ContinuingTransport(base: client.transport, file: file)
        client.transfer.deadline = client.transfer.maxTime.map { ContinuousClock.now + $0 }
        var openEnd: Int?
        do {
            while true {
                let outcome = try await client.exchange(request) { response in
                    try await take(response, openEnd: openEnd, keep: keep, fail: fail)
                }
                switch outcome {
                case .complete: return .success
                case .incomplete(let end): openEnd = end
                case .failed(let code): return code
                }
            }
        } catch let error where Self.mayPass(error) && file.length > 0 {
            throw DownloadStopped(cause: error, path: file.path, length: file.length)
        }
    }

    private func take(
        _ response: StreamedResponse, openEnd: Int?,
        keep: (StreamedResponse, DownloadExtent) async throws -> Void,
        fail: (StreamedResponse) async throws -> ExitCode
    ) async throws -> Outcome {
        let entity = DownloadEntity(response.head)
        let continuation = Continuation(file)
        switch try continuation.verdict(response.head, isOpen: openEnd == file.length) {
        case .failure:
            return .failed(try await fail(response))
        case .complete(let note):
            try tell(note)
            return .complete
        case .again(let note):
            try tell(note)
            try file.begin(note: "")
            return .incomplete(openEnd: nil)
        case .whole(let note):
            var whole = try response.limited(to: maxBytes, isHead: false)
            try tell(note)
            whole.body = whole.body.beginning { [file] in try file.begin(note: entity.text) }
            try await keep(whole, DownloadExtent(start: 0, total: entity.length))
            return .complete
        case .rest(let last, let total, let note):
            try tell(note)
            let known = (continuation.entity ?? DownloadEntity()).completed(by: entity)
            let start = file.length
            var part = response
            part.body = part.body.limited(
                to: last - start + 1,
                Continuation.Misfit(description: "the server sent more than the part it announced")
            )
            // From its first byte on the file is of this state: the next answer must not be of another.
            .beginning { [file] in try file.keep(note: known.text) }
            try await keep(part, DownloadExtent(start: start, total: total))
            guard file.length > last else {
                throw TransportError(
                    .cutShort(.inBody(expected: Int64(last + 1))), receivedBytes: Int64(file.length))
            }
            // A server may send less than it was asked for, and not say so.
            guard let total else { return .incomplete(openEnd: file.length) }
            return total > file.length ? .incomplete(openEnd: nil) : .complete
        }
    }

    private func tell(_ note: String?) throws {
        guard let note else { return }
        try notes?.write(note.safeToShow + "\n")
    }

    /// Whether the same command may do better another time.
    private static func mayPass(_ error: any Error) -> Bool {
        switch error {
        case is TransportError, is CancellationError, is FileError: true
        case let error as StatusFailure: error.head.status >= 500 || error.head.status == 429
        default: false
        }
    }
}

/// A download stopped before its end, and what came is kept.
struct DownloadStopped: Error {
    let cause: any Error
    let path: String
    let length: Int

    var description: String {
        "\(path) keeps the \(ByteCountText.shown(length)) that came; the same command goes on from there."
    }
}

extension ResponseBody {
    /// This body, with `begin` run before its first piece is given, or its end where it has none; not where it fails before that.
    fileprivate func beginning(_ begin: @escaping @Sendable () throws -> Void) -> ResponseBody {
        let body = self
        let hasBegun = Mutex(false)
        return ResponseBody {
            var pieces = body.makeAsyncIterator()
            let piece = try await pieces.next()
            let isFirst = hasBegun.withLock { hasBegun in
                defer { hasBegun = true }
                return !hasBegun
            }
            if isFirst { try begin() }
            return piece
        }
    }
}
