extension String {
    /// The first paragraph of the text on one line, with one space between words; nil if the text has no words.
    ///
    /// A paragraph ends at an empty line, as in CommonMark.
    var firstParagraph: String? {
        var words: [Substring] = []
        for line in utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let wordsOfLine = Substring(line).unicodeScalars.split(whereSeparator: Self.isWhitespace)
            if wordsOfLine.isEmpty, !words.isEmpty { break }
            words += wordsOfLine.map { Substring($0) }
        }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// Whether a scalar separates words.
    private static func isWhitespace(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar == " " || ("\t"..."\r").contains(scalar) }
        // Looking up the properties of a scalar is slow, and nearly all texts are ASCII.
        return scalar.properties.isWhitespace
    }
}
