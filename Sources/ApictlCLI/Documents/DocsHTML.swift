/// Writes documentation as one HTML file, all of whose text is there without the script.
struct DocsHTML {
    /// The most lines of a sample that is shown open.
    private static let maxLines = 40

    private var text: String

    static func text(_ outline: DocsOutline) -> String {
        let title = outline.title.html
        var page = DocsHTML(
            text: """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '\(DocsPage.styleHash)'; \
                script-src '\(DocsPage.scriptHash)'; base-uri 'none'; form-action 'none'">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>\(title)</title>
                <style>\(DocsPage.style)</style>
                </head>
                <body>
                <a class="skip" href="#\(DocsOutline.contentID)">Skip to content</a>
                <nav aria-label="Contents">
                <label hidden>Filter<input type="search" placeholder="name, path, field"></label>
                <p role="status">\(outline.count) endpoint\(outline.count == 1 ? "" : "s")</p>
                <details><summary>Contents</summary><ul>

                """)
        for section in outline.sections {
            page.text += "<li>\(link(section.title, section.id))<ul>\n"
            for inner in section.sections {
                let name =
                    inner.title.hasPrefix(section.title + ".")
                    ? String(inner.title.dropFirst(section.title.count + 1)) : inner.title
                page.text += "<li>\(link(name, inner.id))</li>\n"
            }
            page.text += "</ul></li>\n"
        }
        page.text += """
            </ul></details></nav>
            <main id="\(DocsOutline.contentID)"><header><h1>\(title)</h1>
            <p class="lead">\(outline.summary.html)</p>

            """
        for block in outline.blocks { page.write(block, of: outline.title) }
        page.text += "</header>\n"
        for section in outline.sections { page.write(section) }
        return page.text + "</main>\n<script>\(DocsPage.script)</script>\n</body>\n</html>\n"
    }

    private static func link(_ text: String, _ id: String) -> String { "<a href=\"#\(id.attribute)\">\(text.html)</a>" }

    private mutating func write(_ section: DocsOutline.Section) {
        text += "<section><h2 id=\"\(section.id.attribute)\">\(Self.link(section.title, section.id))</h2>\n"
        if !section.summary.isEmpty { text += "<p class=\"lead\">\(section.summary.html)</p>\n" }
        text += "<div>"
        for inner in section.sections {
            let code = inner.blocks.filter(\.isCode)
            text +=
                "<article id=\"\(inner.id.attribute)\"\(code.isEmpty ? " class=\"model\"" : "")><div><h3>\(Self.link(inner.title, inner.id))</h3>\n"
            if !inner.summary.isEmpty { text += "<p>\(inner.summary.html)</p>\n" }
            for block in inner.blocks where !block.isCode { write(block, of: inner.title) }
            if !code.isEmpty { text += "</div><div>\n" }
            for block in code { write(block, of: inner.title) }
            text += "</div></article>\n"
        }
        text += "</div></section>\n"
    }

    private mutating func write(_ block: DocsOutline.Block, of owner: String) {
        switch block {
        case .heading(let title): text += "<h4>\(title.html)</h4>\n"
        case .lines(let lines): text += "<p>\(lines.map(Self.line).joined(separator: "<br>"))</p>\n"
        case .table(let columns, let rows):
            text +=
                "<table><thead><tr>" + columns.map { "<th scope=\"col\">\($0)</th>" }.joined()
                + "</tr></thead><tbody>\n"
            for row in rows {
                let cells = row.cells.map { $0.map(Self.line).joined(separator: "<br>") }
                let first = row.id.map { "<a href=\"#\($0.attribute)\">\(cells[0])</a>" } ?? cells[0]
                text += row.id.map { "<tr id=\"\($0.attribute)\">" } ?? "<tr>"
                text +=
                    "<th scope=\"row\">\(first)</th>" + cells.dropFirst().map { "<td>\($0)</td>" }.joined() + "</tr>\n"
            }
            text += "</tbody></table>\n"
        case .code(let title, let code):
            var safe = TerminalFilter.escaped(Array(code.utf8)[...])
            while safe.last == UInt8(ascii: "\n") { safe.removeLast() }
            let lines = safe.count { $0 == UInt8(ascii: "\n") } + 1
            // What a reader scrolls must be in reach of the keyboard, under a name.
            let scroll =
                block.isWrapped
                ? "" : " tabindex=\"0\" role=\"group\" aria-label=\"\("\(title) of \(owner)".attribute)\""
            let content =
                "<pre\(scroll)>\(String(decoding: safe, as: UTF8.self).escapedMarkup(isAttribute: false))</pre>"
            text +=
                lines > Self.maxLines
                ? "<figure><details><summary>\(title.html), \(lines) lines</summary>\(content)</details></figure>\n"
                : "<figure><figcaption>\(title.html)</figcaption>\(content)</figure>\n"
        }
    }

    private static func line(_ line: DocsOutline.Line) -> String {
        line.map { span in
            switch span {
            case .text(let text): text.html
            case .code(let text): "<code>\(text.html)</code>"
            case .method(let method): "<b class=\"\(method.lowercased().attribute)\">\(method.html)</b>"
            case .link(let text, let target):
                "<a href=\"\(target.attribute)\">\(target.hasPrefix("#") ? "<code>\(text.html)</code>" : text.html)</a>"
            }
        }.joined()
    }
}

extension DocsOutline.Block {
    var isCode: Bool { if case .code = self { true } else { false } }
    /// Whether its lines go on in the next line; a sample keeps its own.
    var isWrapped: Bool { if case .code("Sample", _) = self { false } else { true } }
}

extension String {
    /// The text on one line as HTML shows it.
    fileprivate var html: String { safeToShow.escapedMarkup(isAttribute: false) }
    /// The text as the value of an attribute.
    fileprivate var attribute: String { safeToShow.escapedMarkup }
}
