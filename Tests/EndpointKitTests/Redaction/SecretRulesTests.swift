import TestSupport
import Testing

@testable import EndpointKit

/// Tests of the published rules for secrets: a secret is replaced, and all other text stays.
struct SecretRulesTests {
    private static let token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    private static let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln-_"
    private static let formType = "application/x-www-form-urlencoded; charset=utf-8"

    static let documents: [Row<String, String>] = [
        Row("a member", #"{"password":"s3cret"}"#, #"{"password":"(redacted)"}"#),
        Row("spaces stay", "{ \"a\" : 1 ,\n \"apiKey\" :\t\"x\" }", "{ \"a\" : 1 ,\n \"apiKey\" :\t\"(redacted)\" }"),
        Row("numbers", #"{"pin":1234,"otp":-1.5e3,"n":12}"#, #"{"pin":0,"otp":0,"n":12}"#),
        Row(
            "no value", #"{"token":null,"secret":true,"auth":false,"pwd":""}"#,
            #"{"token":null,"secret":true,"auth":false,"pwd":""}"#),
        Row(
            "all in an object", #"{"credentials":{"user":"a","n":[1,"b",null,{"c":"d"}]},"e":"f","g":1}"#,
            #"{"credentials":{"user":"(redacted)","n":[0,"(redacted)",null,{"c":"(redacted)"}]},"e":"f","g":1}"#),
        Row("all in a list", #"{"secret":["a",[1]],"b":["c"]}"#, #"{"secret":["(redacted)",[0]],"b":["c"]}"#),
        Row("escaped", #"{"pass\u0077ord":"a\"b\\","c":"d"}"#, #"{"pass\u0077ord":"(redacted)","c":"d"}"#),
        Row("a token in a text", #"{"a":"use \#(token) now"}"#, #"{"a":"use (redacted) now"}"#),
        Row("a token as a name", #"{"\#(token)":1}"#, #"{"(redacted)":1}"#),
        Row(
            "a URL", #"{"next":"https://h/?page=2&access_token=a%26b&x=1"}"#,
            #"{"next":"https://h/?page=2&access_token=(redacted)&x=1"}"#),
        Row(
            "an escaped URL", #"{"next":"https:\/\/h\/?a=1\u0026token=b"}"#,
            #"{"next":"https://h/?a=1&token=(redacted)"}"#),
        Row(
            "JSON in a string", #"{"body":"{\"password\":\"a\",\"n\":1}"}"#,
            #"{"body":"{\"password\":\"(redacted)\",\"n\":1}"}"#),
        Row(
            "lines", "{\"token\":\"a\"}\n{\"token\":\"b\"}\n",
            "{\"token\":\"(redacted)\"}\n{\"token\":\"(redacted)\"}\n"),
        Row("an event", "data: {\"token\":\"a\"}\n\n", "data: {\"token\":\"(redacted)\"}\n\n"),
        Row("cut off in a value", #"{"a":1,"token":"s3cr"#, #"{"a":1,"token":"(redacted)"#),
        Row("cut off in an object", #"{"auth":{"a":"s3cret","b":12"#, #"{"auth":{"a":"(redacted)","b":0"#),
        Row(
            "names that are no secrets",
            #"{"pin_code_length":4,"projectKey":"A","max_tokens":5,"key":"k","page_token":"p"}"#,
            #"{"pin_code_length":4,"projectKey":"A","max_tokens":5,"key":"k","page_token":"p"}"#),
        Row("a pair of name and value", #"{"name":"X-Api-Key","value":"s"}"#, #"{"name":"X-Api-Key","value":"s"}"#),
        Row("GraphQL", #"{"query":"{ login(password: \"a\") }"}"#, #"{"query":"{ login(password: \"a\") }"}"#),
    ]

    @Test(arguments: documents)
    func `Secrets in JSON are replaced`(_ row: Row<String, String>) {
        #expect(SecretRules.redacted(row.input) == row.expected)
        #expect(SecretRules.redacted(row.input.exactBytes, contentType: "application/json") == row.expected.exactBytes)
        // A client such as `curl -d` declares a form by default, also for JSON.
        if row.input.hasPrefix("{") {
            #expect(SecretRules.redacted(row.input.exactBytes, contentType: Self.formType) == row.expected.exactBytes)
        }
    }

    static let forms: [Row<String, String>] = [
        Row("an item", "user=a&password=b%26c+d&x=1", "user=a&password=(redacted)&x=1"),
        Row(
            "an encoded name", "user%5Bpassword%5D=a&user[token]=b",
            "user%5Bpassword%5D=(redacted)&user[token]=(redacted)"),
        Row("any characters", "token=a b\"c<d>#e'f&x=1", "token=(redacted)&x=1"),
        Row("no value", "token=&password&x", "token=&password&x"),
        Row("a token", "a=\(token)&b=x\(token)", "a=(redacted)&b=x\(token)"),
        Row(
            "JSON in a value", "payload=%7B%22token%22%3A%22a%22%7D", "payload=%7B%22token%22%3A%22%28redacted%29%22%7D"
        ),
        Row("plain JSON in a value", #"payload={"token":"a"}&b=c"#, #"payload={"token":"(redacted)"}&b=c"#),
        Row("names that are no secrets", "sort_key=a&key=b&code=c", "sort_key=a&key=b&code=c"),
    ]

    @Test(arguments: forms)
    func `Secrets in forms and queries are replaced`(_ row: Row<String, String>) {
        let shown = SecretRules.redacted(row.input.exactBytes, contentType: Self.formType)
        #expect(String(exactBytes: shown) == row.expected)
        #expect(SecretRules.redacted(query: row.input) == row.expected)
    }

    @Test func `Secrets in a multipart body are replaced`() {
        func body(_ pin: String, _ note: String) -> String {
            "--x\r\nContent-Disposition: form-data; name=\"pin\"\r\n\r\n\(pin)\r\n"
                + "--x\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\n\(note)\r\n--x--\r\n"
        }
        let type = "multipart/form-data; boundary=x"
        let shown = SecretRules.redacted(body("12\r\n34", #"{"token":"a"}"#).exactBytes, contentType: type)
        #expect(String(exactBytes: shown) == body("(redacted)", #"{"token":"(redacted)"}"#))
    }

    static let texts: [Row<String, String>] = [
        Row("a URL", "see https://h/a?token=b&c=d.", "see https://h/a?token=(redacted)&c=d."),
        Row(
            "a URL in a URL", "/?next=https%3A%2F%2Fh%2F%3Ftoken%3Dab%26c%3Dd&e=f",
            "/?next=https%3A%2F%2Fh%2F%3Ftoken%3D(redacted)%26c%3Dd&e=f"),
        Row("a fragment", "https://h/#access_token=a&state=b", "https://h/#access_token=(redacted)&state=b"),
        Row("in HTML", "<a href=\"/?x=1&amp;token=b\">", "<a href=\"/?x=1&amp;token=(redacted)\">"),
        Row("an encoded ampersand", "/?token=a%26b&c=d", "/?token=(redacted)&c=d"),
        Row("user and password", "http://u:p@h/a@b ssh://git@h", "http://(redacted)@h/a@b ssh://(redacted)@h"),
        Row("tokens", "\(token), \(jwt) xoxb-1-a", "(redacted), (redacted) (redacted)"),
        Row(
            "a token after an escape", "a%3D\(token) \\n\(token) \\u003d\(token)",
            "a%3D(redacted) \\n(redacted) \\u003d(redacted)"),
        Row("within words", "x\(token) eyJust.one SG. ghp_", "x\(token) eyJust.one SG. ghp_"),
        Row("names in prose", "the token: abc, password is b", "the token: abc, password is b"),
        Row(
            "what only looks random", "Bearer abc 0123456789abcdef -----BEGIN PRIVATE KEY-----",
            "Bearer abc 0123456789abcdef -----BEGIN PRIVATE KEY-----"),
        Row(
            "a private key",
            "-----BEGIN EC PRIVATE KEY-----\nMHc=\n-----END EC PRIVATE KEY-----\n-----BEGIN CERTIFICATE-----",
            "(redacted)\n-----BEGIN CERTIFICATE-----"),
        Row("a private key that is cut off", "a -----BEGIN PRIVATE KEY-----\nMHc=", "a (redacted)"),
        Row("a lone quote", "5\" wide\n{\"token\":\"a\"}", "5\" wide\n{\"token\":\"(redacted)\"}"),
    ]

    @Test(arguments: texts)
    func `Secrets in plain text are replaced`(_ row: Row<String, String>) {
        #expect(SecretRules.redacted(row.input) == row.expected)
        #expect(SecretRules.findsSecret(in: row.input) == (row.input != row.expected))
        #expect(SecretRules.redacted(row.expected) == row.expected)
    }

    static let headers: [Row<HTTPField, String>] = [
        Row("Authorization", .init("authorization", "Bearer a"), "(redacted)"),
        Row("Proxy-Authorization", .init("Proxy-Authorization", "Basic a"), "(redacted)"),
        Row("Cookie", .init("Cookie", "a=b"), "(redacted)"),
        Row("Set-Cookie", .init("Set-Cookie", "a=b"), "(redacted)"),
        Row("a listed name", .init("X-Api-Key", "a"), "(redacted)"),
        Row("a URL", .init("Location", "/b?token=a&x=1"), "/b?token=(redacted)&x=1"),
        Row("another name", .init("X-Sort-Key", "a"), "a"),
    ]

    @Test(arguments: headers)
    func `Secrets in headers are replaced`(_ row: Row<HTTPField, String>) {
        #expect(SecretRules.redacted(row.input).value == row.expected)
    }

    @Test func `The secrets of a body are returned decoded`() {
        let body =
            #"{"password":"a\"bcd","pin":123456,"auth":{"a":["x\u0041yz"]},"u":"/?token=b%26cd","short":1,"pwd":"abc"}"#
        let secrets = SecretRules.secrets(in: body.exactBytes, contentType: nil)
        #expect(secrets == ["a\"bcd", "123456", "xAyz", "b&cd"])
    }

    @Test func `A word is a token if it has more than the prefix of a token`() {
        for prefix in SecretToken.prefixes {
            #expect(SecretRules.redacted("a \(prefix)x b") == "a (redacted) b", "\(prefix)")
            #expect(SecretRules.redacted("a \(prefix) b") == "a \(prefix) b", "\(prefix)")
        }
        for prefix in SecretToken.dottedPrefixes {
            #expect(SecretRules.redacted("a \(prefix)x.y.z b") == "a (redacted) b", "\(prefix)")
        }
    }

    /// The time must be proportional to the length of the text. Four times the length may take up to twelve times the
    /// time, because short measurements vary.
    @Test(arguments: [
        "a=", "=", "%3D", "%3d%26", "\"", "\\\"", "\"token\":", "\"token\":[", "\"token\":{", "\"a\":\"", "token=",
        "&token=a",
        "ghp_", "ghp_a ", "eyJ.", "://", "://a@", "--x\r\n", "{\"a\":", "\\\\", "\\u0022", "{\"query\":\"a\\n", "1",
        "-", "aB",
    ])
    func `Hostile text takes no longer than other text`(_ unit: String) {
        func time(_ length: Int, _ type: String?) -> Duration {
            let text = String(repeating: unit, count: length / unit.utf8.count).exactBytes
            return processorTime { _ = SecretRules.redacted(text, contentType: type) }
        }
        for type in [nil, Self.formType, "multipart/form-data; boundary=x"] {
            _ = time(1000, type)
            let (short, long) = (time(10_000, type), time(40_000, type))
            #expect(long < short * 12 + .milliseconds(300), "\(type ?? "")")
        }
    }

    /// A GraphQL query of two megabytes is one string of JSON.
    @Test func `A long string is read once`() {
        let text = #"{"query": "\#(String(repeating: "a", count: 2_000_000))", "variables": {}}"#
        var shown: String?
        let time = processorTime { shown = SecretRules.redacted(text) }
        #expect(shown == text)
        #expect(time < .seconds(30))
    }
}
