#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The first value of a JSON document that does not fit a model.
public struct JSONMismatch: Error, Equatable, Sendable, CustomStringConvertible {
    /// The way from the root, with the keys of the text.
    public let path: [JSONPathComponent]
    /// What is wrong: `expected integer, found string "x"`. Safe to print at a terminal.
    public let problem: String
    /// What was expected: `integer`; nil if only the model's own description is known.
    public let expected: String?
    /// What was found: `string "x"`; nil if the path leads nowhere. Not escaped for a terminal: see ``TerminalText``.
    public let found: String?
    /// The line and column of the value at ``path``, from 1; of a missing element, those of the array. Nil if the path leads nowhere.
    public let line: Int?
    /// Unicode scalars, not bytes, from the start of the line; nil with ``line``.
    public let column: Int?

    /// `$.results[3].id: expected integer, found string "x" (line 4, column 7)`
    public var description: String {
        let place = line.flatMap { line in column.map { " (line \(line), column \($0))" } } ?? ""
        return "\(path.pathText): \(problem)\(place)"
    }

    /// The mismatch that a `DecodingError` describes, which may come from the decoder or from a model's own `init(from:)`.
    ///
    /// - Parameter coding: The strategies that the document was decoded with.
    package init(_ error: DecodingError, in document: JSONDocument, coding: Coding = Coding()) {
        let (context, type) = error.contents
        let detail = context.underlyingError as? MismatchDetail
        var slot = detail?.slot
        var missing: [JSONPathComponent] = []
        if slot == nil { (slot, missing) = document.follow(context.codingPath, coding) }
        path = (slot.map(document.path(to:)) ?? []) + missing
        var position: (line: Int, column: Int)?
        if let slot, missing.isEmpty {
            position = document.position(of: document.range(of: slot).lowerBound)
            found = document.valueText(of: slot)
        } else if let slot, missing.count == 1, case .index = missing[0], document.kind(of: slot) == .array {
            // A missing element is reported at its array.
            position = document.position(of: document.range(of: slot).lowerBound)
            found = "the end of the array"
        } else {
            found = nil
        }
        (line, column) = (position?.line, position?.column)
        let found = found.map { "found \($0)" }
        if case .keyNotFound(let key, _) = error {
            expected = nil
            problem = TerminalText.escaped("missing key \"\(key.stringValue)\"")
        } else if let fitting = detail?.expected ?? type.map(Self.name) {
            expected = fitting
            problem = TerminalText.escaped(["expected " + fitting, found].compactMap { $0 }.joined(separator: ", "))
        } else {
            expected = nil
            let words = error.ownWords
            problem = TerminalText.escaped(
                [words, found].compactMap { $0 }.joined(separator: words.hasPrefix("expected ") ? ", " : "; "))
        }
    }

    /// The mismatch for a text that is JSON, but not one document to be decoded.
    public init(_ error: JSONDocumentError, in text: [UInt8]) {
        let offset: Int
        let (expected, found): (String, String)
        switch error {
        case .severalDocuments(let place):
            offset = place
            (expected, found) = ("one JSON document", text[place] == 0x1E ? "a record separator" : "a second one")
        case .tooDeep(let place):
            offset = place
            (expected, found) = ("at most \(JSONDocument.deepestLevel) levels of nesting", "more")
        case .tooDeepForStack(let place):
            offset = place
            (expected, found) = ("nesting that the thread's stack is large enough for", "more")
        case .tooLong(let count):
            offset = 0
            (expected, found) = ("at most \(JSONDocument.longestText) bytes", "\(count)")
        }
        path = []
        (self.expected, self.found) = (expected, found)
        problem = "expected \(expected), found \(found)"
        (line, column) = JSONDocument.positions(of: [offset], in: text)[0]
    }

    /// The JSON name of a Swift type (RFC 8259, section 3; "integer" as in JSON Schema).
    static func name(of type: Any.Type) -> String {
        switch type {
        case is any BinaryInteger.Type: "integer"
        case is any BinaryFloatingPoint.Type, is Decimal.Type: "number"
        case is String.Type: "string"
        case is Bool.Type: "boolean"
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

extension DecodingError {
    /// Its description, without a full stop.
    var ownWords: String {
        let words = contents.context.debugDescription
        return words.hasSuffix(".") ? String(words.dropLast()) : words
    }

    /// The context, and the type that was asked for if the error says it.
    var contents: (context: Context, type: Any.Type?) {
        switch self {
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context): (context, type)
        case .keyNotFound(_, let context), .dataCorrupted(let context): (context, nil)
        @unknown default: (Context(codingPath: [], debugDescription: "\(self)"), nil)
        }
    }
}

extension JSONDocument {
    /// Follows a coding path as far as it leads: the slot there, and the steps that lead nowhere.
    fileprivate func follow(
        _ codingPath: [any CodingKey], _ coding: Coding
    ) -> (slot: Int, missing: [JSONPathComponent]) {
        var slot = Self.root
        for (depth, key) in codingPath.enumerated() {
            var next = child(JSONPathComponent(key), of: slot)
            if next == nil, kind(of: slot) == .object {
                next = convertedMember(key.stringValue, of: slot, Array(codingPath[..<depth]), coding)
            }
            guard let next else { return (slot, codingPath[depth...].map { JSONPathComponent($0) }) }
            slot = next
        }
        return (slot, [])
    }

    /// The value of the first member whose key becomes `name` by the strategy.
    private func convertedMember(
        _ name: String, of object: Int, _ path: [any CodingKey], _ coding: Coding
    ) -> Int? {
        var conversion = KeyConversion(coding.keys)
        var key = first(in: object)
        while key < next(after: object) {
            if conversion.modelKey(string(at: key) ?? "", path: path) == name { return key + 1 }
            key = next(after: key + 1)
        }
        return nil
    }
}
