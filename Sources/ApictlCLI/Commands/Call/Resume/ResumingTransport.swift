import EndpointKit

/// Requests what is missing of a file each time a request is sent, so that a retry resumes where the previous attempt ended.
struct ResumingTransport: Transport {
    let base: any Transport
    let file: any PartialFile

    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        try await base.send(request.resuming(file), options: options)
    }
}

extension Request {
    /// This request for what is missing of `file`.
    func resuming(_ file: any PartialFile) -> Request {
        var request = self
        let headers = ResumePoint(file).headers
        for name in ["Range", "If-Range"] + headers.map(\.name) {
            request.headers.removeAll { $0.isNamed(name) }
            request.withheldHeaders.removeAll { Header($0, "").isNamed(name) }
        }
        request.headers += headers
        return request
    }
}

extension ResumePoint {
    init(_ file: any PartialFile) {
        self.init(
            path: file.path, length: file.length, version: file.note.flatMap(FileVersion.init(text:)),
            modified: file.modified)
    }
}
