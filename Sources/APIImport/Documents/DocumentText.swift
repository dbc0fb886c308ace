import EndpointKit

/// Makes comments and summaries of the descriptions in a document.
///
/// Descriptions are CommonMark, and many have HTML in them. A description with a secret in it gives no text at all.
enum DocumentText {
    /// A longer comment is cut. It would hide the declaration that it belongs to.
    private static let maxCommentLength = 2_000

    /// Returns the first paragraph of a description as lines of a comment, with a line break between them.
    ///
    /// A list after a paragraph that ends with a colon belongs to it, and each of its items keeps a line of its own:
    ///
    ///     Possible                  Possible values:
    ///     values:             →     * on
    ///                               * off
    ///     * on
    ///     * off
    ///
    ///     More about it.
    ///
    /// - Parameter description: The description; nil if there is none.
    /// - Returns: The lines; empty if there are none, or if they hold a secret.
    static func comment(_ description: String?) -> String {
        guard let description else { return "" }
        let lines = paragraph(withoutTags(description))
        let text = cut(lines.joined(separator: "\n"), maxLength: maxCommentLength)
        return SecretRules.findsSecret(in: text) ? "" : text
    }

    /// Returns the first paragraph of a description on one line, or its first sentence if that would be too long.
    ///
    /// - Parameters:
    ///   - description: The description; nil if there is none.
    ///   - maxLength: The most characters. A longer sentence is cut after a word, and ends with `…`.
    static func summary(_ description: String?, maxLength: Int) -> String {
        let line = splitWords(comment(description)).joined(separator: " ")
        if line.count <= maxLength { return line }
        let sentence = firstSentence(line)
        return cut(sentence, maxLength: maxLength)
    }

    /// Returns a short text, such as the title of the document, on one line.
    ///
    /// - Returns: The text; empty if it is longer than `maxLength`, or if it holds a secret.
    static func title(_ text: String?, maxLength: Int) -> String {
        let line = splitWords(comment(text)).joined(separator: " ")
        return line.count <= maxLength ? line : ""
    }

    // MARK: Parts of a text

    /// Returns the words of a text, between which there are blanks and line breaks.
    private static func splitWords(_ text: some StringProtocol) -> [Substring] {
        Substring(text).split(whereSeparator: \.isWhitespace)
    }

    /// Returns the first sentence of a line: `Lists pets. Needs a key.` → `Lists pets.`
    ///
    /// A full stop ends a sentence if a capital letter follows, and if the word before is no abbreviation: a short word
    /// such as `Dr.`, or one with a full stop in it such as `e.g.`
    private static func firstSentence(_ line: String) -> String {
        let longestAbbreviation = 4
        let words = splitWords(line)
        for (index, word) in words.enumerated().dropLast() where word.last == "." {
            let isAbbreviation = word.count <= longestAbbreviation || word.dropLast().contains(".")
            let isBeforeCapital = words[index + 1].first?.isUppercase == true
            if isBeforeCapital, !isAbbreviation { return words[...index].joined(separator: " ") }
        }
        return line
    }

    /// Returns the first words of a text, with `…` at the end if some are left out.
    private static func cut(_ text: String, maxLength: Int) -> String {
        // Bytes are counted first, because that is fast, and a text has at least as many bytes as characters.
        guard text.utf8.count > maxLength, text.count > maxLength else { return text }
        let firstCharacters = text.prefix(maxLength - 1)
        let endOfLastWord = firstCharacters.lastIndex(where: \.isWhitespace) ?? firstCharacters.endIndex
        return firstCharacters[..<endOfLastWord] + "…"
    }

    /// Returns the first paragraph of a text: one line for its sentences, and one for each item of a list in it.
    ///
    /// Line breaks that only wrap a sentence are removed. A list after a blank line belongs to the paragraph if the
    /// line before ends with a colon or is an item itself.
    private static func paragraph(_ text: String) -> [String] {
        var lines: [String] = []
        var isAfterBlankLine = false
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let words = splitWords(line)
            guard let firstWord = words.first else {
                // Blank lines before the first paragraph do not end it.
                isAfterBlankLine = !lines.isEmpty
                continue
            }
            let isItem = isListMarker(firstWord) && words.count > 1
            if isAfterBlankLine {
                guard isItem, let last = lines.last, announcesItem(last) else { break }
                isAfterBlankLine = false
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

    /// Whether a list goes on after a line and a blank line: `Possible values:`, `- red`.
    private static func announcesItem(_ line: String) -> Bool {
        line.last == ":" || line.split(separator: " ").first.map(isListMarker) == true
    }

    /// Whether a word begins an item of a list in CommonMark: `*`, `-`, `+`, or a number such as `1.`
    private static func isListMarker(_ word: Substring) -> Bool {
        if ["*", "-", "+"].contains(word) { return true }
        guard word.last == "." else { return false }
        let number = word.dropLast()
        // A number with more digits is rather a year at the end of a sentence.
        let maxDigits = 2
        return number.count <= maxDigits && number.allSatisfy { ("0"..."9").contains($0) }
    }

    /// Returns a text without the tags of HTML: `a <b>b</b>` → `a b`. A `<` without a `>` after it stays.
    private static func withoutTags(_ text: String) -> String {
        let partsAfterSigns = text.parts(at: "<")
        var plainText = partsAfterSigns[0]
        for part in partsAfterSigns.dropFirst() {
            if let tagEnd = part.firstIndex(of: ">"), startsTag(part) {
                plainText += part[tagEnd...].dropFirst()
            } else {
                plainText += "<" + part
            }
        }
        return plainText
    }

    /// Whether a text after `<` is a tag or comment: it begins with a letter, `/` or `!`, as in `<br>`, `</b>`, `<!--`.
    private static func startsTag(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first else { return false }
        return first == "/" || first == "!" || first.properties.isAlphabetic
    }
}
