import JSONText

/// Writes words so that a POSIX shell (XCU, section 2.2), zsh and fish read back exactly the same bytes.
///
/// Where these shells differ, the notation is one that all of them understand in the same way. In fish, a backslash
/// within single quotes escapes a quote or another backslash.
package enum ShellWord {
    /// Returns a text that a shell reads as one word: as it is, in single quotes, or as a call of `printf`.
    ///
    ///     abc → abc    a b → 'a b'    (empty) → ''    ESC [ 1 m → "$(printf '\033\1331m')"
    package static func quoted(_ text: String) -> String {
        let bytes = text.exactBytes
        guard let first = bytes.first else { return "''" }
        // zsh expands a word that starts with `=`.
        if bytes.allSatisfy(isPlain), first != UInt8(ascii: "=") { return text }
        if text.unicodeScalars.contains(where: isControl) || text.holdsRawBytes { return printed(bytes) }
        return singleQuoted(bytes)
    }

    /// Returns text in single quotes, except its own quotes and some backslashes.
    ///
    ///     it's    →    'it'\''s'
    ///     a\\b    →    'a'"\\\\"'b'
    ///     a\      →    'a'"\\"''
    ///
    /// In fish, a backslash in single quotes escapes a quote or backslash after it. So such backslashes stand between
    /// two quoted parts in double quotes, where every shell needs two backslashes for one.
    private static func singleQuoted(_ bytes: [UInt8]) -> String {
        let quoteOutside = #"'\''"#
        let backslashOutside = #"'"\\"'"#
        let twoBackslashesOutside = #"'"\\\\"'"#
        let parts = bytes.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false).map { part in
            let text = String(exactBytes: part).replacingBytes(of: #"\\"#, with: twoBackslashesOutside)
            let endsWithBackslash = text.utf8.last == UInt8(ascii: "\\")
            return endsWithBackslash ? text.dropLast() + backslashOutside : text
        }
        return "'" + parts.joined(separator: quoteOutside) + "'"
    }

    /// Returns a word whose bytes `printf` makes, for control characters: `"$(printf 'a\033b')"`.
    ///
    /// A terminal would obey the characters themselves, so that the command could not be shown and copied.
    private static func printed(_ bytes: [UInt8]) -> String {
        // `$( )` removes line breaks at the end, so that they follow in quotes of their own.
        let lineFeed = UInt8(ascii: "\n")
        let lineBreakCount = bytes.reversed().prefix { $0 == lineFeed }.count
        let word = "\"$(\(printf(bytes.dropLast(lineBreakCount))))\""
        return lineBreakCount == 0 ? word : word + "'" + String(repeating: "\n", count: lineBreakCount) + "'"
    }

    /// Returns a call of `printf` that writes any `bytes`.
    ///
    /// Everything except letters, digits and spaces is escaped in octal, because some versions of fish would expand it.
    private static func printf(_ bytes: some Collection<UInt8>) -> String {
        let format = bytes.map { byte in
            if isWordByte(byte) || byte == UInt8(ascii: " ") { return String(Unicode.Scalar(byte)) }
            return byte == UInt8(ascii: "%") ? "%%" : "\\\(byte >> 6)\(byte >> 3 & 7)\(byte & 7)"
        }
        return "printf '" + format.joined() + "'"
    }

    // MARK: Characters

    /// Whether a terminal would obey the character. Tabs and line breaks are allowed in quotes.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        TerminalText.isHazard(scalar.value) && scalar != "\t" && scalar != "\n"
    }

    /// Whether a byte has no meaning for any shell.
    private static func isPlain(_ byte: UInt8) -> Bool { isWordByte(byte) || "-./:@%+=,".utf8.contains(byte) }

    /// Returns whether a byte may be part of a variable's name.
    package static func isWordByte(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || byte == UInt8(ascii: "_") }
}
