import JSONText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension API {
    /// The case `caseName` with the values in `arguments`.
    ///
    /// Throws ``ArgumentError``: every parameter that is missing at once, or the first value that does not fit.
    package static func decode(case caseName: String, from arguments: [Argument]) throws -> Self {
        try Self(from: CaseDecoder(caseName: caseName, tree: ArgumentTree(arguments, Self.coding)))
    }
}

/// Decodes the enum: a container whose only key is the case's name, with the parameters nested in it.
private struct CaseDecoder: Decoder {
    let caseName: String
    let tree: ArgumentTree
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ArgumentFields<Key>(caseName: caseName, tree: tree))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try ArgumentElements(tree: tree) }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { ArgumentValueContainer(tree: tree) }
}

/// Decodes one parameter, or one field of a nested structure.
struct ArgumentDecoder: Decoder {
    let tree: ArgumentTree
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ArgumentFields<Key>(caseName: nil, tree: tree))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try ArgumentElements(tree: tree) }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { ArgumentValueContainer(tree: tree) }

    /// The value at `tree` as a `T`. Throws ``ArgumentError``.
    static func decode<T: Decodable>(_ type: T.Type, _ tree: ArgumentTree) throws -> T {
        do {
            return try value(type, tree)
        } catch is DecodingError {
            // The type itself rejects the value, such as an enum that is not `CaseIterable`, or one with values of which two cases are given.
            let names = tree.fields.keys.sorted().joined(separator: " and ")
            let expected = (ParameterType(type) ?? .json).phrase
            throw ArgumentError.invalid(
                tree.path, text: tree.arguments.first?.shownText ?? names,
                expected: tree.fields.count > 1 ? "one of them" : expected, position: tree.position)
        }
    }

    private static func value<T: Decodable>(_ type: T.Type, _ tree: ArgumentTree) throws -> T {
        let known = ParameterType(type)
        if let known, known.isScalar, !tree.fields.isEmpty {
            throw ArgumentError.invalid(tree.path, text: "fields", expected: known.phrase, position: tree.fieldPosition)
        }
        switch known {
        case .array:
            return try array(type, tree)
        case .choice(let choices):
            let argument = try tree.single()
            guard case .text(let text) = argument.value, choices.contains(text) else {
                throw ArgumentError.invalid(
                    tree.path, text: argument.shownText, expected: ParameterType.choice(choices).phrase,
                    position: argument.position)
            }
            return try T(from: ArgumentDecoder(tree: tree))
        case .some where ScalarText.reads(type):
            return try ScalarText.parse(type, tree.single(), tree.coding)
        case .json, .dictionary, nil:
            return try structure(type, tree)
        case .some:
            return try T(from: ArgumentDecoder(tree: tree))
        }
    }

    /// An array from repeated arguments, or from one JSON array.
    private static func array<T: Decodable>(_ type: T.Type, _ tree: ArgumentTree) throws -> T {
        if tree.arguments.count == 1, case .json(let text, let source) = tree.arguments[0].value,
            text.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "[")
        {
            return try json(type, text, source, tree.arguments[0], tree.coding)
        }
        return try T(from: ArgumentDecoder(tree: tree))
    }

    /// A structure from its fields, or from JSON.
    private static func structure<T: Decodable>(_ type: T.Type, _ tree: ArgumentTree) throws -> T {
        guard !tree.arguments.isEmpty else { return try T(from: ArgumentDecoder(tree: tree)) }
        let argument = try tree.single()
        guard tree.fields.isEmpty else {
            throw ArgumentError.bothWholeAndFields(tree.path, position: argument.position)
        }
        switch argument.value {
        case .json(let text, let source): return try json(type, text, source, argument, tree.coding)
        case .text where ParameterType(type)?.isDictionary == true:
            throw ArgumentError.invalid(
                tree.path, text: argument.shownText, expected: ParameterType.dictionary(.json).phrase,
                position: argument.position)
        case .text:
            // A type with its own `Decodable` may be a single value; a structure is not.
            do {
                return try T(from: ArgumentDecoder(tree: tree))
            } catch ArgumentError.missing {
                throw ArgumentError.invalid(
                    tree.path, text: argument.shownText, expected: ParameterType.object([]).phrase,
                    position: argument.position)
            }
        }
    }

    private static func json<T: Decodable>(
        _ type: T.Type, _ text: [UInt8], _ source: String, _ argument: Argument, _ coding: Coding
    ) throws -> T {
        do {
            let value = try coding.decode(type, from: text)
            if let loss = try loss(of: text, in: value, coding) {
                throw ArgumentError.invalidJSON(
                    argument.path, source: source, problem: loss, position: argument.position)
            }
            return value
        } catch let error as JSONSyntaxError {
            throw ArgumentError.invalidJSON(
                argument.path, source: source, problem: error.description, position: argument.position)
        } catch let error as ModelMismatch {
            throw ArgumentError.invalidJSON(
                argument.path, source: source, problem: error.description, position: argument.position)
        }
    }
}

extension ParameterType {
    /// Whether a value is one text.
    fileprivate var isScalar: Bool {
        switch self {
        case .array, .dictionary, .object, .variants, .json: false
        default: true
        }
    }
}

extension Argument {
    /// The value as messages show it.
    var shownText: String {
        switch value {
        case .text(let text): text
        case .json(_, let source): source
        }
    }
}
