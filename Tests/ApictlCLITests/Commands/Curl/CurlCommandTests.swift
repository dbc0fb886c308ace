import EndpointKit
import EndpointTools
import TestSupport
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

    /// A row of `curl`. `command` is the printed command without the options that every printed command has.
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
            """
            http://127.0.0.1:9/upload \(json) --form-string 'title=@a;b' --form 'file=@\"a \
            b\\\"c'\"\\\\\\\\\"'d.txt\";type=text/plain'
            """
        ),
        Row(
            "control characters in a body", ["curl", "echo.store", "--data", "\u{1B}[2J\t\n"],
            out: """
                curl --location --fail-with-body --request PUT http://127.0.0.1:9/store --header 'Accept: \
                application/json' --header 'Content-Type: text/plain' --compressed --data-raw "$(printf \
                '\\033\\1332J\\011')"'
                '

                """, err: ""),
        row("HEAD", "echo.head", "--head http://127.0.0.1:9/head \(json)"),
        row(
            "HEAD with a body", "echo.head --body {}",
            "--request HEAD http://127.0.0.1:9/head \(jsonBody) --data-raw '{}'",
            note: "with data, curl waits for a body of the response to HEAD"),
        row(
            "DELETE with a key", "movies.forget 5", variables: key,
            """
            --get --request DELETE https://api.movies.test/3/movie/5/rating --data-urlencode \"api_key=$MOVIES_KEY\" \
            \(movies)
            """
        ),
        row(
            "POST with a key", "movies.rate 5 --rating.value 8", variables: key,
            """
            https://api.movies.test/3/movie/5/rating --url-query \"api_key=$MOVIES_KEY\" --header 'X-Client: tests' \
            \(jsonBody) --data-raw '{\"value\":8}'
            """,
            note: "--url-query needs curl 7.87 or newer"),
        row(
            "key that is not set", "movies.popular",
            "--get https://api.movies.test/3/movie/popular --data-urlencode \"api_key=$MOVIES_KEY\" \(movies)",
            note: "MOVIES_KEY is not set; the command will send an empty value"),
        Row(
            "key that a file of variables has alone", "curl movies.popular --env-file e", variables: [:],
            files: ["e": "MOVIES_KEY=k"],
            out:
                """
                curl --location --fail-with-body --get https://api.movies.test/3/movie/popular --data-urlencode \
                \"api_key=$MOVIES_KEY\" \(movies)\n
                """,
            err:
                "note: MOVIES_KEY is not set; the command will send an empty value\n"
        ),
        row(
            "bearer", "movies.popular", variables: token,
            """
            https://api.movies.test/3/movie/popular --header 'X-Client: tests' --header \"Authorization: Bearer \
            $MOVIES_TOKEN\" \(json)
            """
        ),
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
                """
                curl --location --fail-with-body --head http://127.0.0.1:9/head --header 'Accept: application/json' \
                --compressed --dump-header - --verbose --output 'a b' --max-time 2.5 --connect-timeout 0.5 \
                --max-redirs 3\n
                """,
            err: ""),
        Row(
            "the text of a file at the end", "curl echo.head -w @f", files: ["f": "%{http_code}\n"],
            out:
                """
                curl --location --fail-with-body --head http://127.0.0.1:9/head --header 'Accept: application/json' \
                --compressed --write-out '%{stderr}%{http_code}'\n
                """
        ),
        row(
            "retries", "echo.head --retry 2 --retry-delay 1500ms",
            "--head http://127.0.0.1:9/head \(json) --retry 2 --retry-connrefused --retry-delay 2"),
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
                """
                curl --location --fail-with-body --head http://127.0.0.1:9/head --header 'Accept: application/json' \
                --compressed --insecure --cacert 'c a.pem' --cert 'a\\:b'\"\\\\\\\\\"'c.pem' --pass \
                \"$APICTL_KEY_PASSPHRASE\" --key k.pem --proxy socks5h://h:1 --unix-socket /run/s --resolve \
                a:1:10.0.0.1 --resolve '*:2:[::1]' --http2\n
                """,
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
            "a POST that call would not send again", "echo.ping --retry 3",
            "http://127.0.0.1:9/ping \(json) \(noBody)"),
        row(
            "limits, and going on", "echo.path a --max-bytes 64k -C -o f",
            "http://127.0.0.1:9/path/a/end --max-filesize 65536 --continue-at - --output f"),
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
            """
            --request PUT http://127.0.0.1:9/store --header 'Accept: application/json' --header 'Content-Type: \
            text/plain' --compressed --data-binary @-
            """
        ),
        row(
            "a body for a GET", ["echo.path", "x", "--body", "{}", "-H", "Content-Type: application/json"],
            """
            --request GET http://127.0.0.1:9/path/x/end --header 'Content-Type: application/json' --compressed \
            --data-raw '{}'
            """
        ),
        row(
            "a typed key stays readable: it is on the command line already", "movies.popular --query api_key=mine",
            "'https://api.movies.test/3/movie/popular?api_key=mine' \(movies)"),
    ]

    private static let head = "curl --location --fail-with-body --head http://127.0.0.1:9/head \(json)"
    private static let ping = "curl --location --fail-with-body http://127.0.0.1:9/ping \(json) \(noBody)"

    /// Calls whose options depend on each other.
    static let options: [Row] = [
        Row("quiet, into a file", "curl echo.head -q -o f", out: "\(head) --silent --output f\n"),
        Row("head beside a file", "curl echo.head -i -o f", out: "\(head) --dump-header - --output f\n"),
        Row("head and body on stdout", "curl echo.head -i -o -", out: "\(head) --include --output -\n"),
        Row("head on stdout", "curl echo.head -i", out: "\(head) --include\n"),
        Row(
            "the rest of a file comes unpacked", "curl echo.path a -o f -C",
            out: "curl --location --fail-with-body http://127.0.0.1:9/path/a/end --output f --continue-at -\n"),
        wrong("call echo.ping -C -o f", "--continue and the method POST can't be used together"),
        wrong("curl echo.head -C -o f", "--continue and the method HEAD can't be used together"),
    ]

    @Test("A call is printed as the curl command that sends the same request", arguments: commands + options)
    func command(_ row: Row) async { await row.check() }

    @Test("Every option that curl has is an option of call, and the other options of call are listed")
    func coveredOptions() {
        let options = Set(CallOptions.table.specs.map(\.name))
        #expect(options.isSuperset(of: CurlOption.covered))
        #expect(
            options.subtracting(CurlOption.covered).sorted() == [
                "all-pages", "array", "columns", "compact", "csv", "exit-status", "follow-other-origins", "har",
                "ignore",
                "items", "max-items", "max-pages", "raw", "raw-strings", "record", "sample", "save", "select",
                "session",
                "table", "timing", "tsv", "watch",
            ])
    }

    @Test("A body too long for an argument is read from a file")
    func longBody() throws {
        let curl = CurlCommandText(try Echo.store(data: String(repeating: "x", count: 100_000)).request())
        #expect(curl.arguments.suffix(2) == ["--data-binary", "@body"])
        #expect(curl.warnings == ["the body can't be an argument: it must be in the file body"])
    }
}

/// Words that are quoted so that a shell reads the same bytes.
struct ShellTextTests {
    @Test(
        "A text is quoted so that a shell reads the same bytes",
        arguments: [
            ("plain", "aZ0-./:@%+=,_", "aZ0-./:@%+=,_"), ("empty", "", "''"), ("space", "a b", "'a b'"),
            ("quote", "it's", #"'it'\''s'"#), ("quote with a combining mark", "'\u{301}", "''\\''\u{301}'"),
            ("dollar", "$HOME", "'$HOME'"), ("tilde", "~", "'~'"), ("star", "*", "'*'"),
            ("line break", "a\nb", "'a\nb'"),
            ("emoji", "🎬", "'🎬'"), ("equals sign", "=", "'='"), ("backslash", #"\"#, #"''"\\"''"#),
            ("backslash before a letter", #"\u00e9"#, #"'\u00e9'"#),
            ("backslashes", #"a\\b"#, #"'a'"\\\\"'b'"#), ("three", #"a\\\"#, #"'a'"\\\\"''"\\"''"#),
            ("bidi control", "a\u{202E}b", #""$(printf 'a\342\200\256b')""#),
            ("bidi isolate", "\u{2066}", #""$(printf '\342\201\246')""#),
            ("escape", "a\u{1B}[2J", #""$(printf 'a\033\1332J')""#), ("DEL", "\u{7F}", #""$(printf '\177')""#),
            ("C1", "\u{9B}2J", #""$(printf '\302\2332J')""#),
            ("line breaks after a control", "\u{1}%$\n\n", "\"$(printf '\\001%%\\044')\"'\n\n'"),
            ("not UTF-8", String(exactBytes: [0x61, 0xFF, 0x9B]), #""$(printf 'a\377\233')""#),
        ])
    func quoted(_ id: String, _ text: String, _ word: String) {
        #expect(Array(ShellWord.quoted(text).utf8) == Array(word.utf8))
    }

    @Test(
        "A word with a variable is quoted around the variable",
        arguments: [
            ("behind text", [.text("Authorization: Bearer "), .variable("KEY")], "\"Authorization: Bearer $KEY\""),
            ("before an index", [.variable("KEY"), .text("[1]")], "\"$KEY\"'[1]'"),
            ("before a modifier", [.variable("KEY"), .text(":h")], "\"$KEY\":h"),
            ("before a sign", [.variable("A"), .text(":"), .variable("B")], "\"$A:$B\""),
            (
                "beside what double quotes would not keep", [.text("a$b'c "), .variable("KEY"), .text("`")],
                #"'a$b'\''c '"$KEY"'`'"#
            ),
            ("beside a history mark", [.text("!"), .variable("KEY")], #"'!'"$KEY""#),
        ] as [(String, [CurlCommandText.Argument.Piece], String)])
    func word(_ id: String, _ pieces: [CurlCommandText.Argument.Piece], _ word: String) {
        #expect(ShellText.word(CurlCommandText.Argument(pieces)) == word)
    }

    /// Every byte by itself, doubled, between letters, and after and before a quote.
    /// The last texts have marks that combine with a quote.
    private static let texts: [[UInt8]] =
        (1...255).flatMap { byte in
            [[byte], [byte, byte], [0x61, byte, 0x62], [0x27, byte], [byte, 0x27]]
        } + ["'\u{301}'", "'\u{200D}", "\r\n", "'\u{FE0F}; echo no; '", "\u{10FFFE}\u{FF}"].map { Array($0.utf8) }

    @Test("Every byte comes back next to a variable", arguments: Shell.paths)
    func everyByteBesideVariable(_ shell: String) throws {
        let value = Array("a b'c\"d$e`f\\g*h\ni\u{301}".utf8) + [0xFF]
        let script = Self.texts.map { text in
            let pieces: [CurlCommandText.Argument.Piece] = [
                .variable("KEY"), .text(String(exactBytes: text)), .variable("KEY"),
            ]
            return "printf '%s\\0' \(ShellText.word(CurlCommandText.Argument(pieces)))\n".exactBytes
        }
        let result = try Shell.run(
            Array(script.joined()), shell: shell, environment: ["KEY": value], in: TemporaryDirectory())
        #expect(result.status == 0)
        let expected = Self.texts.map { value + $0 + value }
        #expect(
            result.output.split(separator: 0, omittingEmptySubsequences: false).dropLast().map(Array.init) == expected)
    }
}
