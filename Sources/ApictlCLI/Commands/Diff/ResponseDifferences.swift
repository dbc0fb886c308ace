import EndpointKit
import EndpointTools
import JSONText

/// One way in which two responses differ.
struct ResponseDifference {
    enum Kind: String {
        case status, body
        /// Only the first response has it, or only the second.
        case missing, added
        case changed
    }

    let kind: Kind
    /// Nil if it is not about a place in the body.
    var path: String?
    /// What the first response has, and the second: as it is written, or its type in words; nil if it has nothing.
    let values: [String?]
}

/// Compares two documents: which values there are and of what type, for which all elements of a list are one; or each value.
struct ResponseDifferences {
    /// Values of both sides with the step that leads to them.
    private typealias Part = (step: String, value: JSONValue)

    private let comparesValues: Bool
    /// The field that tells items of lists apart.
    private let key: String
    private(set) var all: [ResponseDifference] = []

    init(_ one: JSONValue, _ other: JSONValue, _ options: DiffOptions) {
        comparesValues = options.comparesValues
        key = options.key ?? "id"
        // Not by recursion: a server decides how deep it would be.
        var open = [(ones: [one], others: [other], path: "$")]
        while let (ones, others, path) = open.popLast() {
            open += compare(ones, others, path).map { ($0, $1, path + $2) }.reversed()
        }
    }

    /// Adds what is different about the values at a path, and returns what is in them; no values are a place that is not there.
    private mutating func compare(
        _ ones: [JSONValue], _ others: [JSONValue], _ path: String
    ) -> [([JSONValue], [JSONValue], step: String)] {
        func difference(_ kind: ResponseDifference.Kind) -> ResponseDifference {
            ResponseDifference(kind: kind, path: path, values: [text(ones), text(others)])
        }
        if ones.isEmpty || others.isEmpty {
            all.append(difference(ones.isEmpty ? .added : .missing))
            return []
        }
        let (kinds, otherKinds) = (Set(ones.map(\.kind)), Set(others.map(\.kind)))
        if comparesValues {
            // A key that is there several times has several values.
            let isScalar = kinds.isDisjoint(with: [.array, .object])
            if kinds != otherKinds || isScalar || ones.count + others.count > 2 {
                if !ones.elementsEqual(others, by: { $0.isSame(as: $1) }) { all.append(difference(.changed)) }
                return []
            }
        } else {
            // Null says nothing about what else may be there.
            let (shapes, otherShapes) = (kinds.subtracting([.null]), otherKinds.subtracting([.null]))
            if shapes != otherShapes, !shapes.isEmpty, !otherShapes.isEmpty { all.append(difference(.changed)) }
        }
        func members(_ values: [JSONValue]) -> [Part] {
            values.compactMap(\.members).joined().map { (ComparisonPlaces.step($0.key), $0.value) }
        }
        let (elements, otherElements) = (ones.compactMap(\.elements).joined(), others.compactMap(\.elements).joined())
        let isObject = kinds.contains(.object) && otherKinds.contains(.object)
        let inner = isObject ? pairs(members(ones), members(others)) : []
        if !comparesValues {
            // An empty list tells nothing about what is in it.
            if elements.isEmpty || otherElements.isEmpty { return inner }
            return inner + [(Array(elements), Array(otherElements), "[*]")]
        }
        if let keyed = keyed(elements), let others = keyed.isEmpty ? nil : self.keyed(otherElements) {
            return inner + pairs(keyed, others)
        }
        func numbered(_ values: some Sequence<JSONValue>) -> [Part] { values.enumerated().map { ("[\($0)]", $1) } }
        return inner + pairs(numbered(elements), numbered(otherElements))
    }

    /// What has the same step on each side, in the order of the first side.
    private func pairs(_ ones: [Part], _ others: [Part]) -> [([JSONValue], [JSONValue], step: String)] {
        let sides = ones.map { (part: $0, isFirst: true) } + others.map { (part: $0, isFirst: false) }
        return sides.grouped(by: \.part.step).map { step, parts in
            (parts.filter(\.isFirst).map(\.part.value), parts.filter { !$0.isFirst }.map(\.part.value), step)
        }
    }

    /// The elements by their keys; nil unless each has one of its own.
    private func keyed(_ elements: some Sequence<JSONValue>) -> [Part]? {
        var parts: [Part] = []
        for element in elements {
            guard let value = element[key], [.string, .number].contains(value.kind) else { return nil }
            parts.append(("[?@\(ComparisonPlaces.step(key)) == \(value.inOneSpelling)]", element))
        }
        return Set(parts.map(\.step)).count == parts.count ? parts : nil
    }

    /// The values as they are written, or their types; nil if there are none.
    private func text(_ values: [JSONValue]) -> String? {
        if values.isEmpty { return nil }
        if comparesValues { return values.map(\.description).joined(separator: " and ") }
        return Set(values.map(\.kind.rawValue)).sorted().joined(separator: " or ")
    }
}

extension JSONValue {
    /// A string, or a number that is written with few digits, as others with the same value are written.
    fileprivate var inOneSpelling: JSONValue {
        if let string { return JSONValue(string) }
        let numbers = [integer(Int.self).map { JSONValue($0) }, double.map { JSONValue($0) }].compactMap(\.self)
        return numbers.first { $0.isSame(as: self) } ?? self
    }

    /// The start of its text.
    var shown: String { String(decoding: written.prefix(320), as: UTF8.self).startOfValue }
}

extension String {
    /// The start of a value's text.
    var startOfValue: String {
        let limit = 80
        return count > limit ? prefix(limit) + "…" : self
    }
}
