import EndpointKit

/// Responds to every request with the endpoint's sample, without a network.
struct SampleTransport: Transport {
    let endpoint: Endpoint

    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        guard let sample = endpoint.sampleResponse(query: request.query) else {
            throw TransportError(.invalidRequest, detail: "the endpoint has no sample")
        }
        let fields = sample.head.fields.map { "\($0.name): \($0.value)" }
        let head = ["\(sample.head.version) \(sample.head.statusText)"] + fields
        options.onEvent?(.requestHead(Array(request.shownHeaders(nil).utf8)))
        options.onEvent?(.responseHead(Array(head.joined(separator: "\n").utf8)))
        return StreamedResponse(head: sample.head, body: ResponseBody(bytes: sample.body))
    }
}
