import EndpointKit
import Testing

@testable import ApictlCLI

/// `--timing`: one line per transfer.
struct TimingTests {
    private static func times(
        _ status: Int? = 200, lookup: Double = 0.1, connect: Double = 0.2, tls: Double? = nil, firstByte: Double = 20.1,
        content: Double = 0.2, total: Double = 33, bytes: Int64 = 6600, reused: Bool = false
    ) -> TransferTimes {
        func time(_ milliseconds: Double) -> Duration { .microseconds(Int(milliseconds * 1000)) }
        var times = TransferTimes()
        (times.status, times.receivedBytes, times.reusedConnection) = (status, bytes, reused)
        (times.nameLookup, times.connect, times.tls) = (time(lookup), time(connect), tls.map(time))
        (times.firstByte, times.content, times.total) = (time(firstByte), time(content), time(total))
        return times
    }

    static let lines: [([TransferTimes], String)] = [
        ([], ""),
        (
            [times(content: -1, total: 0, bytes: -5)],
            "timing: 200, name lookup 0.1 ms, connect 0.2 ms, first byte 20 ms, content 0.0 ms, total 0.0 ms, 0 B\n"
        ),
        (
            [times(firstByte: 1250, content: 60_000, total: 61_250.3, bytes: 149_000_000)],
            "timing: 200, name lookup 0.1 ms, connect 0.2 ms, first byte 1.3 s, content 60 s, total 61 s, 149.0 MB\n"
        ),
        (
            [
                times(302, lookup: 11.1, tls: 12.3, total: 43.9, bytes: 0),
                times(503, connect: 100.5, total: 1033, bytes: 12),
                times(lookup: 0, connect: 0, firstByte: 9.9, content: 0.3, total: 10.2, reused: true),
                times(nil, total: 3),
            ],
            """
            timing: 302, name lookup 11 ms, connect 0.2 ms, TLS 12 ms, first byte 20 ms, content 0.2 ms, total 44 ms, 0 B
            timing: 503, name lookup 0.1 ms, connect 101 ms, first byte 20 ms, content 0.2 ms, total 1 s, 12 B
            timing: 200, connection reused, first byte 9.9 ms, content 0.3 ms, total 10 ms, 6.6 kB
            timing: no response, name lookup 0.1 ms, connect 0.2 ms, total 3.0 ms

            """
        ),
    ]

    @Test(arguments: lines)
    func text(_ transfers: [TransferTimes], _ text: String) { #expect(TimingText.text(transfers) == text) }

    private static func response(_ response: StubResponse, _ times: TransferTimes) -> StubResponse {
        var response = response
        response.times = times
        return response
    }

    private static let line =
        "timing: 204, name lookup 0.1 ms, connect 0.2 ms, first byte 20 ms, content 0.2 ms, total 33 ms, 0 B\n"
    private static let refused = StubResponse.failing(.notConnected)

    static let runs: [Row] = [
        RetryCallTests.row(
            "success", "call echo.ping --timing", [response(.empty(204), times(204, bytes: 0))], err: line),
        RetryCallTests.row(
            "failure", "call echo.head --timing", [response(refused, times(nil, total: 3))],
            err: """
                timing: no response, name lookup 0.1 ms, connect 0.2 ms, total 3.0 ms
                apictl: echo.head: could not connect to the server
                Is the server running?

                """, code: 6),
        RetryCallTests.row(
            "redirect and retry", "call echo.head --timing -m 0 --retry 1 --retry-delay 0",
            [
                response(StubResponse.empty(302).with("Location", "/a"), times(302, bytes: 0)),
                response(refused, times(nil, total: 3)), response(.empty(), times(200, bytes: 0)),
            ],
            err: """
                apictl: echo.head: could not connect to the server; trying again now (1 of 1)
                timing: 302, name lookup 0.1 ms, connect 0.2 ms, first byte 20 ms, content 0.2 ms, total 33 ms, 0 B
                timing: no response, name lookup 0.1 ms, connect 0.2 ms, total 3.0 ms
                timing: 200, name lookup 0.1 ms, connect 0.2 ms, first byte 20 ms, content 0.2 ms, total 33 ms, 0 B

                """),
    ]

    @Test(arguments: runs)
    func call(_ row: Row) async { await row.check() }
}
