import EndpointKit
import EndpointTools

extension CheckReport {
    /// The style sheet of the page.
    private static let styleSheet = """
        body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em }
        table { border-collapse: collapse; width: 100% } \
        th, td { padding: .3em .6em; text-align: left; vertical-align: top }
        tr { border-top: 1px solid #ccc } td.number { text-align: right; white-space: nowrap }
        code, pre { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap } \
        ul { margin: 0; padding-left: 1.2em }
        .failed td:first-child { color: #b00020 } .drifted td:first-child { color: #8a5a00 }
        .passed td:first-child { color: #17663a } .skipped td:first-child { color: #555 }
        """

    /// Writes one HTML file without scripts, which needs no other file: the counts of verdicts, the remarks, and a
    /// table with a row for each check.
    ///
    /// The file is readable without its style sheet too, because Jenkins blocks style sheets.
    ///
    /// - Throws: The error of the output.
    func writeHTML(to text: inout BufferedOutput) throws {
        let toolName = tool.escapedMarkup
        let paragraphs = remarks.map { "<p>\($0.escapedMarkup)</p>\n" }.joined()
        // The content security policy keeps a browser from loading anything, should an escape be forgotten.
        try text.write(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="viewport" content="width=device-width">
            <title>\(toolName) check: \(countsText)</title>
            <style>
            \(Self.styleSheet)
            </style>
            </head>
            <body>
            <h1>\(toolName) check</h1>
            <p>\(countsText)</p>
            \(paragraphs)<table>
            <thead><tr><th scope="col">verdict</th><th scope="col">check</th><th scope="col">status</th>\
            <th scope="col">time</th><th scope="col">found</th></tr></thead>
            <tbody>

            """)
        for result in results { try text.write(result.htmlRow) }
        try text.write("</tbody>\n</table>\n</body>\n</html>\n")
    }
}

extension CheckResult {
    /// The row of this check in the table, on one line.
    fileprivate var htmlRow: String {
        let verdict = outcome.verdict
        let time = outcome.duration == nil ? "" : timeText
        return """
            <tr class="\(verdict.rawValue)">\
            <td>\(verdict.mark) \(verdict.rawValue)</td>\
            <td>\(call.label.escapedMarkup)\(htmlRequest)</td>\
            <td class="number">\(statusText ?? "")</td>\
            <td class="number">\(time)</td>\
            <td>\(htmlFindings)\(htmlCommand)</td>\
            </tr>

            """
    }

    /// The method and the URL on a line of their own; empty if nothing was sent.
    private var htmlRequest: String {
        guard let url else { return "" }
        return "<br><code>\("\(call.method) \(url)".escapedMarkup)</code>"
    }

    /// A list of the problems and notes, or else of the reason why nothing was sent; empty if there are none.
    private var htmlFindings: String {
        var findings = problemLines + notes
        if let skipReason { findings = [skipReason] }
        if findings.isEmpty { return "" }
        let items = findings.map { "<li><code>\($0.escapedMarkup)</code></li>" }
        return "<ul>\(items.joined())</ul>"
    }

    /// The curl command; empty unless the check failed.
    private var htmlCommand: String {
        guard let curlLine else { return "" }
        return "<pre>\(curlLine.escapedMarkup)</pre>"
    }
}
