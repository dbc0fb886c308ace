import EndpointKit
import EndpointTools
import JSONText

/// Where a parameter is in a request, and how its text is written there.
package struct CallBinding: Sendable {
    package let parameter: Parameter
    package let place: RequestParts.Location
    /// What stands around the text, such as `bytes=` in a Range header, and the values of other parameters.
    package var pattern = TextPattern(literals: [[], []])
    /// Which of the pattern's values is this parameter's.
    package var index = 0
    /// What separates the elements of an array in one text; nil if each has its own.
    package var separator: String?
    /// Whether a single value in JSON is a string; nil if it is given as JSON.
    var isString: Bool?
    /// How the API writes keys, if the value's parts have places of their own, such as `filter[colour]`; the name of ``place`` is empty if
    /// these are the fields' names.
    package var nested: Coding?

    /// What a request has at the place.
    enum Value {
        case texts([String])
        case json(JSONValue)
        /// The parameter is there, but what it was is not.
        case present
        case invalid(problem: String)
    }

    /// The parameter's value in `parts`; nil if it is not there.
    func value(in parts: RequestParts) -> Value? {
        if let nested {
            let inner = parts.items.filter { covers($0.place) }.map { item in
                (QueryItem.keys(of: item.place.name ?? "").dropFirst(place.name == "" ? 0 : 1), item.text)
            }
            return inner.isEmpty ? nil : .json(parameter.type.json(of: inner, nested))
        }
        if case .json(let keys) = place { return keys.reduce(parts.json) { $0?[$1] }.flatMap(value) }
        let texts = parts.texts(at: place)
        if texts.isEmpty { return nil }
        return place.isFile ? .present : unwrapped(texts)
    }

    /// Whether the text at a place is the value or a part of it.
    package func covers(_ other: RequestParts.Location) -> Bool {
        guard let nested, let name = place.name, let text = other.name, other.with("") == place.with("") else {
            return other == place
        }
        if !name.isEmpty { return text.hasPrefix(name) && QueryItem.keys(of: text)[0] == name }
        let key = nested.modelKey(QueryItem.keys(of: text)[0])
        return parameter.type.fields.contains { $0.key == key }
    }

    private func unwrapped(_ texts: [String]) -> Value {
        var found: [String] = []
        for text in texts {
            // What stands alone may be empty.
            let isAlone = pattern.literals == [[], []]
            guard let inner = isAlone ? text : pattern.values(in: text.exactBytes)?[index] else {
                let form = pattern.literals.map { String(exactBytes: $0) }.joined(separator: "…")
                return .invalid(problem: "\(placePhrase): expected \(form), got '\(text)'")
            }
            if let separator {
                let parts = inner.utf8.split(separator: separator.utf8, omittingEmptySubsequences: false)
                found += inner.isEmpty ? [] : parts.map { String(Substring($0)) }
            } else {
                found.append(inner)
            }
        }
        return .texts(found)
    }

    private func value(_ json: JSONValue) -> Value? {
        if json.isNull { return nil }
        guard let isString else { return .json(json) }
        let values = parameter.type.isArray ? json.elements : [json]
        // A small body must not take much memory: a long array is not checked.
        if let values, values.count > 10_000 { return .present }
        let isBool = parameter.type.element == .scalar(.boolean) && !isString
        let fits = values?.allSatisfy { isBool ? $0.bool != nil : ($0.string != nil) == isString }
        if let values, fits == true { return .texts(values.map(\.text)) }
        let expected = values == nil ? "an array" : isString ? "a string" : parameter.type.phrase
        return .invalid(problem: "\(phrase): expected \(expected), got '\(json.description.prefix(80))'")
    }

    /// What the parameter is called in a sentence.
    var phrase: String { (pattern.literals.count > 2 ? "\(parameter.name) in " : "") + placePhrase }

    /// What the place is called in a sentence; the parameter's own name is enough if it is the place's.
    var placePhrase: String {
        guard case .path = place else { return place.phrase }
        return "\(parameter.position == nil ? parameter.name : "the value") in the path"
    }

    /// Whether the texts are the same, or in JSON the same numbers.
    func areAlike(_ found: [String], _ texts: [String]) -> Bool {
        let type = isString == false ? .scalar(.number(nil)) : parameter.type
        return found.map(type.canonicalText) == texts.map(type.canonicalText)
    }
}

extension Shape {
    /// The text of a value that is the same for equal numbers, such as `2` and `2.0`.
    package func canonicalText(_ text: String) -> String {
        if case .scalar(.number) = element { Double(text).map { "\($0)" } ?? text } else { text }
    }
}
