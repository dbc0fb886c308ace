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
    /// Whether the next word is the file of a redirection.
    private var skipsWord = false

    private init(_ text: [UInt8]) { (self.text, rest) = (text, text[...]) }

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
        reader.endCommand()
        return reader.commands
    }

    private static func otherShell(_ name: String) -> ImportError {
        ImportError("this is text for \(name); copy the request with \"Copy as cURL (bash)\"")
    }

    private mutating func endWord() {
        if let word, !skipsWord { words.append(String(exactBytes: word)) }
        if word != nil { skipsWord = false }
        word = nil
    }

    private mutating func endCommand() {
        endWord()
        if !words.isEmpty { commands.append(words) }
        words = []
    }

    private mutating func append(_ bytes: some Sequence<UInt8>) {
        if word == nil { word = [] }
        word?.append(contentsOf: bytes)
    }

    private mutating func skip(_ byte: Character) -> Bool {
        guard rest.first == byte.asciiValue else { return false }
        rest = rest.dropFirst()
        return true
    }

    private func problem(_ text: String, at offset: Int? = nil) -> ImportError {
        let before = self.text[..<(offset ?? rest.startIndex)]
        return ImportError("line \(before.count { $0 == UInt8(ascii: "\n") } + 1): \(text)")
    }
}

// MARK: POSIX shells and bash

extension ShellReader {
    /// What is open: `'…'`, `"…"` or, with the escapes of C, `$'…'`.
    private enum Quote: String {
        case single = "'"
        case double = "\""
        case escaped = "$'"
    }

    private mutating func readShell() throws(ImportError) {
        var quote: Quote?
        var start = 0
        func open(_ kind: Quote) {
            (quote, start) = (kind, rest.startIndex)
            append([])
        }
        while let byte = rest.popFirst() {
            switch (quote, Unicode.Scalar(byte)) {
            case (.single, "'"), (.escaped, "'"), (.double, "\""): quote = nil
            case (.escaped, "\\"): readEscape()
            case (.single, _), (.escaped, _): append([byte])
            // cmd continues a line with a caret and escapes a quote with it. PowerShell continues a line with a backtick.
            case (nil, "^") where rest.first.map("\n\"".utf8.contains) ?? false: throw Self.otherShell("cmd")
            case (nil, "`") where rest.first == UInt8(ascii: "\n"): throw Self.otherShell("PowerShell")
            case (_, "`"): throw problem("a command in backticks would have to be run; put what it prints in its place")
            case (nil, "$") where skip("'"): open(.escaped)
            case (nil, "\""): open(.double)
            case (nil, "$") where skip("\""): open(.double)
            case (_, "$"): try readVariable()
            case (_, "\\"):
                guard let next = rest.popFirst(), next != UInt8(ascii: "\n") else { continue }
                append(quote == nil || "$`\"\\".utf8.contains(next) ? [next] : [byte, next])
            case (.double, _): append([byte])
            case (nil, "'"): open(.single)
            case (nil, " "), (nil, "\t"): endWord()
            case (nil, ">"): redirect()
            case (nil, "&") where skip(">"): redirect()
            case (nil, "\n"), (nil, ";"), (nil, "|"), (nil, "&"): endCommand()
            case (nil, "#") where word == nil: rest = rest.drop { $0 != UInt8(ascii: "\n") }
            case (nil, "<"):
                throw problem("input from '<' is not read; write it as --data-raw '…' or --data-binary @FILE")
            case (nil, "("), (nil, ")"):
                throw problem("'\(Character(Unicode.Scalar(byte)))' is not part of a curl command")
            case (nil, _): append([byte])
            }
        }
        if let quote { throw problem("the quote \(quote.rawValue) is not closed", at: start) }
    }

    private mutating func redirect() {
        // The number of a descriptor, as in `2>`.
        if let open = word, open.allSatisfy(\.isDigit) { word = nil }
        endWord()
        while skip(">") || skip("&") || skip("|") {}
        skipsWord = true
    }

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

    private static let escapes = Dictionary(
        uniqueKeysWithValues: zip("ntrabfveE\\'\"?".utf8, "\n\t\r\u{7}\u{8}\u{C}\u{B}\u{1B}\u{1B}\\'\"?".utf8))

    /// Reads on after a backslash in `$'…'`.
    private mutating func readEscape() {
        guard let letter = rest.popFirst() else { return append([UInt8(ascii: "\\")]) }
        switch Unicode.Scalar(letter) {
        case _ where Self.escapes[letter] != nil: append([Self.escapes[letter] ?? letter])
        case "x": append([UInt8(truncatingIfNeeded: number(16, 2) ?? 0)])
        case "u", "U":
            let value = number(16, letter == UInt8(ascii: "u") ? 4 : 8) ?? 0
            append(UTF8.encode(Unicode.Scalar(value) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
        // A control character.
        case "c": append(rest.popFirst().map { [$0 == UInt8(ascii: "?") ? 0x7F : $0 & 0x1F] } ?? [])
        case "0"..."7":
            rest = text[(rest.startIndex - 1)..<text.endIndex]
            append([UInt8(truncatingIfNeeded: number(8, 3) ?? 0)])
        default: append([UInt8(ascii: "\\"), letter])
        }
    }

    /// The number of up to `count` digits that follows.
    private mutating func number(_ radix: Int, _ count: Int) -> UInt32? {
        let digits = rest.prefix(count).prefix { UInt32(String(Unicode.Scalar($0)), radix: radix) != nil }
        rest = rest.dropFirst(digits.count)
        return UInt32(String(decoding: digits, as: UTF8.self), radix: radix)
    }
}
