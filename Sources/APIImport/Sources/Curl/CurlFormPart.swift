import EndpointKit

/// The value of curl's `--form`, after `NAME=`: a text, `@FILE` or `<FILE`, with `;type=` and `;filename=` after it.
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
    package private(set) var ignored: [String] = []
    /// Whether the value has several files: `@a.png,b.png`.
    package let hasSeveralFiles: Bool

    private static let keys = ["type=", "filename=", "encoder=", "headers="]

    /// Reads a value as curl does. A word without a key belongs to the type if one is before it, and is skipped
    /// otherwise.
    package init(_ text: String) {
        var rest = text[...].unicodeScalars
        let sign = rest.first == "@" || rest.first == "<" ? rest.popFirst() : nil
        source = sign == nil ? .text : sign == "@" ? .file : .contentOfFile
        let ends: [Unicode.Scalar] = sign == "@" ? [";", ","] : [";"]
        content = Self.word(&rest, ends)
        var followsType = false
        while rest.first == ";" {
            rest.removeFirst()
            let start = rest.drop { $0 == " " }
            let key = Self.keys.first { start.starts(with: $0.unicodeScalars) }
            let startsType = key == "type=" && !followsType
            if let key, key != "type=" || startsType {
                rest = start.dropFirst(key.utf8.count)
                followsType = startsType
            }
            if followsType {
                let piece = rest.prefix { !ends.contains($0) }
                contentType = (contentType ?? "") + (startsType ? "" : ";") + String(piece)
                rest = rest[piece.endIndex...]
            } else {
                let word = Self.word(&rest, ends)
                if key == "filename=" { filename = word } else if let key { ignored.append(key) }
            }
        }
        hasSeveralFiles = !rest.isEmpty
    }

    /// Reads the next word, without blanks around it: up to one of `ends`, unless it begins with a quote that has another
    /// one.
    private static func word(_ text: inout Substring.UnicodeScalarView, _ ends: [Unicode.Scalar]) -> String {
        text = text.drop { $0 == " " || $0 == "\t" }
        if let quoted = quotedWord(&text) {
            text = text.drop { !ends.contains($0) }
            return quoted
        }
        let word = text.prefix { !ends.contains($0) }
        text = text[word.endIndex...]
        return String(exactBytes: String(word).exactBytes.trimmingBlanks())
    }

    /// Reads a word in quotes, in which a backslash escapes a quote and itself; nil if there is none.
    private static func quotedWord(_ text: inout Substring.UnicodeScalarView) -> String? {
        guard text.first == "\"" else { return nil }
        var word = "".unicodeScalars
        var rest = text.dropFirst()
        while let scalar = rest.popFirst() {
            if scalar == "\"" {
                text = rest
                return String(word)
            }
            let isEscape = scalar == "\\" && (rest.first == "\\" || rest.first == "\"")
            word.append(isEscape ? rest.removeFirst() : scalar)
        }
        return nil
    }

    /// Returns curl's guess of a media type by the end of a file's name.
    package static func contentType(ofFile path: String) -> String {
        let types = [
            "gif": "image/gif", "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "svg": "image/svg+xml",
            "txt": "text/plain", "htm": "text/html", "html": "text/html", "pdf": "application/pdf",
            "xml": "application/xml",
        ]
        return types[path.split(separator: ".").last?.lowercased() ?? ""] ?? "application/octet-stream"
    }
}
