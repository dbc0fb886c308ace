import EndpointKit

/// Answers every request with an endpoint's embedded sample, without a network.
struct SampleTransport: Transport {
    let endpoint: Endpoint

    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        guard let sample = endpoint.sampleResponse else {
            throw TransportError(.other, "the endpoint has no sample")
        }
        return StreamedResponse(head: sample.head, body: ResponseBody(bytes: sample.body))
    }
}
