import EndpointKit
import JSONText

/// A text of a nested value in a query or form, with the keys that lead to it: `price` and `5` for `[price]=5`.
package typealias KeyedText = (keys: ArraySlice<String>, text: String)

extension Shape {
    /// Returns the JSON of a structured value of this type that a query or form holds as several texts.
    ///
    ///     [price]=5, [tags][0]=a, [tags][1]=b       {"price":5,"tags":["a","b"]}
    ///
    /// A text that does not fit its type becomes a string, which a decoder then refuses.
    ///
    /// - Parameters:
    ///   - parts: The texts, each with the keys that lead to it: `price` and `5`. ``QueryItem/items(_:_:isIndexed:)``
    ///     writes such texts.
    ///   - coding: How the API writes keys and dates.
    package func json(of parts: [KeyedText], _ coding: Coding) -> JSONValue {
        if let wrapped = nonNull { return wrapped.json(of: parts, coding) }
        if isList(parts) {
            let partsOfElements = Self.partsOfElements(parts)
            return JSONValue(partsOfElements.map { element.json(of: $0, coding) })
        }
        if let part = parts.first, part.keys.isEmpty { return json(of: part.text, coding) }
        let members = Self.groups(parts).map { group in
            (group.key, memberType(group.key, coding).json(of: group.parts, coding))
        }
        return JSONValue(members)
    }

    /// Whether parts are the elements of a list. If the type is any JSON, several parts are a list if each of them has
    /// a position or no key.
    private func isList(_ parts: [KeyedText]) -> Bool {
        guard self == .any else { return isArray }
        let haveNoNames = parts.allSatisfy { part in
            guard let key = part.keys.first else { return true }
            return key.isEmpty || Signature.isPosition(key)
        }
        return parts.count > 1 && haveNoNames
    }

    /// Returns the JSON of a text without keys. If the type is any JSON, numbers and booleans are read as such.
    private func json(of text: String, _ coding: Coding) -> JSONValue {
        if let value = value(text, coding) { return value }
        guard self == .any, let value = try? JSONValue(text: text.exactBytes) else { return JSONValue(text) }
        let isNumberOrBoolean = value.number != nil || value.bool != nil
        return isNumberOrBoolean ? value : JSONValue(text)
    }

    /// Returns the type of the member with that key, as the API writes it.
    private func memberType(_ key: String, _ coding: Coding) -> Shape {
        if case .dictionary(let valueType) = self { return valueType }
        return shape(atPathComponent: coding.modelKey(key)) ?? .any
    }

    /// Returns the parts of each element of a list, in the order of their positions. Keys that are no numbers come
    /// last.
    ///
    ///     [1][id]=8, [0][id]=7, [0][name]=a    →    [id]=7 and [name]=a, then [id]=8
    ///
    private static func partsOfElements(_ parts: [KeyedText]) -> [[KeyedText]] {
        let positionedGroups = groups(parts).enumerated().map { index, group in
            (position: Int(group.key) ?? .max, index: index, parts: group.parts)
        }
        let sortedGroups = positionedGroups.sorted { ($0.position, $0.index) < ($1.position, $1.index) }
        return sortedGroups.map(\.parts)
    }

    /// Returns groups of the parts with the same first key, which is removed from the parts.
    ///
    /// A part without a key is a group of its own.
    private static func groups(_ parts: [KeyedText]) -> [(key: String, parts: [KeyedText])] {
        let groups = parts.enumerated().grouped { index, part in
            guard let key = part.keys.first, !key.isEmpty else {
                // A key that no other part has. The sign distinguishes it from a key that is a position.
                return "+\(index)"
            }
            return key
        }
        return groups.map { key, elements in
            (key: key, parts: elements.map { (keys: $1.keys.dropFirst(), text: $1.text) })
        }
    }
}
