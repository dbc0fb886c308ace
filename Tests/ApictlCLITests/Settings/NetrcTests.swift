import EndpointKit
import Testing

@testable import ApictlCLI

/// The format of `.netrc` files, as curl reads it.
struct NetrcTests {
    private static func entry(_ machine: String?, _ login: String? = nil, _ password: String? = nil) -> Netrc.Entry {
        Netrc.Entry(machine: machine, login: login, password: password)
    }

    static let files: [(text: String, entries: [Netrc.Entry])] = [
        (" \t\r\n\u{0B}\u{0C} ", []),
        ("machine h.test login ada password lovelace", [entry("h.test", "ada", "lovelace")]),
        ("machine\nh.test\r\nlogin\n\n ada\npassword\tlovelace\n", [entry("h.test", "ada", "lovelace")]),
        (
            "machine a login u1 password p1\nmachine b password p2 login u2\ndefault login u3",
            [entry("a", "u1", "p1"), entry("b", "u2", "p2"), entry(nil, "u3")]
        ),
        ("MACHINE a Login u PASSWORD p", [entry("a", "u", "p")]),
        ("machine a account login login u password p", [entry("a", "u", "p")]),
        ("login u password p machine a", [entry("a")]),
        ("machine a login u login v", [entry("a", "v")]),
        ("# machine x login y\nmachine a login u # password p\npassword q", [entry("a", "u", "q")]),
        ("machine a password p#q", [entry("a", nil, "p#q")]),
        ("machine a password \"#p\"", [entry("a", nil, "#p")]),
        (#"machine "a" login "u v" password "p\"q\\r\n\t\r\x""#, [entry("a", "u v", "p\"q\\r\n\t\rx")]),
        (#"machine a password p"q"#, [entry("a", nil, "p\"q")]),
        (#"machine a password "p"login u"#, [entry("a", "u", "p")]),
        ("machine a login", [entry("a")]),
        (
            String(exactBytes: Array("machine a password ".utf8) + [0xFF, 0xFE]),
            [entry("a", nil, String(exactBytes: [0xFF, 0xFE]))]
        ),
        ("machine\0 a\0 b", []),
    ]

    @Test("A file has these entries", arguments: files)
    func entries(_ text: String, _ entries: [Netrc.Entry]) throws {
        #expect(try Netrc(text.exactBytes, path: "n").entries == entries)
    }

    @Test(
        "A quote that is not closed is refused with its place",
        arguments: [
            ("\"", "1:1"), ("machine a\nlogin \"u\n\"", "2:7"), (#"login "u\"#, "1:7"), ("\n\n# \"\n\"a\\\nb", "4:1"),
        ])
    func unterminated(_ text: String, _ place: String) {
        let error = #expect(throws: UsageError.self) { try Netrc(text.exactBytes, path: "n") }
        #expect(error?.text == "n:\(place): the quote is not closed" && error?.see == "help call")
    }

    /// Files, hosts, and the login that a host gets. With nil, it gets none.
    static let hosts: [(text: String, host: String, login: String?)] = [
        (text: "machine a login u machine b login v", host: "b", login: "v"),
        (text: "machine A.Test login u", host: "a.tesT", login: "u"),
        (text: "machine a login u", host: "b", login: nil),
        (text: "machine a login u default login d", host: "b", login: "d"),
        (text: "default login d machine a login u", host: "a", login: "d"),
        (text: "machine a machine a login u", host: "a", login: "u"),
        (text: "machine a login u machine a login v", host: "a", login: "u"),
        (text: "machine ::1 login u", host: "::1", login: "u"),
        (text: "default", host: "a", login: nil),
    ]

    @Test("A host gets the first entry that fits it", arguments: hosts)
    func entry(_ text: String, _ host: String, _ login: String?) throws {
        #expect(try Netrc(text.exactBytes, path: "n").entry(for: host)?.login == login)
    }
}

/// `--netrc`: which password is sent, and that it is never shown.
struct NetrcCallTests {
    private static let file =
        "machine 127.0.0.1 login ada password lovelace\nmachine api.movies.test login m password mm\n"
    private static let home = ["HOME": "/home/ada"]
    private static let files = ["/home/ada/.netrc": file]

    private static func row(
        _ id: String, _ words: String, variables: [String: String] = home, files: [String: String] = files,
        response: StubResponse? = .empty(), out: String = "", err: String = "", code: Int32 = 0
    ) -> Row {
        Row(id, words, variables: variables, files: files, response: response, out: out, err: err, code: code)
    }

    private static func heads(_ lines: String..., path: String = "/head", response: String = "") -> String {
        (["> HEAD \(path) HTTP/1.1"] + lines.map { "> " + $0 }).joined(separator: "\n")
            + "\n> \n< HTTP/1.1 200 OK\n\(response)< \n"
    }

    static let rows: [Row] = [
        row(
            "the file in the home directory", "call echo.head -n -v",
            err: heads("Authorization: Basic (redacted)", "Accept: application/json", "User-Agent: apictl/0.1.0")),
        row(
            "a password that the server repeats is not shown", "call echo.head -n -v",
            response: .empty().with("X-Pair", "YWRhOmxvdmVsYWNl").with("X-Word", "ada/lovelace"),
            err: heads(
                "Authorization: Basic (redacted)", "Accept: application/json", "User-Agent: apictl/0.1.0",
                response: "< X-Pair: (redacted)\n< X-Word: ada/(redacted)\n")),
        row(
            "the file stands in for a credential that is not set", "call echo.login -n --dry-run", response: nil,
            out: shown("GET http://127.0.0.1:9/login", "Authorization: Basic (redacted)")),
        row(
            "a host without an entry", "call echo.head -n --base-url http://other.test",
            err:
                "apictl: echo.head: /home/ada/.netrc has no entry for other.test; the request is sent without a password\n"
        ),
        row("no file is read for a sample", "call movies.forget 5 -n --sample", files: [:], response: nil),
        row(
            "no file at the standard path", "call echo.head -n", files: [:],
            err:
                "apictl: echo.head: /home/ada/.netrc has no entry for 127.0.0.1; the request is sent without a password\n"
        ),
        row(
            "the file that NETRC names is missing", "call echo.head -n", variables: ["NETRC": "n"], files: [:],
            response: nil,
            err: "apictl: can't read n: no such file or directory\n", code: 1),
        row(
            "neither NETRC nor HOME is set", "call echo.head -n", variables: ["NETRC": "", "HOME": ""], response: nil,
            err: "apictl: can't read ~/.netrc: neither NETRC nor HOME is set\n", code: 1),
        row(
            "a broken file", "call echo.head -n", files: ["/home/ada/.netrc": "machine a\nlogin \"u"], response: nil,
            err: "apictl: /home/ada/.netrc:2:7: the quote is not closed\nSee 'apictl help call'.\n", code: 2),
    ]

    @Test("A call with --netrc takes the password of its host from the file, or says why it can't", arguments: rows)
    func call(_ row: Row) async { await row.check() }

    @Test("The password is sent to its host, and not to another host after a redirect")
    func sent() async throws {
        let transport = StubTransport(StubResponse.empty(302, "Found").with("Location", "http://other.test/"))
        let outcome = await run(
            "call echo.head -n --max-redirects 1", variables: Self.home,
            files: MemoryFiles(Self.files.mapValues(\.exactBytes)), transport: transport)
        #expect(outcome.code == 6)
        let sent = try transport.requests.map { request in
            try request.headers.filter { $0.name == "Authorization" }.map { try $0.revealedValue() }
        }
        #expect(sent == [["Basic YWRhOmxvdmVsYWNl"], []])
    }

    @Test(
        "A header on the command line wins, also if it is left out",
        arguments: ["Authorization: Bearer mine", "authorization:"])
    func typed(_ field: String) async throws {
        let transport = StubTransport(.empty())
        let outcome = await run(
            ["call", "echo.head", "-n", "-H", field], variables: Self.home,
            files: MemoryFiles(Self.files.mapValues(\.exactBytes)), transport: transport)
        #expect(outcome == Outcome())
        let fields = transport.requests.flatMap { $0.headers.filter { $0.isNamed("Authorization") } }
        #expect(fields.map(\.value.description) == (field.hasSuffix("mine") ? ["Bearer mine"] : []))
    }
}
