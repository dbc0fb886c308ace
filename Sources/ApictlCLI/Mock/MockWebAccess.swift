import EndpointKit
import MockServer

/// Decides which web pages may use `mock`, and tells browsers so with headers (Fetch standard, section 3.2).
struct MockWebAccess: Sendable {
    /// The values of the header `Host` that are accepted.
    let hosts: MockHosts
    /// Whether only pages of ``allowedOrigins`` may use the server, because it sends real credentials (`--record`).
    /// Pages of every origin may read samples.
    let protectsResponses: Bool
    /// The origins of `--allow-origin`, such as `http://localhost:3000`. The origin `*` stands for all.
    let allowedOrigins: Set<String>

    private func isAllowed(origin: String) -> Bool { allowedOrigins.contains(origin) || allowedOrigins.contains("*") }

    /// Returns the refusal of a request with a wrong host, or from a web page that may not use the server; nil if the
    /// request is accepted.
    func refusal(of request: ReceivedRequest) -> MockReply? {
        guard hosts.accepts(request.authority) else {
            let names = hosts.names.joined(separator: ", ")
            return MockReply(status: 421, message: "the host in the Host header must be one of \(names)")
        }
        if protectsResponses, isFromForeignPage(request) {
            return MockReply(
                status: 403,
                message: "web pages of another origin may not use real credentials without --allow-origin")
        }
        return nil
    }

    /// Whether a web page sends the request whose origin is neither this server nor allowed.
    private func isFromForeignPage(_ request: ReceivedRequest) -> Bool {
        let origins = request.values(of: "Origin")
        // For an image or a script, browsers send no `Origin`, but they say in `Sec-Fetch-Site` where the page is from.
        if origins.isEmpty { return ["cross-site", "same-site"].contains(request["Sec-Fetch-Site"]) }
        let ownOrigin = "http://\(request.authority ?? "")"
        return !origins.allSatisfy { $0 == ownOrigin || isAllowed(origin: $0) }
    }

    /// Returns the headers that let a web page read the response to its request (Fetch standard, section 3.2.3).
    ///
    /// - Parameters:
    ///   - request: The request, in which browsers name the origin of the page.
    ///   - status: The status of the response.
    /// - Returns: The headers; empty if the page may not read the response.
    func headersForPage(of request: ReceivedRequest, status: Int) -> [HTTPField] {
        // The status 421 refuses a wrong host, which may be an attack (see ``MockHosts``): the page must not read the
        // reason.
        if status == 421 { return [] }
        let exposedHeaders = HTTPField("Access-Control-Expose-Headers", "*")
        if !protectsResponses { return [HTTPField("Access-Control-Allow-Origin", "*"), exposedHeaders] }
        guard let origin = request.values(of: "Origin").first(where: isAllowed) else { return [] }
        // `Vary` keeps a cache from giving the response to pages of other origins.
        return [HTTPField("Access-Control-Allow-Origin", origin), exposedHeaders, HTTPField("Vary", "Origin")]
    }

    /// Returns the response to a preflight request, in which a browser asks whether a web page may send a request
    /// (Fetch standard, section 3.2.2).
    ///
    /// - Parameters:
    ///   - request: Any request.
    ///   - allowedMethods: The methods of the path, for the header `Allow`; nil if they are not known.
    /// - Returns: The response; nil if `request` is no preflight request.
    func preflightResponse(to request: ReceivedRequest, allowedMethods: String?) -> Response? {
        guard request.method == "OPTIONS", let method = request["Access-Control-Request-Method"] else { return nil }
        var fields: [HTTPField] = []
        if let allowedMethods { fields.append(HTTPField("Allow", allowedMethods)) }
        fields.append(HTTPField("Access-Control-Allow-Methods", method))
        // The names are repeated, because `*` would not include Authorization.
        if let names = request["Access-Control-Request-Headers"] {
            fields.append(HTTPField("Access-Control-Allow-Headers", names))
        }
        return Response(head: ResponseHead(status: 204, fields: fields), body: [])
    }
}
