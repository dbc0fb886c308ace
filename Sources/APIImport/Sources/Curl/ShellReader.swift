import EndpointKit
import JSONText

/// Reads the commands of a text that was copied from a shell, from documentation or from a browser. Nothing is run.
///
/// A variable of the shell stays in its word as its name between two ``mark``s.
package struct ShellReader {
    /// Around the name of a variable: a private character, which a text must not have.
    package static let mark: Unicode.Scalar = "\u{10FFFD}"
    private static let markBytes = Array(String(mark).utf8)

    private let text: [UInt8]
    private var rest: ArraySlice<UInt8>
    private var commands: [[String]] = []
    private var words: [String] = []
    /// The word that is being read; nil between words.
    private var word: [UInt8]?
    /// Whether the word that is being read begins with a quote of the shell.
    private var wordIsQuoted = false
    /// The position after the first byte of the command that is being read.
    private var commandStart = 0
    /// Whether the next word is the file of a redirection.
    private var skipsWord = false
    /// The quote that is open; nil outside of quotes.
    private var openQuote: Quote?
    /// The position after the beginning of the open quote.
    private var quoteStart = 0

    private init(_ text: [UInt8]) {
        self.text = text
        rest = text[...]
    }

    /// Returns the words of each command in a text of a POSIX shell or bash.
    ///
    /// - Throws: ``ImportError``, also for a text of cmd or PowerShell, whose quoting differs.
    package static func commands(_ text: String) throws(ImportError) -> [[String]] {
        if text.unicodeScalars.contains(mark) { throw ImportError("the text has a private character, U+10FFFD") }
        // A browser's text for PowerShell starts with one of these words.
        let start = text.drop(while: \.isWhitespace)
        if ["$session", "Invoke-WebRequest", "Invoke-RestMethod"].contains(where: start.hasPrefix) {
            throw otherShell("PowerShell")
        }
        var reader = ShellReader(text.exactBytes.filter { $0 != UInt8(ascii: "\r") })
        try reader.readShell()
        try reader.endCommand()
        return reader.commands
    }

    private static func otherShell(_ name: String) -> ImportError {
        ImportError("this is text for \(name); copy the request with \"Copy as cURL (bash)\"")
    }

    /// Ends the word that is being read. The file of a redirection is no word of the command.
    private mutating func endWord() throws(ImportError) {
        if let word {
            if !wordIsQuoted { try checkQuotes(word) }
            if !skipsWord { words.append(String(exactBytes: word)) }
            skipsWord = false
        }
        word = nil
    }

    /// Ends the command that is being read, if it has words.
    private mutating func endCommand() throws(ImportError) {
        try endWord()
        if let first = words.first {
            try checkBeginning(first)
            commands.append(words)
        }
        words = []
    }

    /// Checks that a word does not begin with a typographic quote, which a shell takes for a letter.
    private func checkQuotes(_ word: [UInt8]) throws(ImportError) {
        guard let first = String(exactBytes: word).unicodeScalars.first, "“”„‟‘’‚‛«»".unicodeScalars.contains(first)
        else { return }
        let code = String(first.value, radix: 16, uppercase: true)
        throw problem("'\(first)' (U+\(code)) is not a quote of the shell; write ' or \"")
    }

    /// Checks that a command does not begin with an option, as the second line does if the first has no `\` at its end.
    private func checkBeginning(_ word: String) throws(ImportError) {
        let name = word.utf8.drop { $0 == UInt8(ascii: "-") }
        guard word.utf8.first == UInt8(ascii: "-"), name.first?.isLetterOrDigit == true else { return }
        throw problem(
            "a command can't begin with an option; is a \\ missing at the end of the line before?", at: commandStart)
    }

    /// Adds bytes to the word that is being read, or begins one.
    private mutating func append(_ bytes: some Sequence<UInt8>) {
        if word == nil {
            word = []
            wordIsQuoted = false
            if words.isEmpty { commandStart = rest.startIndex }
        }
        word?.append(contentsOf: bytes)
    }

    /// Skips a byte; returns false if another one is next.
    private mutating func skip(_ byte: Character) -> Bool {
        guard rest.first == byte.asciiValue else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Returns an error that names the line of an offset, or of the next byte.
    private func problem(_ text: String, at offset: Int? = nil) -> ImportError {
        let before = self.text[..<(offset ?? rest.startIndex)]
        return ImportError("line \(before.count { $0 == UInt8(ascii: "\n") } + 1): \(text)")
    }
}

// MARK: POSIX shells and bash

extension ShellReader {
    /// A quote that is open: `'…'`, `"…"` or, with the escapes of C, `$'…'`.
    private enum Quote: String {
        case single = "'"
        case double = "\""
        case escaped = "$'"
    }

    /// Reads all commands of the text.
    private mutating func readShell() throws(ImportError) {
        while let byte = rest.popFirst() {
            switch openQuote {
            case nil: try readUnquoted(byte)
            case .single: readInSingleQuotes(byte)
            case .double: try readInDoubleQuotes(byte)
            case .escaped: readInEscapedQuotes(byte)
            }
        }
        if let openQuote { throw problem("the quote \(openQuote.rawValue) is not closed", at: quoteStart) }
    }

    /// Reads a byte outside of quotes.
    private mutating func readUnquoted(_ byte: UInt8) throws(ImportError) {
        switch Unicode.Scalar(byte) {
        case "'": open(.single)
        case "\"": open(.double)
        case "$" where skip("'"): open(.escaped)
        case "$" where skip("\""): open(.double)
        case "$": try readVariable()
        case "\\":
            // A backslash at the end of a line continues the command.
            if let next = rest.popFirst(), next != UInt8(ascii: "\n") { append([next]) }
        case " ", "\t": try endWord()
        case "\n", ";", "|": try endCommand()
        case "&": try readAmpersand()
        case ">": try redirect()
        case "#" where word == nil: rest = rest.drop { $0 != UInt8(ascii: "\n") }
        // cmd continues a line with a caret and escapes a quote with it. PowerShell continues a line with a backtick.
        case "^" where rest.first.map("\n\"".utf8.contains) ?? false: throw Self.otherShell("cmd")
        case "`" where rest.first == UInt8(ascii: "\n"): throw Self.otherShell("PowerShell")
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

    /// Reads a byte in `$'…'`.
    private mutating func readInEscapedQuotes(_ byte: UInt8) {
        switch Unicode.Scalar(byte) {
        case "'": openQuote = nil
        case "\\": readEscape()
        default: append([byte])
        }
    }

    /// Reads a byte in `"…"`, where variables and a few escapes count.
    private mutating func readInDoubleQuotes(_ byte: UInt8) throws(ImportError) {
        switch Unicode.Scalar(byte) {
        case "\"": openQuote = nil
        case "$": try readVariable()
        case "\\":
            guard let next = rest.popFirst(), next != UInt8(ascii: "\n") else { return }
            append("$`\"\\".utf8.contains(next) ? [next] : [byte, next])
        // In quotes, cmd escapes `%` and `"` like this.
        case "^" where rest.starts(with: "%^".utf8) || rest.starts(with: "\\^\"".utf8): throw Self.otherShell("cmd")
        case "`": throw backticks
        default: append([byte])
        }
    }

    /// Opens a quote. A word that begins with it may begin with any character.
    private mutating func open(_ quote: Quote) {
        let isFirst = word == nil
        openQuote = quote
        quoteStart = rest.startIndex
        append([])
        if isFirst { wordIsQuoted = true }
    }

    private var backticks: ImportError {
        problem("a command in backticks would have to be run; put what it prints in its place")
    }

    /// Reads on after `&`, which redirects output or ends the command.
    ///
    /// - Throws: ``ImportError`` if a word goes on right after it, as in a URL without quotes.
    private mutating func readAmpersand() throws(ImportError) {
        if skip(">") { return try redirect() }
        let endsCommand = word == nil || rest.first.map { " \t\n&;|".utf8.contains($0) } ?? true
        guard endsCommand else {
            throw problem("what follows '&' is another command; put the URL in quotes: 'https://…'")
        }
        try endCommand()
    }

    /// Reads on after `>`. The next word is the file of the redirection.
    private mutating func redirect() throws(ImportError) {
        // The number of a descriptor, as in `2>`.
        if let open = word, open.allSatisfy(\.isDigit) { word = nil }
        try endWord()
        while skip(">") || skip("&") || skip("|") {}
        skipsWord = true
    }

    /// Reads on after `$`. The name of a variable stays in the word, between marks.
    private mutating func readVariable() throws(ImportError) {
        if rest.first == UInt8(ascii: "(") {
            throw problem("the command in $(…) would have to be run; put what it prints in its place")
        }
        let isBraced = skip("{")
        let name = Array(rest.prefix { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") })
        rest = rest.dropFirst(name.count)
        guard let first = name.first else {
            if isBraced { throw problem("only ${NAME} is read of what a shell does with '${'") }
            return append([UInt8(ascii: "$")])
        }
        if first.isDigit || isBraced && !skip("}") {
            throw problem(
                "only $NAME and ${NAME} are read; put the value in the place of '\(String(exactBytes: name))'")
        }
        append(Self.markBytes + name + Self.markBytes)
    }

    /// The bytes that letters after a backslash stand for.
    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "n"): UInt8(ascii: "\n"), UInt8(ascii: "t"): UInt8(ascii: "\t"),
        UInt8(ascii: "r"): UInt8(ascii: "\r"), UInt8(ascii: "a"): 0x07, UInt8(ascii: "b"): 0x08,
        UInt8(ascii: "f"): 0x0C, UInt8(ascii: "v"): 0x0B, UInt8(ascii: "e"): 0x1B, UInt8(ascii: "E"): 0x1B,
        UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "'"): UInt8(ascii: "'"),
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "?"): UInt8(ascii: "?"),
    ]

    /// Reads on after a backslash in `$'…'`.
    private mutating func readEscape() {
        guard let letter = rest.popFirst() else { return append([UInt8(ascii: "\\")]) }
        if let byte = Self.escapes[letter] { return append([byte]) }
        switch Unicode.Scalar(letter) {
        case "x": append([UInt8(truncatingIfNeeded: number(16, 2) ?? 0)])
        case "u", "U":
            let value = number(16, letter == UInt8(ascii: "u") ? 4 : 8) ?? 0
            let pair = pair(after: value)
            append(UTF8.encode(pair ?? Unicode.Scalar(value) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
        case "c":
            // A control character: `\cA` is U+0001, and `\c?` is U+007F.
            if let character = rest.popFirst() { append([character == UInt8(ascii: "?") ? 0x7F : character & 0x1F]) }
        case "0"..."7":
            rest = text[(rest.startIndex - 1)..<text.endIndex]
            append([UInt8(truncatingIfNeeded: number(8, 3) ?? 0)])
        default: append([UInt8(ascii: "\\"), letter])
        }
    }

    /// Reads the second half of a surrogate pair, `\ude00` after `\ud83d`: browsers write UTF-16 units (RFC 8259,
    /// section 7).
    ///
    /// - Returns: The character of both halves; nil if `first` and what follows are no pair.
    private mutating func pair(after first: UInt32) -> Unicode.Scalar? {
        guard (0xD800...0xDBFF).contains(first), rest.starts(with: "\\u".utf8) else { return nil }
        let unread = rest
        rest = rest.dropFirst(2)
        if let second = number(16, 4), (0xDC00...0xDFFF).contains(second) {
            return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        }
        rest = unread
        return nil
    }

    /// Reads a number of at most `count` digits; nil if no digit follows.
    private mutating func number(_ radix: Int, _ count: Int) -> UInt32? {
        let digits = rest.prefix(count).prefix { UInt32(String(Unicode.Scalar($0)), radix: radix) != nil }
        rest = rest.dropFirst(digits.count)
        return UInt32(String(decoding: digits, as: UTF8.self), radix: radix)
    }
}
