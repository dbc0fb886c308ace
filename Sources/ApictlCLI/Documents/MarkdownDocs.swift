/// Writes documentation in Markdown, as GitHub's wikis show it.
struct MarkdownDocs: DocsMarkup {
    // MARK: Parts of lines

    func text(_ text: String) -> String {
        let markup = "\\`*_{}[]<>#~&".unicodeScalars
        return text.safeToShow.unicodeScalars.map { markup.contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }

    func code(_ text: String) -> String { text.safeToShow.codeSpan }

    func method(_ method: String) -> String { "**\(text(method))** " }

    func link(_ text: String, to target: String) -> String {
        // A target in angle brackets ends at the first closing bracket.
        let target = target.safeToShow.replacingBytes(of: ">", with: "%3E").replacingBytes(of: "<", with: "%3C")
        return "[\(self.text(text))](<\(target)>)"
    }

    /// Returns an anchor, to which links lead. It is HTML, because Markdown has no notation of its own for it.
    private func anchor(_ id: String) -> String { "<a id=\"\(id.attribute)\"></a>" }

    // MARK: Blocks

    func heading(_ title: String) -> String { "\n#### \(text(title))\n" }

    func paragraph(_ lines: [String]) -> String { "\n\(lines.joined(separator: "  \n"))\n" }

    func writtenTable(_ columns: [String], _ rows: [DocsRow]) -> String {
        let lines = rows.map { row in
            let cells = row.cells.map { $0.replacingBytes(of: "|", with: "\\|") }
            return "| \(row.id.map(anchor) ?? "")\(cells.joined(separator: " | ")) |\n"
        }
        let separators = columns.map { _ in "---|" }.joined()
        return "\n| \(columns.joined(separator: " | ")) |\n|\(separators)\n" + lines.joined()
    }

    func figure(_ title: String, _ code: String, of owner: String) -> String {
        let fence = code.fence(atLeast: 3)
        return "\n\(text(title)):\n\n\(fence)\n\(code)\n\(fence)\n"
    }

    // MARK: The page

    func page(_ contents: DocsContents) -> String {
        "# \(text(contents.title))\n\n\(text(contents.summary))\n\(contents.header)"
            + contents.sections.map { section($0, level: 2) }.joined()
    }

    /// Returns a section with the sections inside it, after an anchor that links lead to.
    ///
    /// - Parameters:
    ///   - section: The section.
    ///   - level: The number of `#` before its title.
    private func section(_ section: DocsSection, level: Int) -> String {
        let marks = String(repeating: "#", count: level)
        return "\n\(anchor(section.id))\n\n\(marks) \(text(section.title))\n\(section.facts)\(section.code)"
            + section.sections.map { self.section($0, level: level + 1) }.joined()
    }
}
