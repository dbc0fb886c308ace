import EndpointKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// httpbin.org: an endpoint for each feature of an HTTP client.
public enum HTTPBin: API {
    // Methods and bodies
    case get(search: String?, page: Int?, exact: Bool?)
    case post(product: Product)
    case put(id: UUID, product: Product)
    case patch(price: Decimal?, inStock: Bool?, releasedOn: Date?)
    case delete(ids: [Int])
    case head
    case options
    case form(name: String, email: String?, quantity: UInt8, newsletter: Bool, topics: [String]?)
    case multipart(title: String, file: String?)
    case data(text: String)
    case anything(
        segment: String, flag: Bool?, count: Int?, small: UInt8?, ratio: Double?, amount: Decimal?, link: URL?,
        id: UUID?, moment: Date?, colour: Colour?, level: Level?, tags: [String]?)

    // Status and headers
    case status(code: Int)
    case headers
    case responseHeaders(freeform: String?)
    case ip
    case userAgent

    // Credentials
    case basicAuth(user: String, password: String)
    case bearer

    // Redirects
    case redirect(count: Int)
    case relativeRedirect(count: Int)
    case absoluteRedirect(count: Int)
    case redirectTo(url: URL, statusCode: RedirectStatus?)

    // Time, encodings and streams
    case delay(seconds: Double)
    case gzip
    case deflate
    case brotli
    case bytes(count: Int, seed: Int?)
    case stream(count: Int)
    case streamBytes(count: Int, seed: Int?, chunkSize: Int?)
    case drip(duration: Double?, numbytes: Int?, delay: Double?, code: Int?)
    case range(count: Int, bytes: String?)

    // Caches and cookies
    case cache(ifNoneMatch: String?)
    case cacheFor(seconds: Int)
    case etag(etag: String, ifNoneMatch: String?)
    case cookies
    case setCookies(name: String, value: String)

    // Formats
    case uuid
    case json
    case html
    case xml
    case robots
    case deny
    case unicode
    case image(format: ImageFormat)
    case base64(value: String)
    case links(count: Int, offset: Int)

    public static let api = APIInfo(
        name: "httpbin",
        summary: "httpbin, which echoes the request",
        servers: [
            Server("production", url: "https://httpbin.org"),
            Server("local", url: "http://127.0.0.1:8000"),
        ],
        samples: Samples(PackageResources.httpbin_json))
}

extension HTTPBin {
    public static let examples: [HTTPBin] = [
        .get(search: "café", page: 2, exact: true),
        .post(product: clock),
        .put(id: id, product: clock),
        .patch(price: Decimal(string: "17.77"), inStock: false, releasedOn: nil),
        .delete(ids: [1, 2]),
        .head,
        .options,
        .form(
            name: "Amélie P.", email: "amelie@example.com", quantity: 2, newsletter: true, topics: ["swift", "c++"]),
        .multipart(title: "Hello", file: nil),
        .data(text: "Grüße, 世界"),
        .anything(
            segment: "café & bar", flag: true, count: -3, small: 255, ratio: 0.25, amount: Decimal(string: "19.99"),
            link: URL(string: "https://example.com/a?b=c"), id: id, moment: Date(timeIntervalSince1970: 1_795_253_400),
            colour: .blue, level: .middle, tags: ["a", "b+c"]),
        .status(code: 200),
        .headers,
        .responseHeaders(freeform: "swift"),
        .ip,
        .userAgent,
        .basicAuth(user: "ada", password: "lovelace"),
        .bearer,
        .redirect(count: 2),
        .relativeRedirect(count: 3),
        .absoluteRedirect(count: 4),
        .redirectTo(url: getURL, statusCode: .temporaryRedirect),
        .delay(seconds: 0.5),
        .gzip,
        .deflate,
        .brotli,
        .bytes(count: 64, seed: 1),
        .stream(count: 3),
        .streamBytes(count: 64, seed: 1, chunkSize: 16),
        .drip(duration: 0.5, numbytes: 10, delay: 0, code: 200),
        .range(count: 26, bytes: nil),
        .cache(ifNoneMatch: nil),
        .cacheFor(seconds: 60),
        .etag(etag: "v1", ifNoneMatch: nil),
        .cookies,
        .setCookies(name: "theme", value: "dark"),
        .uuid,
        .json,
        .html,
        .xml,
        .robots,
        .deny,
        .unicode,
        .image(format: .png),
        .base64(value: "SGVsbG8gZnJvbSBodHRwYmlu"),
        .links(count: 3, offset: 0),
    ]

    private static let clock = Product(
        title: "Aerodynamic Concrete Clock", price: Decimal(string: "21.40") ?? 0, tags: ["clock", "concrete"],
        releasedOn: Date(timeIntervalSince1970: 1_442_966_400),
        maker: Maker(name: "Jacobs-Zulauf", site: URL(string: "https://example.com/jacobs")))

    /// Relative, so that it also works on another server.
    private static let getURL = URL(string: "/get") ?? URL(filePath: "/get")

    private static let id = UUID(
        uuid: (0x7A, 0x1D, 0x4F, 0x8E, 0x0C, 0x52, 0x4E, 0x0B, 0x9B, 0x7E, 0x3F, 0x2A, 0x6C, 0x1D, 0x9E, 0x55))
}

extension HTTPBin {
    public var endpoint: Endpoint {
        switch self {
        case .get(let search, let page, let exact):
            .get(
                "/get", query: ["search": search, "page": page, "exact": exact], returns: Echo.self,
                summary: "Send a query back")
        case .post(let product):
            .post("/post", body: .json(product), returns: Echo.self, summary: "Send a JSON body back")
        case .put(let id, let product):
            .put(
                "/put", query: ["id": id], body: .json(product), returns: Echo.self,
                summary: "Send a query and a JSON body back")
        case .patch(let price, let inStock, let releasedOn):
            .patch(
                "/patch", body: .json(ProductChange(price: price, inStock: inStock, releasedOn: releasedOn)),
                returns: Echo.self, summary: "Send the changes to a product back")
        case .delete(let ids):
            .delete(
                "/delete", query: ["ids": ids], returns: Echo.self, summary: "Send the query of a DELETE request back")
        case .head:
            .head("/get", summary: "Headers without a body", sample: .empty)
        case .options:
            .options(
                "/get", returns: EmptyResponse.self, summary: "Allowed methods, in the Allow header", sample: .empty)
        case .form(let name, let email, let quantity, let newsletter, let topics):
            .post(
                "/post",
                body: .form([
                    "name": name, "email": email, "quantity": quantity, "newsletter": newsletter, "topics": topics,
                ]),
                returns: Echo.self, summary: "Send a form back")
        case .multipart(let title, let file):
            .post(
                "/post", body: .multipart([.field("title", title)] + (file.map { [.file("file", path: $0)] } ?? [])),
                returns: Echo.self, summary: "Upload a file",
                notes: ["title": "sent back", "file": "the path of the file to send"])
        case .data(let text):
            .post("/post", body: .text(text), returns: Echo.self, summary: "Send a body of text back")
        case .anything(
            let segment, let flag, let count, let small, let ratio, let amount, let link, let id, let moment,
            let colour, let level, let tags):
            .get(
                "/anything/\(segment)",
                query: [
                    "flag": flag, "count": count, "small": small, "ratio": ratio, "amount": amount, "link": link,
                    "id": id, "moment": moment, "colour": colour, "level": level, "tags": tags,
                ],
                returns: Echo.self, summary: "Send parameters of every type back",
                notes: ["segment": "one segment of the path, whatever it holds", "level": "1 low, 2 middle, 3 high"])

        case .status(let code):
            .get(
                "/status/\(code)", returns: RawResponse.self, summary: "Respond with a status",
                rules: [.range("code", 100...599)], sample: .empty)
        case .headers:
            .get("/headers", returns: HeadersResponse.self, summary: "Send the request's headers back")
        case .responseHeaders(let freeform):
            .get(
                "/response-headers", query: ["freeform": freeform], returns: JSONValue.self,
                summary: "Respond with a header", notes: ["freeform": "the value of the header Freeform"])
        case .ip:
            .get("/ip", returns: OriginResponse.self, summary: "The client's address")
        case .userAgent:
            .get("/user-agent", returns: UserAgentResponse.self, summary: "Send the User-Agent header back")

        case .basicAuth(let user, let password):
            .get(
                "/basic-auth/\(user)/\(password)", returns: AuthResponse.self,
                summary: "Require Basic authentication; 401 for any other user",
                notes: [
                    "user": "the expected value of HTTPBIN_USER",
                    "password": "the expected value of HTTPBIN_PASSWORD; not a secret",
                ],
                credentials: [.basic(userVariable: "HTTPBIN_USER", passwordVariable: "HTTPBIN_PASSWORD")])
        case .bearer:
            .get(
                "/bearer", returns: AuthResponse.self, summary: "Require a Bearer token; any token is accepted",
                credentials: [.bearer(variable: "HTTPBIN_TOKEN")])

        case .redirect(let count):
            .get("/redirect/\(count)", returns: Echo.self, summary: "Redirect several times", notes: Self.redirectCount)
        case .relativeRedirect(let count):
            .get(
                "/relative-redirect/\(count)", returns: Echo.self, summary: "Redirect to relative URLs",
                notes: Self.redirectCount)
        case .absoluteRedirect(let count):
            .get(
                "/absolute-redirect/\(count)", returns: Echo.self, summary: "Redirect to absolute URLs",
                notes: Self.redirectCount)
        case .redirectTo(let url, let statusCode):
            .get(
                "/redirect-to", query: ["url": url, "status_code": statusCode], returns: RawResponse.self,
                summary: "Redirect to a URL",
                notes: ["url": "relative ones too, such as /get", "statusCode": "302 unless given"])

        case .delay(let seconds):
            .get(
                "/delay/\(seconds)", returns: Echo.self, summary: "Respond after a delay",
                rules: [.range("seconds", 0...10)])
        case .gzip:
            .get("/gzip", returns: EncodingResponse.self, summary: "A gzip-compressed body")
        case .deflate:
            .get("/deflate", returns: EncodingResponse.self, summary: "A deflate-compressed body")
        case .brotli:
            .get("/brotli", returns: EncodingResponse.self, summary: "A Brotli-compressed body")
        case .bytes(let count, let seed):
            .get(
                "/bytes/\(count)", query: ["seed": seed], returns: RawResponse.self, summary: "Random bytes",
                notes: ["count": Self.byteCount, "seed": Self.seed],
                sample: Sample("application/octet-stream", PackageResources.httpbin_bytes_bin))
        case .stream(let count):
            .get(
                "/stream/\(count)", returns: RawResponse.self, summary: "JSON documents, one per line",
                rules: [.range("count", 1...100)], sample: .json(PackageResources.httpbin_stream_jsonl))
        case .streamBytes(let count, let seed, let chunkSize):
            .get(
                "/stream-bytes/\(count)", query: ["seed": seed, "chunk_size": chunkSize], returns: RawResponse.self,
                summary: "Random bytes without a length, in chunks",
                notes: ["count": Self.byteCount, "seed": Self.seed, "chunkSize": "in bytes; 10240 unless given"],
                sample: Sample("application/octet-stream", PackageResources.httpbin_stream_bytes_bin))
        case .drip(let duration, let numbytes, let delay, let code):
            .get(
                "/drip", query: ["duration": duration, "numbytes": numbytes, "delay": delay, "code": code],
                returns: RawResponse.self, summary: "Bytes one by one",
                notes: [
                    "duration": "how long all of them take, in seconds; 2 unless given",
                    "numbytes": "10 unless given", "delay": "in seconds, before the first", "code": "the status",
                ],
                sample: Sample("application/octet-stream", PackageResources.httpbin_drip_bin))
        case .range(let count, let bytes):
            .get(
                "/range/\(count)", headers: ["Range": bytes.map { "bytes=" + $0 }], returns: RawResponse.self,
                summary: "A range of a body",
                notes: ["count": Self.byteCount, "bytes": "such as 0-9; all unless given"],
                sample: Sample("application/octet-stream", PackageResources.httpbin_range_txt))

        case .cache(let ifNoneMatch):
            .get(
                "/cache", headers: ["If-None-Match": ifNoneMatch], returns: Echo.self,
                summary: "Validate a cached response", notes: ["ifNoneMatch": "any entity tag gives a 304"])
        case .cacheFor(let seconds):
            .get(
                "/cache/\(seconds)", returns: Echo.self, summary: "Respond with Cache-Control",
                notes: ["seconds": "how long the response may be cached"])
        case .etag(let etag, let ifNoneMatch):
            .get(
                "/etag/\(etag)", headers: ["If-None-Match": ifNoneMatch], returns: Echo.self,
                summary: "Respond with an entity tag",
                notes: ["etag": "the tag without its quotes", "ifNoneMatch": "the same tag gives a 304"])
        case .cookies:
            .get("/cookies", returns: CookiesResponse.self, summary: "Send the cookies back")
        case .setCookies(let name, let value):
            .get(
                "/cookies/set/\(name)/\(value)", returns: CookiesResponse.self,
                summary: "Set a cookie and redirect to the list of cookies",
                notes: ["name": "the cookie's name", "value": "the cookie's value"])

        case .uuid:
            .get("/uuid", returns: UUIDResponse.self, summary: "A random UUID")
        case .json:
            .get("/json", returns: SlideshowResponse.self, summary: "A JSON document")
        case .html:
            .get(
                "/html", returns: RawResponse.self, summary: "An HTML page",
                sample: Sample(Self.htmlType, PackageResources.httpbin_html_html))
        case .xml:
            .get(
                "/xml", returns: RawResponse.self, summary: "An XML document",
                sample: Sample("application/xml", PackageResources.httpbin_xml_xml))
        case .robots:
            .get(
                "/robots.txt", returns: RawResponse.self, summary: "Rules for robots",
                sample: Sample("text/plain", PackageResources.httpbin_robots_txt))
        case .deny:
            .get(
                "/deny", returns: RawResponse.self, summary: "The page that those rules disallow",
                sample: Sample("text/plain", PackageResources.httpbin_deny_txt))
        case .unicode:
            .get(
                "/encoding/utf8", returns: RawResponse.self, summary: "A page in many scripts",
                sample: Sample(Self.htmlType, PackageResources.httpbin_unicode_html))
        case .image(let format):
            .get(
                "/image/\(format)", returns: RawResponse.self, summary: "A picture",
                notes: ["format": "the sample is always a PNG"],
                sample: Sample("image/png", PackageResources.httpbin_image_png))
        case .base64(let value):
            .get(
                "/base64/\(value)", returns: RawResponse.self, summary: "Decode Base64",
                notes: ["value": "Base64 with - and _ in place of + and /, with padding"],
                sample: Sample(Self.htmlType, PackageResources.httpbin_base64_txt))
        case .links(let count, let offset):
            .get(
                "/links/\(count)/\(offset)", returns: RawResponse.self, summary: "A page of links",
                notes: ["count": "how many links", "offset": "the index of the one without a link"],
                rules: [.range("count", 1...200)], sample: Sample(Self.htmlType, PackageResources.httpbin_links_html))
        }
    }

    private static let htmlType = "text/html; charset=utf-8"
    private static let byteCount = "100 kB at most"
    private static let seed = "the same seed gives the same bytes"
    private static let redirectCount: [ParameterName: String] = ["count": "number of redirects before the response"]
}
