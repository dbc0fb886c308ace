import EndpointKit
import SystemCalls
import Testing

@testable import ApictlCLI

/// Output on a terminal: colours by the rules, and no other control characters.
struct TerminalTests {
    /// A case of ``ColorChoice``: the option, the variables, and where stdout and stderr go.
    struct ColorCase: Sendable, CustomTestStringConvertible {
        enum Destination { case terminal, pipe }

        let option: String
        let variables: [String: String]
        let destination: Destination

        init(_ option: String = "", _ variables: [String: String] = [:], to destination: Destination) {
            self.option = option
            self.variables = variables
            self.destination = destination
        }

        var testDescription: String { "\(option) \(variables) to a \(destination)" }
    }

    @Test(
        "Output is coloured",
        arguments: [
            ColorCase(to: .terminal), ColorCase("--color auto", to: .terminal), ColorCase("--color always", to: .pipe),
            ColorCase("--color always", ["NO_COLOR": "1"], to: .pipe), ColorCase("", ["NO_COLOR": ""], to: .terminal),
            ColorCase("", ["CLICOLOR_FORCE": "1"], to: .pipe),
            ColorCase("", ["TERM": "dumb", "CLICOLOR_FORCE": "1"], to: .terminal),
        ])
    func colored(_ colorCase: ColorCase) async {
        let json = """
            {␛[1;34m"name"␛[0m:␛[32m"x"␛[0m,␛[1;34m"age"␛[0m:␛[36m5␛[0m}

            """
        await Self.expect(json.replacing("␛", with: "\u{1B}"), of: colorCase)
    }

    @Test(
        "Output has no colours",
        arguments: [
            ColorCase(to: .pipe), ColorCase("--color auto", to: .pipe), ColorCase("--color never", to: .terminal),
            ColorCase("--color never", ["CLICOLOR_FORCE": "1"], to: .terminal),
            ColorCase("", ["NO_COLOR": "0"], to: .terminal),
            ColorCase("--color auto", ["NO_COLOR": "1"], to: .terminal),
            ColorCase("", ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], to: .terminal),
            ColorCase("", ["CLICOLOR_FORCE": "0"], to: .pipe), ColorCase("", ["CLICOLOR_FORCE": ""], to: .pipe),
            ColorCase("", ["TERM": "dumb"], to: .terminal), ColorCase("", ["TERM": "xterm"], to: .pipe),
        ])
    func plain(_ colorCase: ColorCase) async {
        await Self.expect(#"{"name":"x","age":5}"# + "\n", of: colorCase)
    }

    /// Expects that a response is printed as `json` on stdout, and that of a failed call on stderr.
    private static func expect(_ json: String, of colorCase: ColorCase) async {
        let words = "call echo.login --compact \(colorCase.option)"
        let variables = colorCase.variables.merging(["ECHO_USER": "anna", "ECHO_PASSWORD": "pass"]) { $1 }
        let terminal: Terminals = colorCase.destination == .terminal ? [.stdout, .stderr] : []
        let body = #"{"name":"x","age":5}"#
        let success = await run(
            words, variables: variables, transport: StubTransport(.json(body)), terminal: terminal)
        #expect(success == Outcome(out: json))
        let failure = await run(
            words, variables: variables, transport: StubTransport(.json(body, 500, "Oops")), terminal: terminal)
        #expect(failure == Outcome(err: json + "apictl: echo.login: 500 Oops\n", code: 5))
    }

    /// All characters that a terminal must not get, and two bytes that are not UTF-8.
    private static let hostile = scalars.utf8 + [0x9B, 0xFF]

    /// The control characters of C0 and C1, DEL, the characters that change the direction of text, separators and tags.
    private static let scalars: String = {
        let values =
            Array(1...0x1F) + Array(0x7F...0x9F) + [0x61C, 0x200E, 0x200F] + Array(0x2028...0x202E)
            + Array(0x2066...0x2069) + Array(0xE0000...0xE007F)
        return String(String.UnicodeScalarView(values.compactMap { Unicode.Scalar(UInt32($0)) }))
    }()

    /// Returns whether a text has control characters other than line feeds and tabs, or bytes that are not UTF-8.
    private static func isHazardous(_ text: String) -> Bool {
        String(decoding: text.exactBytes, as: UTF8.self).unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x09, 0x0A: false
            case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069,
                0xE0000...0xE007F:
                true
            default: false
            }
        } || String(validating: text.exactBytes, as: UTF8.self) == nil
    }

    private static let inJSON = String(scalars.unicodeScalars.filter { $0.value >= 0x20 })
    private static let escapedInJSON = (1...0x1F).map { "\\u00" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        .joined()

    static let responses: [(id: String, words: String, response: StubResponse)] = [
        ("JSON decoded", "echo.note --note.title x", .json("{\"title\":\"\(inJSON)\(escapedInJSON)\"}")),
        (
            "JSON raw", "echo.note --note.title x --raw",
            .json("{\"title\":\"\(inJSON)\(escapedInJSON)\",\"\(inJSON)\":1}")
        ),
        ("plain text", "echo.path x", .typed("text/plain", String(exactBytes: hostile))),
        ("fields", "echo.path x -i", .empty().with("X", String(exactBytes: hostile)).with("Y\u{1B}", "z")),
        ("reason", "echo.path x -i", .empty(200, String(exactBytes: hostile))),
        (
            "fields on stderr", "echo.path x -vv",
            .empty(200, String(exactBytes: hostile)).with("X", String(exactBytes: hostile))
        ),
        (
            "words", "echo.path x",
            .json("{\"message\":\"\(inJSON)\(escapedInJSON)\"}", 500, String(exactBytes: hostile))
        ),
        ("text of a failure", "echo.path x", .typed("text/plain", String(exactBytes: hostile), 500, "Oops")),
        ("JSON of a failure that breaks off", "echo.path x", .json("{\"a\":\"\(inJSON)", 500, "Oops")),
        ("wrong type", "echo.note --note.title x", .json("{\"title\":[\"\(inJSON)\"],\"\(inJSON)\":1}")),
        ("wrong key", "echo.note --note.title x", .json("[\"\(inJSON)\"]")),
        ("syntax", "echo.note --note.title x", .json("{\"title\":\u{1B}}")),
        ("media type", "echo.note --note.title x", .typed(String(exactBytes: hostile), "<")),
        ("media type of binary", "echo.path x", .typed("a/\(String(exactBytes: hostile))", "\0")),
        ("transfer", "echo.path x", .failing(.other, String(exactBytes: hostile))),
        (
            "location", "echo.path x --max-redirects 1",
            .empty(302, "Found").with("Location", "ftp://\(String(exactBytes: hostile))/")
        ),
    ]

    @Test("No control character reaches a terminal", arguments: responses)
    func safe(_ id: String, _ words: String, _ response: StubResponse) async {
        for size in [0, 1] {
            let response = response.inPieces(of: size)
            let outcome = await run(
                ["call"] + words.words, variables: ["NO_COLOR": "1"],
                transport: StubTransport(response), terminal: [.stdout, .stderr])
            #expect(!Self.isHazardous(outcome.out), "\(id)")
            #expect(!Self.isHazardous(outcome.err), "\(id)")
            #expect(!(outcome.out + outcome.err).isEmpty, "\(id)")
        }
    }

    static let rows: [Row] = [
        Row(
            "each output separately", "call echo.ping", response: .json(#"{"a":1}"#, 500, "Oops"), terminal: .stdout,
            err: "{\n  \"a\": 1\n}\napictl: echo.ping: 500 Oops\n", code: 5),
        Row(
            "a character split between chunks", "call echo.path x",
            response: .typed("text/plain", "é🎬€x").inPieces(of: 1), terminal: .stdout, out: "é🎬€x"),
        Row(
            "text", "call echo.path x", response: .typed("text/plain", "a\u{1B}[2J\r\n\tb\u{85}\u{202E}é🎬\u{7F}\r"),
            terminal: [.stdout],
            out: """
                a\\u001B[2J
                \tb\\u0085\\u202Eé🎬\\u007F
                """),
        Row(
            "JSON", "call echo.note --note.title x --compact --color never",
            response: .json("{\"title\":\"a\u{85}\u{202E}\u{7F}é🎬\"}"), terminal: [.stdout],
            out: "{\"title\":\"a\\u0085\\u202E\\u007Fé🎬\"}\n"),
        Row(
            "binary of a failure", "call echo.path x", response: .typed("image/png", "\0", 500, "Oops"),
            terminal: [.stderr], out: "", err: "(image/png, 1 bytes, not shown)\napictl: echo.path: 500 Oops\n", code: 5
        ),
        Row(
            "JSON that breaks off in colour", "call echo.ping --raw", response: .json("{\"a\":\"b"),
            terminal: [.stdout, .stderr],
            out: """
                {
                  \u{1B}[1;34m"a"\u{1B}[0m: \u{1B}[32m"b\u{1B}[0m

                """,
            err: """
                apictl: echo.ping: the response is not valid JSON: line 1, column 8: expected a character, an escape or the closing '"', found end of input

                """,
            code: 8),
    ]

    @Test("A terminal gets text, JSON and failures with control characters escaped", arguments: rows)
    func terminal(_ row: Row) async { await row.check() }

    @Test("The head of a table and a selected value after a head are coloured")
    func colours() async {
        func shown(_ words: String) async -> String {
            let outcome = await run(
                "movies.popular \(words)", transport: StubTransport(.json(MoviePage.sample)), terminal: .stdout)
            return outcome.out.replacing("\u{1B}", with: "␛")
        }
        #expect(
            await shown("--table") == """
                 ␛[1;34mid␛[0m  ␛[1;34mtitle␛[0m         ␛[1;34mreleased␛[0m  ␛[1;34mscore␛[0m
                348  Alien                    8.10
                 78  Blade Runner

                """)
        let head = "HTTP/1.1 200 OK\nContent-Type: application/json\n\n"
        #expect(await shown("-i --select page") == head + "␛[36m1␛[0m\n")
    }
}
