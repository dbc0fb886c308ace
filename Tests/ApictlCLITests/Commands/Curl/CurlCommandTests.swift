import EndpointKit
import Testing

@testable import ApictlCLI

/// The curl command as text, and its warnings.
struct CurlCommandTests {
    private static let key = ["MOVIES_KEY": "k3y&+ "]
    private static let token = ["MOVIES_TOKEN": "t0ken"]

    private static let json = "--header 'Accept: application/json' --compressed"
    private static let movies = "--header 'X-Client: tests' \(json)"
    private static let jsonBody =
        "--header 'Accept: application/json' --header 'Content-Type: application/json' --compressed"
    private static let noBody = "--header Content-Type: --data-raw ''"

    /// `command` is what is printed after the options that every command has.
    private static func row(
        _ id: String, _ words: some CommandWordList, variables: [String: String] = [:], _ command: String,
        note: String? = nil
    ) -> Row {
        Row(
            id, ["curl"] + words.words, variables: variables, out: "curl --location --fail-with-body \(command)\n",
            err: note.map { "note: \($0)\n" } ?? "")
    }

    static let commands: [Row] = [
        row("plain", "echo.ping", "http://127.0.0.1:9/ping \(json) \(noBody)"),
        row(
            "JSON by curl", ["echo.note", "--note.title", "it's $5"],
            "http://127.0.0.1:9/note \(jsonBody) --data-raw '{\"title\":\"it'\\''s $5\"}'"
        ),
        row(
            "files", ["echo.upload", "--title", "@a;b", "--file", "a b\"c\\d.txt"],
            "http://127.0.0.1:9/upload \(json) --form-string 'title=@a;b' --form 'file=@\"a b\\\"c'\"\\\\\\\\\"'d.txt\";type=text/plain'"
        ),
        Row(
            "control characters in a body", ["curl", "echo.store", "--data", "\u{1B}[2J\t\n"],
            out: """
                curl --location --fail-with-body --request PUT http://127.0.0.1:9/store --header 'Accept: application/json' --header 'Content-Type: text/plain' --compressed --data-raw "$(printf '\\033\\1332J\\011')"'
                '

                """, err: ""),
        row("HEAD", "echo.head", "--head http://127.0.0.1:9/head \(json)"),
        row(
            "DELETE with a key", "movies.forget 5", variables: key,
            "--get --request DELETE https://api.movies.test/3/movie/5/rating --data-urlencode \"api_key=$MOVIES_KEY\" \(movies)"
        ),
        row(
            "GET with a key", "movies.popular --page 2", variables: key,
            "--get 'https://api.movies.test/3/movie/popular?page=2' --data-urlencode \"api_key=$MOVIES_KEY\" \(movies)"),
        row(
            "POST with a key", "movies.rate 5 --rating.value 8", variables: key,
            "https://api.movies.test/3/movie/5/rating --url-query \"api_key=$MOVIES_KEY\" --header 'X-Client: tests' \(jsonBody) --data-raw '{\"value\":8}'",
            note: "--url-query needs curl 7.87 or newer"),
        row(
            "key that is not set", "movies.popular",
            "--get https://api.movies.test/3/movie/popular --data-urlencode \"api_key=$MOVIES_KEY\" \(movies)",
            note: "MOVIES_KEY is not set; the command will send an empty value"),
        row(
            "bearer", "movies.popular", variables: token,
            "https://api.movies.test/3/movie/popular --header 'X-Client: tests' --header \"Authorization: Bearer $MOVIES_TOKEN\" \(json)"
        ),
        row(
            "basic", "echo.login", variables: ["ECHO_USER": "u", "ECHO_PASSWORD": "p"],
            "http://127.0.0.1:9/login --user \"$ECHO_USER:$ECHO_PASSWORD\" \(json)"),
        row("IPv6", "echo.ping --base-url http://[::1]:80", "--globoff 'http://[::1]:80/ping' \(json) \(noBody)"),
        row(
            "dot segments", "echo.ping --base-url http://h/a/../b",
            "--path-as-is http://h/a/../b/ping \(json) \(noBody)"),
        row(
            "additions", ["echo.head", "-H", "A: b c", "-H", "B;", "-H", "Accept:", "--query", "q=1 2"],
            "--head 'http://127.0.0.1:9/head?q=1%202' --header 'A: b c' --header 'B;' --header Accept: --compressed"),
        Row(
            "options that curl has",
            [
                "curl", "echo.head", "-iv", "-o", "a b", "-m", "2.5", "--connect-timeout", "500ms", "--max-redirects",
                "3",
            ],
            out:
                "curl --location --fail-with-body --head http://127.0.0.1:9/head --header 'Accept: application/json' --compressed --dump-header - --verbose --output 'a b' --max-time 2.5 --connect-timeout 0.5 --max-redirs 3\n",
            err: ""),
        row("quiet curl", "echo.head -q", "--head http://127.0.0.1:9/head \(json) --silent --output /dev/null"),
        Row(
            "options that curl does not have",
            ["curl", "echo.head", "--raw", "--sample", "--timing", "--compact", "--any-status"],
            out: "curl --location --head http://127.0.0.1:9/head --header 'Accept: application/json' --compressed\n",
            err:
                "note: curl has no --raw, no --sample, no --timing, no --compact; left out\n"),
        Row(
            "the connection",
            [
                "curl", "echo.head", "-k", "--cacert", "c a.pem", "-E", "a:b\\c.pem", "--key", "k.pem", "-x",
                "socks5h://h:1", "--unix-socket", "/run/s", "--resolve", "a:1:10.0.0.1", "--resolve", "*:2:[::1]",
                "--http2",
            ], variables: ["APICTL_KEY_PASSPHRASE": "open sesame"],
            out:
                "curl --location --fail-with-body --head http://127.0.0.1:9/head --header 'Accept: application/json' --compressed --insecure --cacert 'c a.pem' --cert 'a\\:b'\"\\\\\\\\\"'c.pem' --pass \"$APICTL_KEY_PASSPHRASE\" --key k.pem --proxy socks5h://h:1 --unix-socket /run/s --resolve a:1:10.0.0.1 --resolve '*:2:[::1]' --http2\n",
            err: ""),
        row(
            "an HTTPS proxy's certificates", "echo.head -x https://h:1 --cacert c.pem",
            "--head http://127.0.0.1:9/head \(json) --proxy https://h:1 --cacert c.pem --proxy-cacert c.pem"),
        row(
            "no proxy, old HTTP, no passphrase", ["echo.head", "--proxy", "", "--http1.1", "--cert", "me.pem"],
            "--head http://127.0.0.1:9/head \(json) --proxy '' --http1.1 --cert me.pem"),
        row(
            "retries of a POST", "echo.ping --retry 3 --retry-unsafe",
            "http://127.0.0.1:9/ping \(json) \(noBody) --retry 3 --retry-connrefused"),
        row(
            "a POST that call would not send again", "echo.ping --retry 3", "http://127.0.0.1:9/ping \(json) \(noBody)"),
        row(
            "limits, and going on", "echo.path a --max-bytes 64k -C -o f",
            "http://127.0.0.1:9/path/a/end --max-filesize 65536 --continue-at - --output f"),
        row(
            "a password from netrc", "echo.head -n", variables: ["HOME": "/h"],
            "--head http://127.0.0.1:9/head \(json) --netrc"),
        row(
            "a password from another netrc, for a credential that is not set", "echo.login -n",
            variables: ["NETRC": "n c"], "http://127.0.0.1:9/login \(json) --netrc-file \"$NETRC\""),
        row(
            "a credential that is set comes before netrc", "echo.login -n",
            variables: ["ECHO_USER": "u", "ECHO_PASSWORD": "p"],
            "http://127.0.0.1:9/login --user \"$ECHO_USER:$ECHO_PASSWORD\" \(json) --netrc"),
        row(
            "a body from a file", ["echo.note", "--body", "@a b.json"],
            "http://127.0.0.1:9/note \(jsonBody) --data-binary '@a b.json'"
        ),
        row(
            "a body from stdin", "echo.store --body -",
            "--request PUT http://127.0.0.1:9/store --header 'Accept: application/json' --header 'Content-Type: text/plain' --compressed --data-binary @-"
        ),
        row(
            "a body as text", "echo.ping --body it's",
            "http://127.0.0.1:9/ping \(json) --header Content-Type: --data-raw 'it'\\''s'"),
        row(
            "a body for a GET", ["echo.path", "x", "--body", "{}", "-H", "Content-Type: application/json"],
            "--request GET http://127.0.0.1:9/path/x/end --header 'Content-Type: application/json' --compressed --data-raw '{}'"
        ),
        row(
            "a typed key stays readable: it is on the command line already", "movies.popular --query api_key=mine",
            "'https://api.movies.test/3/movie/popular?api_key=mine' \(movies)"),
        row(
            "dry run and environment", "movies.forget 5 --dry-run --env staging", variables: key,
            "--get --request DELETE https://staging.movies.test/3/movie/5/rating --data-urlencode \"api_key=$MOVIES_KEY\" \(movies)"
        ),
    ]

    private static let head = "curl --location --fail-with-body --head http://127.0.0.1:9/head \(json)"
    private static let ping = "curl --location --fail-with-body http://127.0.0.1:9/ping \(json) \(noBody)"

    /// Options that depend on each other.
    static let options: [Row] = [
        Row("quiet, into a file", "curl echo.head -q -o f", out: "\(head) --silent --output f\n"),
        Row("quiet, into a file named before", "curl echo.head -o f -q", out: "\(head) --output f --silent\n"),
        Row("head beside a file", "curl echo.head -i -o f", out: "\(head) --dump-header - --output f\n"),
        Row("head and body on stdout", "curl echo.head -i -o -", out: "\(head) --include --output -\n"),
        Row("head on stdout", "curl echo.head -i", out: "\(head) --include\n"),
        Row(
            "limits", "curl echo.head -m 5 --retry 2 --max-bytes 0",
            out: "\(head) --max-time 5.0 --retry 2 --retry-connrefused --max-filesize 1\n"),
        Row(
            "the rest of a file comes unpacked", "curl echo.path a -o f -C",
            out: "curl --location --fail-with-body http://127.0.0.1:9/path/a/end --output f --continue-at -\n"),
        Row("an empty body", ["curl", "echo.ping", "--body", ""], out: "\(ping)\n"),
        wrong("call echo.ping -C -o f", "--continue and the method POST can't be used together"),
        wrong("curl echo.head -C -o f", "--continue and the method HEAD can't be used together"),
    ]

    @Test(arguments: commands + options)
    func command(_ row: Row) async { await row.check() }

    @Test("Headers that are empty or withheld")
    func structure() throws {
        let options = RequestOptions(
            variables: { ["MOVIES_TOKEN": "t0ken"][$0] }, missingCredential: .fail,
            headers: [Header("X-Empty", "")], withheldHeaders: ["Accept"])
        let request = try Movies.rate(5, rating: Rating(value: 1, comment: nil, by: nil, tags: nil)).request(options)
        #expect(
            ShellText.command(CurlInvocation(request))
                == "curl https://api.movies.test/3/movie/5/rating --header 'X-Client: tests' --header 'X-Empty;' "
                + "--header \"Authorization: Bearer $MOVIES_TOKEN\" --header 'Content-Type: application/json' "
                + "--header Accept: --compressed --data-raw '{\"value\":1}'")
    }

    @Test("A body too long for an argument is read from a file")
    func longBody() throws {
        let curl = CurlInvocation(try Echo.store(data: String(repeating: "x", count: 100_000)).request())
        #expect(curl.arguments.suffix(2) == ["--data-binary", "@body"])
        #expect(curl.warnings == ["the body can't be an argument: it must be in the file body"])
    }
}
