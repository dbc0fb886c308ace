import JSONText

/// A YAML document that was converted to JSON text.
///
/// Scalars are read by the core schema of YAML 1.2: `yes`, `on` and `2001-01-01` are strings, and `012` is the number
/// 12. Each alias is replaced by a copy of its node, merge keys (`<<`) are merged, and comments are dropped.
package struct ConvertedYAML: Sendable {
    /// The JSON text in UTF-8, on one line.
    package let json: [UInt8]
    private let places: YAMLPlaces

    /// The most `%TAG` directives in a text. libyaml compares each directive with all others, so that thousands would
    /// take too long. People need one or two.
    static let maxTagDirectives = 100

    /// Converts a YAML text to JSON.
    ///
    /// There are three steps: libyaml reads the events of the text, ``YAMLComposer`` builds a tree from the events,
    /// and ``JSONTreeWriter`` writes the tree as JSON text.
    ///
    /// - Parameters:
    ///   - yaml: The text in UTF-8, or in UTF-16 with a byte order mark.
    ///   - library: The library that reads the text: ``LibYAML/shared``.
    /// - Throws: ``YAMLError`` if the text is not a single YAML document, if it contains something that JSON does not
    ///   have, or if the YAML or JSON text is longer than `JSONDocument.maxTextLength`.
    package init(_ yaml: [UInt8], library: LibYAML) throws(YAMLError) {
        let start = TextPlace(line: 1, column: 1)
        guard yaml.count <= JSONDocument.maxTextLength else {
            throw YAMLError(place: start, problem: .tooLong(limit: JSONDocument.maxTextLength))
        }
        // libyaml reads all directives before its first event, so they are counted before libyaml starts.
        guard Self.countTagDirectives(in: yaml) <= Self.maxTagDirectives else {
            throw YAMLError(place: start, problem: .tooManyTagDirectives(limit: Self.maxTagDirectives))
        }
        // The events contain pointers into the text, so the text must stay where it is until all have been read.
        let tree = try yaml.withUnsafeBufferPointer { text throws(YAMLError) in
            var events = YAMLEventReader(text, library: library)
            return try YAMLComposer.composeTree(from: &events)
        }
        // Aliases may turn a short YAML text into a long JSON text, so the length is checked before writing.
        guard tree.jsonLength <= JSONDocument.maxTextLength else {
            throw YAMLError(place: start, problem: .tooLong(limit: JSONDocument.maxTextLength))
        }
        let writer = JSONTreeWriter(tree)
        json = writer.json
        places = writer.places
    }

    /// Returns the place of a value in the YAML text.
    ///
    /// - Parameter offset: The offset of the value's first byte in ``json``.
    package func place(of offset: Int) -> TextPlace { places.place(of: offset) }

    /// Returns how often `%TAG` occurs in a text. The text has at most as many directives.
    ///
    /// The number includes strings and comments that contain `%TAG`, because only libyaml can tell them from
    /// directives.
    private static func countTagDirectives(in text: [UInt8]) -> Int {
        // The four bytes of `%TAG` as one number, which is compared with the last four bytes of the text.
        let directive = "%TAG".utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        var count = 0
        var lastFourBytes: UInt32 = 0
        // UTF-16 has a zero byte beside each byte of ASCII.
        for byte in text where byte != 0 {
            lastFourBytes = lastFourBytes << 8 | UInt32(byte)
            if lastFourBytes == directive { count += 1 }
        }
        return count
    }
}
