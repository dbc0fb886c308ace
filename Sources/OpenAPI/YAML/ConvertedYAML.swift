import JSONText

/// The JSON text that equals a YAML document, with the places of its values in the YAML text.
///
/// Scalars are read by the core schema of YAML 1.2: `yes`, `on` and `2001-01-01` are strings, and `012` is the number
/// 12. Anchors, aliases and merge keys (`<<`) are resolved, and comments are dropped.
package struct ConvertedYAML: Sendable {
    /// The JSON text in UTF-8, on one line.
    package let json: [UInt8]
    private let places: YAMLPlaces

    /// The most `%TAG` directives in a text, because libyaml compares each with all others before it gives the first
    /// event. People need one or two.
    static let maxTagDirectives = 100

    /// Converts a YAML text of one document to JSON.
    ///
    /// The text is read in three steps: libyaml makes events of it, the composer makes a tree of the events, and the
    /// writer makes JSON text of the tree.
    ///
    /// - Parameters:
    ///   - yaml: The text in UTF-8, or in UTF-16 with a byte order mark.
    ///   - library: The library that reads it: ``LibYAML/shared``.
    /// - Throws: ``YAMLError`` if the text is not one YAML document, if it has something that JSON does not have, or if
    ///   it or its JSON text is longer than a JSON text may be.
    package init(_ yaml: [UInt8], library: LibYAML) throws(YAMLError) {
        let start = TextPlace(line: 1, column: 1)
        guard yaml.count <= JSONDocument.maxTextLength else {
            throw YAMLError(place: start, problem: .tooLong(limit: JSONDocument.maxTextLength))
        }
        // libyaml reads all directives before it gives an event, so they have to be counted in the text.
        guard Self.tagDirectives(in: yaml) <= Self.maxTagDirectives else {
            throw YAMLError(place: start, problem: .tooManyTagDirectives(limit: Self.maxTagDirectives))
        }
        // The events point into the text, so the text stays where it is until all have been read.
        let tree = try yaml.withUnsafeBufferPointer { text throws(YAMLError) in
            var events = YAMLEventReader(text, library: library)
            return try YAMLComposer.tree(&events)
        }
        // Aliases repeat what they refer to, so a short YAML text may become a long JSON text. Nothing has been written
        // yet.
        guard tree.jsonLength <= JSONDocument.maxTextLength else {
            throw YAMLError(place: start, problem: .tooLong(limit: JSONDocument.maxTextLength))
        }
        let writer = JSONTreeWriter(tree)
        json = writer.json
        places = writer.places
    }

    /// Returns the place in the YAML text of a value.
    ///
    /// - Parameter offset: The offset of the value's first byte in ``json``.
    package func place(of offset: Int) -> TextPlace { places.place(of: offset) }

    /// Returns how often `%TAG` occurs in a text, which is at least the number of its directives.
    ///
    /// Strings and comments count too. To leave them out, all the line breaks would have to be known that libyaml
    /// accepts before a directive.
    private static func tagDirectives(in text: [UInt8]) -> Int {
        // The four bytes of `%TAG`, as a number that can be compared at once.
        let word = "%TAG".utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        var count = 0
        var lastFourBytes: UInt32 = 0
        // UTF-16 has a zero byte beside each byte of ASCII.
        for byte in text where byte != 0 {
            lastFourBytes = lastFourBytes << 8 | UInt32(byte)
            if lastFourBytes == word { count += 1 }
        }
        return count
    }
}
