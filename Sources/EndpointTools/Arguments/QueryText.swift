import EndpointKit
import JSONText

/// A text of a nested value in a query or form, with the keys that lead to it: `price` and `5` for `[price]=5`.
package typealias KeyedText = (keys: ArraySlice<String>, text: String)

extension Shape {
    /// Returns the JSON of a value of this type, such as an object or a list, which a query or form holds as several
    /// texts.
    ///
    ///     [price]=5, [tags][0]=a, [tags][1]=b       {"price":5,"tags":["a","b"]}
    ///
    /// A text that does not fit its type becomes a string, which a decoder then refuses.
    ///
    /// - Parameters:
    ///   - texts: The texts, each with the keys that lead to it: `price` and `5`. ``QueryItem/items(_:_:isIndexed:)``
    ///     writes such texts.
    ///   - coding: How the API writes keys and dates.
    package func json(of texts: [KeyedText], coding: Coding) -> JSONValue {
        if let wrapped = nonNull { return wrapped.json(of: texts, coding: coding) }
        if areElements(texts) {
            let elements = Self.textsOfElements(texts).map { element.json(of: $0, coding: coding) }
            return JSONValue(elements)
        }
        // A text without keys is the value itself, and not one of its members.
        if let first = texts.first, first.keys.isEmpty { return json(ofText: first.text, coding: coding) }
        let members = Self.groupedByFirstKey(texts).map { group in
            (group.key, memberType(group.key, coding: coding).json(of: group.texts, coding: coding))
        }
        return JSONValue(members)
    }

    /// Whether texts are the elements of a list. If the type is any JSON, several texts are a list if each of them has
    /// a position or no key.
    private func areElements(_ texts: [KeyedText]) -> Bool {
        guard self == .any else { return isArray }
        let haveNoNames = texts.allSatisfy { text in
            guard let key = text.keys.first else { return true }
            return key.isEmpty || Signature.isPosition(key)
        }
        return texts.count > 1 && haveNoNames
    }

    /// Returns the JSON of a text without keys. If the type is any JSON, numbers and booleans are read as such.
    private func json(ofText text: String, coding: Coding) -> JSONValue {
        if let typedJSON = typedValue(ofText: text, coding: coding) { return typedJSON }
        guard self == .any, let value = try? JSONValue(text: text.exactBytes) else { return JSONValue(text) }
        let isNumberOrBoolean = value.number != nil || value.bool != nil
        return isNumberOrBoolean ? value : JSONValue(text)
    }

    /// Returns the type of the member with a key, which is spelled as the API writes it.
    private func memberType(_ key: String, coding: Coding) -> Shape {
        if case .dictionary(let valueType) = self { return valueType }
        return shape(atPathComponent: coding.modelKey(key)) ?? .any
    }

    /// Returns the texts of each element of a list, in the order of the elements' positions. Keys that are no numbers
    /// come last.
    ///
    ///     [1][id]=8, [0][id]=7, [0][name]=a    →    [id]=7 and [name]=a, then [id]=8
    ///
    private static func textsOfElements(_ texts: [KeyedText]) -> [[KeyedText]] {
        let groups = groupedByFirstKey(texts)
        let positions = groups.map { Int($0.key) ?? .max }
        // Groups with the same position stay in the order of the query.
        let sortedIndexes = groups.indices.sorted { (positions[$0], $0) < (positions[$1], $1) }
        return sortedIndexes.map { groups[$0].texts }
    }

    /// Groups texts by their first keys, and removes these keys from the texts.
    ///
    ///     [a][x]=1, [b]=2, [a][y]=3    →    a: [x]=1 and [y]=3, then b: 2
    ///
    /// A text without a first key is a group of its own. The key of that group is a plus sign and the text's index:
    /// `+0`.
    private static func groupedByFirstKey(_ texts: [KeyedText]) -> [(key: String, texts: [KeyedText])] {
        let groups = texts.enumerated().grouped { index, text in
            guard let key = text.keys.first, !key.isEmpty else {
                // The sign keeps the index apart from a key that is a position.
                return "+\(index)"
            }
            return key
        }
        return groups.map { key, elements in
            let innerTexts: [KeyedText] = elements.map { _, text in (text.keys.dropFirst(), text.text) }
            return (key: key, texts: innerTexts)
        }
    }
}
