/// Writes documentation in Markdown, as GitHub's wikis show it.
struct MarkdownDocs: DocsMarkup {
    // MARK: Parts of lines

    /// Returns plain text with a backslash before each character that would be markup.
    func escaped(_ plainText: String) -> String {
        let markupCharacters = "\\`*_{}[]<>#~&".unicodeScalars
        let scalars = plainText.safeToShow.unicodeScalars
        return scalars.map { markupCharacters.contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }

    func inlineCode(_ code: String) -> String { code.safeToShow.codeSpan }

    func methodName(_ method: String) -> String { "**\(escaped(method))** " }

    /// Returns a link such as `[Movie](<#model-Movie>)`.
    func link(_ title: String, to target: String) -> String {
        // A target in angle brackets ends at the first closing bracket.
        let target = target.safeToShow.replacingBytes(of: ">", with: "%3E").replacingBytes(of: "<", with: "%3C")
        return "[\(escaped(title))](<\(target)>)"
    }

    /// Returns an anchor, to which links lead. It is HTML, because Markdown has no notation of its own for it.
    private func anchor(_ id: String) -> String { "<a id=\"\(id.attributeValue)\"></a>" }

    // MARK: Blocks

    func heading(_ title: String) -> String { "\n#### \(escaped(title))\n" }

    /// Returns a paragraph that keeps its line breaks.
    func paragraph(lines: [String]) -> String {
        // Two spaces at the end of a line are a line break.
        "\n\(lines.joined(separator: "  \n"))\n"
    }

    /// Returns a table in GitHub's notation, with `|` between the cells. The identifier of a row becomes an anchor in
    /// its first cell.
    func table(columnTitles: [String], nonEmptyRows rows: [DocsRow]) -> String {
        let titleRow = "| \(columnTitles.joined(separator: " | ")) |\n"
        let separatorRow = "|" + String(repeating: "---|", count: columnTitles.count) + "\n"
        let lines = rows.map { row in
            let cells = row.cells.map { $0.replacingBytes(of: "|", with: "\\|") }
            return "| \(row.id.map(anchor) ?? "")\(cells.joined(separator: " | ")) |\n"
        }
        return "\n" + titleRow + separatorRow + lines.joined()
    }

    /// Returns code between fences, after its title.
    ///
    /// - Parameters:
    ///   - title: The title, such as `curl`.
    ///   - code: The code without line breaks at its ends.
    ///   - owner: The name of the API or endpoint that has the code. Markdown has no place for it.
    func figure(_ title: String, code: String, of owner: String) -> String {
        // A fence of backticks must be longer than each row of backticks in the code.
        let fence = code.fence(atLeast: 3)
        return """

            \(escaped(title)):

            \(fence)
            \(code)
            \(fence)

            """
    }

    // MARK: The page

    /// Returns the whole page. Sections of APIs have headings of level 2, and those inside them of level 3.
    func page(_ contents: DocsContents) -> String {
        """
        # \(escaped(contents.title))

        \(escaped(contents.summary))
        \(contents.header)\(contents.sections.map { sectionMarkup(of: $0, level: 2) }.joined())
        """
    }

    /// Returns a section with the sections inside it, after an anchor that links lead to.
    ///
    /// - Parameters:
    ///   - section: A section about an API, endpoint or model.
    ///   - level: The number of `#` before its title.
    private func sectionMarkup(of section: DocsSection, level: Int) -> String {
        let innerSections = section.sections.map { sectionMarkup(of: $0, level: level + 1) }.joined()
        return """

            \(anchor(section.id))

            \(String(repeating: "#", count: level)) \(escaped(section.title))
            \(section.descriptionMarkup)\(section.code)\(innerSections)
            """
    }
}
