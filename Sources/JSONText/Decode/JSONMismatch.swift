/// A value of a JSON document that does not fit a model: its path, its position and what is wrong.
package struct JSONMismatch: Error, Equatable, Sendable, CustomStringConvertible {
    /// The path from the root, with the keys of the text.
    package let path: [JSONPathComponent]
    /// What is wrong: `expected integer, found string "x"`. Safe to print at a terminal.
    package let problem: String
    /// What was expected: `integer`; nil if only the model's own description is known.
    package let expected: String?
    /// What was found: `string "x"`; nil if the path leads nowhere. Not escaped for a terminal: see ``TerminalText``.
    package let found: String?
    /// The line of the value at ``path``, from 1. For a missing element, the line of the array. Nil if the path leads
    /// nowhere.
    package let line: Int?
    /// The column in Unicode scalars, from 1; nil if ``line`` is.
    package let column: Int?

    /// `$.results[3].id: expected integer, found string "x" (line 4, column 7)`
    package var description: String {
        let place = line.flatMap { line in column.map { " (line \(line), column \($0))" } } ?? ""
        return "\(path.pathText): \(problem)\(place)"
    }

    /// Finds the value that a `DecodingError` describes. The error may come from the decoder or from a model's own
    /// `init(from:)`.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - document: The document that was decoded.
    ///   - root: The value that was decoded; the whole document's unless given.
    ///   - coding: The strategies that the document was decoded with.
    package init(
        _ error: DecodingError, in document: JSONDocument, at root: Int = JSONDocument.root, coding: Coding = Coding()
    ) {
        let failure = DecodingFailure(error)
        var slot = failure.slot
        var missing: [JSONPathComponent] = []
        if slot == nil { (slot, missing) = document.follow(failure.codingPath, from: root, coding) }
        path = (slot.map(document.path(to:)) ?? []) + missing
        if let slot, missing.isEmpty {
            found = document.valueText(of: slot)
        } else if let slot, Self.isElementMissing(missing, from: slot, in: document) {
            // A missing element is reported at its array.
            found = "the end of the array"
        } else {
            found = nil
            slot = nil
        }
        let position = slot.map { document.position(of: document.range(of: $0).lowerBound) }
        line = position?.line
        column = position?.column
        if case .missingKey(let key) = failure.kind {
            expected = nil
            problem = TerminalText.escaped("missing key \"\(key.stringValue)\"")
        } else {
            expected = failure.expected
            problem = TerminalText.escaped(Self.problem(failure, found: found))
        }
    }

    /// Returns what was expected and found: `expected integer, found string "x"`, or a model's own description and what
    /// was found.
    private static func problem(_ failure: DecodingFailure, found: String?) -> String {
        let words = failure.expected.map { "expected " + $0 } ?? failure.words
        // A model's own words may say already what was found, such as the type of a key.
        let saysWhatWasFound = failure.expected == nil && words.contains("found")
        guard let found, !saysWhatWasFound else { return words }
        return words + (words.hasPrefix("expected ") ? ", " : "; ") + "found " + found
    }

    /// Returns whether the only thing missing is one element of the array at `slot`.
    ///
    /// - Parameter missing: The end of a coding path that leads to nothing in the document.
    private static func isElementMissing(
        _ missing: [JSONPathComponent], from slot: Int, in document: JSONDocument
    ) -> Bool {
        guard missing.count == 1, case .index = missing[0] else { return false }
        return document.kind(of: slot) == .array
    }

    /// Returns the JSON name of a Swift type (RFC 8259, section 3; "integer" as in JSON Schema).
    static func name(of type: Any.Type) -> String {
        switch type {
        // First the common ones: to find out that a type does not conform takes a search through all conformances.
        case is String.Type: "string"
        case is Bool.Type: "boolean"
        case is Double.Type, is Decimal.Type: "number"
        case is any BinaryInteger.Type: "integer"
        case is any BinaryFloatingPoint.Type: "number"
        case is [String: Any].Type: "object"
        case is [Any].Type, is any UnkeyedDecodingContainer.Type: "array"
        case is any KeyedDecoding.Type: "object"
        default: String(describing: type)
        }
    }
}

/// The container of an object, used for it in errors.
private protocol KeyedDecoding {}

extension KeyedDecodingContainer: KeyedDecoding {}

extension JSONDocument {
    /// Follows a coding path as far as it leads in the document.
    ///
    /// A step is looked for under its own key first, as it is written in the text. If the object has no such key, the
    /// step may be a model's key that the coding has converted: `posterPath` for `poster_path`.
    ///
    /// - Parameters:
    ///   - codingPath: The keys and positions from `root` to a value.
    ///   - root: The slot at which the path starts.
    ///   - coding: The strategies that the document was decoded with.
    /// - Returns: The slot of the last value on the way that exists, and the steps after it.
    fileprivate func follow(
        _ codingPath: [any CodingKey], from root: Int, _ coding: Coding
    ) -> (slot: Int, missing: [JSONPathComponent]) {
        var slot = root
        var conversion = KeyConversion(coding.keys)
        for (depth, key) in codingPath.enumerated() {
            var next = child(JSONPathComponent(key), of: slot)
            if next == nil, kind(of: slot) == .object {
                // The first member whose key the coding converts into that of the model.
                let path = Array(codingPath[..<depth])
                next = values(in: slot).first {
                    conversion.modelKey(string(at: $0 - 1) ?? "", path: path) == key.stringValue
                }
            }
            guard let next else { return (slot, codingPath[depth...].map { JSONPathComponent($0) }) }
            slot = next
        }
        return (slot, [])
    }
}
