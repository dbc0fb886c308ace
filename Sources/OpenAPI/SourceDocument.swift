import JSONText

/// A parsed document that people wrote in JSON or YAML, with the place of each value in its text.
package struct SourceDocument: Sendable {
    /// The document as JSON. A document in YAML was converted to JSON.
    package let json: JSONDocument
    /// The YAML text that the document was made from; nil for JSON.
    private let yaml: ConvertedYAML?

    /// Reads a text: JSON if it starts with `{`, and YAML otherwise.
    ///
    /// - Parameter text: The text in UTF-8, or for YAML also in UTF-16 with a byte order mark.
    /// - Throws: ``JSONSyntaxError``, ``YAMLError``, or ``LibYAMLError`` if YAML can't be read on this system.
    package init(_ text: [UInt8]) throws {
        guard Self.isYAML(text) else {
            yaml = nil
            json = try JSONDocument(text)
            return
        }
        // A YAML text becomes JSON text first, so that everything else knows JSON alone.
        let converted = try ConvertedYAML(text, library: LibYAML.shared.get())
        yaml = converted
        json = try JSONDocument(converted.json)
    }

    /// Reads a document, with one error type for everything that may be wrong with its text.
    ///
    /// - Parameters:
    ///   - text: The text in JSON or YAML.
    ///   - name: The name of the document in messages.
    /// - Throws: ``UnreadableDocument`` if the text is neither JSON nor YAML, or if it looks like HTML or XML.
    package init(_ text: [UInt8], name: String) throws(UnreadableDocument) {
        do {
            try self.init(text)
        } catch {
            throw UnreadableDocument(text, name: name, error)
        }
        // A page in HTML that breaks no rule of YAML is read as a string.
        if let string = JSONValue(json).string, string.hasPrefix("<") { throw UnreadableDocument(markup: name) }
    }

    /// Whether a text is read as YAML: its first character other than white space is not `{`.
    ///
    /// A text of white space alone is read as JSON, so that its error does not depend on a library.
    private static func isYAML(_ text: [UInt8]) -> Bool {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = text.starts(with: byteOrderMark) ? byteOrderMark.count : 0
        guard let firstByte = text[start...].first(where: { !" \t\r\n".utf8.contains($0) }) else { return false }
        return firstByte != UInt8(ascii: "{")
    }

    /// Returns the places of values in the text that was read, which may be YAML.
    ///
    /// - Parameter offsets: The offsets of the values in the bytes of ``json``, in ascending order.
    package func places(of offsets: [Int]) -> [TextPlace] {
        if let yaml { return offsets.map(yaml.place(of:)) }
        return json.places(of: offsets)
    }
}

extension JSONDocument {
    /// Returns the places of values in the JSON text.
    ///
    /// - Parameter offsets: The offsets of the values, in ascending order.
    package func places(of offsets: [Int]) -> [TextPlace] {
        positions(of: offsets).map { TextPlace(line: $0.line, column: $0.column) }
    }
}
