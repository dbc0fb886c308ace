import EndpointKit
import Testing

@testable import ApictlCLI

/// The names of downloaded files.
struct DownloadNameTests {
    private static func disposition(_ value: String) -> StubResponse {
        StubResponse.typed("a/b", "new").with("Content-Disposition", value)
    }

    private static let plain = StubResponse.typed("a/b", "new")

    static let rows: [Row] = [
        Row("-O names the file after the URL's last segment", "http://h.test/a/b%20c.txt?q=1 -O", response: plain)
            .leaving(["b%20c.txt": "new"]),
        Row(
            "-o DIR/ names the file in a directory after the URL's last segment", "http://h.test/a/b -o out/",
            response: plain
        ).leaving(["out/b": "new"]),
        Row("-O replaces an existing file", "http://h.test/a -O", files: ["a": "old"], response: plain)
            .leaving(["a": "new"]),
        Row("-O of an endpoint names the file after its URL's last segment", "call echo.path x -O", response: plain)
            .leaving(["end": "new"]),
        Row(
            "-J names the file as the response does", "http://h.test/a -OJ",
            response: disposition("attachment; filename=b")
        )
        .leaving(["b": "new"]),
        Row(
            "-J -o DIR/ names the file in a directory as the response does", "http://h.test/a -J -o out/",
            response: disposition("attachment; filename=b")
        ).leaving(["out/b": "new"]),
        Row("-J without a name in the response is like -O", "http://h.test/a -OJ", response: plain).leaving(["a": "new"]
        ),
        Row(
            "-J does not replace an existing file", "http://h.test/a -OJ", files: ["b": "old"],
            response: disposition("inline; filename=b"),
            err: "apictl: can't write b: it exists already\n", code: 1
        ).leaving(["b": "old"]),
        wrong(
            "http://h.test/a/ -O",
            "the URL's path ends with a slash, so that the file has no name; give one with -o FILE", see: "help call"),
        wrong("http://h.test/a -O -o b", "--remote-name and --output can't be used together", see: "help call"),
        Row(
            "a printed curl command has the options of curl", "curl http://h.test/a -o out/ -J",
            out: "curl --location --fail-with-body http://h.test/a --compressed --output-dir out/ --remote-name "
                + "--remote-header-name\n"),
    ]

    @Test("-O, -J and -o DIR/ name the file, or say why they can't", arguments: rows)
    func row(_ row: Row) async { await row.check() }

    static let names: [(field: String, name: String?)] = [
        ("attachment", nil), ("attachment; filename=a.txt", "a.txt"),
        ("attachment; filename=\"a b;c.txt\"", "a b;c.txt"),
        (#"attachment; filename="a\"b""#, "a\"b"), ("attachment; FileName = a", "a"), ("filename=a", nil),
        ("attachment; filename=../../etc/passwd", "passwd"), ("attachment; filename=\"..\\\\..\\\\x.exe\"", "x.exe"),
        ("attachment; filename=/", nil), ("attachment; filename=..", nil), ("attachment; filename=.ssh", "ssh"),
        ("attachment; filename=\"\"", nil), ("attachment; filename=\"a\u{1}\u{7F}b\"", "ab"),
        ("attachment; filename=x; filename*=UTF-8''caf%C3%A9%2F.pdf", "pdf"),
        ("attachment; filename*=UTF-8''caf%C3%A9.pdf; filename=x", "café.pdf"),
        ("attachment; filename*=ISO-8859-1''x; filename=y", "y"), ("attachment; ; ;filename=a;", "a"),
        ("attachment; filename=\"open", "open"),
        ("attachment; filename=" + String(repeating: "é", count: 200), String(repeating: "é", count: 127)),
    ]

    @Test("The name in Content-Disposition, made safe", arguments: names)
    func name(_ field: String, _ name: String?) {
        let head = ResponseHead(status: 200, fields: [.init("Content-Disposition", field)])
        #expect(DownloadName.name(givenBy: head) == name)
    }
}
