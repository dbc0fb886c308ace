import EndpointKit
import JSONText

/// Compares which values two documents have and of what types, with the positions of lists folded into one.
struct ShapeDifference {
    /// The names of the two servers.
    let names: (String, String)

    /// What a document has at one folded path.
    private struct Place {
        let parent: String?
        var kinds: Set<String> = []
        /// Whether it has a member or an element.
        var hasChildren = false
    }

    private struct Places {
        var places: [String: Place] = [:]
        /// The paths in the order of the text.
        var order: [String] = []

        mutating func add(_ value: JSONValue, _ path: String, _ parent: String?) {
            if places[path] == nil {
                places[path] = Place(parent: parent)
                order.append(path)
            }
            places[path]?.kinds.insert(value.kindName)
            for element in value.elements.map(Array.init) ?? [] {
                add(element, path + "[*]", path)
                places[path]?.hasChildren = true
            }
            guard let members = value.members else { return }
            for (key, member) in members { add(member, path + FoldedPlaces.step(key), path) }
            places[path]?.hasChildren = true
        }
    }

    func lines(_ one: JSONValue, _ other: JSONValue) -> [String] {
        var (first, second) = (Places(), Places())
        first.add(one, "$", nil)
        second.add(other, "$", nil)
        var lines: [String] = []
        for path in first.order {
            guard let place = first.places[path] else { continue }
            guard let counterpart = second.places[path] else {
                if isOutermost(place, in: second) { lines.append("- \(path): \(Self.text(place)); only in \(names.0)") }
                continue
            }
            // Null says nothing about what else may be there.
            let kinds = (place.kinds.subtracting(["null"]), counterpart.kinds.subtracting(["null"]))
            if kinds.0 != kinds.1, !kinds.0.isEmpty, !kinds.1.isEmpty {
                lines.append("~ \(path): \(Self.text(place)) in \(names.0), \(Self.text(counterpart)) in \(names.1)")
            }
        }
        for path in second.order where first.places[path] == nil {
            if let place = second.places[path], isOutermost(place, in: first) {
                lines.append("+ \(path): \(Self.text(place)); only in \(names.1)")
            }
        }
        return lines
    }

    /// Whether it is the outermost of what is missing, and not just in a list that happens to be empty.
    private func isOutermost(_ place: Place, in others: Places) -> Bool {
        guard let parent = place.parent, let counterpart = others.places[parent] else { return place.parent == nil }
        return counterpart.hasChildren
    }

    private static func text(_ place: Place) -> String { place.kinds.sorted().joined(separator: " or ") }
}

/// Compares all values of two documents.
struct ValueDifference {
    /// The names of the two servers.
    let names: (String, String)

    func lines(_ one: JSONValue, _ other: JSONValue) -> [String] {
        var lines: [String] = []
        compare(one, other, "$", &lines)
        return lines
    }

    private func compare(_ one: JSONValue, _ other: JSONValue, _ path: String, _ lines: inout [String]) {
        if let elements = one.elements.map({ Array($0) }), let others = other.elements.map({ Array($0) }) {
            for (index, pair) in zip(elements, others).enumerated() {
                compare(pair.0, pair.1, "\(path)[\(index)]", &lines)
            }
            for index in others.count..<max(elements.count, others.count) {
                lines.append("- \(path)[\(index)]: \(elements[index].shown); only in \(names.0)")
            }
            for index in elements.count..<max(elements.count, others.count) {
                lines.append("+ \(path)[\(index)]: \(others[index].shown); only in \(names.1)")
            }
        } else if let members = one.members, let others = other.members {
            let theirs = Dictionary(others.map { ($0.key, $0.value) }) { first, _ in first }
            var known: Set<String> = []
            for (key, value) in members where known.insert(key).inserted {
                let inner = path + FoldedPlaces.step(key)
                if let counterpart = theirs[key] {
                    compare(value, counterpart, inner, &lines)
                } else {
                    lines.append("- \(inner): \(value.shown); only in \(names.0)")
                }
            }
            for (key, value) in others where known.insert(key).inserted {
                lines.append("+ \(path)\(FoldedPlaces.step(key)): \(value.shown); only in \(names.1)")
            }
        } else if one != other {
            lines.append("~ \(path): \(one.shown) in \(names.0), \(other.shown) in \(names.1)")
        }
    }
}

extension JSONValue {
    /// Characters of a value that are shown.
    private static let maxShown = 80

    fileprivate var kindName: String {
        switch content {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// The start of it as it is written.
    var shown: String {
        let text = String(decoding: written.prefix(Self.maxShown * 4), as: UTF8.self)
        return text.count > Self.maxShown ? String(text.prefix(Self.maxShown)) + "…" : text
    }
}
