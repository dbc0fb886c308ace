import JSONText

extension String {
    /// This text on one line, with control characters escaped and bytes that are not UTF-8 shown like `\xFF`.
    var safeToShow: String { TerminalText.escaped(escapingRawBytes) }

    /// The text without the line breaks at its end.
    var trimmingLineBreaks: String {
        guard let last = lastIndex(where: { !$0.isNewline }) else { return "" }
        return String(self[...last])
    }
}
