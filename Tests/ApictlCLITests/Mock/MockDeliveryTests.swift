import EndpointKit
import Foundation
import MockServer
import TestSupport
import Testing

@testable import ApictlCLI

/// How `mock` sends its responses.
struct MockDeliveryTests {
    private static let body = Array(MoviePage.sample.utf8)

    private func curl(_ mock: RunningMock, _ options: String...) throws -> ChildProcess.Result {
        try ChildProcess.curl(options + [mock.address + "/movie/popular"])
    }

    @Test(
        "Bodies arrive whole in chunks, compressed and slowly",
        arguments: [
            ("--chunked", "Transfer-Encoding: chunked"), ("--gzip", "Content-Encoding: gzip"),
            ("--chunked --gzip --rate 10k", "Transfer-Encoding: chunked"), ("--rate 1k", "Content-Length: 161"),
        ])
    func whole(_ options: String, header: String) async throws {
        let mock = try await RunningMock("movies --no-auth \(options)")
        #expect(try curl(mock, "--compressed") == ChildProcess.Result(output: Self.body, status: 0))
        let head = try mock.curl(["--compressed", "--head"], "/movie/popular")
        #expect(head.contains("\n\(header)\n"), "\(head)")
        // A client that does not accept gzip.
        #expect(try curl(mock) == ChildProcess.Result(output: Self.body, status: 0))
    }

    @Test("--chunked sends several chunks, but not to HTTP/1.0")
    func chunks() async throws {
        let mock = try await RunningMock("movies --no-auth --chunked")
        let raw = String(decoding: try curl(mock, "--raw").output, as: UTF8.self)
        #expect(raw.split(separator: "\r\n").count > 10)
        #expect(raw.hasSuffix("\r\n0\r\n\r\n"))
        let old = try mock.curl(["--http1.0"], "/movie/popular")
        #expect(old.contains("\nContent-Length: \(Self.body.count)\n"))
        #expect(!old.contains("Transfer-Encoding"))
    }

    @Test("--cut closes the connection in the middle of the body", arguments: ["", "--chunked", "--rate 100k"])
    func cut(_ options: String) async throws {
        let mock = try await RunningMock("movies --no-auth --cut \(options)")
        let result = try curl(mock)
        // CURLE_PARTIAL_FILE
        #expect(result.status == 18)
        #expect(
            !result.output.isEmpty && Self.body.starts(with: result.output) && result.output.count < Self.body.count)
        let direct = try mock.get("/movie/1/rating", ["-X", "DELETE"])
        #expect(direct == "204 ")
    }

    @Test("--rate limits the bytes in a second")
    func rate() async throws {
        let mock = try await RunningMock("movies --no-auth --rate 500")
        let start = ContinuousClock.now
        #expect(try curl(mock).output == Self.body)
        #expect(ContinuousClock.now - start >= .milliseconds(300))
    }

    @Test("A latency from a range is the same for the same seed")
    func latency() {
        let delivery = MockDelivery(latency: .milliseconds(100)...(.milliseconds(300)))
        func pauses(_ seed: UInt64) -> [Duration] {
            let chance = MockChance(seed: seed)
            return (0..<50).compactMap { number in
                let request = ReceivedRequest(target: "/\(number)")
                var reply = MockReply(Response(200, message: ""))
                reply.latency = chance.draw(request, to: "a.b").latency
                let response = delivery.response(reply, to: request)
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
        ("gzip", true), ("deflate, GZIP;q=0.5", true), ("gzip;q=0", false), ("gzip; q=0.000", false), ("*", true),
        ("*;q=0", false), ("br", false), ("", false), ("*, gzip;q=0", false), ("x-gzip", true),
    ]

    @Test(arguments: encodings)
    func acceptEncoding(value: String, accepts: Bool) { #expect(MockDelivery.acceptsGzip(value) == accepts) }

    @Test("The address to listen on, and the hosts that are accepted there")
    func hosts() async throws {
        let mock = try await RunningMock("movies --no-auth --host ::1")
        #expect(mock.address.hasPrefix("http://[::1]:"))
        #expect(try mock.get("/movie/popular").hasPrefix("200 "))
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
