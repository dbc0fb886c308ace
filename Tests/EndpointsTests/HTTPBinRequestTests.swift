import EndpointKit
import Endpoints
import Testing

/// The requests that the examples of httpbin send.
@Suite struct HTTPBinRequestTests {
    /// The JSON of the product in the examples of `post` and `put`.
    private static let product = #"""
        {"title":"Aerodynamic Concrete Clock","price":21.4,"tags":["clock","concrete"],\#
        "releasedOn":"2015-09-23T00:00:00Z",\#
        "maker":{"name":"Jacobs-Zulauf","site":"https://example.com/jacobs"}}
        """#

    private static let rows: [RequestRow] = [
        RequestRow("httpbin.get", "https://httpbin.org/get?search=caf%C3%A9&page=2&exact=true"),
        RequestRow(
            "httpbin.post", "https://httpbin.org/post", method: "POST",
            headers: ["Accept: application/json", "Content-Type: application/json"],
            body: product),
        RequestRow(
            "httpbin.put", "https://httpbin.org/put?id=7A1D4F8E-0C52-4E0B-9B7E-3F2A6C1D9E55", method: "PUT",
            headers: ["Accept: application/json", "Content-Type: application/json"],
            body: product),
        RequestRow(
            "httpbin.patch", "https://httpbin.org/patch", method: "PATCH",
            headers: ["Accept: application/json", "Content-Type: application/json"],
            body: #"{"price":17.77,"inStock":false}"#),
        RequestRow("httpbin.delete", "https://httpbin.org/delete?ids=1&ids=2", method: "DELETE"),
        RequestRow("httpbin.head", "https://httpbin.org/get", method: "HEAD"),
        RequestRow("httpbin.options", "https://httpbin.org/get", method: "OPTIONS"),
        RequestRow(
            "httpbin.form", "https://httpbin.org/post", method: "POST",
            headers: ["Accept: application/json", "Content-Type: application/x-www-form-urlencoded"],
            body: """
                name=Am%C3%A9lie%20P.&email=amelie%40example.com&quantity=2&newsletter=true\
                &topics=swift&topics=c%2B%2B
                """),
        RequestRow(
            "httpbin.multipart", "https://httpbin.org/post", method: "POST",
            headers: ["Accept: application/json", "Content-Type: multipart/form-data; boundary=b"],
            body: "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nHello\r\n--b--\r\n"),
        RequestRow(
            "httpbin.data", "https://httpbin.org/post", method: "POST",
            headers: ["Accept: application/json", "Content-Type: text/plain; charset=utf-8"], body: "Grüße, 世界"),
        RequestRow(
            "httpbin.anything",
            """
            https://httpbin.org/anything/caf%C3%A9%20%26%20bar\
            ?flag=true&count=-3&small=255&ratio=0.25&amount=19.99\
            &link=https%3A%2F%2Fexample.com%2Fa%3Fb%3Dc\
            &id=7A1D4F8E-0C52-4E0B-9B7E-3F2A6C1D9E55&moment=2026-11-21T09%3A30%3A00Z\
            &colour=blue&level=2&tags=a&tags=b%2Bc
            """),
        RequestRow("httpbin.status", "https://httpbin.org/status/200", headers: []),
        RequestRow("httpbin.headers", "https://httpbin.org/headers"),
        RequestRow("httpbin.response-headers", "https://httpbin.org/response-headers?freeform=swift"),
        RequestRow("httpbin.ip", "https://httpbin.org/ip"),
        RequestRow("httpbin.user-agent", "https://httpbin.org/user-agent"),
        RequestRow(
            "httpbin.basic-auth", "https://httpbin.org/basic-auth/ada/lovelace",
            headers: ["Authorization: Basic (redacted)", "Accept: application/json"]),
        RequestRow(
            "httpbin.bearer", "https://httpbin.org/bearer",
            headers: ["Authorization: Bearer (redacted)", "Accept: application/json"]),
        RequestRow("httpbin.redirect", "https://httpbin.org/redirect/2"),
        RequestRow("httpbin.relative-redirect", "https://httpbin.org/relative-redirect/3"),
        RequestRow("httpbin.absolute-redirect", "https://httpbin.org/absolute-redirect/4"),
        RequestRow("httpbin.redirect-to", "https://httpbin.org/redirect-to?url=%2Fget&status_code=307", headers: []),
        RequestRow("httpbin.delay", "https://httpbin.org/delay/0.5"),
        RequestRow("httpbin.gzip", "https://httpbin.org/gzip"),
        RequestRow("httpbin.deflate", "https://httpbin.org/deflate"),
        RequestRow("httpbin.brotli", "https://httpbin.org/brotli"),
        RequestRow("httpbin.bytes", "https://httpbin.org/bytes/64?seed=1", headers: []),
        RequestRow("httpbin.stream", "https://httpbin.org/stream/3", headers: []),
        RequestRow("httpbin.stream-bytes", "https://httpbin.org/stream-bytes/64?seed=1&chunk_size=16", headers: []),
        RequestRow("httpbin.drip", "https://httpbin.org/drip?duration=0.5&numbytes=10&delay=0&code=200", headers: []),
        RequestRow("httpbin.range", "https://httpbin.org/range/26", headers: []),
        RequestRow("httpbin.cache", "https://httpbin.org/cache"),
        RequestRow("httpbin.cache-for", "https://httpbin.org/cache/60"),
        RequestRow("httpbin.etag", "https://httpbin.org/etag/v1"),
        RequestRow("httpbin.cookies", "https://httpbin.org/cookies"),
        RequestRow("httpbin.set-cookies", "https://httpbin.org/cookies/set/theme/dark"),
        RequestRow("httpbin.uuid", "https://httpbin.org/uuid"),
        RequestRow("httpbin.json", "https://httpbin.org/json"),
        RequestRow("httpbin.html", "https://httpbin.org/html", headers: []),
        RequestRow("httpbin.xml", "https://httpbin.org/xml", headers: []),
        RequestRow("httpbin.robots", "https://httpbin.org/robots.txt", headers: []),
        RequestRow("httpbin.deny", "https://httpbin.org/deny", headers: []),
        RequestRow("httpbin.unicode", "https://httpbin.org/encoding/utf8", headers: []),
        RequestRow("httpbin.image", "https://httpbin.org/image/png", headers: []),
        RequestRow("httpbin.base64", "https://httpbin.org/base64/SGVsbG8gZnJvbSBodHRwYmlu", headers: []),
        RequestRow("httpbin.links", "https://httpbin.org/links/3/0", headers: []),
    ]

    @Test(arguments: rows) func theExampleSends(_ row: RequestRow) throws {
        #expect(try row.actual() == row)
    }

    @Test func everyExampleHasARow() {
        #expect(Self.rows.map(\.id) == RequestRow.exampleNames(of: [HTTPBin.self]))
    }
}
