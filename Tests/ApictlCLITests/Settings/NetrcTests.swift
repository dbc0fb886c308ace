import Testing

@testable import ApictlCLI

/// The format of `.netrc` files, as curl reads it.
struct NetrcTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let id: String
        let text: String
        let entries: [Netrc.Entry]

        init(_ id: String, _ text: String, _ entries: Netrc.Entry...) {
            self.id = id
            self.text = text
            self.entries = entries
        }

        var testDescription: String { id }
    }

    private static func entry(_ machine: String?, _ login: String? = nil, _ password: String? = nil) -> Netrc.Entry {
        Netrc.Entry(machine: machine, login: login, password: password)
    }

    static let files: [Case] = [
        Case("empty", ""),
        Case("blanks", " \t\r\n\u{0B}\u{0C} "),
        Case("one line", "machine h.test login ada password lovelace", entry("h.test", "ada", "lovelace")),
        Case(
            "a word a line", "machine\nh.test\r\nlogin\n\n ada\npassword\tlovelace\n",
            entry("h.test", "ada", "lovelace")),
        Case(
            "several", "machine a login u1 password p1\nmachine b password p2 login u2\ndefault login u3",
            entry("a", "u1", "p1"), entry("b", "u2", "p2"), entry(nil, "u3")),
        Case("keywords in capitals", "MACHINE a Login u PASSWORD p", entry("a", "u", "p")),
        Case(
            "keywords as values", "machine login login password password machine", entry("login", "password", "machine")
        ),
        Case("account", "machine a account login login u password p", entry("a", "u", "p")),
        Case("unknown words", "machine a port 80 login u", entry("a", "u")),
        Case("values before a machine", "login u password p machine a", entry("a")),
        Case("the last one counts", "machine a login u login v", entry("a", "v")),
        Case("comment", "# machine x login y\nmachine a login u # password p\npassword q", entry("a", "u", "q")),
        Case("a hash within a word", "machine a password p#q", entry("a", nil, "p#q")),
        Case("a hash in quotes", "machine a password \"#p\"", entry("a", nil, "#p")),
        Case("quotes", #"machine "a" login "u v" password "p\"q\\r\n\t\r\x""#, entry("a", "u v", "p\"q\\r\n\t\rx")),
        Case("empty quotes", #"machine a login "" password """#, entry("a", "", "")),
        Case("quotes within a word", #"machine a password p"q"#, entry("a", nil, "p\"q")),
        Case("a word behind quotes", #"machine a password "p"login u"#, entry("a", "u", "p")),
        Case(
            "macro", "machine a login u\nmacdef init\ncd /pub\nmachine x login y\n\nmachine b login v",
            entry("a", "u"), entry("b", "v")),
        Case("macro to the end", "machine a login u\nmacdef init\nmachine x", entry("a", "u")),
        Case("macro with carriage returns", "macdef m\r\nmachine x\r\n\r\nmachine a", entry("a")),
        Case("macro alone", "macdef"),
        Case("machine alone", "machine"),
        Case("login alone", "machine a login", entry("a")),
        Case(
            "not UTF-8", String(exactBytes: Array("machine a password ".utf8) + [0xFF, 0xFE]),
            entry("a", nil, String(exactBytes: [0xFF, 0xFE]))),
        Case("NUL bytes", "machine\0 a\0 b"),
    ]

    @Test(arguments: files)
    func entries(_ wanted: Case) throws { #expect(try Netrc(wanted.text.exactBytes).entries == wanted.entries) }

    @Test(
        "A quote without its end",
        arguments: [("\"", 1), ("machine a\nlogin \"u\n\"", 2), (#"login "u\"#, 1), ("\n\n# \"\n\"a\\\nb\"", 4)])
    func unterminated(_ text: String, _ line: Int) {
        #expect(throws: Netrc.UnterminatedQuote(line: line)) { try Netrc(text.exactBytes) }
    }

    static let hosts: [(text: String, host: String, login: String?)] = [
        ("machine a login u machine b login v", "b", "v"),
        ("machine A.Test login u", "a.tesT", "u"),
        ("machine a login u", "b", nil),
        ("machine a login u", "a.b", nil),
        ("machine a login u default login d", "b", "d"),
        ("default login d machine a login u", "a", "d"),
        ("machine a machine a login u", "a", "u"),
        ("machine a login u machine a login v", "a", "u"),
        ("machine ::1 login u", "::1", "u"),
        ("default", "a", nil),
    ]

    @Test(arguments: hosts)
    func entry(_ text: String, _ host: String, _ login: String?) throws {
        #expect(try Netrc(text.exactBytes).entry(for: host)?.login == login)
    }
}
