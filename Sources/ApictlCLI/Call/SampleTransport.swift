import EndpointKit

/// Answers every request with an endpoint's embedded sample, without a network.
struct SampleTransport: Transport {
    let endpoint: Endpoint

    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        guard let sample = endpoint.sample else {
            throw TransportError(.other, "the endpoint has no sample")
        }
        let bytes = endpoint.method == .head ? [] : sample.bytes
        var head = ResponseHead(status: bytes.isEmpty && endpoint.response.kind == .empty ? 204 : 200)
        head.reason = head.status == 204 ? "No Content" : "OK"
        if !sample.contentType.isEmpty { head.fields.append(.init("Content-Type", sample.contentType)) }
        if head.status != 204 { head.fields.append(.init("Content-Length", String(bytes.count))) }
        return StreamedResponse(head: head, body: ResponseBody(bytes: bytes))
    }
}
