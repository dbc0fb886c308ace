import EndpointKit
import Testing

@testable import ApictlCLI

/// `--write-out`, in curl's notation.
struct WriteOutTests {
    private static func row(
        _ id: String, _ text: String, _ response: StubResponse, words: [String] = [], out: String = "", err: String,
        code: Int32 = 0
    ) -> Row {
        Row(id, ["call", "echo.head", "-w", text] + words, response: response, out: out, err: err, code: code)
    }

    private static let plain = StubResponse(
        head: ResponseHead(
            status: 200,
            fields: [
                .init("Content-Type", "text/plain"), .init("X-A", "1\u{1B}"),
                .init("x-a", String(exactBytes: [0x32, 0xE9])),
            ]))

    private static let names =
        "content_type, errormsg, exitcode, filename_effective, http_code, http_version, method, num_headers, num_redirects, "
        + "num_retries, remote_ip, remote_port, response_code, scheme, size_download, speed_download, time_appconnect, "
        + "time_connect, time_namelookup, time_starttransfer, time_total, url, url_effective, header_json, json"

    static let rows: [Row] = [
        row("status, header and escapes", #"%{http_code}\t%header{x-a}%%\n"#, plain, err: "200\t1\\u001B%\n"),
        row(
            "an unfinished variable is text", #"%{http_code %header{ % \x\"#, plain, err: #"%{http_code %header{ % \x\"#
        ),
        row(
            "headers", "%{stderr}%{header_json}", plain,
            err: #"{"content-type":["text/plain"],"x-a":["1\u001B","2\\xE9"]}"#),
        row(
            "a failure", #"%{exitcode} %{num_headers} %{errormsg}\n"#, .empty(404, "Not Found"),
            err: "4 0 echo.head: 404 Not Found\napictl: echo.head: 404 Not Found\n", code: 4),
        Row(
            "from a file, without its last line break", "call echo.head -w @f",
            files: ["f": "%{method}\n%{num_redirects}\n"], response: plain, err: "HEAD\n0"),
        wrong(
            "call echo.head -w %{http_cod}",
            "--write-out (argument 3): unknown variable '%{http_cod}'; did you mean '%{http_code}'? (known: stdout, stderr, \(names))"
        ),
        row(
            "to both streams", #"a%{stdout}%{method}\n%{stderr}b%{stdout}c\n"#, plain, out: "HEAD\nc\n", err: "ab"),
    ]

    @Test(arguments: rows)
    func writeOut(_ row: Row) async { await row.check() }

    @Test("Times are added up over redirects, sizes are of the last transfer")
    func facts() throws {
        func times(_ url: String, _ status: Int, tls: Duration?, bytes: Int64) -> TransferTimes {
            var times = TransferTimes()
            (times.url, times.status, times.receivedBytes, times.tls) = (url, status, bytes, tls)
            (times.remoteIP, times.remotePort) = ("::1", 80)
            (times.nameLookup, times.connect) = (.milliseconds(1), .milliseconds(2))
            (times.firstByte, times.content, times.total) = (.milliseconds(8), .milliseconds(16), .milliseconds(100))
            return times
        }
        var log = TransferLog.Facts()
        log.attempts = 2
        log.head = ResponseHead(version: "HTTP/2", status: 200)
        log.transfers = [
            times("http://a/", 503, tls: nil, bytes: 7), times("http://a/", 301, tls: nil, bytes: 8),
            times("https://b/", 200, tls: .milliseconds(4), bytes: 1000),
        ]
        let facts = WriteOutFacts(
            url: "http://a/", method: .get, log: log, file: "f", code: .success, message: "")
        #expect(
            facts.json == """
                {"content_type":"","errormsg":"","exitcode":0,"filename_effective":"f","http_code":200,"http_version":"2",\
                "method":"GET","num_headers":0,"num_redirects":1,"num_retries":1,"remote_ip":"::1","remote_port":80,"response_code":200,"scheme":"https",\
                "size_download":1000,"speed_download":10000,"time_appconnect":0.013000,"time_connect":0.009000,\
                "time_namelookup":0.003000,"time_starttransfer":0.037000,"time_total":0.300000,"url":"http://a/",\
                "url_effective":"https://b/"}
                """)
    }
}
