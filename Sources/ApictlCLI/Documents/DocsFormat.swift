/// A format of documentation.
enum DocsFormat: String, CaseIterable {
    case html, markdown

    /// The writer of the format.
    var markup: any DocsMarkup {
        switch self {
        case .html: HTMLDocs()
        case .markdown: MarkdownDocs()
        }
    }
}
