/// Writes documentation as one HTML file, all of whose text is there without the script.
///
/// What is the same on every page is in `docs.html`, with comments in place of the rest. After a change of its style sheet or script, the tests
/// print the new hashes for its Content-Security-Policy.
enum DocsHTML {
    /// The most lines of a sample that is shown open.
    private static let maxLines = 40

    static func text(_ outline: DocsOutline) -> String {
        let parts = [
            "title": outline.title.html, "summary": outline.summary.html,
            "count": outline.count.counted("endpoint"),
            "contents": outline.sections.map(contents).joined(),
            "header": outline.blocks.map { text($0, of: outline.title) }.joined(),
            "sections": outline.sections.map(text).joined(),
        ]
        return String(template: PackageResources.docs_html, parts)
    }

    private static func link(_ text: String, _ id: String) -> String { "<a href=\"#\(id.attribute)\">\(text.html)</a>" }

    private static func contents(_ section: DocsOutline.Section) -> String {
        let inner = section.sections.map { inner in
            let isWithin = inner.title.hasPrefix(section.title + ".")
            let name = isWithin ? String(inner.title.dropFirst(section.title.count + 1)) : inner.title
            return "<li>\(link(name, inner.id))</li>\n"
        }
        return "<li>\(link(section.title, section.id))<ul>\n\(inner.joined())</ul></li>\n"
    }

    private static func text(_ section: DocsOutline.Section) -> String {
        let articles = section.sections.map { inner in
            let code = inner.blocks.filter(\.isCode)
            let others = inner.blocks.filter { !$0.isCode }
            let kind = code.isEmpty ? " class=\"model\"" : ""
            return "<article id=\"\(inner.id.attribute)\"\(kind)><div><h3>\(link(inner.title, inner.id))</h3>\n"
                + (inner.summary.isEmpty ? "" : "<p>\(inner.summary.html)</p>\n")
                + others.map { text($0, of: inner.title) }.joined() + (code.isEmpty ? "" : "</div><div>\n")
                + code.map { text($0, of: inner.title) }.joined() + "</div></article>\n"
        }
        return "<section><h2 id=\"\(section.id.attribute)\">\(link(section.title, section.id))</h2>\n"
            + (section.summary.isEmpty ? "" : "<p class=\"lead\">\(section.summary.html)</p>\n")
            + "<div>\(articles.joined())</div></section>\n"
    }

    private static func text(_ block: DocsOutline.Block, of owner: String) -> String {
        switch block {
        case .heading(let title): return "<h4>\(title.html)</h4>\n"
        case .lines(let lines): return "<p>\(text(lines))</p>\n"
        case .table(let columns, let rows):
            let heading = columns.map { "<th scope=\"col\">\($0)</th>" }.joined()
            let body = rows.map { row in
                let cells = row.cells.map(text)
                let first = row.id.map { "<a href=\"#\($0.attribute)\">\(cells[0])</a>" } ?? cells[0]
                return "<tr\(row.id.map { " id=\"\($0.attribute)\"" } ?? "")><th scope=\"row\">\(first)</th>"
                    + cells.dropFirst().map { "<td>\($0)</td>" }.joined() + "</tr>\n"
            }
            return "<table><thead><tr>\(heading)</tr></thead><tbody>\n\(body.joined())</tbody></table>\n"
        case .code(let title, let code):
            var safe = TerminalFilter.escaped(Array(code.utf8)[...])
            while safe.last == UInt8(ascii: "\n") { safe.removeLast() }
            let lines = safe.count { $0 == UInt8(ascii: "\n") } + 1
            // A sample keeps its lines. What a reader scrolls must be in reach of the keyboard, under a name.
            let scroll =
                title == "Sample"
                ? " tabindex=\"0\" role=\"group\" aria-label=\"\("\(title) of \(owner)".attribute)\"" : ""
            let text = String(decoding: safe, as: UTF8.self).escapedMarkup(isAttribute: false)
            let content = "<pre\(scroll)>\(text)</pre>"
            return lines > maxLines
                ? "<figure><details><summary>\(title.html), \(lines) lines</summary>\(content)</details></figure>\n"
                : "<figure><figcaption>\(title.html)</figcaption>\(content)</figure>\n"
        }
    }

    private static func text(_ lines: [DocsOutline.Line]) -> String {
        lines.map { line in
            line.map { span in
                switch span {
                case .text(let text): text.html
                case .code(let text): "<code>\(text.html)</code>"
                case .method(let method): "<b class=\"\(method.lowercased().attribute)\">\(method.html)</b>"
                case .link(let text, let target):
                    "<a href=\"\(target.attribute)\">\(target.hasPrefix("#") ? "<code>\(text.html)</code>" : text.html)</a>"
                }
            }.joined()
        }.joined(separator: "<br>")
    }
}

extension DocsOutline.Block {
    fileprivate var isCode: Bool { if case .code = self { true } else { false } }
}

extension String {
    /// A text with these parts in place of comments with their names.
    init(template: [UInt8], _ parts: [String: String]) {
        let pieces = String(decoding: template, as: UTF8.self).split(
            separator: "<!--", omittingEmptySubsequences: false)
        self = pieces.dropFirst().reduce(into: String(pieces[0])) { text, piece in
            let halves = piece.split(separator: "-->", maxSplits: 1, omittingEmptySubsequences: false)
            text += parts[String(halves[0]), default: ""] + halves[1]
        }
    }

    /// The text on one line as HTML shows it.
    fileprivate var html: String { safeToShow.escapedMarkup(isAttribute: false) }
    /// The text as the value of an attribute.
    fileprivate var attribute: String { safeToShow.escapedMarkup }
}
