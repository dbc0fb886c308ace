import JSONText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// JSON text that is valid, but is not what the model expects.
public struct ModelMismatch: Error, Sendable, Equatable, CustomStringConvertible {
    /// The Swift name of the model.
    public let model: String
    /// Where, as a path from the root: `$.results[3].id`.
    public let path: String
    /// What is wrong there: `expected integer, found string "x"`.
    public let problem: String
    /// The line and column of that place in the text, from 1; nil where the path leads nowhere.
    public let line: Int?
    /// Unicode scalars, not bytes, from the start of the line; nil with ``line``.
    public let column: Int?

    /// A mismatch in the given words, which are not safe for a terminal unless they were made so.
    public init(model: String, path: String, problem: String, line: Int?, column: Int?) {
        self.model = model
        self.path = path
        self.problem = problem
        self.line = line
        self.column = column
    }

    public var description: String {
        let place = line.flatMap { line in column.map { " (line \(line), column \($0))" } } ?? ""
        return "\(path): \(problem)\(place)"
    }
}

extension ModelMismatch {
    init(_ error: DecodingError, model: String, text: [UInt8]) {
        let (context, expected): (DecodingError.Context, String?) =
            switch error {
            case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
                (context, Self.jsonName(of: type))
            case .keyNotFound(_, let context), .dataCorrupted(let context): (context, nil)
            @unknown default: (.init(codingPath: [], debugDescription: "\(error)"), nil)
            }
        let path = context.codingPath.map { JSONPathComponent($0) }
        var location = JSONLocator.locate(path, in: text)
        var found = location.map { "found \(Self.foundText($0))" }
        // An element that is not there is told at its array.
        if location == nil, case .index = path.last,
            let array = JSONLocator.locate(path.dropLast(), in: text), array.kind == .array
        {
            location = array
            found = "found the end of the array"
        }
        let problem: String =
            if case .keyNotFound(let key, _) = error {
                "missing key \"\(key.stringValue)\""
            } else if let expected {
                [("expected " + expected), found].compactMap { $0 }.joined(separator: ", ")
            } else {
                [context.debugDescription.trimmedFullStop, found].compactMap { $0 }
                    .joined(separator: context.debugDescription.hasPrefix("expected ") ? ", " : "; ")
            }
        self.init(
            model: model, path: JSONLocator.text(of: path), problem: TerminalText.escaped(problem),
            line: location?.line, column: location?.column)
    }

    /// What a Swift type is called in JSON (RFC 8259, section 3; "integer" as in JSON Schema).
    private static func jsonName(of type: Any.Type) -> String {
        switch type {
        case is any BinaryInteger.Type: "integer"
        case is any BinaryFloatingPoint.Type, is Decimal.Type: "number"
        case is String.Type: "string"
        case is Bool.Type: "boolean"
        case is [String: Any].Type: "object"
        case is [Any].Type: "array"
        default: String(describing: type)
        }
    }

    private static func foundText(_ location: JSONLocation) -> String {
        switch location.kind {
        case .object: "object"
        case .array: "array"
        case .null: "null"
        case .string: "string \(location.text)"
        case .boolean: "boolean \(location.text)"
        case .integer, .fraction: "number \(location.text)"
        }
    }
}

extension String {
    fileprivate var trimmedFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
