import EndpointKit

/// One HTML file without scripts and other files, readable without its style sheet, which Jenkins blocks.
struct HTMLReport {
    private static let style = """
        body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em }
        table { border-collapse: collapse; width: 100% } th, td { padding: .3em .6em; text-align: left; vertical-align: top }
        tr { border-top: 1px solid #ccc } td.number { text-align: right; white-space: nowrap }
        code, pre { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap } ul { margin: 0; padding-left: 1.2em }
        .failed td:first-child { color: #b00020 } .drifted td:first-child { color: #8a5a00 }
        .passed td:first-child { color: #17663a } .skipped td:first-child { color: #555 }
        """

    private let report: CheckReport

    init(_ report: CheckReport) { self.report = report }

    /// Throws what the output does.
    func write(to text: inout BufferedText) throws {
        let title = MarkupText.escaped("\(report.tool) check: \(report.countsText)")
        try text.write(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="viewport" content="width=device-width">
            <title>\(title)</title>
            <style>
            \(Self.style)
            </style>
            </head>
            <body>
            <h1>\(MarkupText.escaped(report.tool)) check</h1>
            <p>\(MarkupText.escaped(report.countsText))</p>

            """)
        let latencies = report.latencies
        try text.write(
            "<p>p50 \(latencies.p50.milliseconds) ms, p95 \(latencies.p95.milliseconds) ms, max \(latencies.max.milliseconds) ms</p>\n"
        )
        for remark in report.remarks { try text.write("<p>\(MarkupText.escaped(remark))</p>\n") }
        try text.write(
            """
            <table>
            <thead><tr><th scope="col">verdict</th><th scope="col">check</th><th scope="col">status</th>\
            <th scope="col">time</th><th scope="col">found</th></tr></thead>
            <tbody>

            """)
        for item in report.items { try text.write(row(item)) }
        try text.write("</tbody>\n</table>\n</body>\n</html>\n")
    }

    private func row(_ item: CheckItem) -> String {
        let outcome = item.outcome
        let verdict = outcome.verdict.rawValue
        let time = outcome.duration.map { "\($0.milliseconds) ms" } ?? ""
        let request = item.request.map {
            "<br><code>\(MarkupText.escaped("\(item.check.method) \($0.url)"))</code>"
        }
        return "<tr class=\"\(verdict)\"><td>\(outcome.verdict.mark) \(verdict)</td>"
            + "<td>\(MarkupText.escaped(item.check.label))\(request ?? "")</td>"
            + "<td class=\"number\">\(outcome.status.map(String.init) ?? "")</td><td class=\"number\">\(time)</td>"
            + "<td>\(found(item))</td></tr>\n"
    }

    private func found(_ item: CheckItem) -> String {
        let lines = item.skipReason.map { [$0] } ?? item.problemLines + [item.flakyText].compactMap(\.self)
        let list = lines.map { "<li><code>\(MarkupText.escaped($0))</code></li>" }.joined()
        let curl = item.curlLine.map { "<pre>\(MarkupText.escaped($0))</pre>" } ?? ""
        return (list.isEmpty ? "" : "<ul>\(list)</ul>") + curl
    }
}
