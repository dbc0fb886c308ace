/// A format of documentation: how it writes texts, and parts of a page that are made of what is written.
///
/// Names, titles, summaries, texts and code are any texts, in which nothing is markup; all else is written already.
enum DocsFormat: String, CaseIterable {
    case html, markdown

    /// A part of the page about an API, an endpoint or a model. Links lead to its identifier.
    struct Section {
        let id: String
        let title: String
        /// The summary, the tables and texts.
        var facts = ""
        /// The commands, the Swift code and the sample.
        var code = ""
        var sections: [Section] = []
    }

    /// A row of a table. The first cell is its heading, and links lead to its identifier.
    typealias Row = (id: String?, cells: [String])

    /// The most lines of code that are shown open.
    private static let maxLines = 40

    // MARK: Parts of lines

    func text(_ text: String) -> String {
        let text = text.safeToShow
        if self == .html { return text.escapedMarkup(isAttribute: false) }
        let markup = "\\`*_{}[]<>#~&".unicodeScalars
        return text.unicodeScalars.map { markup.contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }

    func code(_ text: String) -> String {
        self == .html ? "<code>\(self.text(text))</code>" : text.safeToShow.codeSpan
    }

    func method(_ method: String) -> String {
        self == .html
            ? "<b class=\"\(method.lowercased().attribute)\">\(text(method))</b>" : "**\(text(method))** "
    }

    /// Returns a link to a URL, or to a part of the page if the target is `#` with an identifier.
    func link(_ text: String, to target: String) -> String {
        if self == .html { return anchor(target.hasPrefix("#") ? code(text) : self.text(text), target) }
        let target = target.safeToShow.replacingBytes(of: ">", with: "%3E").replacingBytes(of: "<", with: "%3C")
        return "[\(self.text(text))](<\(target)>)"
    }

    private func anchor(_ content: String, _ target: String) -> String {
        "<a href=\"\(target.attribute)\">\(content)</a>"
    }

    // MARK: Blocks

    /// Returns content under a heading; an empty text without content.
    func block(_ title: String, _ content: String) -> String {
        if content.isEmpty { return "" }
        return (self == .html ? "<h4>\(text(title))</h4>\n" : "\n#### \(text(title))\n") + content
    }

    /// Returns a paragraph of the lines that are not empty; an empty text without any.
    func lines(_ lines: [String]) -> String {
        let lines = lines.filter { !$0.isEmpty }
        if lines.isEmpty { return "" }
        return self == .html
            ? "<p>\(lines.joined(separator: "<br>"))</p>\n" : "\n\(lines.joined(separator: "  \n"))\n"
    }

    /// Returns a table; an empty text without rows.
    func table(_ columns: [String], _ rows: [Row]) -> String {
        if rows.isEmpty { return "" }
        let lines = rows.map { id, cells in
            if self == .markdown {
                let cells = cells.map { $0.replacingBytes(of: "|", with: "\\|") }.joined(separator: " | ")
                return "| \(id.map { "<a id=\"\($0.attribute)\"></a>" } ?? "")\(cells) |\n"
            }
            let heading = id.map { anchor(cells[0], "#" + $0) } ?? cells[0]
            let others = cells.dropFirst().map { "<td>\($0)</td>" }.joined()
            return "<tr\(id.map { " id=\"\($0.attribute)\"" } ?? "")><th scope=\"row\">\(heading)</th>\(others)</tr>\n"
        }.joined()
        if self == .markdown {
            return "\n| \(columns.joined(separator: " | ")) |\n|\(columns.map { _ in "---|" }.joined())\n" + lines
        }
        let heading = columns.map { "<th scope=\"col\">\($0)</th>" }.joined()
        return "<table><thead><tr>\(heading)</tr></thead><tbody>\n\(lines)</tbody></table>\n"
    }

    /// Returns code under a title; an empty text without code.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - code: The code; nil if there is none.
    ///   - owner: The name of the API or endpoint that has the code.
    func code(_ title: String, _ code: String?, of owner: String) -> String {
        guard let bytes = code?.nonEmpty.map({ TerminalFilter.escaped(Array($0.utf8)[...]) }) else { return "" }
        let code = String(decoding: bytes, as: UTF8.self).trimmingLineBreaks
        guard self == .html else {
            let fence = code.fence(atLeast: 3)
            return "\n\(text(title)):\n\n\(fence)\n\(code)\n\(fence)\n"
        }
        // A sample keeps its lines. What a reader scrolls must be in reach of the keyboard, under a name.
        let label = "aria-label=\"\("\(title) of \(owner)".attribute)\""
        let scroll = title == "Sample" ? " tabindex=\"0\" role=\"group\" \(label)" : ""
        let content = "<pre\(scroll)>\(code.escapedMarkup(isAttribute: false))</pre>"
        let lines = code.utf8.count { $0 == UInt8(ascii: "\n") } + 1
        return lines > Self.maxLines
            ? "<figure><details><summary>\(text(title)), \(lines) lines</summary>\(content)</details></figure>\n"
            : "<figure><figcaption>\(text(title))</figcaption>\(content)</figure>\n"
    }

    // MARK: The page

    /// Returns the page.
    ///
    /// The file `docs.html` is the template of HTML pages. After a change of its style sheet or script, the tests print
    /// the new hashes for its Content-Security-Policy.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - summary: A paragraph below the title.
    ///   - count: The number of endpoints in words.
    ///   - header: The text before the sections.
    ///   - sections: The sections of APIs and models.
    func page(_ title: String, _ summary: String, _ count: String, _ header: String, _ sections: [Section]) -> String {
        if self == .markdown {
            return "# \(text(title))\n\n\(text(summary))\n\(header)\(sections.map { written($0) }.joined())"
        }
        let parts = [
            "title": text(title), "summary": text(summary), "count": count, "header": header,
            "contents": sections.map { contents(in: $0) }.joined(), "sections": sections.map { written($0) }.joined(),
        ]
        return String(template: PackageResources.docs_html, parts)
    }

    private func written(_ section: Section, level: Int = 2) -> String {
        let (title, id) = (text(section.title), section.id.attribute)
        let rest = section.code + section.sections.map { written($0, level: level + 1) }.joined()
        if self == .markdown {
            return "\n<a id=\"\(id)\"></a>\n\n\(String(repeating: "#", count: level)) \(title)\n\(section.facts)\(rest)"
        }
        let tag = level == 2 ? "section" : "article"
        let kind = rest.isEmpty ? " class=\"model\"" : ""
        let heading = "<h\(level)>\(anchor(title, "#" + section.id))</h\(level)>"
        return "<\(tag) id=\"\(id)\"\(kind)><div>\(heading)\n\(section.facts)</div><div>\n\(rest)</div></\(tag)>\n"
    }

    private func contents(in section: Section) -> String {
        let inner = section.sections.map { inner in
            "<li>\(anchor(text(String(inner.title.trimmingPrefix(section.title + "."))), "#" + inner.id))</li>\n"
        }
        return "<li>\(anchor(text(section.title), "#" + section.id))<ul>\n\(inner.joined())</ul></li>\n"
    }
}

extension String {
    /// Makes a text of a template, in which parts take the place of comments with their names: `<!--title-->`.
    init(template: [UInt8], _ parts: [String: String]) {
        let pieces = String(decoding: template, as: UTF8.self).split(
            separator: "<!--", omittingEmptySubsequences: false)
        self = pieces.dropFirst().reduce(into: String(pieces[0])) { text, piece in
            let halves = piece.split(separator: "-->", maxSplits: 1, omittingEmptySubsequences: false)
            text += parts[String(halves[0]), default: ""] + halves[1]
        }
    }

    /// The text as the value of an attribute of HTML.
    fileprivate var attribute: String { safeToShow.escapedMarkup }
}
