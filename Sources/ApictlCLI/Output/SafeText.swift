import JSONText

extension String {
    /// This text on one line, as a terminal can show it. Control characters and line breaks are escaped, and a byte
    /// that is not UTF-8 is shown like `\xFF`.
    var safeToShow: String { TerminalText.escaped(escapingRawBytes) }

    /// This text as a terminal can show it, with its line breaks. Other control characters are escaped.
    ///
    /// It is for descriptions of APIs, because they come from documents whose control characters a terminal must not
    /// obey.
    var safeLines: String {
        let lines = unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { String($0).safeToShow }.joined(separator: "\n")
    }

    /// The text without the line breaks at its end.
    var trimmingLineBreaks: String {
        guard let last = lastIndex(where: { !$0.isNewline }) else { return "" }
        return String(self[...last])
    }
}
