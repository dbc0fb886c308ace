import JSONText

extension String {
    /// This text on one line, with control characters escaped and bytes that are not UTF-8 shown like `\xFF`.
    var safeToShow: String { TerminalText.escaped(escapingRawBytes) }

    /// This text with the control characters of each line escaped. Only its line breaks stay.
    ///
    /// Descriptions of APIs come from documents, whose texts a terminal must not obey.
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
