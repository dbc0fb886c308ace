/// Writes documentation as Markdown: CommonMark with the tables of GitHub.
enum DocsMarkdown {
    static func text(_ outline: DocsOutline) -> String {
        var text = "# \(escaped(outline.title))\n\n\(escaped(outline.summary))\n"
        for block in outline.blocks { write(block, to: &text) }
        for section in outline.sections { write(section, level: 2, to: &text) }
        return text
    }

    private static func write(_ section: DocsOutline.Section, level: Int, to text: inout String) {
        text += "\n<a id=\"\(section.id.escapedMarkup)\"></a>\n\n"
        text += String(repeating: "#", count: level) + " \(escaped(section.title))\n"
        if !section.summary.isEmpty { text += "\n\(escaped(section.summary))\n" }
        for block in section.blocks { write(block, to: &text) }
        for inner in section.sections { write(inner, level: level + 1, to: &text) }
    }

    private static func write(_ block: DocsOutline.Block, to text: inout String) {
        switch block {
        case .heading(let title): text += "\n#### \(escaped(title))\n"
        case .lines(let lines): text += "\n" + lines.map(line).joined(separator: "  \n") + "\n"
        case .table(let columns, let rows):
            text += "\n| \(columns.joined(separator: " | ")) |\n|\(columns.map { _ in "---|" }.joined())\n"
            for row in rows {
                let anchor = row.id.map { "<a id=\"\($0.escapedMarkup)\"></a>" } ?? ""
                let cells = row.cells.map {
                    $0.map(line).joined(separator: "<br>").replacingBytes(of: "|", with: "\\|")
                }
                text += "| \(anchor)\(cells.joined(separator: " | ")) |\n"
            }
        case .code(let title, let code):
            let safe = String(decoding: TerminalFilter.escaped(Array(code.utf8)[...]), as: UTF8.self)
            let fence = safe.fence(atLeast: 3)
            text += "\n\(escaped(title)):\n\n\(fence)\n\(safe)\(safe.hasSuffix("\n") ? "" : "\n")\(fence)\n"
        }
    }

    private static func line(_ line: DocsOutline.Line) -> String {
        line.map { span in
            switch span {
            case .text(let text): escaped(text)
            case .code(let text): text.safeToShow.codeSpan
            case .method(let method): "**\(escaped(method))** "
            case .link(let text, let target):
                "[\(escaped(text))](<\(target.safeToShow.replacingBytes(of: ">", with: "%3E").replacingBytes(of: "<", with: "%3C"))>)"
            }
        }.joined()
    }

    /// The text without anything that Markdown or HTML would take for markup.
    private static func escaped(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.safeToShow.unicodeScalars.flatMap {
                    "\\`*_{}[]<>#~&".unicodeScalars.contains($0) ? ["\\", $0] : [$0]
                }))
    }
}
