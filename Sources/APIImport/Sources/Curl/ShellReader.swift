import EndpointKit
import JSONText

/// Reads the words of the commands in a text that was copied from a shell, from documentation or from a browser.
///
///     curl -H 'X: 1' \
///       "https://example.com/$ID"    →    ["curl", "-H", "X: 1", "https://example.com/<ID>"]
///
/// A variable stays in its word as its name between two ``mark``s, which `<` and `>` stand for above. Nothing is run: a
/// text that would run a command to make a word is refused.
package struct ShellReader {
    /// The character before and after the name of a variable: a private one, which a text must not have.
    package static let mark: Unicode.Scalar = "\u{10FFFD}"
    private static let markBytes = Array(String(mark).utf8)

    private let text: [UInt8]
    /// The bytes that have not been read yet.
    private var unread: ArraySlice<UInt8>
    /// The words of the commands that have been read.
    private var commands: [[String]] = []
    /// The words of the command that is being read.
    private var words: [String] = []
    /// The word that is being read; nil between words.
    private var word: [UInt8]?
    /// Whether the word that is being read begins with a quote of the shell.
    private var wordIsQuoted = false
    /// The position after the first byte of the command that is being read, for errors.
    private var commandStart = 0
    /// Whether the next word is the file of a redirection.
    private var skipsWord = false
    /// The quote that is open; nil outside of quotes.
    private var openQuote: Quote?
    /// The position after the beginning of the open quote, for errors.
    private var quoteStart = 0

    private init(_ text: [UInt8]) {
        self.text = text
        unread = text[...]
    }

    /// Returns the words of each command in a text of a POSIX shell or bash.
    ///
    /// - Throws: ``ImportError`` for a text that only a shell can read, that has an open quote, or that is for cmd or
    ///   PowerShell, whose quoting differs.
    package static func commands(_ text: String) throws(ImportError) -> [[String]] {
        if text.unicodeScalars.contains(mark) { throw ImportError("the text has a private character, U+10FFFD") }
        // A browser's text for PowerShell starts with one of these words.
        let wordsOfPowerShell = ["$session", "Invoke-WebRequest", "Invoke-RestMethod"]
        let textAfterSpaces = text.drop(while: \.isWhitespace)
        if wordsOfPowerShell.contains(where: textAfterSpaces.hasPrefix) { throw otherShell("PowerShell") }
        // Lines may end with a carriage return and a line feed, of which a shell knows only the line feed.
        var reader = ShellReader(text.exactBytes.filter { $0 != UInt8(ascii: "\r") })
        try reader.readCommands()
        try reader.endCommand()
        return reader.commands
    }

    /// Returns the error for a text that is not for a POSIX shell.
    private static func otherShell(_ name: String) -> ImportError {
        ImportError("this is text for \(name); copy the request with \"Copy as cURL (bash)\"")
    }

    /// Adds the word that is being read to those of the command. The file of a redirection, as in `> FILE`, is left
    /// out.
    private mutating func endWord() throws(ImportError) {
        if let word {
            if !wordIsQuoted { try checkQuotes(word) }
            if !skipsWord { words.append(String(exactBytes: word)) }
            skipsWord = false
        }
        word = nil
    }

    /// Adds the command that is being read to ``commands``, if it has words.
    private mutating func endCommand() throws(ImportError) {
        try endWord()
        if let first = words.first {
            try checkBeginning(first)
            commands.append(words)
        }
        words = []
    }

    /// Checks that a word does not begin with a typographic quote such as `“`, which a shell takes for a letter.
    private func checkQuotes(_ word: [UInt8]) throws(ImportError) {
        let typographicQuotes = "“”„‟‘’‚‛«»".unicodeScalars
        guard let first = String(exactBytes: word).unicodeScalars.first, typographicQuotes.contains(first) else {
            return
        }
        let code = String(first.value, radix: 16, uppercase: true)
        throw problem("'\(first)' (U+\(code)) is not a quote of the shell; write ' or \"")
    }

    /// Checks that a command does not begin with an option, such as `-H`. Such a line continues the one before, whose
    /// `\` at the end is missing.
    ///
    /// - Parameter word: The first word of the command.
    private func checkBeginning(_ word: String) throws(ImportError) {
        let afterDashes = word.utf8.drop { $0 == UInt8(ascii: "-") }
        let isOption = word.utf8.first == UInt8(ascii: "-") && afterDashes.first?.isLetterOrDigit == true
        guard isOption else { return }
        throw problem(
            "a command can't begin with an option; is a \\ missing at the end of the line before?", at: commandStart)
    }

    /// Adds bytes to the word that is being read, or begins a word. Without bytes, it may stay an empty word: `''`.
    private mutating func append(_ bytes: some Sequence<UInt8>) {
        if word == nil {
            word = []
            wordIsQuoted = false
            // Errors about the beginning of the command name the line of its first word.
            if words.isEmpty { commandStart = unread.startIndex }
        }
        word?.append(contentsOf: bytes)
    }

    /// Whether a character is next in the text.
    private func isNext(_ character: Character) -> Bool { unread.first == character.asciiValue }

    /// Skips a character if it is next.
    ///
    /// - Returns: Whether it was next.
    private mutating func skip(_ character: Character) -> Bool {
        guard isNext(character) else { return false }
        unread = unread.dropFirst()
        return true
    }

    /// Returns an error that names the line of a position in the text, or else of the next byte: `line 2: …`.
    private func problem(_ text: String, at offset: Int? = nil) -> ImportError {
        let before = self.text[..<(offset ?? unread.startIndex)]
        return ImportError("line \(before.count { $0 == UInt8(ascii: "\n") } + 1): \(text)")
    }
}

// MARK: POSIX shells and bash

extension ShellReader {
    /// A quote that is open: `'…'`, `"…"` or `$'…'`, which has the escapes of C.
    private enum Quote: String {
        case single = "'"
        case double = "\""
        case dollarSingle = "$'"
    }

    /// Reads all commands of the text. What a byte means depends on the quote in which it stands: none, `'…'`, `"…"`
    /// or `$'…'`.
    ///
    /// - Throws: ``ImportError`` for what only a shell can do, and for a quote that is not closed.
    private mutating func readCommands() throws(ImportError) {
        while let byte = unread.popFirst() {
            switch openQuote {
            case nil: try readUnquoted(byte)
            case .single?: readInSingleQuotes(byte)
            case .double?: try readInDoubleQuotes(byte)
            case .dollarSingle?: readInDollarSingleQuotes(byte)
            }
        }
        if let openQuote { throw problem("the quote \(openQuote.rawValue) is not closed", at: quoteStart) }
    }

    /// Reads a byte outside of quotes, and the bytes after it that belong to it, such as the name after a `$`.
    ///
    /// - Throws: ``ImportError`` for what only a shell can do, such as running `$(date)`, and for text of cmd or
    ///   PowerShell.
    private mutating func readUnquoted(_ byte: UInt8) throws(ImportError) {
        switch Unicode.Scalar(byte) {
        case "'": open(.single)
        case "\"": open(.double)
        case "$" where skip("'"): open(.dollarSingle)
        // bash may translate `$"…"`. Here it means the same as `"…"`.
        case "$" where skip("\""): open(.double)
        case "$": try readVariable()
        case "\\":
            // A backslash at the end of a line continues the command.
            if let next = unread.popFirst(), next != UInt8(ascii: "\n") { append([next]) }
        case " ", "\t": try endWord()
        case "\n", ";", "|": try endCommand()
        case "&": try readAmpersand()
        case ">": try readRedirection()
        // At the start of a word, `#` begins a comment.
        case "#" where word == nil: unread = unread.drop { $0 != UInt8(ascii: "\n") }
        // cmd continues a line with a caret and escapes a quote with it. PowerShell continues a line with a backtick.
        case "^" where isNext("\n") || isNext("\""): throw Self.otherShell("cmd")
        case "`" where isNext("\n"): throw Self.otherShell("PowerShell")
        case "`": throw backticks
        case "<": throw problem("input from '<' is not read; write it as --data-raw '…' or --data-binary @FILE")
        case "(", ")": throw problem("'\(Character(Unicode.Scalar(byte)))' is not part of a curl command")
        default: append([byte])
        }
    }

    /// Reads a byte in `'…'`, where every byte stands for itself.
    private mutating func readInSingleQuotes(_ byte: UInt8) {
        if byte == UInt8(ascii: "'") { openQuote = nil } else { append([byte]) }
    }

    /// Reads a byte in `$'…'`, where a backslash begins an escape as in C: `\n`, `\x41`.
    private mutating func readInDollarSingleQuotes(_ byte: UInt8) {
        switch Unicode.Scalar(byte) {
        case "'": openQuote = nil
        case "\\": readEscape()
        default: append([byte])
        }
    }

    /// Reads a byte in `"…"`, where `$` begins a variable, and a backslash escapes `$`, a backtick, `"` and itself.
    ///
    /// - Throws: ``ImportError`` for a command in backticks, for what only a shell does with `$`, and for text of cmd.
    private mutating func readInDoubleQuotes(_ byte: UInt8) throws(ImportError) {
        switch Unicode.Scalar(byte) {
        case "\"": openQuote = nil
        case "$": try readVariable()
        case "\\":
            // A backslash at the end of a line joins it to the next line.
            guard let next = unread.popFirst(), next != UInt8(ascii: "\n") else { return }
            let isEscaped = "$`\"\\".utf8.contains(next)
            append(isEscaped ? [next] : [byte, next])
        case "^" where isInEscapeOfCmd: throw Self.otherShell("cmd")
        case "`": throw backticks
        default: append([byte])
        }
    }

    /// Whether the text after a caret shows that it is one of cmd, which escapes `%` as `^%^` and `"` as `^\^"` in
    /// quotes.
    private var isInEscapeOfCmd: Bool { unread.starts(with: "%^".utf8) || unread.starts(with: "\\^\"".utf8) }

    /// Opens a quote, and begins a word unless the quote is inside of one: `a'b c'` is one word.
    private mutating func open(_ quote: Quote) {
        let beginsWord = word == nil
        openQuote = quote
        quoteStart = unread.startIndex
        // A word of quotes alone, `''`, is an empty word.
        append([])
        // In quotes, a word may begin with a typographic quote, which is an error elsewhere.
        if beginsWord { wordIsQuoted = true }
    }

    /// The error for a command in backticks.
    private var backticks: ImportError {
        problem("a command in backticks would have to be run; put what it prints in its place")
    }

    /// Reads what follows `&`, which redirects output (`&>`) or ends the command.
    ///
    /// - Throws: ``ImportError`` if a word goes on right after it, as in a URL without quotes.
    private mutating func readAmpersand() throws(ImportError) {
        if skip(">") { return try readRedirection() }
        let endsCommand = word == nil || unread.first.map { " \t\n&;|".utf8.contains($0) } ?? true
        guard endsCommand else {
            throw problem("what follows '&' is another command; put the URL in quotes: 'https://…'")
        }
        try endCommand()
    }

    /// Reads what follows `>`. The next word is the file of the redirection, and not a word of the command.
    private mutating func readRedirection() throws(ImportError) {
        // The word before may be the number of a descriptor, as in `2> FILE`.
        if let descriptor = word, descriptor.allSatisfy(\.isDigit) { word = nil }
        try endWord()
        // The redirection may also be written as `>>`, `>&` or `>|`.
        while skip(">") || skip("&") || skip("|") {}
        skipsWord = true
    }

    /// Reads what follows `$`: `NAME` or `{NAME}`. The name stays in the word, between marks.
    ///
    /// A `$` without a name stands for itself.
    ///
    /// - Throws: ``ImportError`` for what only a shell can do, such as `$(date)` and `${NAME:-1}`.
    private mutating func readVariable() throws(ImportError) {
        if isNext("(") {
            throw problem("the command in $(…) would have to be run; put what it prints in its place")
        }
        let isBraced = skip("{")
        let name = Array(unread.prefix { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") })
        unread = unread.dropFirst(name.count)
        guard let first = name.first else {
            if isBraced { throw problem("only ${NAME} is read of what a shell does with '${'") }
            return append([UInt8(ascii: "$")])
        }
        let isClosed = !isBraced || skip("}")
        // `$1` is an argument of a script, and in `${NAME:-1}` no brace follows the name.
        if first.isDigit || !isClosed {
            throw problem(
                "only $NAME and ${NAME} are read; put the value in the place of '\(String(exactBytes: name))'")
        }
        append(Self.markBytes + name + Self.markBytes)
    }

    /// The bytes that letters after a backslash stand for in `$'…'`: `\n` is a line break.
    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "n"): UInt8(ascii: "\n"), UInt8(ascii: "t"): UInt8(ascii: "\t"),
        UInt8(ascii: "r"): UInt8(ascii: "\r"), UInt8(ascii: "a"): 0x07, UInt8(ascii: "b"): 0x08,
        UInt8(ascii: "f"): 0x0C, UInt8(ascii: "v"): 0x0B, UInt8(ascii: "e"): 0x1B, UInt8(ascii: "E"): 0x1B,
        UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "'"): UInt8(ascii: "'"),
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "?"): UInt8(ascii: "?"),
    ]

    /// Reads what follows a backslash in `$'…'`, and adds the bytes that it stands for: `x41` → `A`.
    private mutating func readEscape() {
        guard let letter = unread.popFirst() else {
            // The text ends after the backslash.
            append([UInt8(ascii: "\\")])
            return
        }
        if let byte = Self.escapes[letter] {
            append([byte])
            return
        }
        // Numbers: `\x41`, `\u00e9`. Without digits, the value is 0.
        switch Unicode.Scalar(letter) {
        case "x": append([UInt8(truncatingIfNeeded: readNumber(radix: 16, maxDigits: 2) ?? 0)])
        case "u": appendCharacter(readNumber(radix: 16, maxDigits: 4) ?? 0)
        case "U": appendCharacter(readNumber(radix: 16, maxDigits: 8) ?? 0)
        case "c":
            // A control character: `\cA` is U+0001, and `\c?` is U+007F.
            if let character = unread.popFirst() { append([character == UInt8(ascii: "?") ? 0x7F : character & 0x1F]) }
        case "0"..."7":
            // The letter is the first digit, so it is read again with the others.
            unread = text[(unread.startIndex - 1)..<text.endIndex]
            // Three octal digits may exceed a byte, so only the lowest eight bits count.
            append([UInt8(truncatingIfNeeded: readNumber(radix: 8, maxDigits: 3) ?? 0)])
        default: append([UInt8(ascii: "\\"), letter])
        }
    }

    /// Adds the character of an escape such as `\u00e9`, in UTF-8. A value that is no character becomes U+FFFD.
    private mutating func appendCharacter(_ value: UInt32) {
        let character = readSurrogatePair(after: value) ?? Unicode.Scalar(value) ?? "\u{FFFD}"
        append(UTF8.encode(character) ?? UTF8.encodedReplacementCharacter)
    }

    /// Reads the second half of a surrogate pair: `\ude00` after `\ud83d` makes 😀.
    ///
    /// Browsers write characters as units of UTF-16 (RFC 8259, section 7).
    ///
    /// - Parameter first: The value of the escape before.
    /// - Returns: The character of both halves; nil if `first` and the next escape are no pair.
    private mutating func readSurrogatePair(after first: UInt32) -> Unicode.Scalar? {
        guard (0xD800...0xDBFF).contains(first), unread.starts(with: "\\u".utf8) else { return nil }
        let unreadBefore = unread
        unread = unread.dropFirst(2)
        if let second = readNumber(radix: 16, maxDigits: 4), (0xDC00...0xDFFF).contains(second) {
            // Each half has ten bits of the character's code above U+FFFF.
            let highBits = (first - 0xD800) << 10
            let lowBits = second - 0xDC00
            return Unicode.Scalar(0x10000 + highBits + lowBits)
        }
        // The next escape is another character, and is read again.
        unread = unreadBefore
        return nil
    }

    /// Reads the digits of a number; nil if no digit follows.
    private mutating func readNumber(radix: Int, maxDigits: Int) -> UInt32? {
        let digits = unread.prefix(maxDigits).prefix { UInt32(String(Unicode.Scalar($0)), radix: radix) != nil }
        unread = unread.dropFirst(digits.count)
        return UInt32(String(decoding: digits, as: UTF8.self), radix: radix)
    }
}
