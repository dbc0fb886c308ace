/// A value of a JSON document that does not fit a model: its path, its position and what is wrong.
package struct JSONMismatch: Error, Equatable, Sendable, CustomStringConvertible {
    /// The path from the root, with the keys of the text.
    package let path: [JSONPathComponent]
    /// The description of the problem: `expected integer, found string "x"`. It is safe to print at a terminal.
    package let problem: String
    /// The expected value: `integer`. It is nil if only the model's own description is known.
    package let expected: String?
    /// The value that was found: `string "x"`. It is nil if the path leads nowhere. It is not escaped for a terminal
    /// (see ``TerminalText``).
    package let found: String?
    /// The line of the value at ``path``, from 1. For a missing element, the line of the array. Nil if the path leads
    /// nowhere.
    package let line: Int?
    /// The column in Unicode scalars, from 1, or nil if ``line`` is.
    package let column: Int?

    /// `$.results[3].id: expected integer, found string "x" (line 4, column 7)`
    package var description: String {
        let pathAndProblem = "\(path.pathText): \(problem)"
        guard let line, let column else { return pathAndProblem }
        return pathAndProblem + " (line \(line), column \(column))"
    }

    /// Finds the value that a `DecodingError` describes. The error may come from the decoder or from a model's own
    /// `init(from:)`.
    ///
    /// - Parameters:
    ///   - error: The error that decoding has thrown.
    ///   - document: The document that was decoded.
    ///   - root: The slot of the value that was decoded. The default is the slot of the whole document.
    ///   - coding: The strategies that the document was decoded with.
    package init(
        _ error: DecodingError, in document: JSONDocument, at root: Int = JSONDocument.root, coding: Coding = Coding()
    ) {
        let failure = DecodingFailure(error)
        let place = MismatchPlace(failure, in: document, from: root, coding: coding)
        path = place.path
        found = place.found
        let position = place.position
        line = position?.line
        column = position?.column
        if case .missingKey(let key) = failure.kind {
            // The problem names the missing key itself. No value was expected in place of another one.
            expected = nil
            problem = TerminalText.escaped("missing key \"\(key.stringValue)\"")
        } else {
            expected = failure.expected
            problem = TerminalText.escaped(Self.problemText(failure, found: found))
        }
    }

    /// Returns what was expected and what was found: `expected integer, found string "x"`.
    ///
    /// - Parameters:
    ///   - failure: The error. If the model's own `init(from:)` has thrown it, its description takes the place of what
    ///     was expected.
    ///   - found: What was found, or nil if the path leads nowhere.
    private static func problemText(_ failure: DecodingFailure, found: String?) -> String {
        if let expected = failure.expected {
            guard let found else { return "expected \(expected)" }
            return "expected \(expected), found \(found)"
        }
        // The words of a model's own error are free text, which may say already what was found.
        let saysWhatWasFound = failure.errorDescription.contains("found")
        guard let found, !saysWhatWasFound else { return failure.errorDescription }
        // A text that begins as the decoder's own texts do is also continued like them.
        let separator = failure.errorDescription.hasPrefix("expected ") ? ", " : "; "
        return "\(failure.errorDescription)\(separator)found \(found)"
    }

    /// Returns the JSON name of a Swift type (RFC 8259, section 3; "integer" as in JSON Schema).
    ///
    /// An error may also name the container that a model asked for: a keyed one is an object, an unkeyed one an array.
    static func name(of type: Any.Type) -> String {
        switch type {
        // The common types come first, because comparing with a type is fast. Asking whether a type conforms to a
        // protocol is slow: the runtime may search all conformances in the program.
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

/// The place in a document at which a value does not fit.
private struct MismatchPlace {
    private let document: JSONDocument
    /// The slot of the last value on the path that the document has.
    private let slot: Int
    /// The steps of the path after that value, which lead nowhere.
    private let missingSteps: [JSONPathComponent]

    /// Finds the value that an error describes: by its slot if the error knows it, or else by its coding path.
    ///
    /// - Parameters:
    ///   - failure: The content of the error.
    ///   - document: The document that was decoded.
    ///   - root: The slot of the value that was decoded, at which the coding path starts.
    ///   - coding: The strategies that the document was decoded with.
    init(_ failure: DecodingFailure, in document: JSONDocument, from root: Int, coding: Coding) {
        self.document = document
        if let knownSlot = failure.slot {
            slot = knownSlot
            missingSteps = []
        } else {
            (slot, missingSteps) = document.followPath(failure.codingPath, from: root, coding: coding)
        }
    }

    /// The path from the root, with the keys of the text.
    var path: [JSONPathComponent] { document.path(to: slot) + missingSteps }

    /// The value that was found, such as `string "x"`, or the end of an array that has too few elements. It is nil if
    /// the path leads nowhere.
    var found: String? {
        if missingSteps.isEmpty { return document.valueText(of: slot) }
        return isElementMissing ? "the end of the array" : nil
    }

    /// The line and column of the value, or of an array that has too few elements. It is nil if the path leads nowhere.
    var position: (line: Int, column: Int)? {
        guard missingSteps.isEmpty || isElementMissing else { return nil }
        return document.position(of: document.range(of: slot).lowerBound)
    }

    /// Whether the path leads to an array and asks for an element that the array does not have.
    private var isElementMissing: Bool {
        guard missingSteps.count == 1, case .index = missingSteps[0] else { return false }
        return document.kind(of: slot) == .array
    }
}

/// A keyed container, which errors name "object".
private protocol KeyedDecoding {}

extension KeyedDecodingContainer: KeyedDecoding {}

extension JSONDocument {
    /// Follows a coding path as far as it leads in the document.
    ///
    /// A key of the path is first looked for as it is. If the object has no such key, it may be a model's key that the
    /// coding has converted: `posterPath` for `poster_path`.
    ///
    /// - Parameters:
    ///   - codingPath: The keys and positions from `root` to a value.
    ///   - root: The slot at which the path starts.
    ///   - coding: The strategies that the document was decoded with.
    /// - Returns: The slot of the last value on the path that exists, and the steps after it, which lead nowhere.
    fileprivate func followPath(
        _ codingPath: [any CodingKey], from root: Int, coding: Coding
    ) -> (slot: Int, missingSteps: [JSONPathComponent]) {
        var slot = root
        var conversion = KeyConversion(coding.keys)
        for (depth, key) in codingPath.enumerated() {
            let path = Array(codingPath[..<depth])
            let nextSlot =
                child(JSONPathComponent(key), of: slot)
                ?? member(withModelKey: key.stringValue, of: slot, at: path, conversion: &conversion)
            guard let nextSlot else {
                let missingSteps = codingPath[depth...].map { JSONPathComponent($0) }
                return (slot, missingSteps)
            }
            slot = nextSlot
        }
        return (slot, [])
    }

    /// Finds the first member whose key the coding converts into a model's key, and returns the slot of its value, or
    /// nil if there is none.
    ///
    /// - Parameters:
    ///   - modelKey: The key of the model: `posterPath` for a member `poster_path`.
    ///   - slot: The slot of the object. Any other value has no members.
    ///   - path: The coding path of the object.
    ///   - conversion: The conversion of keys.
    private func member(
        withModelKey modelKey: String, of slot: Int, at path: [any CodingKey], conversion: inout KeyConversion
    ) -> Int? {
        guard kind(of: slot) == .object else { return nil }
        for valueSlot in values(in: slot) {
            // The slot of a key comes before that of its value. A key with a lone surrogate, which no Swift string can
            // hold, counts as empty.
            let writtenKey = string(at: valueSlot - 1) ?? ""
            if conversion.modelKey(writtenKey, path: path) == modelKey { return valueSlot }
        }
        return nil
    }
}
