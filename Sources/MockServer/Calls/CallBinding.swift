import EndpointKit
import EndpointTools
import JSONText

/// The place of a parameter in a request, and how its text is written there.
package struct CallBinding: Sendable {
    package let parameter: Parameter
    package let place: RequestParts.Location
    /// The text around the value, such as `bytes=` in a Range header, and the values of other parameters.
    package var pattern = TextPattern(literals: [[], []])
    /// The index of this parameter's value among the values of the pattern.
    package var index = 0
    /// The text between the elements of an array; nil if each element has a text of its own.
    package var separator: String?
    /// Whether a single value in JSON is a string; nil if it is given as JSON.
    var isString: Bool?
    /// How the API writes keys, if the value's parts have places of their own, such as `filter[colour]`.
    ///
    /// The name of ``place`` is empty if the parts are named like the fields alone, `colour`.
    package var nested: Coding?

    /// The content of a request at the place.
    enum Value {
        case texts([String])
        case json(JSONValue)
        /// The parameter is there, but the request does not show its value.
        case present
        case invalid(problem: String)
    }

    /// Returns the parameter's value in a request, or nil if it is not there.
    func value(in parts: RequestParts) -> Value? {
        if let nested { return nestedValue(in: parts, nested) }
        if case .json(let keys) = place {
            guard let json = keys.reduce(parts.json, { $0?[$1] }) else { return nil }
            return value(json)
        }
        let texts = parts.texts(at: place)
        if texts.isEmpty { return nil }
        return place.isFile ? .present : unwrapped(texts)
    }

    /// Returns a value that is spread over several items, put together again as JSON; nil if no item belongs to it.
    ///
    ///     filter[colour]=red, filter[size]=2    →    {"colour": "red", "size": 2}
    ///
    /// If ``place`` has a name, that is the first key of each item and not a part of the value.
    ///
    /// - Parameter coding: How the API writes keys.
    private func nestedValue(in parts: RequestParts, _ coding: Coding) -> Value? {
        let rootCount = place.name == "" ? 0 : 1
        let items = parts.items.filter { covers($0.place) }.map { item in
            (keys: QueryItem.keys(of: item.place.name ?? "").dropFirst(rootCount), text: item.text)
        }
        return items.isEmpty ? nil : .json(parameter.type.json(of: items, coding))
    }

    /// Returns whether the text at a place is the parameter's value or a part of it.
    ///
    /// A nested binding to `filter` covers `filter[colour]`. A nested binding without a name covers each item whose
    /// first key is one of the fields of the parameter's type. Every other binding covers only its own place.
    package func covers(_ other: RequestParts.Location) -> Bool {
        guard let nested, let name = place.name, let text = other.name, other.with("") == place.with("") else {
            return other == place
        }
        if !name.isEmpty { return text.hasPrefix(name) && QueryItem.keys(of: text)[0] == name }
        let key = nested.modelKey(QueryItem.keys(of: text)[0])
        return parameter.type.fields.contains { $0.key == key }
    }

    /// Returns the parameter's values in texts at its place.
    ///
    /// The literal text of the pattern is removed, and a text that holds a whole array is split at the separator:
    /// with the pattern `ids:` and the separator `,`, the text `ids:3,5` has the values `3` and `5`.
    ///
    /// - Returns: The values, or `invalid` with a sentence if a text does not match the pattern.
    private func unwrapped(_ texts: [String]) -> Value {
        var values: [String] = []
        for text in texts {
            guard let value = unwrapped(text) else {
                let form = pattern.literals.map { String(exactBytes: $0) }.joined(separator: "…")
                return .invalid(problem: "\(placePhrase): expected \(form), got '\(text)'")
            }
            if let separator {
                let elements = value.utf8.split(separator: separator.utf8, omittingEmptySubsequences: false)
                if !value.isEmpty { values += elements.map { String(Substring($0)) } }
            } else {
                values.append(value)
            }
        }
        return .texts(values)
    }

    /// Returns this parameter's value in a text, or nil if the text does not match the pattern.
    private func unwrapped(_ text: String) -> String? {
        // A value in a pattern is never empty, but one that stands alone may be.
        if pattern.literals == [[], []] { return text }
        return pattern.values(in: text.exactBytes)?[index]
    }

    /// The longest array in a body whose elements are read: a small body must not take much memory.
    private static let maxElements = 10_000

    /// Returns a value of a JSON body as texts, or as JSON if ``isString`` is nil; nil for null.
    ///
    /// - Returns: Also `invalid` for a value of another kind than the parameter, and `present`, which hides the
    ///   elements, for an array with more than ``maxElements``.
    private func value(_ json: JSONValue) -> Value? {
        if json.isNull { return nil }
        guard let isString else { return .json(json) }
        guard parameter.type.isArray else { return texts(of: [json], isString: isString) ?? misfit(json, isString) }
        guard let elements = json.elements else {
            return .invalid(problem: "\(phrase): expected an array, got '\(json.description.prefix(80))'")
        }
        if elements.count > Self.maxElements { return .present }
        return texts(of: elements, isString: isString) ?? misfit(json, isString)
    }

    /// Returns the texts of scalars in JSON; nil if one is of another kind than the parameter.
    ///
    /// - Parameters:
    ///   - values: One value, or the elements of an array.
    ///   - isString: Whether each value must be a string. If not, it must be a boolean for a boolean parameter, and
    ///     otherwise anything but a string.
    private func texts(of values: some Sequence<JSONValue>, isString: Bool) -> Value? {
        let isBool = parameter.type.element == .scalar(.boolean) && !isString
        var texts: [String] = []
        for value in values {
            guard isBool ? value.bool != nil : (value.string != nil) == isString else { return nil }
            texts.append(value.text)
        }
        return .texts(texts)
    }

    /// Returns the problem that a value of a JSON body has another type than the parameter.
    private func misfit(_ json: JSONValue, _ isString: Bool) -> Value {
        let expected = isString ? "a string" : parameter.type.phrase
        return .invalid(problem: "\(phrase): expected \(expected), got '\(json.description.prefix(80))'")
    }

    /// The name of the parameter in a sentence.
    var phrase: String { (pattern.literals.count > 2 ? "\(parameter.name) in " : "") + placePhrase }

    /// The name of the place in a sentence.
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
