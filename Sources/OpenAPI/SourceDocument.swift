import JSONText

/// A parsed JSON or YAML document. It knows the line and column of each value in its text.
package struct SourceDocument: Sendable {
    /// The document as JSON. YAML is converted to JSON.
    package let json: JSONDocument
    /// The result of converting YAML to JSON; nil for a document in JSON.
    private let yaml: ConvertedYAML?

    /// Parses a text as JSON if it starts with `{`, and as YAML otherwise.
    ///
    /// - Parameter text: The text in UTF-8, or for YAML also in UTF-16 with a byte order mark.
    /// - Throws: ``JSONSyntaxError``, ``YAMLError``, or ``LibYAMLError`` if YAML can't be read on this system.
    package init(_ text: [UInt8]) throws {
        if Self.isYAML(text) {
            let convertedYAML = try ConvertedYAML(text, library: LibYAML.shared.get())
            yaml = convertedYAML
            json = try JSONDocument(convertedYAML.json)
        } else {
            yaml = nil
            json = try JSONDocument(text)
        }
    }

    /// Parses a text as JSON or YAML, and describes any error for people.
    ///
    /// - Parameters:
    ///   - text: The text in JSON or YAML.
    ///   - name: The name of the document in messages, such as `shop.json`.
    /// - Throws: ``UnreadableDocument`` if the text is neither JSON nor YAML, or if it looks like HTML or XML.
    package init(_ text: [UInt8], name: String) throws(UnreadableDocument) {
        do {
            try self.init(text)
        } catch {
            throw UnreadableDocument(text, name: name, error: error)
        }
        // Some HTML pages are valid YAML: a single string.
        if let string = JSONValue(json).string, string.hasPrefix("<") { throw UnreadableDocument(markup: name) }
    }

    /// Whether a text is parsed as YAML: its first character other than white space is not `{`.
    ///
    /// An empty text is parsed as JSON, so that its error is the same without libyaml.
    private static func isYAML(_ text: [UInt8]) -> Bool {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = text.starts(with: byteOrderMark) ? byteOrderMark.count : 0
        guard let firstByte = text[start...].first(where: { !" \t\r\n".utf8.contains($0) }) else { return false }
        return firstByte != UInt8(ascii: "{")
    }

    /// Returns the lines and columns of values in the original text, which may be YAML.
    ///
    /// - Parameter offsets: The offsets of the values in ``json``, in ascending order.
    package func places(of offsets: [Int]) -> [TextPlace] {
        if let yaml { return offsets.map(yaml.place(of:)) }
        return json.places(of: offsets)
    }
}

extension JSONDocument {
    /// Returns the lines and columns of values in the JSON text.
    ///
    /// - Parameter offsets: The offsets of the values, in ascending order.
    package func places(of offsets: [Int]) -> [TextPlace] {
        positions(of: offsets).map { TextPlace(line: $0.line, column: $0.column) }
    }
}
