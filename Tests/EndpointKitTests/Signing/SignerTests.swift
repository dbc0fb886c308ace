import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EndpointKit

/// A signer that sets the query item `at` to the time, and the header `X-Sum` to the time, key, salt and URL.
private struct SumSigner: Signer {
    let variables = ["SUM_KEY"]
    let optionalVariables = ["SUM_SALT"]

    func sign(_ request: inout Request, secrets: SignerSecrets, now: Date) throws {
        let time = "at-\(Int(now.timeIntervalSince1970))"
        request.setQueryItem("at", time)
        let text = try [time, secrets["SUM_KEY"], secrets["SUM_SALT"], request.revealedURL()].joined(separator: "|")
        request.setHeader("X-Sum", text)
    }
}

private enum Signed: API {
    case pets

    static let api = APIInfo(
        name: "signed",
        servers: [Server("only", url: "https://a.test")],
        credentials: [.query("key", variable: "KEY"), .signed(by: SumSigner())])
    static let examples: [Signed] = [.pets]
    var endpoint: Endpoint { .get("/pets", query: ["size": 1], returns: RawResponse.self, summary: "Pets") }
}

struct SignerTests {
    static let variables = ["KEY": "k3y-value", "SUM_KEY": "s3cret-sum"]

    /// Returns a client whose clock advances by a second with each request.
    private static func client(_ script: StubTransport.Response...) -> (client: Client, transport: StubTransport) {
        let transport = StubTransport(script)
        var client = Client(transport: transport, variables: variables)
        let clock = Clock()
        client.now = { clock.next() }
        client.retry.count = 1
        client.retry.delay = .zero
        return (client, transport)
    }

    private final class Clock: Sendable {
        private let seconds = Mutex(100.0)
        func next() -> Date {
            seconds.withLock { seconds in
                seconds += 1
                return Date(timeIntervalSince1970: seconds)
            }
        }
    }

    private static func sums(_ transport: StubTransport) throws -> [String?] {
        try transport.done().map { try $0.headers.first { $0.isNamed("X-Sum") }?.revealedValue() }
    }

    @Test func `Every attempt is signed with the current time`() async throws {
        let (client, transport) = Self.client(.status(503), .status(200))
        _ = try await client.rawResponse(to: Signed.pets)
        #expect(
            try Self.sums(transport) == [
                "at-101|s3cret-sum||https://a.test/pets?size=1&key=k3y-value&at=at-101",
                "at-102|s3cret-sum||https://a.test/pets?size=1&key=k3y-value&at=at-102",
            ])
    }

    @Test func `Interceptors run before the request is signed`() async throws {
        let (signing, transport) = Self.client(.status(200))
        var client = signing
        client.interceptors = [
            Interceptor { request, next in
                var request = request
                request.setQueryItem("size", "2")
                return try await next(request)
            }
        ]
        try await client.send(Signed.pets)
        #expect(
            try Self.sums(transport) == ["at-101|s3cret-sum||https://a.test/pets?key=k3y-value&size=2&at=at-101"])
    }

    @Test func `A redirect within the origin is signed`() async throws {
        let (client, transport) = Self.client(.redirect(302, "/cats?x=%2f&at=at-101&y"), .status(200))
        _ = try await client.rawResponse(to: Signed.pets)
        #expect(try Self.sums(transport).last == "at-102|s3cret-sum||https://a.test/cats?x=%2f&y&at=at-102")
        #expect(transport.done().last?.redactedURL == "https://a.test/cats?x=%2f&y&at=(redacted)")
    }

    @Test func `A redirect to another origin is not signed`() async throws {
        let (client, transport) = Self.client(.redirect(302, "https://b.test/cats"), .status(200))
        _ = try await client.rawResponse(to: Signed.pets)
        #expect(try Self.sums(transport).last == .some(nil))
        #expect(try transport.done().last?.revealedURL() == "https://b.test/cats")
    }

    @Test func `A redirect that takes a signature to another origin is an error`() async throws {
        let (client, transport) = Self.client(.redirect(302, "https://b.test/cats?t=at-101"))
        await #expect(throws: TransportError.self) { _ = try await client.rawResponse(to: Signed.pets) }
        #expect(transport.done().count == 1)
    }

    @Test func `Optional secrets are used if they are set`() throws {
        let variables = Self.variables.merging(["SUM_SALT": "salt"]) { $1 }
        let request = try Signed.pets.request(RequestOptions(variables: { variables[$0] }))
        let signed = try request.signed(now: Date(timeIntervalSince1970: 5))
        #expect(
            try signed.headers.last?.revealedValue()
                == "at-5|s3cret-sum|salt|https://a.test/pets?size=1&key=k3y-value&at=at-5")
    }

    @Test func `A missing secret is an error`() {
        let missing = MissingCredential(alternatives: [["SUM_KEY"]])
        #expect(throws: RequestError.missingCredential(missing)) {
            try Signed.pets.request(RequestOptions(variables: { $0 == "KEY" ? "k" : nil }))
        }
    }

    @Test func `Signatures are secret`() throws {
        let request = try Signed.pets.request(RequestOptions(variables: { Self.variables[$0] }))
        let redactor = Redactor(request)
        let signed = try request.signed(now: Date(timeIntervalSince1970: 5))
        #expect(signed.redactedURL == "https://a.test/pets?size=1&key=(redacted)&at=(redacted)")
        #expect(signed.headers.last?.description == "X-Sum: (redacted)")
        // The redactor was made before the request was signed.
        #expect(redactor.redact("at-5 and s3cret-sum, not at-4") == "(redacted) and (redacted), not at-4")
        #expect(request.usedVariables == ["KEY", "SUM_KEY"])
    }

    @Test func `A request whose secrets are not set can be shown with its signatures`() throws {
        var options = RequestOptions(variables: { $0 == "KEY" ? "k3y-value" : nil })
        options.missingCredential = .placeholder
        let shown = try Signed.pets.request(options).showingSignatures()
        #expect(shown.redactedURL == "https://a.test/pets?size=1&key=(redacted)&at=(not set: SUM_KEY)")
        #expect(shown.headers.last?.description == "X-Sum: (not set: SUM_KEY)")
        #expect(throws: MissingCredential.self) {
            try Signed.pets.request(options).signed(now: Date(timeIntervalSince1970: 5))
        }
    }

    @Test func `A header of the caller replaces the signature`() throws {
        var options = RequestOptions(variables: { $0 == "KEY" ? "k3y-value" : nil })
        options.headers = [HTTPField("x-sum", "own")]
        #expect(try Signed.pets.request(options).signing == nil)
    }

    @Test func `A signer that sets an invalid header is an error`() throws {
        let variables = ["KEY": "k", "SUM_KEY": "a\nb"]
        let request = try Signed.pets.request(RequestOptions(variables: { variables[$0] }))
        #expect(throws: RequestError.self) { try request.signed(now: Date(timeIntervalSince1970: 5)) }
    }

    @Test func `A signer has the name of its type by default`() {
        let schemes = Signed.api.credentials.flatMap(\.alternatives)
        #expect(schemes.last?.names == ["sum-signer", "SUM_KEY"])
        #expect(schemes.last?.parts == [.header("X-Sum"), .query("at")])
        #expect(schemes.last?.optionalVariables == ["SUM_SALT"])
        let aws = Credential.signed(by: .awsSigV4(region: "r", service: "s3")).alternatives
        #expect(aws[0].names == ["aws-sigv4", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])
        #expect(
            aws[0].parts == [.header("X-Amz-Date"), .header("X-Amz-Content-Sha256"), .header("Authorization")])
        #expect(String(describing: SignerSecrets(["A": "value"])) == "(redacted)")
    }
}
