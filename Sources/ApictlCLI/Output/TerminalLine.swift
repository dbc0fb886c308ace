/// The sequences that redraw a line of a terminal in place.
enum TerminalLine {
    /// Clears the line from the cursor on (ECMA-48, "erase in line").
    private static let clearingRest = "\u{1B}[K"

    /// Erases the line on which the cursor stands.
    static let erasing = "\r" + clearingRest

    /// Returns what replaces the line on which the cursor stands with `text`, indented by two spaces.
    static func redrawn(_ text: String) -> String { "\r  " + text + clearingRest }
}
