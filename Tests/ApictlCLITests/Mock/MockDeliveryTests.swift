import CurlTransport
import EndpointKit
import Foundation
import MockServer
import TestSupport
import Testing

@testable import ApictlCLI

/// How `mock` sends its responses.
struct MockDeliveryTests {
    private static let body = MoviePage.firstPage

    /// A call whose body is printed as it comes, and decompressed.
    private func call(_ mock: RunningMock, _ words: String...) async -> Outcome {
        await run(
            ["call", "movies.popular", "-o", "-", "--base-url", mock.address] + words,
            variables: ["MOVIES_KEY": "k"], transport: CurlTransport())
    }

    @Test(
        "Bodies arrive whole in chunks, compressed and slowly",
        arguments: [
            ("--chunked", "Transfer-Encoding: chunked"), ("--gzip", "Content-Encoding: gzip"),
            ("--chunked --gzip --rate 10k", "Transfer-Encoding: chunked"),
            ("--rate 1k", "Content-Length: \(body.count)"),
        ])
    func whole(_ options: String, header: String) async throws {
        let mock = try await RunningMock("movies --no-auth \(options)")
        #expect(await call(mock) == Outcome(out: Self.body))
        let head = try mock.request(["-H", "Accept-Encoding: gzip", "--head"], "/movie/popular")
        #expect(head.contains("\n\(header)\n"), "\(head)")
        // A client that does not accept gzip.
        #expect(await call(mock, "-H", "Accept-Encoding:") == Outcome(out: Self.body))
    }

    @Test("--chunked sends several chunks, but not to HTTP/1.0")
    func chunks() async throws {
        let mock = try await RunningMock("movies --no-auth --chunked")
        let client = try RawClient(port: #require(mock.address.split(separator: ":").last.flatMap { UInt16($0) }))
        client.send("GET /movie/popular HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let raw = client.readToEnd()
        #expect(raw.split(separator: "\r\n").count > 10)
        #expect(raw.hasSuffix("\r\n0\r\n\r\n"))
        let old = try mock.request(["--http1.0"], "/movie/popular")
        #expect(old.contains("\nContent-Length: \(Self.body.utf8.count)\n"))
        #expect(!old.contains("Transfer-Encoding"))
    }

    @Test("--cut closes the connection in the middle of the body", arguments: ["", "--chunked", "--rate 100k"])
    func cut(_ options: String) async throws {
        let mock = try await RunningMock("movies --no-auth --cut \(options)")
        let outcome = await call(mock)
        #expect(outcome.code == 6)
        #expect(!outcome.out.isEmpty && Self.body.hasPrefix(outcome.out) && outcome.out != Self.body)
        let direct = try mock.get("/movie/1/rating", ["-X", "DELETE"])
        #expect(direct == "204 ")
    }

    @Test("--rate limits the bytes in a second")
    func rate() async throws {
        let mock = try await RunningMock("movies --no-auth --rate 250")
        let start = ContinuousClock.now
        #expect(await call(mock).out == Self.body)
        #expect(ContinuousClock.now - start >= .milliseconds(300))
    }

    @Test("A latency from a range is the same for the same seed")
    func latency() {
        let delivery = MockDelivery(latency: .milliseconds(100)...(.milliseconds(300)))
        func pauses(_ seed: UInt64) -> [Duration] {
            let chance = MockChance(seed: seed)
            return (0..<50).compactMap { number in
                let request = ReceivedRequest(target: "/\(number)")
                let pause = delivery.latency(chance.draw(request).latency)
                let response = delivery.response(Response(200, message: ""), to: request, after: pause)
                if case .pause(let duration)? = response.steps.first { return duration }
                return nil
            }
        }
        let some = pauses(1)
        #expect(some.count == 50 && some == pauses(1) && some != pauses(2))
        #expect(some.allSatisfy { $0 >= .milliseconds(100) && $0 < .milliseconds(300) })
        #expect(Set(some).count > 40)
    }

    static let encodings: [(value: String, accepts: Bool)] = [
        ("gzip", true), ("deflate, GZIP;q=0.5", true), ("gzip;q=0", false), ("gzip; q=0.000", false), ("br", false),
        ("", false), ("*, gzip;q=0", false),
    ]

    @Test(arguments: encodings)
    func acceptEncoding(value: String, accepts: Bool) {
        let request = ReceivedRequest(target: "/", fields: [.init("Accept-Encoding", value)])
        #expect(MockDelivery.acceptsGzip(request) == accepts)
    }

    @Test("The address to listen on, and the hosts that are accepted there")
    func hosts() async throws {
        let mock = try await RunningMock("movies --no-auth --host ::1")
        #expect(mock.address.hasPrefix("http://[::1]:"))
        #expect(try mock.get("/movie/popular").hasPrefix("200 "))
        let bracketed = try await RunningMock("movies --no-auth --host [::1]")
        #expect(bracketed.address.hasPrefix("http://[::1]:"))
        let all = MockHosts("0.0.0.0")
        for host in ["10.0.0.1", "10.0.0.1:80", "[fe80::1]:80", "localhost", "LocalHost:81"] {
            #expect(all.accept(host))
        }
        for host in ["evil.example", "10.evil:80", "[::1].evil", nil] { #expect(!all.accept(host)) }
        let one = MockHosts("box.local")
        #expect(one.names == ["127.0.0.1", "localhost", "[::1]", "box.local"])
        #expect(one.accept("[::1]:9") && !one.accept("10.0.0.1:81"))
    }
}
