extension String {
    /// The first paragraph of a text on one line, with one space between its words; nil if the text has no words.
    ///
    /// A paragraph ends before an empty line, as in CommonMark.
    var firstParagraph: String? {
        var words: [Substring] = []
        for line in utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let wordsOfLine = Substring(line).unicodeScalars.split(whereSeparator: Self.isWhitespace)
            if wordsOfLine.isEmpty, !words.isEmpty { break }
            words += wordsOfLine.map { Substring($0) }
        }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// Returns whether a scalar separates words.
    ///
    /// Nearly all texts are ASCII. To look up the properties of a scalar takes longer than all else here.
    private static func isWhitespace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? scalar == " " || ("\t"..."\r").contains(scalar) : scalar.properties.isWhitespace
    }
}
