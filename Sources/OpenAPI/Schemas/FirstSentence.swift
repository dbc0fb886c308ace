/// Shortens descriptions, which are Markdown of any length, to help texts.
enum FirstSentence {
    /// A longer sentence is cut: it would fill more than three lines of a terminal.
    private static let maxLength = 240

    /// Returns the first sentence of a text, or its first line if that is shorter.
    ///
    ///     "The owner. May be absent."     The owner
    ///     "\nSorted by, e.g. name\nor id"    Sorted by, e.g. name
    ///
    /// A sentence ends at a full stop before a blank and a capital letter. The full stop is left out.
    ///
    /// - Returns: The sentence; nil if the text is blank.
    static func of(_ text: String) -> String? {
        let line = text.drop { $0.isWhitespace }.prefix { !$0.isNewline }
        var sentence = line[..<(end(of: line) ?? line.endIndex)]
        while let last = sentence.last, last.isWhitespace || last == "." { sentence.removeLast() }
        guard !sentence.isEmpty else { return nil }
        let shown = sentence.prefix(maxLength)
        return shown.endIndex < sentence.endIndex ? shown + "…" : String(sentence)
    }

    /// Returns the index of the full stop that ends the first sentence of a line.
    private static func end(of line: Substring) -> Substring.Index? {
        var index = line.startIndex
        while let stop = line[index...].firstIndex(of: ".") {
            let next = line[stop...].dropFirst()
            if next.first?.isWhitespace == true, next.drop(while: \.isWhitespace).first?.isUppercase == true {
                return stop
            }
            index = line.index(after: stop)
        }
        return nil
    }
}
