import Testing

@testable import ApictlCLI

/// The format of `.netrc` files, as curl reads it.
struct NetrcTests {
    private static func entry(_ machine: String?, _ login: String? = nil, _ password: String? = nil) -> Netrc.Entry {
        [("machine", machine), ("login", login), ("password", password)].reduce(into: [:]) { $0[$1.0] = $1.1 }
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

    @Test(arguments: files)
    func entries(_ text: String, _ entries: [Netrc.Entry]) throws {
        #expect(try Netrc(text.exactBytes, path: "n").entries == entries)
    }

    @Test(
        "A quote without its end",
        arguments: [
            ("\"", "1:1"), ("machine a\nlogin \"u\n\"", "2:7"), (#"login "u\"#, "1:7"), ("\n\n# \"\n\"a\\\nb", "4:1"),
        ])
    func unterminated(_ text: String, _ place: String) {
        #expect(throws: UsageError("n:\(place): the quote is not closed", see: "help config")) {
            try Netrc(text.exactBytes, path: "n")
        }
    }

    static let hosts: [(text: String, host: String, login: String?)] = [
        ("machine a login u machine b login v", "b", "v"),
        ("machine A.Test login u", "a.tesT", "u"),
        ("machine a login u", "b", nil),
        ("machine a login u default login d", "b", "d"),
        ("default login d machine a login u", "a", "d"),
        ("machine a machine a login u", "a", "u"),
        ("machine a login u machine a login v", "a", "u"),
        ("machine ::1 login u", "::1", "u"),
        ("default", "a", nil),
    ]

    @Test(arguments: hosts)
    func entry(_ text: String, _ host: String, _ login: String?) throws {
        #expect(try Netrc(text.exactBytes, path: "n").entry(for: host)?["login"] == login)
    }
}
