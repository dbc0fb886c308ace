import EndpointKit
import Foundation
import JSONText
import TestSupport
import Testing

@testable import ApictlCLI

/// A token that is sent, and a server that repeats it wherever `check` looks: no report shows any of it.
@Suite(.serialized) struct SecretReportTests {
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

    @Test(arguments: SecretTable.secrets.indices)
    func nowhere(_ index: Int) async throws {
        for leak in try await onItsOwnThread({ await Self.leaks(index) }) { Issue.record("\(leak)") }
    }

    private static func leaks(_ index: Int) async -> [String] {
        // A header can't hold a line break.
        let secret = SecretTable.secrets[index].text.trimmingCharacters(in: .newlines)
        let bare = secret.trimmingCharacters(in: .whitespacesAndNewlines)
        var leaks: [String] = []
        // Every fifth one, and the others with the next secrets.
        for (number, spelling) in SecretTable.spellings.enumerated() where (number + index) % 5 == 0 {
            let spelled = spelling.spell(secret)
            let text = String(exactBytes: spelled)
            let disk = MemoryFiles(["cases.json": Array(cases.utf8)])
            let reports = files.prefix(6).map { "--report-\($0) out/\($0)" }.joined(separator: " ")
            let outcome = await check(
                "--cases cases.json --unsafe --strict --baseline out/baseline --update-baseline \(reports)",
                [
                    "GET /orders": responses(text),
                    "POST /items": [.json(#"{"message": \#(JSONQuoting.quoted(text))}"#, 500, text)],
                    "GET /receipt": [.json(#"{"status": \#(JSONQuoting.quoted(text))}"#)],
                ],
                variables: [
                    "SHOP_TOKEN": secret, "RECEIPT_TOKEN": secret, "GITHUB_ACTIONS": "true",
                    "GITHUB_STEP_SUMMARY": "out/summary",
                ], files: disk)
            if outcome.code != 1 { leaks.append("exit \(outcome.code), \(spelling.id): \(outcome.err)") }
            let written = files.map { ($0, disk["out/\($0)"]) }
            for (name, shown) in [("output", outcome.out + outcome.err)] + written {
                let read = unescaped(shown ?? "", name)
                let isLeak = [Array(bare.utf8), spelled].contains { SecretTable.holds(read, partOf: $0) }
                if isLeak || shown == nil { leaks.append("\(name), \(spelling.id): \(shown ?? "nothing")") }
            }
        }
        return leaks
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
