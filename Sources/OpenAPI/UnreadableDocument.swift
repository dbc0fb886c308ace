import JSONText

/// The error of a text that can't be read as a document, because it is neither JSON nor YAML.
package struct UnreadableDocument: Error, Sendable, CustomStringConvertible {
    /// The name of the document.
    package let name: String
    /// The place of the problem; nil if the whole text is something else.
    package let place: TextPlace?
    /// The problem as a sentence.
    package let problem: String

    /// Describes why a text can't be read. Compressed texts and HTML are recognised by their first bytes.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - name: The name of the document.
    ///   - error: The error of reading the text as JSON or YAML.
    init(_ text: [UInt8], name: String, _ error: any Error) {
        let firstByte = text.first { !" \t\r\n".utf8.contains($0) }
        // The first two bytes of each gzip file (RFC 1952, section 2.3.1).
        let gzipMark: [UInt8] = [0x1F, 0x8B]
        if text.starts(with: gzipMark) {
            let problem = "packed with gzip; unpack it first: gunzip -c FILE > openapi.json"
            self.init(name: name, place: nil, problem: problem)
        } else if firstByte == UInt8(ascii: "<") {
            // Servers answer with a page in HTML if they have no document at a URL.
            self.init(markup: name)
        } else if let error = error as? JSONSyntaxError {
            let place = TextPlace(line: error.line, column: error.column)
            self.init(name: name, place: place, problem: error.problem)
        } else if let error = error as? YAMLError {
            self.init(name: name, place: error.place, problem: error.message)
        } else {
            self.init(name: name, place: nil, problem: "\(error)")
        }
    }

    /// Describes a text that is HTML or XML, as a server sends in place of a document that it does not have.
    init(markup name: String) {
        self.init(name: name, place: nil, problem: "expected JSON or YAML, found HTML or XML")
    }

    private init(name: String, place: TextPlace?, problem: String) {
        self.name = name
        self.place = place
        self.problem = problem
    }

    /// The error on one line that is safe for a terminal: `shop.json:2:5: expected a value, found ","`.
    package var description: String {
        var location = name
        if let place { location += ":\(place.line):\(place.column)" }
        return TerminalText.escaped("\(location): \(problem)")
    }
}
