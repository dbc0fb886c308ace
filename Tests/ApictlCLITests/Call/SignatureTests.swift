import EndpointKit
import Foundation
import TestSupport
import Testing

@testable import ApictlCLI

/// A signature that depends on the time: a query item and a header.
private struct TallySignature: Signer {
    let variables = ["TALLY_SECRET"]

    func sign(_ request: inout Request, secrets: SignerSecrets, now: Date) throws {
        request.setQueryItem("ts", "1234567")
        let text = try secrets["TALLY_SECRET"] + request.encodedQuery()
        request.setHeader("X-Sum", MessageDigest.sha256.hexadecimal(of: text))
    }
}

private enum SignedCount: API {
    case count

    static let api = APIInfo(
        name: "tally",
        servers: [Server("only", url: "http://tally.test")],
        credentials: [
            .signed(by: TallySignature(), helpURL: "https://tally.test/keys")
        ],
        samples: nil)
    static let examples: [SignedCount] = [.count]
    var endpoint: Endpoint {
        .get("/count", returns: JSONValue.self, summary: "A count", sample: .json(Array("{}".utf8)))
    }
}

private enum SignedKeys: API {
    case keys

    static let api = APIInfo(
        name: "vault",
        servers: [Server("only", url: "http://vault.test")],
        credentials: [.signed(by: .awsSigV4(region: "eu-central-1", service: "s3")).optional])
    static let examples: [SignedKeys] = [.keys]
    var endpoint: Endpoint { .get("/keys", returns: JSONValue.self, summary: "Keys") }
}

/// Signatures in the commands that show or send requests.
struct SignatureTests {
    private static let tally = ["TALLY_SECRET": "s3cret-key"]
    private static let aws = ["AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "s3cret-key"]

    private static func output(_ words: String, _ variables: [String: String] = [:]) async -> Outcome {
        await run(words, variables: variables, apis: [SignedCount.self, SignedKeys.self])
    }

    @Test func `A dry run shows the parts of a signature`() async {
        let outcome = await Self.output("call tally.count --dry-run", Self.tally)
        #expect(outcome.out.hasPrefix("GET http://tally.test/count?ts=(redacted)\n"))
        #expect(outcome.out.contains("X-Sum: (redacted)\n"))
        let unset = await Self.output("call tally.count --dry-run")
        #expect(unset.out.hasPrefix("GET http://tally.test/count?ts=(not set: TALLY_SECRET)\n"))
        #expect(unset.out.contains("X-Sum: (not set: TALLY_SECRET)\n"))
    }

    @Test func `A dry run shows the headers of a signature for AWS`() async {
        let outcome = await Self.output("call vault.keys --dry-run", Self.aws)
        for name in ["X-Amz-Date", "X-Amz-Content-Sha256", "Authorization"] {
            #expect(outcome.out.contains("\(name): (redacted)\n"))
        }
        #expect(await !Self.output("call vault.keys --dry-run").out.contains("Authorization"))
    }

    @Test func `A sample needs no secret`() async {
        #expect(await Self.output("call tally.count --sample") == Outcome(out: "{}\n", err: "", code: 0))
    }

    @Test func `A printed curl command leaves a signature for AWS to curl`() async {
        let json = "--header 'Accept: application/json' --compressed"
        let start =
            "curl --location --fail-with-body http://vault.test/keys \(json) --aws-sigv4 aws:amz:eu-central-1:s3"
        let user = #"--user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY""#
        #expect(
            await Self.output("curl vault.keys", Self.aws)
                == Outcome(out: "\(start) \(user)\n", err: "", code: 0))
        let withToken = Self.aws.merging(["AWS_SESSION_TOKEN": "t0ken"]) { $1 }
        #expect(
            await Self.output("curl vault.keys", withToken).out
                == "\(start) \(user) --header \"X-Amz-Security-Token: $AWS_SESSION_TOKEN\"\n")
    }

    @Test func `A printed curl command takes other signatures from variables`() async {
        let outcome = await Self.output("curl tally.count", Self.tally)
        #expect(outcome.out.contains(#"--get http://tally.test/count --data-urlencode "ts=$SIGNED_TS""#))
        #expect(outcome.out.contains(#"--header "X-Sum: $SIGNED_X_SUM""#))
        let note = "must be computed for each request; the command takes them from SIGNED_X_SUM and SIGNED_TS"
        #expect(outcome.err == "note: X-Sum and ts \(note)\n")
    }

    /// A server fails, and repeats all that it got.
    @Test("No output has a signature", arguments: ["", "-v", "-i", "--raw", "-v --har f"])
    func noOutputHasASignature(_ options: String) async throws {
        let files = MemoryFiles()
        let transport = StubTransport { request in
            let url = try request.revealedURL()
            let sum = try request.headers.first { $0.isNamed("X-Sum") }?.revealedValue() ?? ""
            return StubResponse.json(#"{"message":"\#(url) \#(sum)"}"#, 500, sum).with("X-Echo", sum)
        }
        let outcome = await run(
            "call tally.count \(options)", variables: Self.tally, files: files, transport: transport,
            apis: [SignedCount.self])
        #expect((outcome.out + outcome.err).contains("(redacted)"))
        let signed = try #require(transport.requests.first)
        let sum = try #require(try signed.headers.first { $0.isNamed("X-Sum") }?.revealedValue())
        let texts = [outcome.out, outcome.err] + files.texts.values
        for text in texts {
            for secret in [sum, "1234567", "s3cret-key"] { #expect(!text.contains(secret), "\(secret): \(text)") }
        }
    }

    @Test func `describe shows the signature`() async {
        let outcome = await Self.output("describe tally")
        #expect(outcome.out.contains("signature tally-signature (X-Sum, ts) from TALLY_SECRET"))
        #expect(outcome.out.contains("https://tally.test/keys"))
        let aws = await Self.output("describe vault")
        let parts = "X-Amz-Date, X-Amz-Content-Sha256, Authorization"
        let variables = "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY and, if set, AWS_SESSION_TOKEN"
        #expect(aws.out.contains("signature aws-sigv4 (\(parts)) from \(variables) (optional)"))
    }

    @Test func `Documents describe the signature`() async {
        let outcome = await Self.output("openapi tally")
        #expect(outcome.out.contains("The signature tally-signature (X-Sum, ts), computed for each request"))
        #expect(!outcome.out.contains("x-apictl-variable"))
    }

    @Test func `Help lists the variables of a signature`() async {
        let outcome = await Self.output("help credentials")
        for name in ["TALLY_SECRET", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"] {
            #expect(outcome.out.contains(name))
        }
    }
}
