import TestSupport
import Testing

@testable import EndpointKit

struct RedactorTests {
    private static func redactor(_ value: String, headers: [HTTPField] = []) throws -> Redactor {
        var request = Request(.get, try BaseURL("https://h.test"), path: "/", headers: headers)
        request.query = [QueryItem("key", SensitiveText([.secret(Secret(variable: "V", value: value))]))]
        return Redactor(request)
    }

    static let echoes: [Row<(secret: String, text: String), String>] = [
        Row("as it is", ("s3cret", "a s3cret b s3cret"), "a (redacted) b (redacted)"),
        Row("percent-encoded", ("a/b +é", "?k=a%2Fb%20%2B%C3%A9&x"), "?k=(redacted)&x"),
        Row("percent-encoded in lower case", ("a/b", "?k=a%2fb"), "?k=(redacted)"),
        Row("as a form", ("a b", "k=a+b"), "k=(redacted)"),
        Row("quoted in JSON", (#"a"b\c"#, #"{"k":"a\"b\\c"}"#), #"{"k":"(redacted)"}"#),
        Row("quoted in a JSONPath", ("it's \"a\"", #"$['it\'s "a"']"#), "$['(redacted)']"),
        Row("with escaped slashes", ("a/b", #"{"k":"a\/b"}"#), #"{"k":"(redacted)"}"#),
        Row("in mixed spelling", (#"Ab/c+d"E"#, "?k=Ab/c%2Bd%22E"), "?k=(redacted)"),
        Row("escaped for HTML", ("a<b&c", #"{"k":"a\u003cb\u0026c"}"#), #"{"k":"(redacted)"}"#),
        Row("with every character escaped", ("s3k", #"{"k":"\u0073\u0033\u006B"}"#), #"{"k":"(redacted)"}"#),
        Row("with backslashes of its own", (#"a\\b"#, #"a\\b"#), "(redacted)"),
        Row("before a combining mark", ("keys", "keys\u{301}"), "(redacted)\u{301}"),
        Row("in small letters, as in a host", ("S3cretPW", "https://s3cretpw.h"), "https://(redacted).h"),
        Row("with a plus sign read as a space", ("ab+cd", "got ab cd"), "got (redacted)"),
        Row("in Base64", ("s3cret", "czNjcmV0"), "(redacted)"),
        Row("a number", ("123456", "123456, 1234567 and 0123456"), "(redacted), 1234567 and 0123456"),
        Row("another text", ("s3cret", "nothing of it"), "nothing of it"),
        Row("an empty secret", ("", "nothing of it"), "nothing of it"),
        Row("a proxy's password", ("s3cret", "proxy 'http://u:p@h:1' fails"), "proxy 'http://(redacted)@h:1' fails"),
        Row("an address in a path", ("s3cret", "http://h/a@b"), "http://h/a@b"),
        Row("two URLs", ("s3cret", "http://u:p@a https://b"), "http://(redacted)@a https://b"),
    ]

    @Test(arguments: echoes)
    func `A secret is removed in every spelling`(_ row: Row<(secret: String, text: String), String>) throws {
        #expect(try Self.redactor(row.input.secret).redact(row.input.text) == row.expected)
    }

    @Test func `The password of Basic authentication is a secret, the user is not`() throws {
        let pair = SensitiveText.Piece.basic(
            user: Secret(variable: "U", value: "ada"), password: Secret(variable: "P", value: "lovelace"))
        let redactor = try Self.redactor(
            "x1", headers: [HTTPField("Authorization", SensitiveText([.text("Basic "), pair]))])
        #expect(redactor.redact("ada lovelace YWRhOmxvdmVsYWNl") == "ada (redacted) (redacted)")
    }

    @Test func `A credential that a person typed is a secret`() throws {
        let redactor = try Self.redactor("x1", headers: [HTTPField("Authorization", "Bearer typed")])
        #expect(redactor.redact("Bearer typed") == "Bearer (redacted)")
    }

    static let typed: [Row<(header: HTTPField, text: String), String>] = [
        Row(
            "cookie", (HTTPField("Cookie", "sid=abc123"), "Set-Cookie: sid=abc123; Path=/"),
            "Set-Cookie: sid=(redacted); Path=/"),
        Row(
            "every cookie", (HTTPField("cookie", "sid=abc123;  theme=dark; last=xyz9"), "abc123 dark xyz9 sid theme"),
            "(redacted) (redacted) (redacted) sid theme"),
        Row("cookie in quotes", (HTTPField("Cookie", "sid=\"a b1\""), "got a b1"), "got (redacted)"),
        Row("cookie with an equals sign", (HTTPField("Cookie", "sid=ab=c="), "ab=c= ab"), "(redacted) ab"),
        Row("cookie without a name", (HTTPField("Cookie", "abc123"), "abc123"), "(redacted)"),
        Row(
            "a short cookie", (HTTPField("Cookie", "n=1; sid=abc123"), "n=1 of 10, abc123"),
            "(redacted) of 10, (redacted)"
        ),
        Row("empty cookies", (HTTPField("Cookie", ";; =; a="), "a b ="), "a b ="),
        Row(
            "digest",
            (
                HTTPField("Authorization", "Digest username=\"u\", response=\"r123\""),
                "Digest username=\"u\", response=\"r123\""
            ),
            "Digest (redacted)"),
        Row(
            "token of two words", (HTTPField("Authorization", "Bearer a1b2  c3d4"), "a1b2  c3d4, c3d4"),
            "(redacted), (redacted)"),
        Row("token alone", (HTTPField("Proxy-Authorization", "a1b2"), "a1b2"), "(redacted)"),
    ]

    @Test(arguments: typed)
    func `The parts of a typed header are removed`(_ row: Row<(header: HTTPField, text: String), String>) throws {
        #expect(try Self.redactor("", headers: [row.input.header]).redact(row.input.text) == row.expected)
    }

    static let short: [Row<String, String>] = [
        Row("alone", "x", "(redacted)"),
        Row("in a query", "/a?key=x&y=xx", "/a?key=(redacted)&y=xx"),
        Row("in quotes", "{\"key\":\"x\"}", "{\"key\":\"(redacted)\"}"),
        Row("behind an escape", "%3Dx \\u003dx \\nx", "%3D(redacted) \\u003d(redacted) \\n(redacted)"),
        Row("within words", "next text axe", "next text axe"),
        Row("within paths and versions", "/x/1.x.y x-y", "/x/1.x.y x-y"),
    ]

    @Test(arguments: short)
    func `A short secret is removed only where it is a whole value`(_ row: Row<String, String>) throws {
        #expect(try Self.redactor("x").redact(row.input) == row.expected)
    }
}
