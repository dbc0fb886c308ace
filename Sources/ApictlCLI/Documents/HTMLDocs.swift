/// Writes documentation as a page of HTML, which needs no other file and can be read without script.
struct HTMLDocs: DocsMarkup {
    /// The most lines of code that are shown at once. Longer code is folded, and opens with a click.
    private static let maxLines = 40

    // MARK: Parts of lines

    func text(_ text: String) -> String { text.safeToShow.escapedMarkup(isAttribute: false) }

    func code(_ text: String) -> String { "<code>\(self.text(text))</code>" }

    func method(_ method: String) -> String {
        "<b class=\"\(method.lowercased().attribute)\">\(text(method))</b>"
    }

    func link(_ text: String, to target: String) -> String {
        anchor(target.hasPrefix("#") ? code(text) : self.text(text), target)
    }

    /// Returns a link whose content is markup.
    private func anchor(_ content: String, _ target: String) -> String {
        "<a href=\"\(target.attribute)\">\(content)</a>"
    }

    // MARK: Blocks

    func heading(_ title: String) -> String { "<h4>\(text(title))</h4>\n" }

    func paragraph(_ lines: [String]) -> String { "<p>\(lines.joined(separator: "<br>"))</p>\n" }

    func writtenTable(_ columns: [String], _ rows: [DocsRow]) -> String {
        let heading = columns.map { "<th scope=\"col\">\($0)</th>" }.joined()
        let lines = rows.map(tableRow).joined()
        return "<table><thead><tr>\(heading)</tr></thead><tbody>\n\(lines)</tbody></table>\n"
    }

    /// Returns the row of a table. If it has an identifier, its heading is a link to itself, for people to copy.
    private func tableRow(_ row: DocsRow) -> String {
        let id = row.id.map { " id=\"\($0.attribute)\"" } ?? ""
        let heading = row.id.map { anchor(row.cells[0], "#" + $0) } ?? row.cells[0]
        let others = row.cells.dropFirst().map { "<td>\($0)</td>" }.joined()
        return "<tr\(id)><th scope=\"row\">\(heading)</th>\(others)</tr>\n"
    }

    func figure(_ title: String, _ code: String, of owner: String) -> String {
        // The lines of a sample are not wrapped, so that it can scroll. A part that scrolls must be in reach of the
        // keyboard and have a name.
        let label = "aria-label=\"\("\(title) of \(owner)".attribute)\""
        let scroll = title == "Sample" ? " tabindex=\"0\" role=\"group\" \(label)" : ""
        let content = "<pre\(scroll)>\(code.escapedMarkup(isAttribute: false))</pre>"
        let lineCount = code.utf8.count { $0 == UInt8(ascii: "\n") } + 1
        guard lineCount > Self.maxLines else {
            return "<figure><figcaption>\(text(title))</figcaption>\(content)</figure>\n"
        }
        let summary = "<summary>\(text(title)), \(lineCount) lines</summary>"
        return "<figure><details>\(summary)\(content)</details></figure>\n"
    }

    // MARK: The page

    /// Returns the page, which is the template `docs.html` with the contents in it.
    ///
    /// After a change of the template's style sheet or script, the tests print the new hashes for its
    /// Content-Security-Policy.
    func page(_ contents: DocsContents) -> String {
        let parts = [
            "title": text(contents.title), "summary": text(contents.summary), "count": contents.count,
            "header": contents.header, "contents": contents.sections.map(tableOfContents).joined(),
            "sections": contents.sections.map { section($0, level: 2) }.joined(),
        ]
        return String(template: PackageResources.docs_html, parts)
    }

    /// Returns a section with the sections inside it. Facts are in the left column, code and inner sections in the
    /// right one.
    ///
    /// - Parameters:
    ///   - section: The section.
    ///   - level: The level of its heading, from 2. A section without code and inner sections is styled as a model.
    private func section(_ section: DocsSection, level: Int) -> String {
        let inner = section.code + section.sections.map { self.section($0, level: level + 1) }.joined()
        let tag = level == 2 ? "section" : "article"
        let kind = inner.isEmpty ? " class=\"model\"" : ""
        let heading = "<h\(level)>\(anchor(text(section.title), "#" + section.id))</h\(level)>"
        return "<\(tag) id=\"\(section.id.attribute)\"\(kind)><div>\(heading)\n\(section.facts)</div>"
            + "<div>\n\(inner)</div></\(tag)>\n"
    }

    /// Returns the entry of a section in the table of contents, with the entries of the sections inside.
    private func tableOfContents(of section: DocsSection) -> String {
        let entries = section.sections.map { inner in
            // The title of an endpoint starts with that of its API, which need not be repeated: `movies.video` becomes
            // `video`.
            let title = String(inner.title.trimmingPrefix(section.title + "."))
            return "<li>\(anchor(text(title), "#" + inner.id))</li>\n"
        }
        let heading = anchor(text(section.title), "#" + section.id)
        return "<li>\(heading)<ul>\n\(entries.joined())</ul></li>\n"
    }
}

extension String {
    /// Makes a text from a template, in which a comment with the name of a part stands for the part: `<!--title-->`.
    ///
    /// A comment with an unknown name becomes nothing.
    init(template: [UInt8], _ parts: [String: String]) {
        let text = String(decoding: template, as: UTF8.self)
        let pieces = text.split(separator: "<!--", omittingEmptySubsequences: false)
        self = String(pieces[0])
        for piece in pieces.dropFirst() {
            let halves = piece.split(separator: "-->", maxSplits: 1, omittingEmptySubsequences: false)
            self += parts[String(halves[0]), default: ""] + halves[1]
        }
    }

    /// The text as the value of an attribute of HTML.
    var attribute: String { safeToShow.escapedMarkup }
}
