import JSONText

extension String {
    /// This text on one line, with control characters escaped and bytes that are not UTF-8 shown like `\xFF`.
    var safeToShow: String { TerminalText.escaped(escapingRawBytes) }
}
