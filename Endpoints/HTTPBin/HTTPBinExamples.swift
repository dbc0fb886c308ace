#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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

    /// Relative, so that a server of one's own is not left.
    private static let getURL = URL(string: "/get") ?? URL(filePath: "/get")

    private static let id = UUID(
        uuid: (0x7A, 0x1D, 0x4F, 0x8E, 0x0C, 0x52, 0x4E, 0x0B, 0x9B, 0x7E, 0x3F, 0x2A, 0x6C, 0x1D, 0x9E, 0x55))
}
