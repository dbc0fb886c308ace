import EndpointKit

/// Asks for what is still missing of a file each time a request is sent: a retry goes on where the attempt before it broke off.
struct ContinuingTransport: Transport {
    let base: any Transport
    let file: any PartialFile

    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        try await base.send(request.continuing(file), options: options)
    }
}

extension Request {
    /// This request for what is missing of `file`.
    func continuing(_ file: any PartialFile) -> Request {
        var request = self
        let fields = Continuation(file).fields
        for name in ["Range", "If-Range"] + fields.map(\.name) {
            request.headers.removeAll { $0.isNamed(name) }
            request.withheldHeaders.removeAll { Header($0, "").isNamed(name) }
        }
        request.headers += fields
        return request
    }
}

extension Continuation {
    init(_ file: any PartialFile) {
        self.init(
            path: file.path, length: file.length, entity: file.note.flatMap(DownloadEntity.init(text:)),
            modified: file.modified)
    }
}
