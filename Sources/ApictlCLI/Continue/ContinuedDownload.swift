import EndpointKit

/// `--continue -o FILE`: a download that goes on where an earlier one broke off, and that keeps what came where it breaks off too.
struct ContinuedDownload {
    let file: any PartialFile
    let redactor: Redactor
    /// Where notes go; nil for none.
    let notes: (any ByteOutput)?

    /// How one answer was taken.
    private enum Outcome {
        case complete
        /// More has to be asked for.
        case incomplete
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
        let deadline = client.transfer.maxTime.map { ContinuousClock.now + $0 }
        do {
            while true {
                if let deadline { client.transfer.maxTime = deadline - .now }
                let outcome = try await client.exchange(request) { response in
                    try await take(response, keep: keep, fail: fail)
                }
                switch outcome {
                case .complete: return .success
                case .incomplete: continue
                case .failed(let code): return code
                }
            }
        } catch let error where Self.mayPass(error) && file.length > 0 {
            throw DownloadStopped(cause: redactor.redact(error), path: file.path, length: file.length)
        }
    }

    private func take(
        _ response: StreamedResponse, keep: (StreamedResponse, DownloadExtent) async throws -> Void,
        fail: (StreamedResponse) async throws -> ExitCode
    ) async throws -> Outcome {
        let entity = DownloadEntity(response.head)
        switch try Continuation(file).verdict(response.head) {
        case .failure:
            return .failed(try await fail(response))
        case .complete(let note):
            try tell(note)
            return .complete
        case .again(let note):
            try tell(note)
            try file.begin(note: "")
            return .incomplete
        case .whole(let note):
            try tell(note)
            try file.begin(note: entity.text)
            try await keep(response, DownloadExtent(start: 0, total: entity.length))
            return .complete
        case .rest(let last, let total, let note):
            try tell(note)
            let start = file.length
            var part = response
            part.body = part.body.limited(
                to: last - start + 1,
                Continuation.Misfit(description: "the server sent more than the part it announced"))
            try await keep(part, DownloadExtent(start: start, total: total))
            guard file.length > last else {
                throw TransportError(.cutShort, "the answer ended after \(file.length) of \(last + 1) bytes")
            }
            // A server may send less than it was asked for.
            return total.map { $0 > file.length } ?? false ? .incomplete : .complete
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
