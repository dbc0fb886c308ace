extension Endpoint {
    /// The recorded sample as a response; nil if there is none.
    ///
    /// It has the sample's content type and length. The status is that of the sample, or else 200, or 204 for an
    /// endpoint without a response body.
    package var sampleResponse: Response? {
        guard let sample else { return nil }
        var response = successfulResponse(bytes: sample.bytes, contentType: sample.contentType)
        if let status = sample.status {
            response.head = ResponseHead(status: status, fields: response.head.fields)
        }
        return response
    }

    /// Returns a successful response of this endpoint with a body.
    ///
    /// The response to a HEAD request has no body (RFC 9110, section 9.3.2).
    private func successfulResponse(bytes: [UInt8], contentType: String) -> Response {
        let body = method == .head ? [] : bytes
        if body.isEmpty, respondsWithNoContent {
            return Response(head: ResponseHead(status: 204, reason: "No Content"), body: [])
        }
        var fields: [HTTPField] = []
        if !contentType.isEmpty { fields.append(.init("Content-Type", contentType)) }
        fields.append(.init("Content-Length", String(body.count)))
        return Response(head: ResponseHead(status: 200, reason: "OK", fields: fields), body: body)
    }

    /// Whether a successful response has the status 204 (No Content), unless a sample says otherwise.
    package var respondsWithNoContent: Bool { response.kind == .empty && method != .head }
}
