import EndpointKit
import TestSupport
import Testing

struct BaseURLTests {
    struct Parts: Sendable, Equatable {
        let text: String
        let scheme: String
        let host: String
        let port: Int?
        let origin: String

        init(_ text: String, _ scheme: String, _ host: String, _ port: Int?, _ origin: String) {
            self.text = text
            self.scheme = scheme
            self.host = host
            self.port = port
            self.origin = origin
        }
    }

    static let valid: [Row<String, Parts>] = [
        Row("host", "https://h.test", Parts("https://h.test", "https", "h.test", nil, "https://h.test:443")),
        Row("http", "http://h.test", Parts("http://h.test", "http", "h.test", nil, "http://h.test:80")),
        Row("path", "https://h.test/3", Parts("https://h.test/3", "https", "h.test", nil, "https://h.test:443")),
        Row("port", "http://h.test:8080", Parts("http://h.test:8080", "http", "h.test", 8080, "http://h.test:8080")),
        Row(
            "default port as written", "https://h.test:443/v1",
            Parts("https://h.test:443/v1", "https", "h.test", 443, "https://h.test:443")),
        Row(
            "largest port", "http://h.test:65535",
            Parts("http://h.test:65535", "http", "h.test", 65535, "http://h.test:65535")),
        Row("empty port", "http://h.test:/", Parts("http://h.test", "http", "h.test", nil, "http://h.test:80")),
        Row(
            "several slashes", "https://h.test/a//",
            Parts("https://h.test/a", "https", "h.test", nil, "https://h.test:443")),
        Row("IPv6", "http://[::1]:8080/a", Parts("http://[::1]:8080/a", "http", "::1", 8080, "http://::1:8080")),
        Row(
            "IPv6 in other forms", "http://[0:0::ffff:127.0.0.1]",
            Parts("http://[0:0::ffff:127.0.0.1]", "http", "0:0::ffff:127.0.0.1", nil, "http://0:0::ffff:127.0.0.1:80")),
        Row(
            "case of the host matters to its text alone", "https://H.Test",
            Parts("https://H.Test", "https", "H.Test", nil, "https://h.test:443")),
        Row(
            "encoded path", "http://h.test/a%20b",
            Parts("http://h.test/a%20b", "http", "h.test", nil, "http://h.test:80")),
    ]

    @Test(arguments: valid)
    func `A base URL is parsed`(_ row: Row<String, Parts>) throws {
        let base = try BaseURL(row.input)
        #expect(Parts(base.text, base.scheme, base.host, base.port, base.origin) == row.expected)
        #expect("\(base)" == row.expected.text)
    }

    static let invalid: [Row<String, BaseURL.Problem>] = [
        Row("empty", "", .notAURL),
        Row("no scheme", "h.test", .notAURL),
        Row("scheme left out", "//h.test", .notAURL),
        Row("path", "/3/movie", .notAURL),
        Row("space", "https://h.test/a b", .notAURL),
        Row("line break", "https://h.test\r\nX: y", .port),
        Row("line feed at the end", "https://h.test\n", .notAURL),
        Row("NUL", "https://h.test\0", .notAURL),
        Row("space before", " https://h.test", .notAURL),
        Row("half an escape", "https://h.test/%2", .notAURL),
        Row("beyond ASCII in the path", "https://h.test/é", .notAURL),
        Row("raw byte", "https://h.test/" + String(exactBytes: [0xFF]), .notAURL),
        Row("unclosed bracket", "http://[::1", .address),
        Row("two groups", "http://[1:2]", .address), Row("nine groups", "http://[1:2:3:4:5:6:7:8:9]", .address),
        Row("a group of five", "http://[::12345]", .address), Row("three colons", "http://[:::1]", .address),
        Row("two gaps", "http://[1::2::3]", .address), Row("a gap for nothing", "http://[1:2:3:4::5:6:7:8]", .address),
        Row("IPv4 in brackets", "http://[127.0.0.1]", .address), Row("IPv4 before", "http://[127.0.0.1::]", .address),
        Row("a number too large", "http://[::256.0.0.1]", .address),
        Row("a zone not encoded", "http://[::1%lo]", .address),
        Row("no zone", "http://[::1%25]:80", .address), Row("a name in brackets", "http://[h.test]", .address),
        Row("port 0", "http://h.test:0", .port),
        Row("port 65536", "http://h.test:65536", .port),
        Row("port -1", "http://h.test:-1", .port),
        Row("port that is no number", "http://h.test:http", .port),
        Row("ftp", "ftp://h.test", .scheme("ftp")),
        Row("file", "file:///etc/passwd", .scheme("file")),
        Row("host and port read as a scheme", "localhost:8080", .scheme("localhost")),
        Row("international host", "http://bücher.test/a", .internationalHost),
        Row("emoji as a host", "http://🎬.test", .internationalHost),
        Row("no host", "https://", .noHost),
        Row("no host but a path", "https:///3", .noHost),
        Row("no slashes", "https:h.test", .noHost),
        Row("no host but a port", "http://:80", .noHost),
        Row("query", "https://h.test?a=1", .query),
        Row("empty query", "https://h.test/?", .query),
        Row("fragment", "https://h.test#top", .fragment),
        Row("empty fragment", "https://h.test#", .fragment),
        Row("user", "https://me@h.test", .credentials),
        Row("user and password", "https://me:secret@h.test", .credentials),
        Row("password alone", "https://:secret@h.test", .credentials),
        Row("query and fragment", "https://h.test?a#b", .query),
    ]

    @Test(arguments: invalid)
    func `Another text is an error`(_ row: Row<String, BaseURL.Problem>) {
        #expect(throws: row.expected) { try BaseURL(row.input) }
    }

    @Test func `A port of many digits is an error`() {
        #expect(throws: BaseURL.Problem.port) { try BaseURL("http://h.test:99999999999999999999999") }
    }

    /// Two URLs whose origins are compared.
    struct Pair: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let first: String
        let second: String

        init(_ id: String, _ first: String, _ second: String) {
            testDescription = id
            self.first = first
            self.second = second
        }

        func haveSameOrigin() throws -> Bool { try BaseURL(first).origin == BaseURL(second).origin }
    }

    @Test(arguments: [
        Pair("default port", "https://h.test", "https://h.test:443/v1"),
        Pair("case", "https://h.test", "HTTPS://H.TEST"),
        Pair("path", "http://h.test/a", "http://h.test/b"),
    ])
    func `URLs have the same origin however they are spelled`(_ urls: Pair) throws {
        #expect(try urls.haveSameOrigin())
    }

    @Test(arguments: [
        Pair("scheme", "http://h.test", "https://h.test"),
        Pair("scheme on the same port", "http://h.test:443", "https://h.test"),
        Pair("port", "http://h.test", "http://h.test:81"),
        Pair("host", "http://a.test", "http://b.test"),
        Pair("subdomain", "http://h.test", "http://a.h.test"),
    ])
    func `URLs that differ in scheme, host or port have different origins`(_ urls: Pair) throws {
        #expect(try !urls.haveSameOrigin())
    }
}
