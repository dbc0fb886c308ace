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
