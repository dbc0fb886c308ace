/// Breaks text into lines at spaces.
enum TextWrap {
    /// Returns `text` in lines of at most `width` columns. Only a single word that is longer makes a line wider.
    ///
    /// - Parameters:
    ///   - text: The text, without line breaks.
    ///   - width: The width of the terminal.
    ///   - hang: The column at which all lines start. The lines after the first are indented by spaces. The first one
    ///     is not, because the caller writes something before it.
    static func text(_ text: String, width: Int, hang: Int = 0) -> String {
        if hang + TextWidth.columns(of: text) <= width { return text }
        let lineBreak = "\n" + String(repeating: " ", count: hang)
        var wrapped = ""
        // The column at which the last line ends.
        var lineEnd = hang
        // The text is split at bytes, because finding characters is slow. The space is a single byte.
        let words = text.utf8.split(separator: UInt8(ascii: " ")).map { Substring($0) }
        for word in words {
            let wordWidth = TextWidth.columns(of: word)
            // The column at which the word would end on the same line, after a space.
            let endOnSameLine = lineEnd + 1 + wordWidth
            if wrapped.isEmpty {
                lineEnd = hang + wordWidth
            } else if endOnSameLine <= width {
                wrapped += " "
                lineEnd = endOnSameLine
            } else {
                wrapped += lineBreak
                lineEnd = hang + wordWidth
            }
            wrapped += word
        }
        return wrapped
    }
}
