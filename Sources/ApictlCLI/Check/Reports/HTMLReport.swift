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

    func write(to text: inout BufferedText) throws {
        let (tool, counts) = (report.tool.escapedMarkup, report.countsText.escapedMarkup)
        let remarks = report.remarks.map { "<p>\($0.escapedMarkup)</p>\n" }.joined()
        try text.write(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="viewport" content="width=device-width">
            <title>\(tool) check: \(counts)</title>
            <style>
            \(Self.style)
            </style>
            </head>
            <body>
            <h1>\(tool) check</h1>
            <p>\(counts)</p>
            <p>\(report.latencies.text)</p>
            \(remarks)<table>
            <thead><tr><th scope="col">verdict</th><th scope="col">check</th><th scope="col">status</th>\
            <th scope="col">time</th><th scope="col">found</th></tr></thead>
            <tbody>

            """)
        for result in report.results { try text.write(row(result)) }
        try text.write("</tbody>\n</table>\n</body>\n</html>\n")
    }

    private func row(_ result: CheckResult) -> String {
        let verdict = result.outcome.verdict
        let time = result.outcome.duration == nil ? "" : result.timeText
        let request = result.url.map { "<br><code>\("\(result.method) \($0)".escapedMarkup)</code>" }
        return "<tr class=\"\(verdict.rawValue)\"><td>\(verdict.mark) \(verdict.rawValue)</td>"
            + "<td>\(result.call.label.escapedMarkup)\(request ?? "")</td>"
            + "<td class=\"number\">\(result.statusText ?? "")</td><td class=\"number\">\(time)</td>"
            + "<td>\(found(result))</td></tr>\n"
    }

    private func found(_ result: CheckResult) -> String {
        let lines = result.skipReason.map { [$0] } ?? result.problemLines + [result.flakyLine].compactMap(\.self)
        let list = lines.map { "<li><code>\($0.escapedMarkup)</code></li>" }.joined()
        let curl = result.curlLine.map { "<pre>\($0.escapedMarkup)</pre>" } ?? ""
        return (list.isEmpty ? "" : "<ul>\(list)</ul>") + curl
    }
}
