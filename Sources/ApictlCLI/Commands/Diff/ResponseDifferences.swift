import EndpointKit
import EndpointTools
import JSONText

/// One way in which two responses differ.
struct ResponseDifference {
    /// The kind of a difference, as `--json` names it.
    enum Kind: String {
        case status
        /// The bodies differ as a whole, because at least one of them is not JSON.
        case body
        /// Only the first response has the value.
        case missing
        /// Only the second response has the value.
        case added
        /// Both responses have a value at the path, but not the same.
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
    /// A value in an object or list, with its path from there, such as `.title` or `[0]`.
    private struct Child {
        let relativePath: String
        let value: JSONValue
    }

    /// The values of both responses at one path.
    ///
    /// A response may have no value there, or several: the elements of a list, or members with the same key.
    private struct ValuePair {
        let path: String
        let firstValues: [JSONValue]
        let secondValues: [JSONValue]
    }

    private let comparesValues: Bool
    /// The name of the field that identifies the items of a list.
    private let identifyingField: String
    /// The differences in the order of the documents.
    private(set) var all: [ResponseDifference] = []

    /// Compares two values and everything in them.
    ///
    /// - Parameters:
    ///   - first: The JSON of the first response.
    ///   - second: The JSON of the second response.
    ///   - options: The options of the command. Only `--values` and `--by` are used.
    init(from first: JSONValue, to second: JSONValue, _ options: DiffOptions) {
        comparesValues = options.comparesValues
        identifyingField = options.identifyingField?.text ?? "id"
        // A depth-first search without recursion, because a hostile server chooses the depth.
        var remainingPairs = [ValuePair(path: "$", firstValues: [first], secondValues: [second])]
        while let pair = remainingPairs.popLast() {
            let nestedPairs = comparesValues ? compareValues(of: pair) : compareTypes(of: pair)
            // The last pair is taken first. Reversed, the differences come in the order of the document.
            remainingPairs += nestedPairs.reversed()
        }
    }

    // MARK: Comparison

    /// Compares the types of the values at a path. Adds a difference to ``all`` if the types differ, or if only one
    /// response has values.
    ///
    /// - Returns: The pairs of values inside these values, to be compared next. All elements of lists are one pair.
    private mutating func compareTypes(of pair: ValuePair) -> [ValuePair] {
        if addIfOneSided(pair) { return [] }
        // A null beside other values is no difference, because any item of a list may have null in a field. If all
        // values of one response are null, it has no types, which differs from any type.
        let firstTypes = Set(pair.firstValues.map(\.kind)).subtracting([.null])
        let secondTypes = Set(pair.secondValues.map(\.kind)).subtracting([.null])
        if firstTypes != secondTypes { add(.changed, at: pair) }

        var nestedPairs: [ValuePair] = []
        let commonTypes = firstTypes.intersection(secondTypes)
        if commonTypes.contains(.object) { nestedPairs += pairsOfMembers(in: pair) }
        if commonTypes.contains(.array) {
            // If the lists of only one response are empty, this pair is one-sided, which is a difference.
            let elements = ValuePair(
                path: pair.path + "[*]", firstValues: Self.elements(ofListsIn: pair.firstValues),
                secondValues: Self.elements(ofListsIn: pair.secondValues))
            let areEmptyLists = elements.firstValues.isEmpty && elements.secondValues.isEmpty
            if !areEmptyLists { nestedPairs.append(elements) }
        }
        return nestedPairs
    }

    /// Compares the values at a path. Adds a difference to ``all`` if the values differ.
    ///
    /// Two objects or two lists differ only in the values inside them. These values are returned to be compared next.
    ///
    /// - Returns: The pairs of values in two objects or two lists; empty for any other values.
    private mutating func compareValues(of pair: ValuePair) -> [ValuePair] {
        if addIfOneSided(pair) { return [] }
        // A key that an object has several times has several values, which are compared as a whole.
        if pair.firstValues.count == 1, pair.secondValues.count == 1 {
            let kinds = Set((pair.firstValues + pair.secondValues).map(\.kind))
            if kinds == [.object] { return pairsOfMembers(in: pair) }
            if kinds == [.array] { return pairsOfElements(in: pair) }
        }
        let areSame = pair.firstValues.elementsEqual(pair.secondValues) { $0.isSame(as: $1) }
        if !areSame { add(.changed, at: pair) }
        return []
    }

    /// Adds a difference to ``all`` if only one of the responses has a value at the path of a pair.
    ///
    /// - Returns: Whether the difference was added.
    private mutating func addIfOneSided(_ pair: ValuePair) -> Bool {
        if pair.firstValues.isEmpty {
            add(.added, at: pair)
            return true
        }
        if pair.secondValues.isEmpty {
            add(.missing, at: pair)
            return true
        }
        return false
    }

    /// Adds a difference at the path of a pair.
    private mutating func add(_ kind: ResponseDifference.Kind, at pair: ValuePair) {
        let values = [text(of: pair.firstValues), text(of: pair.secondValues)]
        all.append(ResponseDifference(kind: kind, path: pair.path, values: values))
    }

    // MARK: Values in objects and lists

    /// Returns the values of the objects at a path, paired by their keys: those at `$.title` for the pair at `$`.
    private func pairsOfMembers(in pair: ValuePair) -> [ValuePair] {
        Self.pairsWithSamePath(Self.members(of: pair.firstValues), Self.members(of: pair.secondValues), in: pair.path)
    }

    /// Returns the members of all objects among some values.
    private static func members(of values: [JSONValue]) -> [Child] {
        values.compactMap(\.members).joined().map { key, value in
            Child(relativePath: ComparisonPlaces.step(key), value: value)
        }
    }

    /// Returns the elements of the lists at a path, paired by the field that identifies them, or else by their
    /// positions.
    private func pairsOfElements(in pair: ValuePair) -> [ValuePair] {
        let first = Self.elements(ofListsIn: pair.firstValues)
        let second = Self.elements(ofListsIn: pair.secondValues)
        if !first.isEmpty, let firstItems = identifiedElements(first), let secondItems = identifiedElements(second) {
            return Self.pairsWithSamePath(firstItems, secondItems, in: pair.path)
        }
        return Self.pairsWithSamePath(Self.numberedElements(first), Self.numberedElements(second), in: pair.path)
    }

    /// Returns the elements of all lists among some values.
    private static func elements(ofListsIn values: [JSONValue]) -> [JSONValue] {
        Array(values.compactMap(\.elements).joined())
    }

    /// Returns the elements of a list by their positions: `[0]`.
    private static func numberedElements(_ elements: [JSONValue]) -> [Child] {
        elements.enumerated().map { Child(relativePath: "[\($0)]", value: $1) }
    }

    /// Returns the elements of a list, each with a path that names it by its identifying field: `[?@.id == 7]`.
    ///
    /// - Returns: The elements. Nil if an element does not have the field, if its value is no text or number, or if two
    ///   elements have the same value.
    private func identifiedElements(_ elements: [JSONValue]) -> [Child]? {
        var children: [Child] = []
        for element in elements {
            guard let value = element[identifyingField], [.string, .number].contains(value.kind) else { return nil }
            let relativePath = "[?@\(ComparisonPlaces.step(identifyingField)) == \(value.canonical)]"
            children.append(Child(relativePath: relativePath, value: element))
        }
        let areUnique = Set(children.map(\.relativePath)).count == children.count
        return areUnique ? children : nil
    }

    /// Pairs the values of both responses that have the same relative path.
    ///
    /// The paths of the first response come first, in its order. Then come the paths that only the second response has.
    ///
    /// - Parameters:
    ///   - first: The values of the first response.
    ///   - second: The values of the second response.
    ///   - path: The path of the object or list that holds them.
    private static func pairsWithSamePath(_ first: [Child], _ second: [Child], in path: String) -> [ValuePair] {
        let firstChildren = Dictionary(grouping: first, by: \.relativePath)
        let secondChildren = Dictionary(grouping: second, by: \.relativePath)
        let relativePaths = (first + second).map(\.relativePath).withoutRepetitions
        return relativePaths.map { relativePath in
            ValuePair(
                path: path + relativePath, firstValues: firstChildren[relativePath, default: []].map(\.value),
                secondValues: secondChildren[relativePath, default: []].map(\.value))
        }
    }

    // MARK: Texts

    /// Returns the values as they are written with `--values`, or else their types, such as `null or string`.
    ///
    /// - Returns: The text; nil if there are no values.
    private func text(of values: [JSONValue]) -> String? {
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
