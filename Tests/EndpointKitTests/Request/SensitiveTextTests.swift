import EndpointKit
import TestSupport
import Testing

struct SensitiveTextTests {
    static let user = Secret(variable: "USER", value: "Aladdin")
    static let password = Secret(variable: "PASSWORD", value: "open sesame")
    static let unset = Secret(variable: "UNSET", value: nil)

    static let texts: [Row<SensitiveText, [String]>] = [
        Row("plain", "abc", ["abc", "abc"]),
        Row("empty", SensitiveText([]), ["", ""]),
        Row("secret", SensitiveText([.secret(user)]), ["(redacted)", "Aladdin"]),
        Row("bearer", SensitiveText([.text("Bearer "), .secret(user)]), ["Bearer (redacted)", "Bearer Aladdin"]),
        Row(
            "basic", SensitiveText([.text("Basic "), .basic(user: user, password: password)]),
            ["Basic (redacted)", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="]),
        Row(
            "basic with an empty password",
            SensitiveText([.basic(user: user, password: Secret(variable: "PASSWORD", value: ""))]),
            ["(redacted)", "QWxhZGRpbjo="]),
        Row(
            "basic with raw bytes",
            SensitiveText([
                .basic(user: Secret(variable: "USER", value: String(exactBytes: [0xFF])), password: password)
            ]),
            ["(redacted)", "/zpvcGVuIHNlc2FtZQ=="]),
        Row(
            "several", SensitiveText([.secret(user), .text("/"), .secret(password)]),
            ["(redacted)/(redacted)", "Aladdin/open sesame"]),
    ]

    @Test(arguments: texts)
    func `The description hides secrets, and revealing shows them`(_ row: Row<SensitiveText, [String]>) throws {
        #expect(try [row.input.description, row.input.reveal()] == row.expected)
    }

    @Test func `The error names the variable of a missing value`() {
        let expected = MissingCredential(alternatives: [["UNSET"]])
        #expect(throws: expected) { try SensitiveText([.text("a"), .secret(Self.unset)]).reveal() }
        #expect(throws: expected) { try SensitiveText([.basic(user: Self.user, password: Self.unset)]).reveal() }
        #expect(throws: expected) { try SensitiveText([.basic(user: Self.unset, password: Self.password)]).reveal() }
    }
}
