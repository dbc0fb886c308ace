extension String {
    /// The first paragraph of a text on one line, with one space between its words; nil if the text has no words.
    ///
    /// A paragraph ends before an empty line, as in CommonMark.
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
