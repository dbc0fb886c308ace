import EndpointKit

/// Makes comments and summaries of the descriptions in a document.
///
/// Descriptions are CommonMark, and many have HTML in them. A description with a secret in it gives no text at all.
enum DocumentText {
    /// A longer comment is cut. It would hide the declaration that it belongs to.
    private static let maxCommentLength = 2_000

    /// Returns the first paragraph of a description as lines of a comment, with a line break between them.
    ///
    ///     Possible values:
    ///
    ///     * on                Possible values:
    ///     * off               * on
    ///                         * off
    ///     More about it.
    ///
    /// A list after a paragraph that ends with a colon belongs to it. The items of a list keep lines of their own.
    ///
    /// - Parameter description: The description; nil if there is none.
    /// - Returns: The lines; empty if there are none, or if they hold a secret.
    static func comment(_ description: String?) -> String {
        guard let description else { return "" }
        let lines = paragraph(withoutTags(description))
        let text = cut(lines.joined(separator: "\n"), maxCommentLength)
        return SecretRules.findsSecret(in: text) ? "" : text
    }

    /// Returns the first sentence or more of a description on one line.
    ///
    /// - Parameters:
    ///   - description: The description; nil if there is none.
    ///   - maxLength: The most characters. Of a longer paragraph, its first sentence is taken, or else its first words.
    static func summary(_ description: String?, maxLength: Int) -> String {
        let line = words(comment(description)).joined(separator: " ")
        if line.count <= maxLength { return line }
        let sentence = firstSentence(line)
        return cut(sentence, maxLength)
    }

    /// Returns a short text, such as the title of the document, on one line.
    ///
    /// - Returns: The text; empty if it is longer than `maxLength`, or if it holds a secret.
    static func title(_ text: String?, maxLength: Int) -> String {
        let line = words(comment(text)).joined(separator: " ")
        return line.count <= maxLength ? line : ""
    }

    // MARK: Parts of a text

    private static func words(_ text: some StringProtocol) -> [Substring] {
        Substring(text).split(whereSeparator: \.isWhitespace)
    }

    /// Returns the text up to the first full stop that ends a sentence: one before a space and a capital letter that
    /// does not follow an abbreviation such as `e.g.` or `Dr.`
    private static func firstSentence(_ line: String) -> String {
        let words = words(line)
        for (index, word) in words.enumerated().dropLast() {
            guard word.last == ".", word.count > 4, !word.dropLast().contains(".") else { continue }
            guard words[index + 1].first?.isUppercase == true else { continue }
            return words[...index].joined(separator: " ")
        }
        return line
    }

    /// Returns the first words of a text, with an ellipsis if some are left out.
    private static func cut(_ text: String, _ maxLength: Int) -> String {
        guard text.utf8.count > maxLength, text.count > maxLength else { return text }
        let start = text.prefix(maxLength - 1)
        let end = start.lastIndex(where: \.isWhitespace) ?? start.endIndex
        return start[..<end] + "…"
    }

    /// Returns the first paragraph of a text: one line for its sentences, and one for each item of a list in it.
    ///
    /// Line breaks that only wrap a sentence are removed. A list after a blank line belongs to the paragraph if the
    /// line before ends with a colon or is an item itself.
    private static func paragraph(_ text: String) -> [String] {
        var lines: [String] = []
        var isAfterBlank = false
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let words = words(line)
            guard let first = words.first else {
                isAfterBlank = !lines.isEmpty
                continue
            }
            let isItem = isListMarker(first) && words.count > 1
            // After the blank line, only a list that the paragraph announces goes on.
            if isAfterBlank {
                let isAnnounced = lines.last?.last == ":" || lines.last.map(isItemLine) == true
                guard isItem, isAnnounced else { break }
                isAfterBlank = false
            }
            let content = words.joined(separator: " ")
            if isItem || lines.isEmpty {
                lines.append(content)
            } else {
                lines[lines.count - 1] += " " + content
            }
        }
        return lines
    }

    /// Whether a word begins an item of a list in CommonMark: `*`, `-`, `+`, or a number such as `1.`
    private static func isListMarker(_ word: Substring) -> Bool {
        if ["*", "-", "+"].contains(word) { return true }
        return word.count < 4 && word.last == "." && word.dropLast().allSatisfy { ("0"..."9").contains($0) }
    }

    /// Whether a line is an item of a list: `- red`.
    private static func isItemLine(_ line: String) -> Bool {
        line.split(separator: " ").first.map(isListMarker) == true
    }

    /// Returns a text without the tags of HTML: `a b` for `a <b>b</b>`. A `<` without a `>` after it stays.
    private static func withoutTags(_ text: String) -> String {
        let parts = text.parts(at: "<")
        guard parts.count > 1 else { return text }
        let rest = parts.dropFirst().map { part in
            guard let end = part.firstIndex(of: ">"), startsTag(part) else { return "<" + part }
            return String(part[end...].dropFirst())
        }
        return parts[0] + rest.joined()
    }

    /// Whether a text after `<` is a tag: it begins with a letter or a slash, as in `<br>` and `</b>`.
    private static func startsTag(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first else { return false }
        return first == "/" || first == "!" || first.properties.isAlphabetic
    }
}
