import EndpointKit
import EndpointTools
import JSONText

/// One way in which two responses differ.
struct ResponseDifference {
    enum Kind: String {
        case status, body
        /// Only the first response has the value, or only the second.
        case missing, added
        case changed
    }

    let kind: Kind
    /// The path of the value in the body; nil for a difference of the status or of the whole body.
    var path: String?
    /// The values of the first and of the second response: as they are written, or their types. A value is nil if the
    /// response does not have it.
    let values: [String?]
}

/// Compares the JSON of two responses.
///
/// By default it compares fields and types, and takes all elements of a list together. With `--values`, it compares
/// each value.
struct ResponseDifferences {
    /// A value, and the step that leads to it, such as `.title` or `[0]`.
    private struct Part {
        let step: String
        let value: JSONValue
    }

    /// The values of both responses at one path.
    ///
    /// A response may have no value there, or several: the elements of a list, or members with the same key.
    private struct ValuePair {
        let path: String
        let first: [JSONValue]
        let second: [JSONValue]
    }

    private let comparesValues: Bool
    /// The field that identifies the items of a list.
    private let key: String
    private(set) var all: [ResponseDifference] = []

    /// Compares two values and everything in them.
    ///
    /// - Parameters:
    ///   - first: The JSON of the first response.
    ///   - second: The JSON of the second response.
    ///   - options: The options, of which `--values` and `--by` count.
    init(_ first: JSONValue, _ second: JSONValue, _ options: DiffOptions) {
        comparesValues = options.comparesValues
        key = options.key?.text ?? "id"
        // Iterative, because a hostile server chooses the depth.
        var open = [ValuePair(path: "$", first: [first], second: [second])]
        while let pair = open.popLast() {
            let contents = comparesValues ? compareValues(pair) : compareTypes(pair)
            // The last pair is taken first. Reversed, the differences come in the order of the document.
            open += contents.reversed()
        }
    }

    // MARK: Comparison

    /// Adds the difference between the types at a path: values are of other types, or only one response has any.
    ///
    /// If all values of one response are null, or all of its lists empty, that is a difference too: a client of that
    /// server gets nothing there. A null among other values is none, because other items of a list may be null.
    ///
    /// - Returns: The pairs of values in them, which are to be compared too. All elements of a list are one pair.
    private mutating func compareTypes(_ pair: ValuePair) -> [ValuePair] {
        if addAbsence(pair) { return [] }
        let firstKinds = Set(pair.first.map(\.kind))
        let secondKinds = Set(pair.second.map(\.kind))
        let firstTypes = firstKinds.subtracting([.null])
        let secondTypes = secondKinds.subtracting([.null])
        if firstTypes != secondTypes { add(.changed, pair) }

        var contents: [ValuePair] = []
        if firstKinds.contains(.object), secondKinds.contains(.object) { contents = members(of: pair) }
        let first = Self.elements(of: pair.first)
        let second = Self.elements(of: pair.second)
        let areLists = firstKinds.contains(.array) && secondKinds.contains(.array)
        if areLists, !first.isEmpty || !second.isEmpty {
            contents.append(ValuePair(path: pair.path + "[*]", first: first, second: second))
        }
        return contents
    }

    /// Adds the difference between two values, unless both are objects or both are lists.
    ///
    /// - Returns: The pairs of values in the objects or lists, which are to be compared too.
    private mutating func compareValues(_ pair: ValuePair) -> [ValuePair] {
        if addAbsence(pair) { return [] }
        // A key that an object has several times has several values, which are compared as a whole.
        if pair.first.count == 1, pair.second.count == 1 {
            let kinds = Set((pair.first + pair.second).map(\.kind))
            if kinds == [.object] { return members(of: pair) }
            if kinds == [.array] { return elements(of: pair) }
        }
        let isSame = pair.first.elementsEqual(pair.second) { $0.isSame(as: $1) }
        if !isSame { add(.changed, pair) }
        return []
    }

    /// Adds the difference that only one response has a value.
    ///
    /// - Returns: Whether there is this difference.
    private mutating func addAbsence(_ pair: ValuePair) -> Bool {
        if pair.first.isEmpty {
            add(.added, pair)
        } else if pair.second.isEmpty {
            add(.missing, pair)
        } else {
            return false
        }
        return true
    }

    /// Adds a difference at the path of a pair.
    private mutating func add(_ kind: ResponseDifference.Kind, _ pair: ValuePair) {
        let values = [text(pair.first), text(pair.second)]
        all.append(ResponseDifference(kind: kind, path: pair.path, values: values))
    }

    // MARK: Contents

    /// Returns the members of the objects, paired by their keys.
    private func members(of pair: ValuePair) -> [ValuePair] {
        func parts(_ values: [JSONValue]) -> [Part] {
            values.compactMap(\.members).joined().map { key, value in
                Part(step: ComparisonPlaces.step(key), value: value)
            }
        }
        return Self.pairs(parts(pair.first), parts(pair.second), at: pair.path)
    }

    /// Returns the elements of two lists, paired by the field that identifies them, or else by their positions.
    private func elements(of pair: ValuePair) -> [ValuePair] {
        func numbered(_ values: [JSONValue]) -> [Part] {
            values.enumerated().map { Part(step: "[\($0)]", value: $1) }
        }
        let first = Self.elements(of: pair.first)
        let second = Self.elements(of: pair.second)
        if !first.isEmpty, let firstParts = identified(first), let secondParts = identified(second) {
            return Self.pairs(firstParts, secondParts, at: pair.path)
        }
        return Self.pairs(numbered(first), numbered(second), at: pair.path)
    }

    /// Returns the elements of all lists among some values.
    private static func elements(of values: [JSONValue]) -> [JSONValue] {
        Array(values.compactMap(\.elements).joined())
    }

    /// Pairs the parts that have the same step. Steps of the first response come first, in its order.
    private static func pairs(_ first: [Part], _ second: [Part], at path: String) -> [ValuePair] {
        let firstValues = Dictionary(grouping: first, by: \.step)
        let secondValues = Dictionary(grouping: second, by: \.step)
        let steps = (first + second).map(\.step).grouped(by: \.self).map(\.key)
        return steps.map { step in
            ValuePair(
                path: path + step, first: firstValues[step, default: []].map(\.value),
                second: secondValues[step, default: []].map(\.value))
        }
    }

    /// Returns the elements of a list with steps that identify them by their key, such as `[?@.id == 7]`.
    ///
    /// - Returns: Nil unless every element has the key, and each with another value.
    private func identified(_ elements: [JSONValue]) -> [Part]? {
        var parts: [Part] = []
        for element in elements {
            guard let value = element[key], [.string, .number].contains(value.kind) else { return nil }
            let step = "[?@\(ComparisonPlaces.step(key)) == \(value.canonical)]"
            parts.append(Part(step: step, value: element))
        }
        let areUnique = Set(parts.map(\.step)).count == parts.count
        return areUnique ? parts : nil
    }

    /// Returns the values as they are written with `--values`, or else their types, such as `null or string`; nil if
    /// there are none.
    private func text(_ values: [JSONValue]) -> String? {
        if values.isEmpty { return nil }
        if comparesValues { return values.map(\.description).joined(separator: " and ") }
        return Set(values.map(\.kind.rawValue)).sorted().joined(separator: " or ")
    }
}

extension JSONValue {
    /// A string or number in the one spelling that all equal values have: `1` for `1.0` and `1e0`.
    fileprivate var canonical: JSONValue {
        if let string { return JSONValue(string) }
        if let integer = integer(Int.self).map({ JSONValue($0) }), integer.isSame(as: self) { return integer }
        if let double = double.map({ JSONValue($0) }), double.isSame(as: self) { return double }
        return self
    }

    /// The beginning of the value's text. The 320 bytes hold 80 characters of up to four bytes.
    var shown: String { String(decoding: written.prefix(320), as: UTF8.self).startOfValue }
}

extension String {
    /// The text, or its first 80 characters with an ellipsis if it is longer.
    var startOfValue: String {
        let limit = 80
        return count > limit ? prefix(limit) + "…" : self
    }
}
