import EndpointKit

/// Responds to every request with the endpoint's embedded sample, without a network.
struct SampleTransport: Transport {
    let endpoint: Endpoint

    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        guard let sample = endpoint.sampleResponse else {
            throw TransportError(.invalidRequest, detail: "the endpoint has no sample")
        }
        if let onEvent = options.onEvent {
            let fields = sample.head.fields.map { "\($0.name): \($0.value)" }
            onEvent(.requestHead(Array(request.shownHeaders(nil).utf8)))
            onEvent(
                .responseHead(
                    Array((["\(sample.head.version) \(sample.head.statusText)"] + fields).joined(separator: "\n").utf8))
            )
        }
        return StreamedResponse(head: sample.head, body: ResponseBody(bytes: sample.body))
    }
}
