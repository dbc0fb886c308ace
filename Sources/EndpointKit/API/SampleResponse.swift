extension Endpoint {
    /// The recorded sample as a response, or nil if there is none.
    ///
    /// 200 with the sample's content type and length; 204 for an endpoint without a response body.
    public var sampleResponse: Response? {
        guard let sample else { return nil }
        let bytes = method == .head ? [] : sample.bytes
        guard !bytes.isEmpty || response.kind != .empty || method == .head else {
            return Response(head: ResponseHead(status: 204, reason: "No Content"), body: [])
        }
        var fields: [ResponseHead.Field] = []
        if !sample.contentType.isEmpty { fields.append(.init("Content-Type", sample.contentType)) }
        fields.append(.init("Content-Length", String(bytes.count)))
        return Response(head: ResponseHead(status: 200, reason: "OK", fields: fields), body: bytes)
    }
}
