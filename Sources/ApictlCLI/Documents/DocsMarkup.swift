/// A part of a page of documentation about an API, an endpoint or a model. Links lead to its identifier.
struct DocsSection {
    let id: String
    let title: String
    /// The summary, the tables and texts, as markup.
    var facts = ""
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
    let count: String
    /// The markup before the sections.
    let header: String
    /// The sections of APIs and models.
    let sections: [DocsSection]
}

/// Writes the parts of a page in one format of documentation, such as HTML.
///
/// Arguments that are names, titles, summaries, texts or code are plain text, which the format must escape. Cells,
/// lines and the contents of blocks are markup already, which stays as it is.
protocol DocsMarkup {
    // MARK: Parts of lines

    /// Returns plain text as markup.
    func text(_ text: String) -> String
    /// Returns a short piece of code within a line.
    func code(_ text: String) -> String
    /// Returns the method of a request, such as `GET`, which stands out.
    func method(_ method: String) -> String
    /// Returns a link to a URL, or to a part of the page if the target is `#` with an identifier.
    func link(_ text: String, to target: String) -> String

    // MARK: Blocks

    /// Returns a heading within a section, such as `Parameters`.
    func heading(_ title: String) -> String
    /// Returns a paragraph of one or more lines.
    func paragraph(_ lines: [String]) -> String
    /// Returns a table of one or more rows.
    func writtenTable(_ columns: [String], _ rows: [DocsRow]) -> String
    /// Returns code under a title.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - code: The code without line breaks at its ends.
    ///   - owner: The name of the API or endpoint that has the code.
    func figure(_ title: String, _ code: String, of owner: String) -> String

    /// Returns the whole page.
    func page(_ contents: DocsContents) -> String
}

extension DocsMarkup {
    /// Returns content under a heading; an empty text without content.
    func block(_ title: String, _ content: String) -> String { content.isEmpty ? "" : heading(title) + content }

    /// Returns a paragraph of the lines that are not empty; an empty text without any.
    func lines(_ lines: [String]) -> String {
        let lines = lines.filter { !$0.isEmpty }
        return lines.isEmpty ? "" : paragraph(lines)
    }

    /// Returns a table; an empty text without rows.
    func table(_ columns: [String], _ rows: [DocsRow]) -> String { rows.isEmpty ? "" : writtenTable(columns, rows) }

    /// Returns code under a title, without control characters that a terminal or browser would obey.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - code: The code. Without any, the result is empty.
    ///   - owner: The name of the API or endpoint that has the code.
    func code(_ title: String, _ code: String?, of owner: String) -> String {
        guard let code, !code.isEmpty else { return "" }
        let bytes = TerminalFilter.escaped(Array(code.utf8)[...])
        return figure(title, String(decoding: bytes, as: UTF8.self).trimmingLineBreaks, of: owner)
    }
}
