import Foundation
import TestSupport
import Testing

@testable import EndpointKit

struct AWSSigV4Tests {
    /// 30 August 2015, 12:36:00 UTC.
    static let now = Date(timeIntervalSince1970: 1_440_938_160)

    static func request(
        _ method: HTTPMethod = .get, _ server: String = "https://example.amazonaws.com", path: String = "/",
        query: String? = nil, headers: [HTTPField] = [], body: String = ""
    ) throws -> Request {
        var request = Request(method, try BaseURL(server), path: path, headers: headers)
        request.verbatimQuery = query
        if !body.isEmpty { request.body = RequestBody(bytes: body.bytes) }
        return request
    }

    /// Returns the value of a header after signing.
    static func header(
        _ name: String, _ request: Request, service: String = "service", keys: [String: String] = AWSTestRequest.keys
    ) throws -> String? {
        var signed = request
        let signer = AWSSigV4.awsSigV4(region: "us-east-1", service: service)
        try signer.sign(&signed, secrets: SignerSecrets(keys), now: now)
        return try signed.headers.first { $0.isNamed(name) }?.revealedValue()
    }

    @Test(arguments: AWSTestRequest.suite)
    func `Requests of the published test suite have its signatures`(_ row: Row<AWSTestRequest, String>) throws {
        let input = row.input
        let request = try Self.request(
            input.method, path: input.path, query: input.query, headers: input.headers, body: input.body)
        var keys = AWSTestRequest.keys
        keys["AWS_SESSION_TOKEN"] = input.token
        let authorization = try Self.header("Authorization", request, keys: keys)
        #expect(authorization?.hasSuffix("Signature=" + row.expected) == true, "\(authorization ?? "")")
        let scope = "AKIDEXAMPLE/20150830/us-east-1/service/aws4_request"
        #expect(authorization?.hasPrefix("AWS4-HMAC-SHA256 Credential=\(scope), SignedHeaders=") == true)
    }

    struct Canonical: Sendable {
        var path = "/"
        var query: String?
        var service = "service"
        var headers: [HTTPField] = []
    }

    /// The path and query lines of canonical requests that other implementations got wrong.
    static let lines: [Row<Canonical, [String]>] = [
        Row("items are sorted", Canonical(query: "sort=_doc&size=50"), ["/", "size=50&sort=_doc"]),
        Row("by name, not as whole items", Canonical(query: "a1=x&a=y"), ["/", "a=y&a1=x"]),
        Row("after encoding", Canonical(query: "params[page]=1&params-a=2"), ["/", "params%5Bpage%5D=1&params-a=2"]),
        Row("values of one name are sorted", Canonical(query: "a=2&a=1"), ["/", "a=1&a=2"]),
        Row("a name without a value", Canonical(query: "versioning"), ["/", "versioning="]),
        Row("an empty value", Canonical(query: "versioning="), ["/", "versioning="]),
        Row("encoded once", Canonical(query: "graph=urn%3Auuid%3a6e/8"), ["/", "graph=urn%3Auuid%3A6e%2F8"]),
        Row("a plus is a space", Canonical(query: "q=a+b%2Bc%20d"), ["/", "q=a%20b%2Bc%20d"]),
        Row("a value with an equals sign", Canonical(query: "q=a=b"), ["/", "q=a%3Db"]),
        Row("empty items", Canonical(query: "&a=1&&"), ["/", "a=1"]),
        Row("the path is encoded twice", Canonical(path: "/tempo-%2A/a%20b/*"), ["/tempo-%252A/a%2520b/%2A", ""]),
        Row("but once for S3", Canonical(path: "/a%20b/(c)%2Fd", service: "s3"), ["/a%20b/%28c%29%2Fd", ""]),
        Row("the path is normalized", Canonical(path: "//a/./b/../c//"), ["/a/c/", ""]),
        Row("but not for S3", Canonical(path: "//a/./b/../c//", service: "s3"), ["//a/./b/../c//", ""]),
    ]

    @Test(arguments: lines)
    func `The canonical request is the same for all spellings`(_ row: Row<Canonical, [String]>) throws {
        let request = try Self.request(path: row.input.path, query: row.input.query)
        let canonical = try AWSCanonicalRequest(
            request, encodesPathTwice: row.input.service != "s3", payloadDigest: "digest")
        let expected = ["GET"] + row.expected + ["host:example.amazonaws.com", "", "host", "digest"]
        #expect(canonical.text == expected.joined(separator: "\n"))
    }

    static let headers: [Row<[HTTPField], [String]>] = [
        Row(
            "in order of their names", [HTTPField("X-B", "1"), HTTPField("a", "2")],
            ["a:2", "host:h.test:8443", "x-b:1"]),
        Row("blanks are joined", [HTTPField("X-A", " a   b \t c ")], ["host:h.test:8443", "x-a:a b c"]),
        Row("values of one name", [HTTPField("X-A", "2"), HTTPField("x-a", "1")], ["host:h.test:8443", "x-a:2,1"]),
        Row("an empty value", [HTTPField("X-A", "")], ["host:h.test:8443", "x-a:"]),
        Row("a host of the caller", [HTTPField("Host", "other.test")], ["host:other.test"]),
        Row(
            "what a proxy changes",
            [
                HTTPField("User-Agent", "x"), HTTPField("Authorization", "x"), HTTPField("Expect", "x"),
                HTTPField("TE", "x"),
                HTTPField("Connection", "x"), HTTPField("Accept-Encoding", "x"), HTTPField("X-Amzn-Trace-Id", "x"),
            ],
            ["host:h.test:8443"]),
    ]

    @Test(arguments: headers)
    func `Headers are sorted, and values of one name are joined`(_ row: Row<[HTTPField], [String]>) throws {
        let request = try Self.request(.get, "https://h.test:8443", headers: row.input)
        let canonical = try AWSCanonicalRequest(request, encodesPathTwice: true, payloadDigest: "digest")
        let lines = canonical.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // The headers follow the method, the path and the query, and end with an empty line.
        #expect(Array(lines[3...].prefix { !$0.isEmpty }) == row.expected)
    }

    @Test func `The path of the server is signed too`() throws {
        let request = try Self.request(.get, "https://h.test/stage", path: "/pets")
        let canonical = try AWSCanonicalRequest(request, encodesPathTwice: true, payloadDigest: "digest")
        #expect(canonical.text.hasPrefix("GET\n/stage/pets\n\nhost:h.test\n"))
    }

    @Test func `Only requests to S3 have a header with the digest of the body`() throws {
        let request = try Self.request(.put, body: "Param1=value1")
        let digest = "9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e"
        #expect(try Self.header("X-Amz-Content-Sha256", request, service: "s3") == digest)
        #expect(try Self.header("X-Amz-Content-Sha256", request) == nil)
    }

    @Test func `A body in files is signed`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "signed-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("value1".utf8).write(to: file)
        var request = try Self.request(.put)
        request.body = RequestBody([.bytes("Param1=".bytes), .file(path: file.path)])
        let digest = "9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e"
        #expect(try Self.header("X-Amz-Content-Sha256", request, service: "s3") == digest)
        request.body = RequestBody([.file(path: file.path + "-missing")])
        #expect(throws: (any Error).self) { try Self.header("Authorization", request) }
    }

    @Test func `Headers of an earlier signature are replaced`() throws {
        let request = try Self.request(headers: [
            HTTPField("x-amz-date", "20000101T000000Z"), HTTPField("authorization", "AWS4-HMAC-SHA256 old"),
        ])
        let vanilla = "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        #expect(try Self.header("Authorization", request)?.hasSuffix(vanilla) == true)
        #expect(try Self.header("X-Amz-Date", request) == "20150830T123600Z")
    }
}
