import EndpointKit

/// The value of curl's option `--form`, after `NAME=`.
///
/// The value is a text, `@FILE` or `<FILE`. Its media type and its name may follow:
///
///     @cat.png;type=image/png;filename="my cat.png"
package struct CurlFormPart {
    /// The start of the value, which says what it is.
    package enum Source {
        case text
        /// `@FILE`: the part is a file.
        case file
        /// `<FILE`: the part is a field with the content of a file.
        case contentOfFile
    }

    package let source: Source
    /// The text, or the path of the file.
    package let content: String
    package private(set) var contentType: String?
    package private(set) var filename: String?
    /// The keys of further words that have no effect: `headers=`, `encoder=`.
    package private(set) var ignoredKeys: [String] = []
    /// Whether the value has several files: `@a.png,b.png`.
    package let hasSeveralFiles: Bool

    /// A key that may follow a semicolon.
    private enum Key: String, CaseIterable {
        case type, filename, encoder, headers

        /// The key as it stands before its value: `type=`.
        var text: String { rawValue + "=" }
    }

    /// Reads the text after `NAME=` in `--form NAME=…` as curl does: `@cat.png;type=image/png` → a file and its type.
    ///
    /// The content comes first. Each word after it begins with a semicolon, and mostly has a key such as `filename=`. A
    /// word without a key is a parameter of the media type if it follows one: `type=text/plain;charset=utf-8`.
    /// Elsewhere, it is skipped.
    package init(_ formValue: String) {
        var reader = Reader(formValue)
        source = reader.source
        content = reader.readWord()
        var isAfterMediaType = false
        while reader.skipSemicolon() {
            let key = reader.nextKey
            // curl takes a second `type=` for a parameter of the media type, too.
            let isMediaTypeParameter = isAfterMediaType && (key == nil || key == .type)
            if isMediaTypeParameter {
                contentType?.append(";" + reader.readToEndOfWord())
                continue
            }
            if let key { reader.skip(key) }
            switch key {
            // If there are several types, curl sends the last one.
            case .type?: contentType = reader.readToEndOfWord()
            case .filename?: filename = reader.readWord()
            case .encoder?, .headers?, nil:
                reader.skipWord()
                if let key { ignoredKeys.append(key.text) }
            }
            isAfterMediaType = key == .type
        }
        // Words end at a semicolon, or at the comma before another file. The loop has read all semicolons.
        hasSeveralFiles = !reader.isAtEnd
    }

    /// Reads the words of a value one after the other.
    private struct Reader {
        let source: Source
        private var remaining: Substring.UnicodeScalarView
        /// The characters that end a word: a semicolon, and a comma between files.
        private let separators: [Unicode.Scalar]

        /// Reads the sign that says what the value is, such as `@`. The words follow it.
        init(_ text: String) {
            remaining = text[...].unicodeScalars
            switch remaining.first {
            case "@": source = .file
            case "<": source = .contentOfFile
            default: source = .text
            }
            if source != .text { remaining.removeFirst() }
            separators = source == .file ? [";", ","] : [";"]
        }

        var isAtEnd: Bool { remaining.isEmpty }

        /// The key that is next, perhaps after spaces; nil if there is none.
        var nextKey: Key? {
            let textAfterSpaces = remaining.drop { $0 == " " }
            return Key.allCases.first { textAfterSpaces.starts(with: $0.text.unicodeScalars) }
        }

        /// Skips spaces and the key that is next.
        mutating func skip(_ key: Key) {
            remaining = remaining.drop { $0 == " " }.dropFirst(key.text.utf8.count)
        }

        /// Skips a semicolon if it is next.
        ///
        /// - Returns: Whether it was next.
        mutating func skipSemicolon() -> Bool {
            guard remaining.first == ";" else { return false }
            remaining.removeFirst()
            return true
        }

        /// Reads everything up to the next semicolon, or to the comma before another file.
        mutating func readToEndOfWord() -> String {
            let text = remaining.prefix { !separators.contains($0) }
            remaining = remaining[text.endIndex...]
            return String(text)
        }

        /// Reads the next word without the blanks around it. Quotes around a word are removed.
        mutating func readWord() -> String {
            remaining = remaining.drop { $0 == " " || $0 == "\t" }
            let quotedWord = readQuotedWord()
            // After a quoted word, this reads text behind the closing quote, which curl leaves out.
            let unquotedText = readToEndOfWord()
            return quotedWord ?? String(exactBytes: unquotedText.exactBytes.trimmingBlanks())
        }

        /// Skips the next word.
        mutating func skipWord() { _ = readWord() }

        /// Reads a word in quotes, in which a backslash escapes a quote and itself: `"my \"cat\""` → `my "cat"`.
        ///
        /// - Returns: The word; nil if the next word is not in quotes, or if the closing quote is missing. Nothing is
        ///   read in these two cases.
        private mutating func readQuotedWord() -> String? {
            guard remaining.first == "\"" else { return nil }
            var word = "".unicodeScalars
            var textAfterQuote = remaining.dropFirst()
            while let scalar = textAfterQuote.popFirst() {
                if scalar == "\"" {
                    remaining = textAfterQuote
                    return String(word)
                }
                let next = textAfterQuote.first
                let isEscape = scalar == "\\" && (next == "\\" || next == "\"")
                word.append(isEscape ? textAfterQuote.removeFirst() : scalar)
            }
            return nil
        }
    }

    /// Returns the media type that curl guesses from the end of a file's name: `cat.png` → `image/png`.
    package static func contentType(ofFile path: String) -> String {
        let typesByExtension = [
            "gif": "image/gif", "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "svg": "image/svg+xml",
            "txt": "text/plain", "htm": "text/html", "html": "text/html", "pdf": "application/pdf",
            "xml": "application/xml",
        ]
        let fileExtension = path.split(separator: ".").last?.lowercased() ?? ""
        return typesByExtension[fileExtension] ?? "application/octet-stream"
    }
}
