import EndpointKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// httpbin.org: one endpoint for each thing that an HTTP client must be able to do.
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

    // Status and header fields
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

    public static let name = "httpbin"
    public static let summary = "httpbin, which answers with what it was asked"
    public static let environments = [
        Environment("production", "https://httpbin.org"),
        Environment("local", "http://127.0.0.1:8000"),
    ]
}
