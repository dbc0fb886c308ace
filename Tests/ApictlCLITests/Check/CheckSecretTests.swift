import EndpointKit
import JSONText
import TestSupport
import Testing

@testable import ApictlCLI

/// Captured values that later cases send as credentials: sent as they are, and shown nowhere.
struct CaptureSecretTests {
    private static let value = "a+b/c-0123456789"

    /// A case that uses the value, and whether that makes it a secret.
    static let uses: [(use: String, isSecret: Bool)] = [
        (use: #"{"endpoint": "vault.account", "arguments": {"token": "{{v}}"}}"#, isSecret: true),
        (use: #"{"endpoint": "vault.open", "arguments": {"door": "{{v}}"}}"#, isSecret: true),
        (
            use: #"{"endpoint": "vault.change", "arguments": {"settings": {"nickname": "n", "password": "{{v}}"}}}"#,
            isSecret: true
        ),
        (
            use: #"{"endpoint": "vault.change", "arguments": {"settings": {"nickname": "{{v}}", "password": "p"}}}"#,
            isSecret: false
        ),
        (use: #"{"endpoint": "vault.note", "arguments": {"text": "{{v}}"}}"#, isSecret: false),
        // One use as a credential is enough.
        (
            use: #"{"endpoint": "vault.note", "arguments": {"text": "{{v}}"}}, "#
                + #"{"endpoint": "vault.account", "arguments": {"token": "{{v}}"}}"#,
            isSecret: true
        ),
    ]

    private static func run(
        _ cases: String, _ routes: [String: [StubResponse]], _ words: String, _ files: MemoryFiles = MemoryFiles()
    ) async -> (Outcome, [Request]) {
        let path = "c.json"
        try? files.replace(path, with: Array(#"{"version": 1, "cases": [\#(cases)]}"#.utf8))
        let transport = StubTransport(routes: routes)
        let outcome = await check("--cases c.json \(words)", transport: transport, files: files, apis: [Vault.self])
        return (outcome, transport.requests)
    }

    private static let twoCases = """
        {"endpoint": "vault.login", "capture": {"v": "secret"}}, {"endpoint": "vault.account", "arguments": {"token": "{{v}}"}}
        """

    /// Many cases capture another secret each, and the server repeats all of them in the last response.
    @Test func secretsOfEarlierCasesAreNotShown() async {
        let logins = (0..<150).map { StubResponse.json(#"{"secret": "token-\#($0)-of-run", "value": "x"}"#) }
        let last = (0..<150).map { "token-\($0)-of-run" }.joined(separator: " ")
        let accounts = Array(repeating: StubResponse.json(#"{"value": "x"}"#), count: 149)
        let (outcome, requests) = await Self.run(
            Array(repeating: Self.twoCases, count: 150).joined(separator: ", "),
            ["GET /login": logins, "GET /account": accounts + [.json(#"{"message": "\#(last)"}"#, 403, "Forbidden")]],
            "--report-json -")
        #expect(requests.count == 300)
        #expect(outcome.code == 1 && outcome.err.contains("403 Forbidden: (redacted) (redacted)"))
        #expect(!outcome.out.contains("of-run") && !outcome.err.contains("of-run"))
    }

    /// Secrets that a response issues, and those that a body has in clear, are shown nowhere either.
    @Test func issuedAndTypedSecretsAreNotShown() async {
        let files = MemoryFiles()
        let kinds = ReportKind.allCases.map(\.rawValue)
        let change =
            #"{"endpoint": "vault.change", "arguments": {"settings": {"nickname": "n", "password": "typed-0123456789"}}}"#
        let issued = #"{"access_token": "issued-0123456789", "message": "use issued-0123456789"}"#
        let (outcome, _) = await Self.run(
            #"{"endpoint": "vault.login"}, \#(change)"#,
            ["GET /login": [.json(issued, 403, "issued-0123456789")], "PUT /settings": [.json(issued)]],
            "--unsafe --save-responses out "
                + kinds.filter { $0 != "har" }.map { "--report-\($0) \($0)" }.joined(separator: " "),
            files)
        #expect(outcome.code == 1 && outcome.out.contains("(redacted)"))
        for (name, text) in files.texts.merging(["stdout": outcome.out], uniquingKeysWith: { $1 })
        where name != "c.json" {
            #expect(!text.contains("0123456789"), "\(name): \(text)")
        }
    }

    @Test(arguments: uses)
    func aCapturedValueIsSecretIfItIsSentAsACredential(_ use: String, _ isSecret: Bool) async throws {
        // The response that the value is captured from does not fit, so that it is shown; later ones repeat it.
        let session = #"{"value": "\#(Self.value)", "other": "\#(Self.value)", "\#(Self.value)": 1}"#
        let refusal = StubResponse.json(#"{"message": "no \#(Self.value)"}"#, 403, "Forbidden")
        let files = MemoryFiles()
        let kinds = ReportKind.allCases.map(\.rawValue)
        let (outcome, requests) = await Self.run(
            #"{"endpoint": "vault.login", "capture": {"v": "value"}}, \#(use)"#,
            [
                "GET /login": [.json(session)], "GET /account": [refusal], "GET /door": [refusal],
                "PUT /settings": [refusal], "GET /note": [refusal],
            ],
            "--unsafe --baseline b.json --update-baseline "
                + kinds.map { "--report-\($0) \($0)" }.joined(separator: " "), files)
        #expect(outcome.code == 1)
        let sent = try #require(requests.last)
        let parts =
            [try sent.revealedURL(), String(decoding: sent.body?.bytes ?? [], as: UTF8.self)]
            + (try sent.headers.map { try $0.revealedValue() })
        #expect(parts.contains { $0.contains(Self.value) || $0.contains("a%2Bb%2Fc-0123456789") })

        let reports = (kinds + ["b.json"]).map { files[$0] ?? "" }
        #expect(reports.allSatisfy { !$0.isEmpty })
        for text in [outcome.out] + reports {
            #expect(text.contains("0123456789") != isSecret)
            // A password in a body is none of a HAR file's business.
            #expect(text.contains("(redacted)") == isSecret || use.contains("password"))
        }
    }
}

/// A token that is sent, and a server that repeats it wherever `check` looks: no report shows any of it.
struct SecretReportTests {
    /// Returns the responses of the server, one for each case. All of them repeat the secret as it is spelled here.
    private static func responses(_ spelled: String) -> [StubResponse] {
        let quoted = JSONQuoting.quoted(spelled)
        return [
            .json("{}", 401, spelled), .json(#"{"message": \#(quoted)}"#, 403),
            .json(#"[{"id": \#(quoted), "name": "a", "note": "b"}]"#),
            .json(#"[{"id": 1, "name": "a", "note": "b", \#(quoted): [\#(quoted)]}]"#),
            .json("[\n{\"id\": 1, \"note\": \"\(spelled)\"\n\(spelled)}\n]"),
            .json("[{\"id\": 1,\n\"note\": \(quoted),\n\"name\": 2, \"x\": \(quoted)}\n]"),
            .typed("text/\(spelled)", spelled), .failing(.other, "alert for \(spelled)"),
            .json(#"[{"id": 1, "name": \#(quoted), "note": "b"}]"#),
            .json(#"[{"id": 1, "name": \#(quoted), "note": "b"}]"#),
        ]
    }

    /// Cases that call with the token, and then without it, with values that the last response gave.
    private static let cases = """
        {"version": 1, "cases": [
        \((0..<8).map { _ in #"{"endpoint": "shop.orders"}"# }.joined(separator: ",\n")),
        {"endpoint": "shop.orders", "expect": {"0.name": {"equals": "a"}, "0.id": {"equals": 2}}},
        {"endpoint": "shop.orders", "capture": {"token": "0.name"}},
        {"endpoint": "shop.items", "arguments": {"page": "{{token}}"}},
        {"endpoint": "shop.add", "arguments": {"name": "{{token}}"}},
        {"endpoint": "shop.receipt"}
        ]}
        """

    private static let files = ["junit", "json", "md", "html", "har", "summary", "baseline"]

    @Test(
        arguments: ["ghp_16C7e42F292c6912E7710c838347Ae178B4a", #"it's {"k":"50% & +"}é"#],
        ["as it is", "percent", "HTML names"])
    func noReportShowsAPartOfASecret(_ secret: String, _ name: String) async throws {
        let spelled = try #require(SecretTable.spellings.first { $0.id == name }).spell(secret)
        let text = String(exactBytes: spelled)
        let disk = MemoryFiles(["cases.json": Array(Self.cases.utf8)])
        let reports = Self.files.prefix(5).map { "--report-\($0) out/\($0)" }.joined(separator: " ")
        let outcome = await check(
            "--cases cases.json --unsafe --strict --baseline out/baseline --update-baseline \(reports)",
            [
                "GET /orders": Self.responses(text),
                "POST /items": [.json(#"{"message": \#(JSONQuoting.quoted(text))}"#, 500, text)],
                "GET /receipt": [.json(#"{"status": \#(JSONQuoting.quoted(text))}"#)],
            ],
            variables: [
                "SHOP_TOKEN": secret, "RECEIPT_TOKEN": secret, "GITHUB_ACTIONS": "true",
                "GITHUB_STEP_SUMMARY": "out/summary",
            ], files: disk)
        #expect(outcome.code == 1)
        for (name, shown) in [("output", outcome.out + outcome.err)] + Self.files.map({ ($0, disk["out/\($0)"]) }) {
            let read = Self.unescaped(try #require(shown, "\(name)"), name)
            for part in [Array(secret.utf8), spelled] {
                #expect(!SecretTable.holds(read, partOf: part), "\(name): \(shown ?? "")")
            }
        }
    }

    /// Returns the text of a report without its own escapes, which would break a secret up.
    private static func unescaped(_ text: String, _ name: String) -> [UInt8] {
        let escapes: [(String, String)] =
            switch name {
            case "junit", "html": [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
            case "json", "har", "baseline": [("\\\"", "\""), ("\\\\", "\\")]
            case "output": [("%0A", "\n"), ("%25", "%")]
            default: []
            }
        return escapes.reduce(text) { $0.replacingBytes(of: $1.0, with: $1.1) }.exactBytes
    }
}
