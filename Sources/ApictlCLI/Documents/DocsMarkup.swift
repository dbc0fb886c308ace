/// A section of a page of documentation, about an API, an endpoint or a model. Links lead to its identifier.
struct DocsSection {
    let id: String
    let title: String
    /// The summary, the tables and texts, as markup.
    var descriptionMarkup = ""
    /// The commands, the Swift code and the sample, as markup.
    var code = ""
    var sections: [DocsSection] = []
}

/// A row of a table on a page of documentation. The first cell is its heading.
struct DocsRow {
    /// The identifier, to which links lead; nil if there is none.
    var id: String?
    /// The cells as markup.
    let cells: [String]
}

/// A page of documentation.
struct DocsContents {
    let title: String
    /// A paragraph below the title.
    let summary: String
    /// The number of endpoints in words.
    let endpointCount: String
    /// The markup before the sections.
    let header: String
    /// The sections of APIs and models.
    let sections: [DocsSection]
}

/// Writes the parts of a page in one format of documentation, such as HTML.
///
/// Arguments that are names, titles, summaries or code are plain text, which the format must escape. Cells, lines and
/// the contents of blocks are markup already, which stays as it is.
protocol DocsMarkup {
    // MARK: Parts of lines

    /// Returns plain text as markup, with escapes for characters that would be markup.
    func escaped(_ plainText: String) -> String
    /// Returns a short text of code within a line.
    func inlineCode(_ code: String) -> String
    /// Returns the method of a request, such as `GET`, which stands out.
    func methodName(_ method: String) -> String
    /// Returns a link.
    ///
    /// - Parameters:
    ///   - title: The text of the link.
    ///   - target: A URL, or `#` with the identifier of a section or row of the page.
    func link(_ title: String, to target: String) -> String

    // MARK: Blocks

    /// Returns a heading within a section, such as `Parameters`.
    func heading(_ title: String) -> String
    /// Returns a paragraph of one or more lines.
    func paragraph(lines: [String]) -> String
    /// Returns a table of one or more rows. The column titles are plain text without characters that need escapes.
    func table(columnTitles: [String], nonEmptyRows rows: [DocsRow]) -> String
    /// Returns code under a title.
    ///
    /// - Parameters:
    ///   - title: The title, such as `curl`.
    ///   - code: The code without line breaks at its ends.
    ///   - owner: The name of the API or endpoint that has the code.
    func figure(_ title: String, code: String, of owner: String) -> String

    /// Returns the whole page.
    func page(_ contents: DocsContents) -> String
}

extension DocsMarkup {
    /// Returns a heading with content below it; an empty text without content.
    func block(_ title: String, content: String) -> String { content.isEmpty ? "" : heading(title) + content }

    /// Returns a paragraph of the lines that are not empty; an empty text if all of them are.
    func paragraph(nonEmptyLinesOf lines: [String]) -> String {
        let nonEmptyLines = lines.filter { !$0.isEmpty }
        return nonEmptyLines.isEmpty ? "" : paragraph(lines: nonEmptyLines)
    }

    /// Returns a table; an empty text without rows.
    func table(columnTitles: [String], rows: [DocsRow]) -> String {
        rows.isEmpty ? "" : table(columnTitles: columnTitles, nonEmptyRows: rows)
    }

    /// Returns code under a title, without control characters that a terminal or browser would obey.
    ///
    /// - Parameters:
    ///   - title: The title, such as `curl`.
    ///   - code: The code. Without any, or with nil, the result is empty.
    ///   - owner: The name of the API or endpoint that has the code.
    func codeBlock(_ title: String, code: String?, of owner: String) -> String {
        guard let code, !code.isEmpty else { return "" }
        let safeCode = String(decoding: TerminalFilter.escaped(Array(code.utf8)[...]), as: UTF8.self)
        return figure(title, code: safeCode.trimmingLineBreaks, of: owner)
    }
}
