import JSONText

extension RequestContent {
    /// Returns the notes of the body's fields by their names.
    func fieldNotes(_ document: OpenAPIDocument) -> [String: String] {
        let notes: [(String, String?)] =
            switch mediaType.schema {
            case .schema(let schema): document.members(of: schema).map { ($0.name, $0.summary?.firstParagraph) }
            case .form(let fields): fields.map { ($0.name, $0.summary?.firstParagraph) }
            case .items, nil: []
            }
        let written = notes.compactMap { name, note in note.map { (name, $0) } }
        return Dictionary(written, uniquingKeysWith: { first, _ in first })
    }
}

extension String {
    /// The first paragraph of a description on one line; nil if there is no text.
    var firstParagraph: String? {
        var words: [Substring] = []
        for line in split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let wordsOfLine = line.split(whereSeparator: \.isWhitespace)
            if wordsOfLine.isEmpty, !words.isEmpty { break }
            words += wordsOfLine
        }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}
