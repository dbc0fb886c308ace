import EndpointKit
import Foundation
import JSONText
import TestSupport
import Testing

@testable import ApictlCLI

/// A token that is sent, and a server that repeats it wherever `check` looks: no report shows any of it.
struct SecretReportTests {
    /// What the server says, one response for each case.
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

    /// Calls with the token, then without it, with values that the last response gave.
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

    private static let files = ["junit", "json", "tap", "md", "html", "har", "summary", "baseline"]

    @Test(
        arguments: ["ghp_16C7e42F292c6912E7710c838347Ae178B4a", #"it's {"k":"50% & +"}\é"#],
        ["as it is", "percent", "JSON", "HTML names"])
    func nowhere(_ secret: String, _ name: String) async throws {
        let spelled = try #require(SecretTable.spellings.first { $0.id == name }).spell(secret)
        let text = String(exactBytes: spelled)
        let disk = MemoryFiles(["cases.json": Array(Self.cases.utf8)])
        let reports = Self.files.prefix(6).map { "--report-\($0) out/\($0)" }.joined(separator: " ")
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

    /// The report without its own escapes, which would break a secret up.
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
