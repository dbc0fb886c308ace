import JSONText

/// The error of a text that is neither JSON nor YAML.
package struct UnreadableDocument: Error, Sendable, CustomStringConvertible {
    /// The name of the document.
    package let name: String
    /// The place of the problem; nil if the whole text is wrong, such as an HTML page.
    package let place: TextPlace?
    /// The problem as a sentence.
    package let problem: String

    /// Creates the error of a text that can't be parsed.
    ///
    /// A text that is compressed with gzip, or that is HTML, gets a message of its own.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - name: The name of the document.
    ///   - error: The error that the JSON or YAML parser has thrown.
    init(_ text: [UInt8], name: String, error: any Error) {
        let firstByte = text.first { !" \t\r\n".utf8.contains($0) }
        // All gzip files begin with these bytes (RFC 1952, section 2.3.1).
        let gzipMark: [UInt8] = [0x1F, 0x8B]
        if text.starts(with: gzipMark) {
            let problem = "packed with gzip; unpack it first: gunzip -c FILE > openapi.json"
            self.init(name: name, place: nil, problem: problem)
        } else if firstByte == UInt8(ascii: "<") {
            // Many servers send an HTML page if there is no document at a URL.
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

    /// Creates the error of a text that is HTML or XML.
    init(markup name: String) {
        self.init(name: name, place: nil, problem: "expected JSON or YAML, found HTML or XML")
    }

    /// Creates an error from its parts.
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
