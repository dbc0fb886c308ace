import Testing

/// Options that depend on each other in the printed curl command.
struct CurlOptionTests {
    private static let head =
        "curl --location --fail-with-body --head http://127.0.0.1:9/head --header 'Accept: application/json' --compressed"
    private static let ping =
        "curl --location --fail-with-body http://127.0.0.1:9/ping --header 'Accept: application/json' --compressed --header Content-Type: --data-raw ''"

    static let rows: [Row] = [
        Row("quiet, into a file", "curl echo.head -q -o f", out: "\(head) --silent --output f\n"),
        Row("quiet, into a file named before", "curl echo.head -o f -q", out: "\(head) --output f --silent\n"),
        Row("head beside a file", "curl echo.head -i -o f", out: "\(head) --dump-header - --output f\n"),
        Row("head and body on stdout", "curl echo.head -i -o -", out: "\(head) --include --output -\n"),
        Row("head on stdout", "curl echo.head -i", out: "\(head) --include\n"),
        Row(
            "time for all attempts", "curl echo.head -m 5 --retry 2",
            out: "\(head) --max-time 5.0 --retry-max-time 5.0 --retry 2 --retry-connrefused\n"),
        Row("time for one attempt", "curl echo.head -m 5", out: "\(head) --max-time 5.0\n"),
        Row(
            "retry 0 is one attempt", "curl echo.head -m 5 --retry 0",
            out: "\(head) --max-time 5.0 --retry 0 --retry-connrefused\n"),
        Row(
            "time for a POST that is sent once", "curl echo.ping -m 5 --retry 2", out: "\(ping) --max-time 5.0\n",
            err: "note: --retry left out: curl would repeat a POST, which call does only with --retry-unsafe\n"),
        Row(
            "no byte at all", "curl echo.head --max-bytes 0", out: "\(head)\n",
            err: "note: curl has no --max-bytes 0; left out\n"),
        Row("a byte", "curl echo.head --max-bytes 1", out: "\(head) --max-filesize 1\n"),
        Row(
            "the rest of a file comes unpacked", "curl echo.path a -o f -C",
            out: "curl --location --fail-with-body http://127.0.0.1:9/path/a/end --output f --continue-at -\n"),
        Row("an empty body", ["curl", "echo.ping", "--body", ""], out: "\(ping)\n"),
        wrong("curl echo.ping -C -o f", "--continue and the method POST can't be used together"),
        wrong("curl echo.head -C -o f", "--continue and the method HEAD can't be used together"),
        wrong("curl echo.path a -C -o f --any-status", "--continue and --any-status can't be used together"),
        wrong("curl echo.path a -C", "--continue needs -o FILE"),
    ]

    @Test(arguments: rows)
    func option(_ row: Row) async { await row.check() }
}
