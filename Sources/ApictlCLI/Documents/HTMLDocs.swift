/// Writes documentation as a page of HTML, which needs no other file and can be read without script.
struct HTMLDocs: DocsMarkup {
    /// The most lines of code that are shown at once. Longer code is folded, and opens with a click.
    private static let maxShownLines = 40

    // MARK: Parts of lines

    func escaped(_ plainText: String) -> String { plainText.safeToShow.escapedMarkup(isAttribute: false) }

    func inlineCode(_ code: String) -> String { "<code>\(escaped(code))</code>" }

    /// Returns the method of a request, such as `<b class="get">GET</b>`.
    func methodName(_ method: String) -> String {
        // The style sheet has a colour for each class, such as `get`.
        "<b class=\"\(method.lowercased().attributeValue)\">\(escaped(method))</b>"
    }

    /// Returns a link. Its title is shown as code if it leads to a section of the page.
    func link(_ title: String, to target: String) -> String {
        // Titles of sections on the page are names of APIs, endpoints and models.
        let isOnPage = target.hasPrefix("#")
        return anchor(isOnPage ? inlineCode(title) : escaped(title), to: target)
    }

    /// Returns a link whose content is markup.
    private func anchor(_ content: String, to target: String) -> String {
        "<a href=\"\(target.attributeValue)\">\(content)</a>"
    }

    // MARK: Blocks

    func heading(_ title: String) -> String { "<h4>\(escaped(title))</h4>\n" }

    func paragraph(lines: [String]) -> String { "<p>\(lines.joined(separator: "<br>"))</p>\n" }

    /// Returns a table whose first column has the headings of the rows.
    func table(columnTitles: [String], nonEmptyRows rows: [DocsRow]) -> String {
        let headings = columnTitles.map { "<th scope=\"col\">\($0)</th>" }.joined()
        let rowMarkup = rows.map(tableRow).joined()
        return "<table><thead><tr>\(headings)</tr></thead><tbody>\n\(rowMarkup)</tbody></table>\n"
    }

    /// Returns the row of a table. If it has an identifier, its heading is a link to itself, for people to copy.
    private func tableRow(_ row: DocsRow) -> String {
        let idAttribute = row.id.map { " id=\"\($0.attributeValue)\"" } ?? ""
        let heading = row.id.map { anchor(row.cells[0], to: "#" + $0) } ?? row.cells[0]
        let otherCells = row.cells.dropFirst().map { "<td>\($0)</td>" }.joined()
        return "<tr\(idAttribute)><th scope=\"row\">\(heading)</th>\(otherCells)</tr>\n"
    }

    /// Returns code under a title. Code with more lines than ``maxShownLines`` is folded below the title.
    func figure(_ title: String, code: String, of owner: String) -> String {
        // Only the lines of samples are not wrapped, so that they may have to be scrolled.
        let mayScroll = title == "Sample"
        let preAttributes = mayScroll ? Self.scrollingAttributes(name: "\(title) of \(owner)") : ""
        let content = "<pre\(preAttributes)>\(code.escapedMarkup(isAttribute: false))</pre>"
        let lineCount = code.utf8.count { $0 == UInt8(ascii: "\n") } + 1
        guard lineCount > Self.maxShownLines else {
            return "<figure><figcaption>\(escaped(title))</figcaption>\(content)</figure>\n"
        }
        let summary = "<summary>\(escaped(title)), \(lineCount) lines</summary>"
        return "<figure><details>\(summary)\(content)</details></figure>\n"
    }

    /// Returns the attributes of an element that scrolls: it must be in reach of the keyboard and have a name (WCAG
    /// 2.1, criteria 2.1.1 and 4.1.2).
    private static func scrollingAttributes(name: String) -> String {
        " tabindex=\"0\" role=\"group\" aria-label=\"\(name.attributeValue)\""
    }

    // MARK: The page

    /// Returns the page: the template `docs.html`, in which each value stands in place of a comment with its name, such
    /// as `<!--title-->`.
    ///
    /// After a change of the template's style sheet or script, the tests print the new hashes for its
    /// Content-Security-Policy.
    func page(_ contents: DocsContents) -> String {
        let markupByName = [
            "title": escaped(contents.title), "summary": escaped(contents.summary), "count": contents.endpointCount,
            "header": contents.header, "contents": contents.sections.map(tableOfContents).joined(),
            "sections": contents.sections.map { sectionMarkup(of: $0, level: 2) }.joined(),
        ]
        return String(template: PackageResources.docs_html, markupByName)
    }

    /// Returns a section with the sections inside it. The description is in the left column, code and inner sections in
    /// the right one.
    ///
    /// - Parameters:
    ///   - section: A section about an API, endpoint or model.
    ///   - level: The level of its heading, from 2. A section without code and inner sections is styled as a model.
    private func sectionMarkup(of section: DocsSection, level: Int) -> String {
        let innerSections = section.sections.map { sectionMarkup(of: $0, level: level + 1) }.joined()
        let rightColumn = section.code + innerSections
        let tag = level == 2 ? "section" : "article"
        let classAttribute = rightColumn.isEmpty ? " class=\"model\"" : ""
        let title = anchor(escaped(section.title), to: "#" + section.id)
        return """
            <\(tag) id="\(section.id.attributeValue)"\(classAttribute)><div><h\(level)>\(title)</h\(level)>
            \(section.descriptionMarkup)</div><div>
            \(rightColumn)</div></\(tag)>

            """
    }

    /// Returns the entry of a section in the table of contents, with the entries of the sections inside.
    private func tableOfContents(of section: DocsSection) -> String {
        let innerEntries = section.sections.map { inner in
            // The title of an endpoint starts with that of its API, which need not be repeated: `movies.video` becomes
            // `video`.
            let shortTitle = String(inner.title.trimmingPrefix(section.title + "."))
            return "<li>\(anchor(escaped(shortTitle), to: "#" + inner.id))</li>\n"
        }
        let title = anchor(escaped(section.title), to: "#" + section.id)
        return "<li>\(title)<ul>\n\(innerEntries.joined())</ul></li>\n"
    }
}

extension String {
    /// Makes a text from a template, in which a comment with the name of a value stands for the value: `<!--title-->`.
    ///
    /// A comment with an unknown name becomes nothing.
    ///
    /// - Parameters:
    ///   - template: The template in UTF-8.
    ///   - values: The values by their names. They may contain comments, which stay.
    init(template: [UInt8], _ values: [String: String]) {
        let text = String(decoding: template, as: UTF8.self)
        // Each fragment but the first one is `NAME-->text`.
        let fragments = text.split(separator: "<!--", omittingEmptySubsequences: false)
        self = String(fragments[0])
        for fragment in fragments.dropFirst() {
            let nameAndText = fragment.split(separator: "-->", maxSplits: 1, omittingEmptySubsequences: false)
            self += values[String(nameAndText[0])] ?? ""
            self += nameAndText[1]
        }
    }

    /// The text with escapes, as it stands between the quotes of an attribute in HTML.
    var attributeValue: String { safeToShow.escapedMarkup }
}
