import EndpointKit
import JSONText

/// One way in which two responses differ.
struct Difference {
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
struct Differences {
    /// What is still to be compared, or to be reported in its turn.
    private enum Item {
        case pair([JSONValue], [JSONValue], path: String)
        case difference(Difference)
    }

    private let comparesValues: Bool
    /// The field that tells items of lists apart.
    private let key: String
    private(set) var all: [Difference] = []

    init(_ one: JSONValue, _ other: JSONValue, _ options: DiffOptions) {
        comparesValues = options.comparesValues
        key = options.key ?? "id"
        // Not by recursion: a server decides how deep it would be.
        var open = [Item.pair([one], [other], path: "$")]
        while let item = open.popLast() {
            switch item {
            case .difference(let difference): all.append(difference)
            case .pair(let ones, let others, let path): open += items(ones, others, path).reversed()
            }
        }
    }

    private func items(_ ones: [JSONValue], _ others: [JSONValue], _ path: String) -> [Item] {
        var items: [Item] = []
        // The values are written only where they are needed: at each level that would cost their size.
        func change() -> Item {
            .difference(Difference(kind: .changed, path: path, values: [text(ones), text(others)]))
        }
        // Null says nothing about what else may be there.
        let (kinds, otherKinds) = (Set(ones.map(\.kind)), Set(others.map(\.kind)))
        let (shapes, otherShapes) = (kinds.subtracting(["null"]), otherKinds.subtracting(["null"]))
        if comparesValues {
            if kinds != otherKinds || kinds.isDisjoint(with: ["array", "object"]) {
                return ones[0].isSame(as: others[0]) ? [] : [change()]
            }
        } else if shapes != otherShapes, !shapes.isEmpty, !otherShapes.isEmpty {
            items.append(change())
        }
        let (objects, otherObjects) = (ones.compactMap(\.members), others.compactMap(\.members))
        if !objects.isEmpty, !otherObjects.isEmpty {
            let members = Groups(objects.joined().map { (FoldedPlaces.step($0.key), $0.value) })
            let otherMembers = Groups(otherObjects.joined().map { (FoldedPlaces.step($0.key), $0.value) })
            items += pairs(members, otherMembers, path)
        }
        let (elements, otherElements) = (ones.flatMap(\.list), others.flatMap(\.list))
        if !comparesValues {
            // An empty list tells nothing about what is in it.
            if elements.isEmpty || otherElements.isEmpty { return items }
            return items + [.pair(elements, otherElements, path: path + "[*]")]
        }
        if let keyed = keyed(elements), let others = keyed.isEmpty ? nil : self.keyed(otherElements) {
            return items + pairs(keyed, others, path)
        }
        return items + pairs(numbered(elements), numbered(otherElements), path)
    }

    /// What has the same step on both sides, and what only one side has, in the order of the first side.
    private func pairs(_ ones: Groups, _ others: Groups, _ path: String) -> [Item] {
        ones.steps.map { step in
            let (own, path) = (ones.values[step] ?? [], path + step)
            guard let others = others.values[step] else {
                return .difference(Difference(kind: .missing, path: path, values: [text(own), nil]))
            }
            return .pair(own, others, path: path)
        }
            + others.steps.filter { ones.values[$0] == nil }.map { step in
                .difference(
                    Difference(kind: .added, path: path + step, values: [nil, text(others.values[step] ?? [])]))
            }
    }

    private func numbered(_ elements: [JSONValue]) -> Groups {
        Groups(elements.enumerated().map { ("[\($0)]", $1) })
    }

    /// The elements by their keys; nil unless each has one of its own.
    private func keyed(_ elements: [JSONValue]) -> Groups? {
        var steps: [(String, JSONValue)] = []
        for element in elements {
            guard let value = element[key], value.string != nil || value.number != nil else { return nil }
            steps.append(("[?@\(FoldedPlaces.step(key)) == \(value)]", element))
        }
        let groups = Groups(steps)
        return groups.steps.count == elements.count ? groups : nil
    }

    /// The value as it is written, or the types.
    private func text(_ values: [JSONValue]) -> String {
        comparesValues ? values.first?.description ?? "" : Set(values.map(\.kind)).sorted().joined(separator: " or ")
    }

    /// Values by the steps that lead to them, in the order of the text.
    private struct Groups {
        private(set) var steps: [String] = []
        private(set) var values: [String: [JSONValue]] = [:]

        var isEmpty: Bool { steps.isEmpty }

        init(_ all: [(step: String, value: JSONValue)]) {
            for (step, value) in all {
                if values[step] == nil { steps.append(step) }
                values[step, default: []].append(value)
            }
        }
    }
}

extension JSONValue {
    fileprivate var kind: String {
        switch content {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    fileprivate var list: [JSONValue] { elements.map { Array($0) } ?? [] }
}

extension String {
    /// The start of a value's text.
    var startOfValue: String {
        let longest = 80
        return count > longest ? prefix(longest) + "…" : self
    }
}

extension JSONValue {
    /// The start of it as it is written.
    var shown: String { String(decoding: written.prefix(320), as: UTF8.self).startOfValue }
}
