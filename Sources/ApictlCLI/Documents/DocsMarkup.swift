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

/// The writer of one format of documentation.
///
/// Names, titles, summaries, texts and code are any texts, in which nothing is markup. Cells, lines and the contents of
/// blocks are markup already.
protocol DocsMarkup {
    // MARK: Parts of lines

    func text(_ text: String) -> String
    func code(_ text: String) -> String
    func method(_ method: String) -> String
    /// Returns a link to a URL, or to a part of the page if the target is `#` with an identifier.
    func link(_ text: String, to target: String) -> String

    // MARK: Blocks

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

    /// Returns code under a title, without characters that a terminal or browser would obey; an empty text without code.
    func code(_ title: String, _ code: String?, of owner: String) -> String {
        guard let code, !code.isEmpty else { return "" }
        let bytes = TerminalFilter.escaped(Array(code.utf8)[...])
        return figure(title, String(decoding: bytes, as: UTF8.self).trimmingLineBreaks, of: owner)
    }
}
