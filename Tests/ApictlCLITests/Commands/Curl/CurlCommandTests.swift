import EndpointKit
import Testing

@testable import ApictlCLI

/// The curl command as text, and its warnings.
struct CurlCommandTests {
    private static let key = ["MOVIES_KEY": "k3y&+ "]
    private static let token = ["MOVIES_TOKEN": "t0ken"]

    static let commands: [Row] = [
        Row(
            "plain", ["curl", "echo.ping"],
            out:
                "curl --location --fail-with-body http://127.0.0.1:9/ping --header 'Accept: application/json' --compressed --header Content-Type: --data-raw ''\n",
            err: ""),
        Row(
            "value with a quote", ["curl", "echo.path", "it's"],
            out: "curl --location --fail-with-body http://127.0.0.1:9/path/it%27s/end --compressed\n", err: ""),
        Row(
            "array in the query", ["curl", "echo.query", "--list", "a b"],
            out:
                "curl --location --fail-with-body 'http://127.0.0.1:9/query?list%5B%5D=a%20b' --header 'Accept: application/json' --compressed\n",
            err: ""),
        Row(
            "JSON by curl", ["curl", "echo.note", "--note.title", "it's $5"],
            out:
                "curl --location --fail-with-body http://127.0.0.1:9/note --header 'Accept: application/json' --header 'Content-Type: application/json' --compressed --data-raw '{\"title\":\"it'\\''s $5\"}'\n",
            err: ""),
        Row(
            "form by curl", ["curl", "echo.form", "--name", "a b", "--tags", "&"],
            out:
                "curl --location --fail-with-body http://127.0.0.1:9/form --header 'Accept: application/json' --header 'Content-Type: application/x-www-form-urlencoded' --compressed --data-raw 'name=a%20b&tag=%26'\n",
            err: ""),
        Row(
            "files", ["curl", "echo.upload", "--title", "@a;b", "--file", "a b\"c\\d.txt"],
            out:
                "curl --location --fail-with-body http://127.0.0.1:9/upload --header 'Accept: application/json' --compressed --form-string 'title=@a;b' --form 'file=@\"a b\\\"c'\"\\\\\\\\\"'d.txt\";type=text/plain'\n",
            err: ""),
        Row(
            "control characters in a body", ["curl", "echo.store", "--data", "\u{1B}[2J\t\n"],
            out: """
                curl --location --fail-with-body --request PUT http://127.0.0.1:9/store --header 'Accept: application/json' --header 'Content-Type: text/plain' --compressed --data-raw "$(printf '\\033')"'[2J\t
                '

                """, err: ""),
        Row(
            "NUL in a body", ["curl", "echo.note", "--note", #"{"title":"\u0000"}"#],
            out:
                "curl --location --fail-with-body http://127.0.0.1:9/note --header 'Accept: application/json' --header 'Content-Type: application/json' --compressed --data-raw '{\"title\":\"\\u0000\"}'\n",
            err: ""),
        Row(
            "HEAD", ["curl", "echo.head"],
            out:
                "curl --location --fail-with-body --head http://127.0.0.1:9/head --header 'Accept: application/json' --compressed\n",
            err: ""
        ),
        Row(
            "DELETE with a key", ["curl", "movies.forget", "5"], variables: key,
            out:
                "curl --location --fail-with-body --get --request DELETE https://api.movies.test/3/movie/5/rating --data-urlencode \"api_key=$MOVIES_KEY\" --header 'X-Client: tests' --header 'Accept: application/json' --compressed\n",
            err: ""),
        Row(
            "GET with a key", ["curl", "movies.popular", "--page", "2"], variables: key,
            out:
                "curl --location --fail-with-body --get 'https://api.movies.test/3/movie/popular?page=2' --data-urlencode \"api_key=$MOVIES_KEY\" --header 'X-Client: tests' --header 'Accept: application/json' --compressed\n",
            err: ""),
        Row(
            "POST with a key", ["curl", "movies.rate", "5", "--rating.value", "8"], variables: key,
            out:
                "curl --location --fail-with-body https://api.movies.test/3/movie/5/rating --url-query \"api_key=$MOVIES_KEY\" --header 'X-Client: tests' --header 'Accept: application/json' --header 'Content-Type: application/json' --compressed --data-raw '{\"value\":8}'\n",
            err: "note: --url-query needs curl 7.87 or newer\n"),
        Row(
            "key that is not set", ["curl", "movies.popular"],
            out:
                "curl --location --fail-with-body --get https://api.movies.test/3/movie/popular --data-urlencode \"api_key=$MOVIES_KEY\" --header 'X-Client: tests' --header 'Accept: application/json' --compressed\n",
            err: "note: MOVIES_KEY is not set; the command will send an empty value\n"),
        Row(
            "bearer", ["curl", "movies.popular"], variables: token,
            out:
                "curl --location --fail-with-body https://api.movies.test/3/movie/popular --header 'X-Client: tests' --header \"Authorization: Bearer $MOVIES_TOKEN\" --header 'Accept: application/json' --compressed\n",
            err: ""),
        Row(
            "basic", ["curl", "echo.login"], variables: ["ECHO_USER": "u", "ECHO_PASSWORD": "p"],
            out:
                "curl --location --fail-with-body http://127.0.0.1:9/login --user \"$ECHO_USER:$ECHO_PASSWORD\" --header 'Accept: application/json' --compressed\n",
            err: ""),
        Row(
            "basic that is not set", ["curl", "echo.login"], variables: ["ECHO_USER": "u"],
            out:
                "curl --location --fail-with-body http://127.0.0.1:9/login --user \"$ECHO_USER:$ECHO_PASSWORD\" --header 'Accept: application/json' --compressed\n",
            err: "note: ECHO_PASSWORD is not set; the command will send an empty value\n"),
        Row(
            "optional and not set", ["curl", "echo.limits"],
            out:
                "curl --location --fail-with-body http://127.0.0.1:9/limits --header 'Accept: application/json' --compressed\n",
            err: ""
        ),
        Row(
            "optional and set", ["curl", "echo.limits"], variables: ["ECHO_TOKEN": "t"],
            out:
                "curl --location --fail-with-body http://127.0.0.1:9/limits --header \"Authorization: Bearer $ECHO_TOKEN\" --header 'Accept: application/json' --compressed\n",
            err: ""),
        Row(
            "IPv6", ["curl", "echo.ping", "--base-url", "http://[::1]:80"],
            out:
                "curl --location --fail-with-body --globoff 'http://[::1]:80/ping' --header 'Accept: application/json' --compressed --header Content-Type: --data-raw ''\n",
            err: ""),
        Row(
            "dot segments", ["curl", "echo.ping", "--base-url", "http://h/a/../b"],
            out:
                "curl --location --fail-with-body --path-as-is http://h/a/../b/ping --header 'Accept: application/json' --compressed --header Content-Type: --data-raw ''\n",
            err: ""),
        Row(
            "additions", ["curl", "echo.head", "-H", "A: b c", "-H", "B;", "-H", "Accept:", "--query", "q=1 2"],
            out:
                "curl --location --fail-with-body --head 'http://127.0.0.1:9/head?q=1%202' --header 'A: b c' --header 'B;' --header Accept: --compressed\n",
            err: ""),
        Row(
            "options that curl has",
            [
                "curl", "echo.head", "-iv", "-o", "a b", "-m", "2.5", "--connect-timeout", "500ms", "--max-redirects",
                "3",
            ],
            out:
                "curl --location --fail-with-body --head http://127.0.0.1:9/head --header 'Accept: application/json' --compressed --dump-header - --verbose --output 'a b' --max-time 2.5 --connect-timeout 0.5 --max-redirs 3\n",
            err: ""),
        Row(
            "quiet curl", ["curl", "echo.head", "-q"],
            out:
                "curl --location --fail-with-body --head http://127.0.0.1:9/head --header 'Accept: application/json' --compressed --silent --output /dev/null\n",
            err: ""),
        Row(
            "options that curl does not have",
            ["curl", "echo.head", "--raw", "--sample", "--color", "never", "--compact", "--any-status"],
            out: "curl --location --head http://127.0.0.1:9/head --header 'Accept: application/json' --compressed\n",
            err:
                "note: curl has no --raw, no --sample, no --color, no --compact; left out\n"),
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
        Row(
            "no proxy, old HTTP, no passphrase",
            ["curl", "echo.head", "--proxy", "", "--http1.1", "--cert", "me.pem"],
            out:
                "curl --location --fail-with-body --head http://127.0.0.1:9/head --header 'Accept: application/json' --compressed --proxy '' --http1.1 --cert me.pem\n",
            err: ""),
        Row(
            "retries", ["curl", "echo.head", "--retry", "3", "--retry-delay", "2s", "--retry-unsafe"],
            out:
                "curl --location --fail-with-body --head http://127.0.0.1:9/head --header 'Accept: application/json' --compressed --retry 3 --retry-connrefused --retry-delay 2\n",
            err: ""),
        Row(
            "retries with a short wait", ["curl", "echo.head", "--retry", "3", "--retry-delay", "0.5"],
            out:
                "curl --location --fail-with-body --head http://127.0.0.1:9/head --header 'Accept: application/json' --compressed --retry 3 --retry-connrefused --retry-delay 1\n",
            err: "note: curl waits whole seconds, at least one: --retry-delay is 1 s\n"),
        Row(
            "a POST that call would not send again",
            ["curl", "echo.ping", "--retry", "3", "--retry-delay", "1"],
            out:
                "curl --location --fail-with-body http://127.0.0.1:9/ping --header 'Accept: application/json' --compressed --header Content-Type: --data-raw ''\n",
            err: "note: --retry left out: curl would repeat a POST, which call does only with --retry-unsafe\n"),
        Row(
            "a POST that call would send again", ["curl", "echo.ping", "--retry", "3", "--retry-unsafe"],
            out:
                "curl --location --fail-with-body http://127.0.0.1:9/ping --header 'Accept: application/json' --compressed --header Content-Type: --data-raw '' --retry 3 --retry-connrefused\n",
            err: ""),
        Row(
            "limits, and going on", ["curl", "echo.path", "a", "--max-bytes", "64k", "-C", "-o", "f"],
            out:
                "curl --location --fail-with-body http://127.0.0.1:9/path/a/end --max-filesize 65536 --continue-at - --output f\n",
            err: ""),
        Row(
            "timing", ["curl", "echo.head", "--timing"],
            out:
                "curl --location --fail-with-body --head http://127.0.0.1:9/head --header 'Accept: application/json' --compressed --write-out '%{stderr}timing: %{http_code}, name lookup %{time_namelookup} s, connected %{time_connect} s, TLS %{time_appconnect} s, first byte %{time_starttransfer} s, total %{time_total} s\\n'\n",
            err: ""),
        Row(
            "a password from netrc", ["curl", "echo.head", "-n"], variables: ["HOME": "/h"],
            out:
                "curl --location --fail-with-body --head http://127.0.0.1:9/head --header 'Accept: application/json' --compressed --netrc\n",
            err: ""),
        Row(
            "a password from another netrc, for a credential that is not set", ["curl", "echo.login", "-n"],
            variables: ["NETRC": "n c"],
            out:
                "curl --location --fail-with-body http://127.0.0.1:9/login --header 'Accept: application/json' --compressed --netrc-file \"$NETRC\"\n",
            err: ""),
        Row(
            "a credential that is set comes before netrc", ["curl", "echo.login", "-n"],
            variables: ["ECHO_USER": "u", "ECHO_PASSWORD": "p"],
            out:
                "curl --location --fail-with-body http://127.0.0.1:9/login --user \"$ECHO_USER:$ECHO_PASSWORD\" --header 'Accept: application/json' --compressed --netrc\n",
            err: ""),
        Row(
            "a body from a file", ["curl", "echo.note", "--body", "@a b.json"],
            out:
                "curl --location --fail-with-body http://127.0.0.1:9/note --header 'Accept: application/json' --header 'Content-Type: application/json' --compressed --data-binary '@a b.json'\n",
            err: ""),
        Row(
            "a body from stdin", ["curl", "echo.store", "--body", "-"],
            out:
                "curl --location --fail-with-body --request PUT http://127.0.0.1:9/store --header 'Accept: application/json' --header 'Content-Type: text/plain' --compressed --data-binary @-\n",
            err: ""),
        Row(
            "a body as text", ["curl", "echo.ping", "--body", "it's"],
            out:
                "curl --location --fail-with-body http://127.0.0.1:9/ping --header 'Accept: application/json' --compressed --header Content-Type: --data-raw 'it'\\''s'\n",
            err: ""),
        Row(
            "a body for a GET", ["curl", "echo.path", "x", "--body", "{}", "-H", "Content-Type: application/json"],
            out:
                "curl --location --fail-with-body --request GET http://127.0.0.1:9/path/x/end --header 'Content-Type: application/json' --compressed --data-raw '{}'\n",
            err: ""),
        Row(
            "a typed key stays readable: it is on the command line already",
            ["curl", "movies.popular", "--query", "api_key=mine"],
            out:
                "curl --location --fail-with-body 'https://api.movies.test/3/movie/popular?api_key=mine' --header 'X-Client: tests' --header 'Accept: application/json' --compressed\n",
            err: ""),
        Row(
            "dry run and environment", ["curl", "movies.forget", "5", "--dry-run", "--env", "staging"], variables: key,
            out:
                "curl --location --fail-with-body --get --request DELETE https://staging.movies.test/3/movie/5/rating --data-urlencode \"api_key=$MOVIES_KEY\" --header 'X-Client: tests' --header 'Accept: application/json' --compressed\n",
            err: ""),
    ]

    @Test(arguments: commands)
    func command(_ row: Row) async { await row.check() }

    @Test("The arguments of the command")
    func structure() throws {
        let options = RequestOptions(
            variables: { ["MOVIES_TOKEN": "t0ken"][$0] }, headers: [Header("X-Empty", "")], withheldHeaders: ["Accept"])
        let request = try Movies.rate(5, rating: Rating(value: 1, comment: nil, by: nil, tags: nil)).request(options)
        let expected = CurlInvocation(
            arguments: [
                "https://api.movies.test/3/movie/5/rating", "--header", "X-Client: tests", "--header", "X-Empty;",
                "--header",
                .init([.text("Authorization: "), .text("Bearer "), .variable("MOVIES_TOKEN")]), "--header",
                "Content-Type: application/json", "--header", "Accept:", "--compressed", "--data-raw", #"{"value":1}"#,
            ], input: nil, warnings: [])
        #expect(CurlInvocation(request).flat == expected.flat)
    }

    @Test("A body too long for an argument goes through stdin")
    func longBody() throws {
        let request = try Echo.store(data: String(repeating: "x", count: 100_000)).request()
        let curl = CurlInvocation(request)
        #expect(curl.input?.count == 100_000)
        #expect(curl.arguments.suffix(2) == ["--data-binary", "@-"])
    }
}

extension CurlInvocation {
    /// The same with neighbouring texts joined.
    fileprivate var flat: CurlInvocation {
        var copy = self
        copy.arguments = arguments.map { argument in
            var pieces: [Argument.Piece] = []
            for piece in argument.pieces {
                if case .text(let before)? = pieces.last, case .text(let text) = piece {
                    pieces[pieces.count - 1] = .text(before + text)
                } else {
                    pieces.append(piece)
                }
            }
            return Argument(pieces)
        }
        return copy
    }
}
